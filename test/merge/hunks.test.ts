import assert from 'node:assert/strict';
import { findHunks } from '../../src/merge/lines.ts';

type Change = [start: number, end: number, lines: string];

/** Rows that `/` separates, and the changes of the base: the lines `[start, end)` that go, and the new ones. */
const cases: [about: string, base: string, other: string, changes: Change[]][] = [
  ['another line', 'a/b', 'x/b', [[0, 1, 'x']]],
  ['another line, as one of two that are the same', 'a/x', 'x/x', [[0, 1, 'x']]],
  ['the first of two lines that are the same', 'a/a', '/a', [[0, 1, '']]],
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
    'a blank line that moved across another line',
    'a/',
    '/a',
    [
      [0, 0, ''],
      [1, 2, ''],
    ],
  ],
  [
    'a line of blanks that moved across another line',
    'a/  ',
    '  /a',
    [
      [0, 0, '  '],
      [1, 2, ''],
    ],
  ],
  [
    'a blank line that moved between two lines that are the same',
    'a/a/',
    'a//a',
    [
      [1, 1, ''],
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
    'an import, and a blank line at the end',
    '/a',
    'import a//a/',
    [
      [0, 0, 'import a'],
      [2, 2, ''],
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
  [
    'the first line, and another one below a blank line',
    'a/',
    '/b',
    [
      [0, 1, ''],
      [2, 2, 'b'],
    ],
  ],
  [
    'the first line, and one more blank line at the end',
    'a/c/a//',
    'c/a///',
    [
      [0, 1, ''],
      [5, 5, ''],
    ],
  ],
  [
    'the lines around two that are the same',
    'a/b/b/c',
    'd/b/b/e',
    [
      [0, 1, 'd'],
      [3, 4, 'e'],
    ],
  ],
  [
    'a blank line that moved, as the last of two',
    'a//',
    '/a/',
    [
      [0, 0, ''],
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
