/** A check. It returns one line about its result. */
export type Check = () => Promise<string>;

export interface Report {
  /** Runs a check and prints its row. If it fails, prints the reason and continues. */
  check(subject: string, name: string, check: Check): Promise<boolean>;
  /** Prints the summary, and returns the exit code of the program. */
  close(): number;
}

const SUBJECT_WIDTH = 26;
const NAME_WIDTH = 44;
const WORKERS = 4;

/** Prints the results as a table, row by row. */
export function startReport(print: (line: string) => void = console.log): Report {
  const tally = { passed: 0, failed: 0 };
  const row = (subject: string, name: string, result: string, seconds: string, seen: string) =>
    print(
      `${subject.padEnd(SUBJECT_WIDTH)} ${name.padEnd(NAME_WIDTH)} ${result.padEnd(6)} ${seconds.padStart(6)}  ${seen}`,
    );
  row('subject', 'check', 'result', 's', 'seen');

  return {
    async check(subject, name, check) {
      const start = Date.now();
      const seconds = () => ((Date.now() - start) / 1000).toFixed(1);
      try {
        const seen = await check();
        tally.passed++;
        row(subject, name, 'pass', seconds(), seen);
        return true;
      } catch (error) {
        tally.failed++;
        row(subject, name, 'FAIL', seconds(), '');
        print(indent(error instanceof Error ? error.message : String(error)));
        return false;
      }
    },
    close() {
      // A run without any check fails.
      const broken = tally.failed > 0 || tally.passed === 0;
      print(`\n${tally.passed} passed, ${tally.failed} failed`);
      return broken ? 1 : 0;
    },
  };
}

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
export async function severalAtOnce<Item>(
  items: readonly Item[],
  workers: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

/** Uses things in order, each after it was prepared. While one is used, the next is prepared. */
export async function prepareAhead<Item, Prepared>(
  items: readonly Item[],
  prepare: (item: Item) => Promise<Prepared>,
  use: (item: Item, prepared: Prepared) => Promise<void>,
): Promise<void> {
  const [first] = items;
  let next = first && prepare(first);
  for (const [at, item] of items.entries()) {
    const prepared = (await next) as Prepared;
    const following = items[at + 1];
    next = following && prepare(following);
    // It's thrown when its turn comes.
    next?.catch(() => {});
    await use(item, prepared);
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
