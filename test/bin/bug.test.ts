import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { main } from '../../src/bin/main.ts';
import { createTerminal } from '../../src/shell/terminal.ts';

/** Runs a command line with a broken working directory, which no command expects. */
async function typeInto(line: string) {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const streams = { env: {}, cwd: () => '/', stdin, stdout, stderr } as never;
  const cwd = () => {
    throw new TypeError('This is broken');
  };
  const terminal = Object.defineProperty(createTerminal(streams), 'cwd', { get: cwd });
  const code = await main(line.split(' '), terminal);
  stdout.end();
  stderr.end();
  return { code, stdout: await text(stdout), stderr: await text(stderr) };
}

describe('an unexpected error', () => {
  it('is reported as a bug', async () => {
    const hint = 'This is a bug in botcli. Run the same command with --debug to see where it happened.';
    const stderr = `error: This is broken\n${hint}\n`;
    assert.deepEqual(await typeInto('init my-bot'), { code: 1, stdout: '', stderr });
  });

  for (const debug of ['--debug', '--debug=true']) {
    it(`is shown with its stack if ${debug} is passed`, async () =>
      assert.match((await typeInto(`init my-bot ${debug}`)).stderr, /^error: This is broken\nTypeError: .*\n {4}at /));
  }

  it('is JSON if --json is passed, with its stack if --debug is passed', async () => {
    const plain = await typeInto('init my-bot --json');
    assert.deepEqual(JSON.parse(plain.stdout), { error: { code: 'bug', message: 'TypeError: This is broken' } });
    const { code, stdout, stderr } = await typeInto('init my-bot --json --debug');
    assert.deepEqual([code, stderr], [1, '']);
    const { stack, ...error } = JSON.parse(stdout).error;
    assert.deepEqual(error, { code: 'bug', message: 'TypeError: This is broken' });
    assert.match(stack, /^TypeError: This is broken\n {4}at /);
  });
});
