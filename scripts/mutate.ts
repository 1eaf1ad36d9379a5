import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { instrument, type Mutant } from './mutation/mutants.ts';
import type { Attempt, Coverage, Verdict } from './mutation/worker.ts';

// Usage: npm run mutate -- [--every N] [--quick] [FILE OR FOLDER...]. Makes small changes to the sources, one at a time,
// and lists those that no test notices. Fails if the tests of a folder notice too few. All changes take hours:
// `--every 10` tries each tenth, and `--quick` leaves out tests of more than 100 ms.

/** The sources to change, code without side effects, and the tests that notice it in their own process. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'src/config': [
    ...['test/config', 'test/wizard', 'test/catalog', 'test/generated.test.ts', 'test/generators/help.test.ts'],
    ...['answers', 'config-file', 'refusals'].map(name => `test/init/${name}.test.ts`),
  ],
  'src/project': [
    ...['test/project', 'test/catalog', 'test/generated.test.ts', 'test/generators/snapshots.test.ts'],
    ...['existing', 'next-steps'].map(name => `test/init/${name}.test.ts`),
  ],
  'src/formats': ['test/formats', 'test/project', 'test/merge', 'test/existing', 'test/secrets-cli/input'],
  'src/merge': ['test/merge'],
  'src/secrets-cli/input': [
    'test/secrets-cli/input',
    ...['image-pull-secret', 'set', 'set-plan', 'set-refusals', 'set-values'].map(
      name => `test/secrets-cli/${name}.test.ts`,
    ),
  ],
};

/** The slowest tests, which run last. */
const SLOW = /command\.test|snapshots\.test|test\/(init|secrets-cli\/[^/]+$)/;

/** The percentage of changes that the tests of a folder must notice. */
const LEAST = 90;

/** The time limit for the tests of a mutant, because a change may make a loop endless: in milliseconds, and a factor. */
const PATIENCE = 5000;
const SLOWNESS = 10;

/** The tests of a mutant run in groups, the quickest first: up to these milliseconds each. Most mutants fail in one. */
const GROUPS = [5, 100, Number.POSITIVE_INFINITY];

/** A mutant that modules reach as they load needs all tests. */
const PATIENCE_AFRESH = 60_000;

/** Each mutant reloads modules, and the old ones stay in memory. So a process is replaced after this many mutants. */
const MOST_ATTEMPTS = 150;

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SANDBOX = join(ROOT, '.build/mutation');

const filesIn = (path: string, ending: string): string[] =>
  statSync(join(ROOT, path)).isFile()
    ? [path]
    : readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
        .filter(name => name.endsWith(ending))
        .map(name => join(path, name))
        .sort();

const { values: sample, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { every: { type: 'string', default: '1' }, quick: { type: 'boolean', default: false } },
});
const paths = (wanted.length > 0 ? wanted : Object.keys(FOLDERS)).flatMap(path => filesIn(path, '.ts'));
const folderOf = (path: string) => Object.keys(FOLDERS).find(folder => path.startsWith(folder)) ?? dirname(path);
const tests = [...new Set(paths.flatMap(path => FOLDERS[folderOf(path)] ?? []))]
  .flatMap(path => filesIn(path, '.test.ts'))
  .filter(path => !path.endsWith('.slow.test.ts'))
  .sort((one, other) => Number(SLOW.test(one)) - Number(SLOW.test(other)));

/** Bundles the tests with everything they import, except packages, and adds the mutants to the bundle. */
async function prepare(paths: readonly string[]): Promise<Mutant[]> {
  rmSync(SANDBOX, { recursive: true, force: true });
  cpSync(join(ROOT, 'generators'), join(SANDBOX, 'generators'), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(SANDBOX, 'node_modules'));
  const generators = readdirSync(join(ROOT, 'generators')).filter(name => !name.includes('.'));
  const entries = [...tests, ...generators.map(name => `generators/${name}/index.ts`)];
  const all: Mutant[] = [];
  const build = await rolldown({
    input: Object.fromEntries(entries.map(path => [path.replace(/\.ts$/, ''), join(ROOT, path)])),
    platform: 'node',
    external: /^[^./]/,
    plugins: [
      {
        name: 'mutants',
        load(id) {
          const path = relative(ROOT, id);
          if (!paths.includes(path)) return null;
          const { code, mutants } = instrument(path, readFileSync(id, 'utf8'), all.length);
          all.push(...mutants);
          return { code, moduleType: 'ts' };
        },
        transform(code, id) {
          // The generators are found in the bundle, everything else at its original path.
          if (id.endsWith('package-root.ts')) return null;
          const url = JSON.stringify(pathToFileURL(id).href);
          const directory = JSON.stringify(dirname(id));
          return code.replaceAll('import.meta.url', url).replaceAll('import.meta.dirname', directory);
        },
      },
    ],
  });
  await build.write({ dir: SANDBOX, entryFileNames: '[name].js', chunkFileNames: 'src/[name]-[hash].js' });
  await build.close();
  return all;
}

