import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runProcess, startProcess } from '../../src/dev/supervise.ts';
import { withClock } from '../support/clock.ts';
import { linuxIt, posixIt } from '../support/systems.ts';
import { inTree, type Tree } from '../support/trees.ts';

const never = new AbortController().signal;
const NOT_STOPPED = { signal: never, hurry: never };
const DEAF = "for (const s of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(s, () => {}); setInterval(() => {}, 1000);";

const nodeRunning = (code: string) => ({
  words: [process.execPath, '-e', code] as [string, ...string[]],
  cwd: process.cwd(),
  env: process.env,
});

/** Starts Node with this code, and waits until it has printed `ready` and the numbers of the processes to watch. */
const startReady = (code: string) =>
  new Promise<{ running: ReturnType<typeof startProcess>; pids: number[] }>(resolve => {
    const running = startProcess(nodeRunning(code), lines => {
      const [, numbers] = /^ready (.*)/m.exec(lines.join('\n')) ?? [];
      if (numbers) resolve({ running, pids: numbers.split(' ').map(Number) });
      return undefined;
    });
  });

/** Runs a program to its end. Returns that and its lines. */
async function runToEnd(command: Parameters<typeof runProcess>[0]) {
  const lines: string[] = [];
  const { code, signal } = await runProcess(command, more => void lines.push(...more), NOT_STOPPED);
  return { ending: [code, signal], lines };
}

