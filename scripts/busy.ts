import { spawn, spawnSync } from 'node:child_process';
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

const typed = process.argv.slice(2);
const command = [process.execPath, ...(typed.some(word => word.endsWith('.ts')) ? [MOCHA] : ALL_TESTS), ...typed];

function run(name: string, [program = '', ...words]: readonly string[]): void {
  console.log(`\n== ${['all tests', ...typed].join(' ')}, ${name}`);
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const { status } = spawnSync(program, words, { cwd, stdio: 'inherit' });
  console.log(`-- ${name}: ${status === 0 ? 'passed' : 'FAILED'}`);
  if (status !== 0) process.exitCode = 1;
}

// Linux gives each session the same share of the processors. In the session of the tests, eight would slow only each
// other.
const competitors = Array.from({ length: BUSY_PROCESSES }, () =>
  spawn(process.execPath, ['-e', BUSY], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] }),
);
run(`next to ${BUSY_PROCESSES} busy processes`, command);
const ended = competitors.map(child => child.exitCode ?? once(child, 'close'));
for (const { stdin } of competitors) stdin.end();
await Promise.all(ended);

const ONE_CORE = ['taskset', '-c', '0'];
if (spawnSync('taskset', ['-c', '0', 'true']).status === 0) run('on one core', [...ONE_CORE, ...command]);
else console.log(`Only one round: ${ONE_CORE.join(' ')} doesn't work here, so the tests can't run on one core.`);