/** A process that tries mutants. It is replaced when it hangs or has tried many. */
class Worker {
  private child: ChildProcess | undefined;
  private attempts = 0;

  /** Starts the process, which loads the tests. To find out what they cover, it runs all of them once. */
  async start(covers = false): Promise<Coverage> {
    const files = tests.map(path => path.replace(/ts$/, 'js'));
    this.child = fork(join(ROOT, 'scripts/mutation/worker.ts'), files, {
      cwd: SANDBOX,
      env: { ...process.env, ...(covers && { COVERS: 'yes' }) },
      execArgv: ['--import', import.meta.resolve('tsx/esm')],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.attempts = 0;
    return (await this.answer(600_000)) as Coverage;
  }

  async attempt(attempt: Attempt, patience: number): Promise<Verdict> {
    if (!this.child || this.attempts >= MOST_ATTEMPTS) {
      this.stop();
      await this.start();
    }
    if (attempt.isAtStart) this.attempts += 1;
    this.child?.send(attempt);
    const verdict = await this.answer(patience);
    if (verdict) return verdict;
    this.stop();
    return { failed: 'timed out' };
  }

  stop() {
    this.child?.kill('SIGKILL');
    this.child = undefined;
  }

  /** The next message from the process; undefined if it takes too long or exits. */
  private answer(patience: number): Promise<Verdict | undefined> {
    return new Promise(resolve => {
      const timer = setTimeout(() => settle(undefined), patience);
      const settle = (verdict: Verdict | undefined) => {
        clearTimeout(timer);
        this.child?.removeAllListeners();
        resolve(verdict);
      };
      this.child
        ?.once('message', message => settle(message as Verdict))
        .once('exit', (code, signal) => {
          console.error(`A process ended: ${signal ?? code}`);
          settle(undefined);
        });
    });
  }
}

const all = await prepare(paths);
const mutants = all.filter((_, at) => at % Number(sample.every) === 0);
const workers = Array.from({ length: availableParallelism() }, () => new Worker());
const [coverage] = await Promise.all(workers.map((worker, at) => worker.start(at === 0)));
if (!coverage || coverage.failed) throw new Error(`A test fails without any change: ${coverage?.failed}`);
const titlesOf = new Map(coverage.reached);
const durationOf = new Map(coverage.durations);
const atStart = new Set(coverage.atStart);
console.log(`${mutants.length} of ${all.length} changes`);

const mayRun = (title: string) => !sample.quick || (durationOf.get(title) ?? 0) <= 100;

/** The tests that reach each file. What a module computes as it loads, only these can notice. */
const titlesByPath = new Map<string, Set<string>>();
for (const { id, path } of mutants) {
  const known = titlesByPath.get(path) ?? new Set();
  for (const title of (titlesOf.get(id) ?? []).filter(mayRun)) known.add(title);
  titlesByPath.set(path, known);
}

/** Whether a test that reaches a mutant notices it. */
async function isNoticed({ id, path }: Mutant, worker: Worker): Promise<boolean> {
  let titles = (titlesOf.get(id) ?? []).filter(mayRun);
  for (const most of GROUPS) {
    const isQuick = (title: string) => (durationOf.get(title) ?? 0) <= most;
    const group = titles.filter(isQuick);
    titles = titles.filter(title => !isQuick(title));
    const usual = group.reduce((sum, title) => sum + (durationOf.get(title) ?? 0), 0);
    const patience = PATIENCE + SLOWNESS * usual;
    if (group.length > 0 && (await worker.attempt({ id, titles: group, isAtStart: false }, patience)).failed)
      return true;
  }
  if (!atStart.has(id)) return false;
  const reaching = [...(titlesByPath.get(path) ?? [])];
  const all = reaching.length > 0 ? reaching : [...durationOf.keys()].filter(mayRun);
  return (await worker.attempt({ id, titles: all, isAtStart: true }, PATIENCE_AFRESH)).failed !== undefined;
}

const survivors: Mutant[] = [];
const queue = [...mutants];
const work = async (worker: Worker) => {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    if (queue.length % 50 === 0) console.log(`${queue.length} left`);
    if (await isNoticed(mutant, worker)) continue;
    survivors.push(mutant);
    console.log(`${mutant.path}:${mutant.line}  ${mutant.change}`);
  }
  worker.stop();
};
await Promise.all(workers.map(work));

for (const folder of new Set(mutants.map(({ path }) => folderOf(path)))) {
  const [tried = 0, left = 0] = [mutants, survivors].map(
    list => list.filter(({ path }) => path.startsWith(folder)).length,
  );
  const score = Math.floor((100 * (tried - left)) / tried);
  console.log(`${folder}: ${score} % of ${tried} changes are noticed, ${left} are not`);
  if (score < LEAST) process.exitCode = 1;
}
