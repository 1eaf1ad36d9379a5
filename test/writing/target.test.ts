import assert from 'node:assert/strict';
import { posix, win32 } from 'node:path';
import { nameWithin } from '../../src/writing/target.ts';

describe('the name of a file in a project', () => {
  it('has slashes on every system', () => {
    assert.equal(nameWithin('/bots/one', '/bots/one/server/bot.py', posix), 'server/bot.py');
    assert.equal(nameWithin('C:\\bots\\one', 'C:\\bots\\one\\server\\bot.py', win32), 'server/bot.py');
    assert.equal(nameWithin('C:\\Bots\\one', 'c:\\bots\\one\\bot.py', win32), 'bot.py', 'in any case, on Windows');
    assert.equal(nameWithin('/bots/one', '/bots/one/a\\b', posix), 'a\\b', 'as part of a name');
  });

  const outside: [directory: string, path: string, paths: typeof win32][] = [
    ['/bots/one', '/bots/one', posix],
    ['/bots/one', '/bots/two', posix],
    ['C:\\bots\\one', 'C:\\bots\\two', win32],
    ['C:\\bots\\one', 'D:\\bots\\one\\x', win32],
    ['C:\\bots\\one', 'C:\\bots\\one\\..\\..\\x', win32],
    ['C:\\bots\\one', '\\\\server\\share\\x', win32],
  ];
  for (const [directory, path, paths] of outside) {
    it(`${path} isn't in ${directory}`, () => assert.throws(() => nameWithin(directory, path, paths), /is outside/));
  }
});
