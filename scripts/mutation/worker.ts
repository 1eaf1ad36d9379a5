import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';
import { remembered } from '../../src/remembered.ts';

// Tries mutants for its parent process, one after another. Its arguments are the test files.

register('./afresh.mjs', import.meta.url);

/** A request from the parent: a mutant, and the tests to run. */
export interface Attempt {
  id: number;
  titles: string[];
  /** Whether modules reach it as they load, so that they must be reloaded. */
  isAtStart: boolean;
}

/** The response: the first test that failed. */
export interface Verdict {
  failed: string | undefined;
}

/** The mutants that the unchanged code reaches: while modules load, and in each test. */
export interface Coverage extends Verdict {
  atStart: number[];
  reached: [id: number, titles: string[]][];
  /** How long each test took, in milliseconds. */
  durations: [title: string, duration: number][];
}

let mutant = Number.NaN;
/** The titles of the running tests; undefined while modules load. */
let running: readonly string[] | undefined;
/** Which tests ran when a mutant was last reached. Most are reached very often in a test, and are noted once. */
const lastReached: (readonly string[] | undefined)[] = [];
const reached = new Map<number, Set<string>>();
const durations = new Map<string, number>();
const atStart = new Set<number>();

Object.assign(globalThis, {
  isMutant(id: number): boolean {
    if (running === undefined) atStart.add(id);
    else if (Number.isNaN(mutant) && lastReached[id] !== running) {
      lastReached[id] = running;
      const titles = reached.get(id) ?? new Set();
      for (const title of running) titles.add(title);
      reached.set(id, titles);
    }
    return id === mutant;
  },
});

class Silence {}

/** Reloads the tests with everything they import. */
async function loadTests(turn: number): Promise<Mocha> {
  // The parent ends a process that takes too long.
  const mocha = new Mocha({ reporter: Silence as never, timeout: 0, bail: true });
  mocha.cleanReferencesAfterRun(false);
  running = undefined;
  for (const file of process.argv.slice(2)) {
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    await import(`${pathToFileURL(file).href}?afresh=${turn}`);
  }
  running = [];
  return mocha;
}

/** The tests of each suite, by their titles. A title that is looked up again and again takes too long. */
const testsOf = remembered(({ tests }: Mocha.Suite) => tests.map(test => [test.fullTitle(), test] as const));

const suitesIn = (suite: Mocha.Suite): Mocha.Suite[] => [suite, ...suite.suites.flatMap(suitesIn)];

/** Runs the tests with these titles, or all tests, until one fails. */
function run(mocha: Mocha, titles?: ReadonlySet<string>): Promise<Verdict> {
  for (const suite of suitesIn(mocha.suite)) {
    const chosen = testsOf(suite).filter(([title]) => titles?.has(title) ?? true);
    suite.tests = chosen.map(([, test]) => test);
  }
  return new Promise(resolve => {
    let failed: string | undefined;
    const runner = mocha.run(() => resolve({ failed }));
    runner.on('fail', (test, { message }) => {
      failed ??= `${test.fullTitle()}: ${message}`;
    });
    runner.on('test end', test => {
      if (Number.isNaN(mutant)) durations.set(test.fullTitle(), test.duration ?? 0);
    });
    runner.on('hook', hook => {
      running = titlesIn(hook.parent as Mocha.Suite);
    });
    runner.on('test', test => {
      running = [test.fullTitle()];
    });
  });
}

const titlesIn = (suite: Mocha.Suite): string[] => [
  ...suite.tests.map(test => test.fullTitle()),
  ...suite.suites.flatMap(titlesIn),
];

const mocha = await loadTests(0);
process.send?.(process.env.COVERS ? await measure() : 'ready');

/** Runs all tests once, and notes what they reach. */
async function measure(): Promise<Coverage> {
  const { failed } = await run(mocha);
  const titlesOf = [...reached].map(([id, titles]): [number, string[]] => [id, [...titles]]);
  return { failed, atStart: [...atStart], reached: titlesOf, durations: [...durations] };
}

// Without its parent, it has nothing to do.
process.on('disconnect', () => process.exit());

process.on('message', async ({ id, titles, isAtStart }: Attempt) => {
  mutant = id;
  try {
    const loaded = isAtStart ? await loadTests(id + 1) : mocha;
    process.send?.(await run(loaded, new Set(titles)));
    if (isAtStart) loaded.dispose();
  } catch (error) {
    process.send?.({ failed: `loading: ${error}` } satisfies Verdict);
  }
});
