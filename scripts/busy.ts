import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

/**
 * `npm run test:busy` finds tests that depend on a quiet machine. It runs all tests next to eight processes that never
 * wait, and then once more on one core. Arguments go to mocha: name test files to run only those.
 */
const BUSY_PROCESSES = 8;
const MOCHA = createRequire(import.meta.url).resolve('mocha/bin/mocha.js');
const ALL_TESTS = ['--import', 'tsx/esm', 'test/run.ts', '--all'];

// It looks at the clock rather than at stdin, and yields between two spells, so that it ends when the pipe closes: that
// is also when this process is killed.
const BUSY = `process.stdin.resume().on('end', () => process.exit()).on('error', () => process.exit());
const spell = () => { const end = Date.now() + 50; while (Date.now() < end); setImmediate(spell); };
spell();`;

/** How the tests run in a round. */
interface Round {
  name: string;
  busy: number;
  /** The words in front of the command. */
  prefix: readonly string[];
}

const ONE_CORE = ['taskset', '-c', '0'];
const rounds: Round[] = [{ name: `next to ${BUSY_PROCESSES} busy processes`, busy: BUSY_PROCESSES, prefix: [] }];
if (spawnSync('taskset', ['-c', '0', 'true']).status === 0)
  rounds.push({ name: 'on one core', busy: 0, prefix: ONE_CORE });
else console.log(`Only one round: ${ONE_CORE.join(' ')} doesn't work here, so the tests can't run on one core.`);

const typed = process.argv.slice(2);
const command = [...(typed.some(word => word.endsWith('.ts')) ? [MOCHA] : ALL_TESTS), ...typed];

let tests: ChildProcess | undefined;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => {
    tests?.kill();
    // Without a listener, the signal ends this process, and so the busy ones.
    process.kill(process.pid, signal);
  });
}

const summary: string[] = [];
for (const round of rounds) {
  console.log(`\n== ${['all tests', ...typed].join(' ')}, ${round.name}`);
  const start = performance.now();
  const { code, failed } = await run(round);
  const line = `${round.name}: ${code === 0 ? 'passed' : 'FAILED'} after ${Math.round((performance.now() - start) / 1000)} s`;
  console.log(`-- ${line}`);
  summary.push(line, ...failed.map(title => `  ${title}`));
  if (code !== 0) process.exitCode = 1;
}
console.log(`\n${summary.join('\n')}`);

async function run({ busy, prefix }: Round): Promise<{ code: number | null; failed: string[] }> {
  // Linux gives each session the same share of the processors. In the session of the tests, eight would slow only each
  // other.
  const competitors = Array.from({ length: busy }, () =>
    spawn(process.execPath, ['-e', BUSY], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] }),
  );
  const [program = '', ...words] = [...prefix, process.execPath, ...command];
  tests = spawn(program, words, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  let printed = '';
  tests.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    process.stdout.write(text);
  });
  const [code] = await once(tests, 'close');
  for (const { stdin } of competitors) stdin.end();
  await Promise.all(competitors.map(child => child.exitCode ?? once(child, 'close')));
  return { code, failed: failedIn(printed) };
}

/** The titles of the failed tests in what mocha prints: after a number, a line for each level, indented by 7 or more. */
function failedIn(printed: string): string[] {
  const list = printed.slice(printed.search(/^ +\d+ failing$/m));
  const titles = [...list.matchAll(/^ {2}\d+\) (.*(?:\n {7,}\S.*)*):$/gm)];
  return titles.map(([, title = '']) => title.split(/\n +/).join(' > '));
}
