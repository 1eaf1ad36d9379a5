import assert from 'node:assert/strict';
import { readTree } from '../generation/trees.ts';
import { BOT, type Outcome, session } from '../support/session.ts';
import { runShell } from '../support/shell.ts';

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

const codes = (outcomes: Outcome[]) => outcomes.map(({ code }) => code);

describe('the program', () => {
  it('never waits for an answer: stdin open, closed, empty, or CI', async () => {
    const closed = ['botcli init <&-', 'botcli init </dev/null', 'export CI=true; botcli init'];
    const outcomes = await runAll(['botcli init my-bot', 'botcli init', ...closed]);
    assert.deepEqual(codes(outcomes), [0, 2, 2, 2, 2]);
    for (const { stdout, stderr } of outcomes) assert(!(stdout + stderr).includes('\u001b'));
  });

  it('ends quietly when its reader leaves, early or before there was anything to read', async () => {
    const help = [
      'botcli init --list-options | head -c 1',
      'botcli init --help | head -c 1',
      'botcli init --help | true',
    ];
    const outcomes = await runAll([...help, 'botcli init --dry-run 2>&1 | true']);
    assert.deepEqual(
      outcomes.map(({ stdout, stderr }) => ({ stdout, stderr })),
      ['{', 'U', '', ''].map(stdout => ({ stdout, stderr: '' })),
    );
  });

  it('reads a configuration from a pipe, and fails at once where none can come', async () => {
    const [piped, closed] = await runAll([
      `botcli init my-bot ${BOT} --dry-run | botcli init -c - --dry-run`,
      'botcli init my-bot -c - <&-',
    ]);
    assert.equal(JSON.parse(piped?.stdout ?? '').project_name, 'my-bot');
    assert.equal(closed?.code, 2);
    assert.match(closed?.stderr ?? '', /stdin can't be read: it is empty/);
  });

  it(
    'writes into its target, and nothing anywhere else',
    session({}, async ({ directory }) => {
      // HOME is the directory as well.
      const { code, stdout, stderr } = await runShell(`botcli init my-bot ${BOT}`, { cwd: directory });
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' }, stdout);
      const roots = Object.keys(readTree(directory)).map(path => path.split('/')[0]);
      assert.deepEqual([...new Set(roots)], ['my-bot']);
    }),
  );
});
