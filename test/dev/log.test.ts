import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLog } from '../../src/dev/output.ts';
import { linuxIt } from '../support/systems.ts';
import { inTree, readTree } from '../support/trees.ts';

describe('the log of a bot', () => {
  it('has its lines, and says where they are', () =>
    inTree({}, directory => {
      const path = join(directory, 'bot.log');
      const log = createLog(path);
      log.take(['one', 'two']);
      log.take(['three']);
      assert.equal(readFileSync(path, 'utf8'), 'one\ntwo\nthree\n');
      assert.deepEqual(log.lastLines, ['one', 'two', 'three']);
      assert.equal(log.place, `The bot's log is ${path}`);
    }));

  it('begins again once it is too long, and what was in it is kept once', () =>
    inTree({}, directory => {
      const log = createLog(join(directory, 'bot.log'), 10);
      for (let line = 1; line < 8; line++) log.take([`line${line}`]);
      assert.deepEqual(readTree(directory), { 'bot.log': 'line7\n', 'bot.log.1': 'line6\n' });
    }));

  linuxIt('on a full disk, says so, and still knows the last lines', () => {
    const log = createLog('/dev/full');
    log.take(['one']);
    log.take(['two']);
    assert.deepEqual(log.lastLines, ['one', 'two']);
    assert.equal(log.place, "The bot's log /dev/full is incomplete: the disk is full");
  });
});
