import assert from 'node:assert/strict';
import { BOT, itIn, type Outcome, session } from '../support/session.ts';
import { runShell } from '../support/shell.ts';
import { readTree } from '../support/trees.ts';

// Lines of a real shell, for what depends on a process: streams, pipes, exit codes. `runShell` ends what hangs.

/** Runs every line at once, each with stdin open and nothing coming from it, in a directory of its own. */
async function runAll(lines: readonly string[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const runOne = (line: string, at: number) =>
    session({}, async ({ directory }) => {
      outcomes[at] = await runShell(line, { cwd: directory });
    })();
  await Promise.all(lines.map(runOne));
  return outcomes;
}

describe('the program', () => {
  it('never waits for an answer: stdin open, closed, empty, or CI', async () => {
    const closed = ['botcli init <&-', 'botcli init </dev/null', 'export CI=true; botcli init'];
    const outcomes = await runAll(['botcli init my-bot', 'botcli init', ...closed]);
    const codes = outcomes.map(({ code }) => code);
    assert.deepEqual(codes, [0, 2, 2, 2, 2]);
    for (const { stdout, stderr } of outcomes) assert(!(stdout + stderr).includes('\u001b'));
  });

  it('ends quietly when its reader leaves, early or before there was anything to read', async () => {
    const lines = ['--list-options | head -c 1', '--help | head -c 1', '--help | true', '--dry-run 2>&1 | true'];
    const outcomes = await runAll(lines.map(line => `botcli init ${line}`));
    assert.deepEqual(
      outcomes.map(({ stdout, stderr }) => ({ stdout, stderr })),
      ['{', 'U', '', ''].map(stdout => ({ stdout, stderr: '' })),
    );
  });

  it('reads a configuration from a pipe, and fails at once if there is none', async () => {
    const [piped, closed] = await runAll([
      `botcli init my-bot ${BOT} --dry-run | botcli init -c - --dry-run`,
      'botcli init my-bot -c - <&-',
    ]);
    assert.equal(JSON.parse(piped?.stdout ?? '').project_name, 'my-bot');
    assert.equal(closed?.code, 2);
    assert.match(closed?.stderr ?? '', /stdin can't be read: it is empty/);
  });

  itIn('writes into its target, and nothing anywhere else', {}, async ({ directory }) => {
    // HOME is the directory as well.
    const { code, stdout, stderr } = await runShell(`botcli init my-bot ${BOT}`, { cwd: directory });
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, stdout);
    const roots = Object.keys(readTree(directory)).map(path => path.split('/')[0]);
    assert.deepEqual([...new Set(roots)], ['my-bot']);
  });

  it('fails when what it prints can not be written, and says why once', async () => {
    const lines = ['init --list-options', 'init --help', '--version', 'init my-bot', 'init my-bot -t rtc_lokal --json'];
    const outcomes = await runAll(lines.map(line => `botcli ${line} >/dev/full`));
    for (const { code, stderr } of outcomes) {
      const reported = "error: Can't write to stdout: no space left on device. The output is incomplete.\n";
      assert.deepEqual([code === 0, stderr], [false, reported]);
    }
  });
});

describe('a working directory', () => {
  const GONE = 'mkdir gone && cd gone && rmdir ../gone && botcli';
  const DELETED = 'The working directory was deleted. Nothing was done.';
  const hint = 'Change to another directory, for example with cd ~, and run this again.';

  it('that was deleted is not needed for help and version', async () => {
    const outcomes = await runAll([`${GONE} --version`, `${GONE} init --help`, `${GONE} init --list-options`]);
    for (const { code, stderr } of outcomes) assert.deepEqual([code, stderr], [0, '']);
  });

  it('that was deleted is reported, also in JSON', async () => {
    const lines = [`init . ${BOT}`, 'init my-bot', 'init quickstart', `init my-bot ${BOT} --dry-run`];
    for (const { code, stdout, stderr } of await runAll(lines.map(line => `${GONE} ${line}`)))
      assert.deepEqual([code, stdout, stderr], [1, '', `error: ${DELETED}\n${hint}\n`]);
    const [json] = await runAll([`${GONE} init my-bot --json`]);
    assert.deepEqual(JSON.parse(json?.stdout ?? ''), { error: { code: 'no-directory', message: DELETED, hint } });
  });

  itIn('whose name is not UTF-8 is refused: another one would be written to', {}, async ({ directory, tree }) => {
    const name = String.raw`"$(printf 'q\377')"`;
    const line = `mkdir ${name} && cd ${name} && botcli init . ${BOT}`;
    const { code, stderr } = await runShell(line, { cwd: directory });
    assert.equal(code, 1);
    assert.equal(stderr, `error: The working directory has a name that is not UTF-8. Nothing was done.\n${hint}\n`);
    const { stdout } = await runShell(`ls -A | wc -l; rmdir ${name}`, { cwd: directory });
    assert.deepEqual([stdout.trim(), tree()], ['1', {}]);
  });
});
