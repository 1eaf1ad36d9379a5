import { type ChildProcess, fork } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { instrument, type Mutant } from './mutation/mutants.ts';
import type { Attempt, Coverage, Verdict } from './mutation/worker.ts';

// Usage: npm run mutate -- [FILE OR FOLDER...]. Makes small changes to the sources, one at a time, and lists those that
// no test notices. Fails if the tests of a folder notice too few.

/** The sources to change: code without side effects, with fast tests. */
const FOLDERS = ['src/config', 'src/project', 'src/merge', 'src/formats', 'src/secrets-cli/input'];

/** The tests of those sources, which run them in their own process. */
const TESTS = [
  ...['test/generated.test.ts', 'test/config', 'test/project', 'test/merge', 'test/formats', 'test/existing'],
  ...['test/secrets-cli/input', 'test/catalog'],
  ...['test/wizard', 'test/generators/help.test.ts', 'test/generators/snapshots.test.ts'],
  ...['answers', 'config-file', 'existing', 'next-steps', 'refusals'].map(name => `test/init/${name}.test.ts`),
  ...['image-pull-secret', 'set', 'set-plan', 'set-refusals', 'set-values'].map(
    name => `test/secrets-cli/${name}.test.ts`,
  ),
];

/** The slowest tests, which run last. */
const SLOW = /command\.test|snapshots\.test|test\/(init|secrets-cli\/[^/]+$)/;

/** The percentage of changes that the tests of a folder must notice. */
const LEAST = 90;

/** The time limit for a mutant in milliseconds, because a change may make a loop endless. */
const PATIENCE = 20_000;

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

const tests = TESTS.flatMap(path => filesIn(path, '.test.ts'))
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

  /** Starts the process, which runs all tests once. */
  async start(): Promise<Coverage> {
    const files = tests.map(path => path.replace(/ts$/, 'js'));
    this.child = fork(join(ROOT, 'scripts/mutation/worker.ts'), files, {
      cwd: SANDBOX,
      execArgv: ['--import', import.meta.resolve('tsx/esm')],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.attempts = 0;
    return (await this.answer(600_000)) as Coverage;
  }

  async attempt(attempt: Attempt): Promise<Verdict> {
    if (!this.child || this.attempts >= MOST_ATTEMPTS) {
      this.stop();
      await this.start();
    }
    if (!attempt.titles) this.attempts += 1;
    this.child?.send(attempt);
    const verdict = await this.answer(PATIENCE);
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
      this.child?.once('message', message => settle(message as Verdict)).once('exit', () => settle(undefined));
    });
  }
}

const wanted = process.argv.slice(2);
const paths = (wanted.length > 0 ? wanted : FOLDERS).flatMap(path => filesIn(path, '.ts'));
const mutants = await prepare(paths);
const workers = Array.from({ length: availableParallelism() }, () => new Worker());
const [coverage] = await Promise.all(workers.map(worker => worker.start()));
if (!coverage || coverage.failed) throw new Error(`A test fails without any change: ${coverage?.failed}`);
const titlesOf = new Map(coverage.reached);
const atStart = new Set(coverage.atStart);

const survivors: Mutant[] = [];
const queue = [...mutants];
const work = async (worker: Worker) => {
  for (let mutant = queue.shift(); mutant; mutant = queue.shift()) {
    const { id } = mutant;
    const titles = titlesOf.get(id);
    const isNoticed =
      (titles && (await worker.attempt({ id, titles })).failed) ||
      (atStart.has(id) && (await worker.attempt({ id })).failed);
    if (isNoticed) continue;
    survivors.push(mutant);
    console.log(`${mutant.path}:${mutant.line}  ${mutant.change}`);
  }
  worker.stop();
};
await Promise.all(workers.map(work));

const folders = [
  ...new Set(mutants.map(({ path }) => FOLDERS.find(folder => path.startsWith(folder)) ?? dirname(path))),
];
for (const folder of folders) {
  const [all, left] = [mutants, survivors].map(list => list.filter(({ path }) => path.startsWith(folder)).length);
  const score = Math.floor((100 * ((all ?? 0) - (left ?? 0))) / (all ?? 1));
  console.log(`${folder}: ${score} % of ${all} changes are noticed, ${left} are not`);
  if (score < LEAST) process.exitCode = 1;
}
