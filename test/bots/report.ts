import { measureSlowness, slowness } from './slowness.ts';

/** A check. It returns one line about its result. */
export type Check = () => Promise<string>;

/** One of the two times that a conversation may be held. */
export interface Attempt {
  /** Whether it's the second time, which needs everything fresh, and logs of its own. */
  isSecond: boolean;
  /** Where its logs are. */
  logs: string[];
}

export interface Report {
  /** Runs a check and prints its row. If it fails, prints the reason and continues. */
  check(subject: string, name: string, check: Check): Promise<boolean>;
  /**
   * The same for a conversation, which takes place in real time. If it fails, it's held a second time, and is unsteady if
   * it passes then. What fails before it begins is no matter of time: see `setUp`.
   */
  converse(subject: string, name: string, hold: (attempt: Attempt) => Promise<string>): Promise<boolean>;
  /** Prints the summary, with what failed once more, and returns the exit code of the program. */
  close(): number;
}

/** What a conversation needs could not be prepared. */
class SetUpError extends Error {}

/** Prepares what a conversation needs. If that fails, the conversation isn't held a second time. */
export async function setUp<Result>(prepare: Promise<Result>): Promise<Result> {
  try {
    return await prepare;
  } catch (error) {
    throw new SetUpError(messageOf(error));
  }
}

const WORKERS = 4;

/** How many of the parts that took longest are listed. */
const LONGEST = 20;

/** Why a check failed, and whether it would fail again. */
interface Problem {
  text: string;
  isFinal: boolean;
}

interface Options {
  print?: (line: string) => void;
  /** Runs before each conversation. */
  measure?: () => Promise<void>;
}

/** Prints the results as a table, row by row. */
export function startReport({ print = console.log, measure = measureSlowness }: Options = {}): Report {
  let passed = 0;
  const failed: string[] = [];
  const unsteady: string[] = [];
  const parts: { name: string; seconds: number }[] = [];
  const row = (subject: string, name: string, result: string, seconds: string, seen: string) =>
    print(`${subject.padEnd(26)} ${name.padEnd(44)} ${result.padEnd(6)} ${seconds.padStart(6)}  ${seen}`);
  row('subject', 'check', 'result', 's', 'seen');

  /** Runs a check, and prints its row. */
  const run = async (subject: string, name: string, check: Check, whenFailed = 'FAIL') => {
    const start = Date.now();
    const end = (result: string, seen: string) => {
      const seconds = (Date.now() - start) / 1000;
      parts.push({ name: `${subject} ${name}`, seconds });
      row(subject, name, result, seconds.toFixed(1), seen);
    };
    try {
      end('pass', await check());
      return undefined;
    } catch (error) {
      const problem = { text: messageOf(error), isFinal: error instanceof SetUpError };
      end(problem.isFinal ? 'FAIL' : whenFailed, '');
      print(indent(problem.text));
      return problem;
    }
  };
  const count = (subject: string, name: string, problem?: Problem): boolean => {
    if (problem) failed.push(`failed: ${subject} ${name}\n${indent(problem.text)}`);
    else passed++;
    return !problem;
  };

  return {
    check: async (subject, name, check) => count(subject, name, await run(subject, name, check)),
    async converse(subject, name, hold) {
      const logs: string[] = [];
      const attempt = (isSecond: boolean, whenFailed: string) =>
        run(subject, name, async () => describe(await hold({ isSecond, logs })), whenFailed);
      await measure();
      const problem = await attempt(false, 'again');
      if (!problem || problem.isFinal) return count(subject, name, problem);
      await measure();
      const second = await attempt(true, 'FAIL');
      if (second) return count(subject, name, second);
      const [reason] = problem.text.split('\n');
      unsteady.push(`unsteady: ${subject} ${name}, ${reason}${logs.length > 0 ? `; logs: ${logs.join(', ')}` : ''}`);
      return count(subject, name);
    },
    close() {
      const longest = parts.toSorted((one, other) => other.seconds - one.seconds).slice(0, LONGEST);
      print('\nwhat took longest, in seconds');
      for (const { name, seconds } of longest) print(`${seconds.toFixed(1).padStart(7)}  ${name}`);
      // A run without any check fails.
      const isBroken = failed.length > 0 || passed === 0;
      print(`\n${passed} passed, ${failed.length} failed${unsteady.length > 0 ? `, ${unsteady.length} unsteady` : ''}`);
      for (const line of [...failed, ...unsteady]) print(line);
      return isBroken ? 1 : 0;
    },
  };
}

/** Adds to what was seen how slow the machine was. */
const describe = (seen: string): string => (slowness() < 1.5 ? seen : `${seen}; ${slowness()} times slower`);

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/**
 * Runs the same check on many things, a few at a time, and describes those that passed. Reports all failures together
 * at the end.
 */
export async function checkAll<Item extends { name: string }>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<string> {
  const problems: string[] = [];
  await severalAtOnce(items, WORKERS, item =>
    work(item).catch((error: Error) => problems.push(`${item.name}: ${error.message}`)),
  );
  return expectNone(problems, `${items.length} passed`);
}

/** Does the same work on many things, several at once. */
async function severalAtOnce<Item>(items: readonly Item[], workers: number, work: (item: Item) => Promise<unknown>) {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/**
 * Uses things in order, each after it was prepared, and several at once. While one is used, the next is prepared. If a
 * use fails, it still waits for what is being prepared, so that nothing of it runs on beside what comes next.
 */
export async function prepareAhead<Item, Prepared>(
  items: readonly Item[],
  prepare: (item: Item) => Promise<Prepared>,
  use: (item: Item, prepared: Prepared) => Promise<void>,
  atOnce = 1,
): Promise<void> {
  const begun = new Map<Item, Promise<Prepared>>();
  const begin = (item: Item): Promise<Prepared> => {
    const preparing = begun.get(item) ?? prepare(item);
    // It's thrown when its turn comes.
    preparing.catch(() => {});
    begun.set(item, preparing);
    return preparing;
  };
  const coming = [...items];
  try {
    await severalAtOnce(items, atOnce, async item => {
      coming.shift();
      const using = use(item, await begin(item));
      if (coming[0] !== undefined) begin(coming[0]);
      await using;
    });
  } finally {
    await Promise.allSettled(begun.values());
  }
}

/** Fails a check with all problems. */
export function expectNone(problems: readonly string[], seen: string): string {
  if (problems.length > 0) throw new Error(problems.join('\n'));
  return seen;
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
