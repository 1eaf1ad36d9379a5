import assert from 'node:assert/strict';
import { createReporter } from '../../src/dev/reporter.ts';
import { openRecorded } from '../support/session.ts';

describe("a bot's output", () => {
  it('colors nothing, and moves nothing, in the terminal', () => {
    const { terminal, written } = openRecorded('/');
    createReporter(terminal, false).output('bot', ['a\u001b[31m b\u0007', '\ufdd4red\ufdd5\tc']);
    assert.equal(written.stdout, 'bot    │ a\uFFFD[31m b\uFFFD\nbot    │ \uFFFDred\uFFFD\tc\n');
  });

  it('is one line for programs, whatever they take for the end of one', () => {
    const { terminal, written } = openRecorded('/');
    createReporter(terminal, true).output('bot', ['a\u2028b\u2029c\u0085d']);
    const [line, ...more] = written.stdout.trimEnd().split(/[\n\r\u0085\u2028\u2029]/);
    assert.deepEqual(more, []);
    assert.equal(JSON.parse(line ?? '').text, 'a\u2028b\u2029c\u0085d');
  });
});
