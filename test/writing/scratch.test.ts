import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { putFiles } from '../../src/writing/changes.ts';
import { findRemains, removeRemains } from '../../src/writing/scratch.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';

/** No process has this number: it is larger than any that Linux gives. */
const DEAD = 4_194_305;
const scratchOf = (pid: number) => `bot/.botcli-${pid}-abc123.tmp`;

const REMOVED =
  'botcli was interrupted here. Its temporary files are removed now, and running that command again finishes its work.';

function removeIn(sandbox: string): string[] {
  const notes: string[] = [];
  removeRemains(join(sandbox, 'bot'), note => void notes.push(note));
  return notes;
}

describe('what an interrupted run left', () => {
  const scratch = scratchOf(DEAD);
  const rows: [about: string, left: Tree][] = [
    ['an empty directory', { [scratch]: '/' }],
    ['new texts and backups', { [`${scratch}/0.new`]: 'new', [`${scratch}/0.old`]: 'old' }],
    ['those of several runs', { [`${scratch}/0.new`]: 'new', [`${scratchOf(DEAD + 1)}/12.old`]: 'old' }],
  ];
  for (const [about, left] of rows) {
    it(`is removed, and nothing else: ${about}`, () =>
      inTree({ 'bot/a.txt': 'a', ...left }, sandbox => {
        assert.notDeepEqual(findRemains(join(sandbox, 'bot')), []);
        assert.deepEqual(removeIn(sandbox), [REMOVED]);
        assert.deepEqual(readTree(sandbox), { 'bot/a.txt': 'a' });
        assert.deepEqual(removeIn(sandbox), []);
      }));
  }

  const others: [about: string, files: Tree][] = [
    ['another file', { '0.new': 'x', 'run.sh': 'rm -rf /' }],
    ['a directory', { '0.old/x': 'x' }],
    ['a link', { '0.old': '-> ../server/.env' }],
  ];
  for (const [about, files] of others) {
    it(`stays if it has something that no run puts there, and stops nobody: ${about}`, () => {
      const left = Object.entries(files).map(([name, text]) => [`${scratch}/${name}`, text]);
      return inTree({ 'bot/server/.env': 'mine', ...Object.fromEntries(left) }, sandbox => {
        const before = fingerprint(sandbox, false);
        assert.deepEqual(removeIn(sandbox), []);
        assert.deepEqual(findRemains(join(sandbox, 'bot')), []);
        putFiles(join(sandbox, 'bot'), { b: 'b' });
        rmSync(join(sandbox, 'bot/b'));
        assert.deepEqual(fingerprint(sandbox, false), before);
      });
    });
  }

  const names = ['.botcli-x.tmp', '.botcli-0-abc.tmp', '.botcli-1-ABC.tmp', '.botcli-1-a.tmp.bak', 'x.botcli-1-a.tmp'];
  it('is nothing else, even with a similar name', () =>
    inTree(Object.fromEntries(names.map(name => [`bot/${name}/0.new`, 'x'])), sandbox => {
      mkdirSync(join(sandbox, 'other'));
      symlinkSync('../other', join(sandbox, 'bot/.botcli-7-abc.tmp'));
      writeFileSync(join(sandbox, 'bot/.botcli-8-abc.tmp'), 'a file');
      const before = fingerprint(sandbox);
      assert.deepEqual(removeIn(sandbox), []);
      assert.deepEqual(fingerprint(sandbox), before);
    }));
});

describe('a run that is still at work', () => {
  const left = (pid: number): Tree => ({ [`${scratchOf(pid)}/0.old`]: 'old', 'bot/a': 'new' });

  /** Uses what a process has left that lives meanwhile. */
  const runningIt = (title: string, use: (sandbox: string, path: string) => unknown, isLinux = false) =>
    it(title, async function () {
      if (isLinux && process.platform !== 'linux') this.skip();
      const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
      const pid = child.pid ?? 0;
      try {
        await inTree(left(pid), sandbox => use(sandbox, join(sandbox, scratchOf(pid))));
      } finally {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    });

  runningIt('keeps its files, and stops another one right before that writes', sandbox => {
    const [before, withoutTimes] = [fingerprint(sandbox), fingerprint(sandbox, false)];
    const refusal = { name: 'UserError', message: 'Another botcli is changing this project. Nothing was written.' };
    assert.throws(() => removeIn(sandbox), refusal);
    assert.deepEqual(findRemains(join(sandbox, 'bot')), []);
    assert.deepEqual(fingerprint(sandbox), before);
    assert.throws(() => putFiles(join(sandbox, 'bot'), { b: 'b' }), refusal);
    assert.deepEqual(fingerprint(sandbox, false), withoutTimes);
  });

  const since: [why: string, seconds: number, isLinux?: boolean][] = [
    ['its directory is from the future, as one from an archive may be', 3600],
    ['another process got its number', -3600],
    ['the process with its number began later', -30, true],
  ];
  for (const [why, seconds, isLinux] of since)
    runningIt(
      `is over if ${why}`,
      (sandbox, path) => {
        const time = Date.now() / 1000 + seconds;
        utimesSync(path, time, time);
        assert.deepEqual(removeIn(sandbox), [REMOVED]);
        assert.deepEqual(readTree(sandbox), { 'bot/a': 'new' });
      },
      isLinux,
    );

  it('is over if its process has ended, though nobody has noticed', async function () {
    if (process.platform !== 'linux') this.skip();
    // The shell starts a process that reads to the end of a pipe, and becomes one that never asks for its result.
    const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(String(line));
      while (!/^sleep/.test(readFileSync(`/proc/${parent.pid}/cmdline`, 'utf8'))) await setTimeout(10);
      parent.stdin.end();
      while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await setTimeout(10);
      await inTree(left(pid), sandbox => assert.deepEqual(removeIn(sandbox), [REMOVED]));
    } finally {
      parent.kill('SIGKILL');
    }
  });
});
