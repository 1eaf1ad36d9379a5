import { register } from 'node:module';
import { pathToFileURL } from 'node:url';
import Mocha from 'mocha';

// Tries mutants for its parent process, one after another. Its arguments are the test files.

register('./afresh.mjs', import.meta.url);

/** A request from the parent: a mutant and the tests that reach it, or no tests if it's reached while modules load. */
export interface Attempt {
  id: number;
  titles?: string[];
}

/** The response: the first test that failed. */
export interface Verdict {
  failed: string | undefined;
}

/** The mutants that the unchanged code reaches: while modules load, and in each test. */
export interface Coverage extends Verdict {
  atStart: number[];
  reached: [id: number, titles: string[]][];
}

let mutant = Number.NaN;
/** The titles of the running tests; undefined while modules load. */
let running: readonly string[] | undefined;
const reached = new Map<number, Set<string>>();
const atStart = new Set<number>();

Object.assign(globalThis, {
  isMutant(id: number): boolean {
    if (running === undefined) atStart.add(id);
    else if (Number.isNaN(mutant)) {
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
  const mocha = new Mocha({ reporter: Silence as never, timeout: 20_000, bail: true });
  mocha.cleanReferencesAfterRun(false);
  running = undefined;
  // What a module computes as it loads shows in the quick tests; whole sessions would take too long.
  const files = process.argv.slice(2).filter(file => turn === 0 || !file.includes('sessions'));
  for (const file of files) {
    mocha.suite.emit('pre-require', globalThis, file, mocha);
    await import(`${pathToFileURL(file).href}?afresh=${turn}`);
  }
  running = [];
  return mocha;
}

/** Runs the tests with these titles, or all tests, until one fails. */
function run(mocha: Mocha, titles?: ReadonlySet<string>): Promise<Verdict> {
  // Mocha only calls `test` on the expression.
  const chosen = { test: (title: string) => titles?.has(title) ?? true } as RegExp;
  mocha.grep(/./).options.grep = chosen;
  return new Promise(resolve => {
    let failed: string | undefined;
    const runner = mocha.run(() => resolve({ failed }));
    runner.on('fail', (test, { message }) => {
      failed ??= `${test.fullTitle()}: ${message}`;
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
const { failed } = await run(mocha);
const titlesOf = [...reached].map(([id, titles]): [number, string[]] => [id, [...titles]]);
process.send?.({ failed, atStart: [...atStart], reached: titlesOf } satisfies Coverage);

process.on('message', async ({ id, titles }: Attempt) => {
  mutant = id;
  try {
    if (titles) process.send?.(await run(mocha, new Set(titles)));
    else {
      const fresh = await loadTests(id);
      const verdict = await run(fresh);
      fresh.dispose();
      process.send?.(verdict);
    }
  } catch (error) {
    process.send?.({ failed: `loading: ${error}` } satisfies Verdict);
  }
});
