import assert from 'node:assert/strict';
import { mergeLines } from '../../src/merge/lines.ts';
import { namesIn, readLines } from '../../src/merge/python/draft.ts';

const merge = (user: string, base: string, botcli: string) =>
  mergeLines({ user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') }) ?? [];

describe('finding the names in a merge', () => {
  const cases: [about: string, user: string, base: string, botcli: string, used: string[], defined: string[]][] = [
    [
      'each side changes lines: those of the changes, and of what stays',
      'x = a/y = mine/z = x',
      'x = a/y = b/z = a',
      'w = ours/y = b/z = a',
      ['mine', 'x', 'ours'],
      ['y', 'z', 'w'],
    ],
    [
      'there is a conflict: those of both sides',
      'x = mine/y = b',
      'x = a/y = b',
      'x = ours/y = b',
      ['mine', 'b', 'ours'],
      ['x', 'y'],
    ],
  ];
  for (const [about, user, base, botcli, used, defined] of cases) {
    it(`when ${about}`, () => {
      const names = namesIn(merge(user, base, botcli));
      assert.deepEqual([[...names.used], [...names.defined], names.isSure], [used, defined, true]);
    });
  }

  it('is not sure if a bracket is open', () => {
    assert.equal(namesIn(merge('x = (', 'x = 1', 'x = 1')).isSure, false);
  });

  it('leaves out the lines of a known version that the chunks do not have', () => {
    const chunks = merge('a(b)/c(d)/e(f)/a(g)', 'a(b)/c(d)/e(f)', 'a(b)/c(1)/e(f)');
    const module = readLines('a(b)/import c, skipped/skipped()/c(d)/e(f)/a(g)'.split('/'));
    assert.deepEqual([...namesIn(chunks, { user: { module, start: 1, end: 3 } }).used], ['a', 'b', 'e', 'f', 'g', 'c']);
  });
});
