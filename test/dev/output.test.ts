import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/dev/fresh-bot.ts';
import { createReporter } from '../../src/dev/surroundings.ts';
import { openRecorded } from '../support/session.ts';
import { linuxIt } from '../support/systems.ts';
import { inTree, readTree } from '../support/trees.ts';

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

describe('the log of a bot', () => {
  it('begins again once it is too long, and what was in it is kept once', () =>
    inTree({}, directory => {
      const log = createLog(directory, 10);
      for (let line = 1; line < 8; line++) log.take([`line${line}`]);
      assert.deepEqual(readTree(directory), { 'bot.log': 'line7\n', 'bot.log.1': 'line6\n' });
    }));

  linuxIt('on a full disk, says so', () =>
    inTree({}, directory => {
      symlinkSync('/dev/full', join(directory, 'bot.log'));
      const log = createLog(directory);
      log.take(['one']);
      log.take(['two']);
      assert.equal(log.place, `The bot's log ${join(directory, 'bot.log')} is incomplete: the disk is full`);
    }),
  );
});
