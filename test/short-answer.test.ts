import assert from 'node:assert/strict';
import { shortAnswer } from '../src/programs.ts';

describe('a program that is asked for a short answer', () => {
  const code = (text: string): [string, ...string[]] => [process.execPath, '-e', text];
  const rows: [about: string, words: [string, ...string[]], answer: object][] = [
    ['gives its output', code('console.log(1)'), { output: '1\n' }],
    ['may fail', code('process.exit(3)'), { problem: 'ended with exit code 3', errors: '' }],
    ['may crash', code("process.kill(process.pid, 'SIGSEGV')"), { problem: 'ended because of SIGSEGV', errors: '' }],
    ['may be missing', ['/no/such/program'], { problem: "can't be started: no such file or directory", errors: '' }],
  ];
  for (const [about, words, expected] of rows) {
    it(about, async () => {
      assert.deepEqual(await shortAnswer(words, { env: process.env, patience: 60_000 }), expected);
    });
  }

  it('may be one that Node refuses to start', async () => {
    const answer = await shortAnswer(['\0'], { env: process.env, patience: 60_000 });
    assert.match('problem' in answer ? answer.problem : '', /^can't be started: /);
  });

  it("may not end, which isn't waited for", async () => {
    const answer = await shortAnswer(code('setInterval(() => {}, 1000)'), { env: process.env, patience: 100 });
    assert.deepEqual(answer, { problem: "doesn't end", errors: '' });
  });
});
