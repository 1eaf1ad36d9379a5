import assert from 'node:assert/strict';
import { mergeScopes } from '../../src/merge/python/names.ts';
import { mergeRows } from './merging.ts';

/** What the user has, what both come from, what botcli writes, and the merge in rows: who changed what. */
const cases: [about: string, user: string, base: string, botcli: string, chunks: string[]][] = [
  [
    'the user has moved lines to another function, and botcli changes the next one there',
    'def f():/    z()/def g():/    a()/    b()/    c()/    d()',
    'def f():/    a()/    b()/    c()/def g():/    d()',
    'def f():/    a()/    b()/    c()/def g():/    e()',
    [
      'nobody: def f():',
      'user:     a()/    b()/    c() ->     z()',
      'nobody: def g():',
      'user:  ->     a()/    b()/    c()',
      'botcli:     d() ->     e()',
    ],
  ],
  [
    'the user has added a comment above a function, and botcli one below it',
    'x = 1//# Why/def f():/    a()//    # How/    b()',
    'x = 1//def f():/    a()//    # How/    b()',
    'x = 1//def f():/    a()//    # How/    b(1)/# End',
    ['nobody: x = 1/', 'user:  -> # Why', 'nobody: def f():/    a()//    # How', 'botcli:     b() ->     b(1)/# End'],
  ],
  [
    'both add blank lines, in other numbers',
    'def f():/    a()/  /    b()/    c()',
    'def f():/    a()/    b()/    c()',
    'def f():/    a()/  //    b()/    c(1)',
    ['nobody: def f():/    a()', 'user:  ->   ', 'nobody:     b()', 'botcli:     c() ->     c(1)'],
  ],
];

describe('merging the functions of a file one by one when', () => {
  for (const [about, user, base, botcli, chunks] of cases) {
    it(about, () => {
      const merged = mergeScopes({ user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') });
      assert.deepEqual(
        merged?.map(chunk => {
          const [before, mine, ours] = [chunk.base, chunk.user, chunk.botcli].map(lines => lines.join('/'));
          const after = chunk.source === 'botcli' ? ours : mine;
          return `${chunk.source}: ${before}${after === before ? '' : ` -> ${after}`}`;
        }),
        chunks,
      );
    });
  }

  it('a merge of all lines has a conflict', () => {
    const merged = mergeRows(
      'bot.py',
      'def f():/    z()/    y()/def g():/    a()/    b()/    c()/    d()',
      'def f():/    a()/    b()/    c()/    y()/def g():/    d()',
      'def f():/    a()/    b()/    c()/    y()/    x()/def g():/    e()',
    );
    assert.equal(merged, 'def f():/    z()/    y()/    x()/def g():/    a()/    b()/    c()/    e()');
  });
});