/** A process that has ended, even if nobody has asked for its exit code yet, runs nothing. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

describe('a process', () => {
  it('passes on whole lines of both streams, in order, and the last one without its end', async () => {
    const code =
      "process.stdout.write('on'); process.stdout.write('e\\r\\ntwo\\nü'); setTimeout(() => console.error('\\nthree'), 200)";
    const { ending, lines } = await runToEnd(nodeRunning(code));
    assert.deepEqual(ending, [0, null]);
    assert.deepEqual([...lines].sort(), ['', 'one', 'three', 'two', 'ü'].sort());
    assert(lines.indexOf('one') < lines.indexOf('two'));
  });

  it('is slowed down by a slow reader, loses nothing, and its output is not stored', async () => {
    const code =
      "let n = 0; const go = () => { while (n < 100000) if (!process.stdout.write('line ' + ++n + ' ' + 'x'.repeat(200) + '\\n')) return process.stdout.once('drain', go) }; go()";
    let seen = 0;
    let most = 0;
    let isTaking = false;
    const take = async (lines: readonly string[]) => {
      assert(!isTaking, 'lines came while others were being taken');
      isTaking = true;
      if (seen < 5000) await sleep(5);
      for (const line of lines) assert.equal(line.slice(0, 12), `line ${++seen} ${'x'.repeat(12)}`.slice(0, 12));
      most = Math.max(most, lines.length);
      isTaking = false;
    };
    await runProcess(nodeRunning(code), take, NOT_STOPPED);
    assert.equal(seen, 100_000);
    assert(most < 2000, `${most} lines at once`);
  });

  it('has a line that it writes again and again passed on now and then, and in its last state', async () => {
    await inTree({}, async directory => {
      const path = join(directory, 'go');
      const lines: string[] = [];
      // It ends its line only once the first state has come.
      const code = `let n = 0; const go = () => {
        if (n < 98 || require('node:fs').existsSync(${JSON.stringify(path)})) n += 2;
        if (n < 100) process.stdout.write('\\r' + n + '%');
        n < 100 ? setTimeout(go, 5) : console.log('\\r100%\\r   \\nend\\r') }; go()`;
      const take = (more: readonly string[]) => {
        lines.push(...more);
        writeFileSync(path, '');
        return undefined;
      };
      // Time stands still, so no second state is due.
      await withClock(() => runProcess(nodeRunning(code), take, NOT_STOPPED));
      assert.match(lines[0] ?? '', /^\d{1,2}%$/);
      assert.deepEqual(lines.slice(1), ['100%', 'end']);
    });
  });

  it('has a line without an end cut into pieces', async () => {
    const { lines } = await runToEnd(nodeRunning("process.stdout.write('x'.repeat(1000000))"));
    assert.equal(lines.join(''), 'x'.repeat(1_000_000));
    assert(Math.max(...lines.map(({ length }) => length)) < 200_000);
  });

  it('passes on text without colors, cursor moves and other sequences', async () => {
    const marked = '\x1b[1;31mred\x1b[m \x9b2Jc1 \x1b]0;title\x07title \x1b]8;;http://x\x1b\\link ';
    const parts = [`${marked}\x1bPq\x1b\\dcs \x1b(B\x1b7set [1m ü`, '\x1b[2K10%\r\x1b[2K'];
    const code = `for (const part of ${JSON.stringify(parts)}) console.log(part); console.log('\\x1b' + ';#'.repeat(30_000))`;
    const { lines } = await runToEnd(nodeRunning(code));
    assert.deepEqual(lines.slice(0, 2), ['red c1 title link dcs set [1m ü', '10%']);
    assert.equal(lines[2]?.length, 59_999);
  });

  const faults: [test: typeof posixIt, about: string, tree: Tree, why: string][] = [
    [it, 'does not exist', {}, 'no such file or directory'],
    [posixIt, 'is a link to itself', { program: '-> program' }, 'its path has too many symbolic links'],
    [posixIt, 'is not executable', { program: '' }, 'permission denied'],
  ];
  for (const [test, about, tree, why] of faults) {
    test(`that ${about} has ended with 127, and says why`, () =>
      inTree(tree, async directory => {
        const program = join(directory, 'program');
        const { ending, lines } = await runToEnd({ ...nodeRunning(''), words: [program] });
        assert.deepEqual(ending, [127, null]);
        assert.deepEqual(lines, [`${program} can't be started: ${why}`]);
      }));
  }

  it('that ends by itself takes along what it has started', async () => {
    const code = `const { spawn } = require('node:child_process'); const one = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' }); console.log('ready', one.pid); setTimeout(() => process.exit(4), 100)`;
    const { running, pids } = await startReady(code);
    assert.equal((await running.ended).code, 4);
    assert.deepEqual(pids.map(isRunning), [false]);
  });

  linuxIt('is killed at once if somebody is in a hurry, with what ignores signals, or hides', async () => {
    const code = `const { spawn } = require('node:child_process'); ${DEAF}
      const start = (detached, env) => spawn(process.execPath, ['-e', ${JSON.stringify(`${DEAF} console.log('up')`)}], { detached, env, stdio: ['ignore', 'pipe', 'inherit'] });
      const all = [start(false), start(true), start(false, {}), start(true, {})]; let up = 0;
      for (const one of all) one.stdout.once('data', () => ++up === all.length && console.log('ready', process.pid, ...all.map(({ pid }) => pid)))`;
    const { running, pids } = await startReady(code);
    assert.deepEqual(pids.map(isRunning), [true, true, true, true, true]);
    await running.stop({ signal: never, hurry: AbortSignal.abort() });
    const { code: end, signal } = await running.ended;
    assert.deepEqual([end, signal, ...pids.map(isRunning)], [null, 'SIGKILL', false, false, false, false, false]);
  });

  linuxIt('that ends when it is asked to takes along what hides in another session', async () => {
    const code = `const one = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${DEAF} console.log('up')`)}], { detached: true, env: {}, stdio: ['ignore', 'pipe', 'inherit'] });
      process.on('SIGINT', () => process.exit(7)); one.stdout.once('data', () => console.log('ready', process.pid, one.pid))`;
    const { running, pids } = await startReady(code);
    const stop = new AbortController();
    const stopped = running.stop({ signal: never, hurry: stop.signal });
    while (isRunning(pids[0] as number)) await sleep(20);
    stop.abort();
    await stopped;
    const { code: end, signal } = await running.ended;
    assert.deepEqual([end, signal, ...pids.map(isRunning)], [7, null, false, false]);
  });

  posixIt('that runs until its end is stopped by a signal, whose reason is thrown', async () => {
    const stop = new AbortController();
    const lines: string[] = [];
    const take = (more: readonly string[]) => {
      lines.push(...more);
      stop.abort(new Error('enough'));
      return undefined;
    };
    const code =
      "process.on('SIGINT', () => { console.log('bye'); process.exit(0) }); setInterval(() => {}, 1000); console.log('hello')";
    await assert.rejects(runProcess(nodeRunning(code), take, { signal: stop.signal, hurry: never }), /enough/);
    assert.deepEqual(lines, ['hello', 'bye']);
  });
});
