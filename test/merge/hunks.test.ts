import assert from 'node:assert/strict';
import { findHunks } from '../../src/merge/lines.ts';

type Change = [start: number, end: number, lines: string];

/** Rows that `/` separates, and the changes of the base: the lines `[start, end)` that go, and the new ones. */
const cases: [about: string, base: string, other: string, changes: Change[]][] = [
  ['another line', 'a/b', 'x/b', [[0, 1, 'x']]],
  ['lines below a blank one, rather than above', 'f()//g()', 'f()//mine()//g()', [[2, 2, 'mine()/']]],
  [
    'an import, and the last of two brackets',
    '/}',
    'import a//}/}',
    [
      [0, 0, 'import a'],
      [2, 2, '}'],
    ],
  ],
  [
    'an import, and lines below a blank one',
    'f()/',
    'import a/f()//g()',
    [
      [0, 0, 'import a'],
      [2, 2, 'g()'],
    ],
  ],
  [
    'a line that moved up',
    'a/b/c',
    'c/a/b',
    [
      [0, 0, 'c'],
      [2, 3, ''],
    ],
  ],
  [
    'two lines that changed places, and one of them at the end as well',
    'c/d/b',
    'd/c/b/d',
    [
      [0, 0, 'd'],
      [1, 2, ''],
      [3, 3, 'd'],
    ],
  ],
  [
    'an import, and the last of two blank lines',
    'f()//',
    'import a/f()/',
    [
      [0, 0, 'import a'],
      [2, 3, ''],
    ],
  ],
];

describe('the changes of a text are', () => {
  const changesOf = (base: readonly string[], other: readonly string[]) =>
    findHunks(base, other, 'user')?.map(({ start, end, lines }) => [start, end, lines.join('/')]);

  for (const [about, base, other, changes] of cases) {
    it(about, () => assert.deepEqual(changesOf(base.split('/'), other.split('/')), changes));
  }

  it('also thousands of lines at one place', () => {
    const many = Array.from({ length: 3_000 }, (_, at) => `x${at}`);
    assert.deepEqual(changesOf(['a', 'b'], ['a', ...many, 'b']), [[1, 1, many.join('/')]]);
    assert.deepEqual(changesOf(['a', ...many, 'b'], ['a', 'b']), [[1, 3_001, '']]);
  });
});
