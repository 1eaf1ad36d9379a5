import assert from 'node:assert/strict';
import { createReporter } from '../../src/dev/reporter.ts';
import { openRecorded } from '../support/session.ts';

describe("a bot's output", () => {
  it('colors nothing, and moves nothing, in the terminal', () => {
    const { terminal, written } = openRecorded('/');
    createReporter(terminal, false).output('bot', ['a\u001b[31m b\u0007', '\ufdd4red\ufdd5\tc']);
    assert.equal(written.stdout, 'bot    │ a b\uFFFD\nbot    │ \uFFFDred\uFFFD\tc\n');
  });
});
