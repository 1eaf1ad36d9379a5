import assert from 'node:assert/strict';
import { findArrays } from '../../src/formats/toml-arrays.ts';

/** The arrays of the table `project`, and of every table whose name ends in `s`. */
const arraysIn = (text: string) =>
  findArrays(text.split('\n'), (table, key) => (table === 'project' ? key === 'dependencies' : table.endsWith('s')));

describe('an array of TOML', () => {
  it('on one line has a head, items and a tail for lines of their own', () => {
    const rows = [`  dependencies = ["a", 'b"c', { include-group = "x" }]  `];
    assert.deepEqual(
      [...arraysIn(['[project]', ...rows, 'x = 1'].join('\n'))],
      [
        [
          'project.dependencies',
          {
            ...{ start: 1, end: 2, rows, head: '  dependencies = [', tail: ['  ]'] },
            items: [
              { code: '"a"', lines: [], value: 'a' },
              { code: `'b"c'`, lines: [], value: 'b"c' },
              { code: '{ include-group = "x" }', lines: [] },
            ],
          },
        ],
      ],
    );
  });

  it('on several lines has the lines of each item, with the comments above it', () => {
    const rows = ['dependencies = [', '  # why', '  "a", # because', '', '  "b\\"]"', '  # more', '] # end'];
    assert.deepEqual(
      [...arraysIn(['[project]', '', ...rows].join('\n'))],
      [
        [
          'project.dependencies',
          {
            ...{ start: 2, end: 9, rows, head: 'dependencies = [', tail: ['  # more', '] # end'] },
            items: [
              { code: '"a"', lines: ['  # why', '  "a", # because'], value: 'a' },
              { code: '"b\\"]"', lines: ['', '  "b\\"]"'], value: 'b"]' },
            ],
          },
        ],
      ],
    );
  });

  it('without items has neither, on one line and on two', () => {
    const [one, two] = [...arraysIn('[groups]\na = []\nb = [\n]').values()];
    assert.deepEqual(
      [one, two],
      [
        { start: 1, end: 2, rows: ['a = []'], head: 'a = [', items: [], tail: [']'] },
        { start: 2, end: 4, rows: ['b = [', ']'], head: 'b = [', items: [], tail: [']'] },
      ],
    );
  });

  it('ends as deep as its last line, if items share that with the bracket', () => {
    for (const [last, tail] of [
      ['    "b" ]', '    ]'],
      ['"b" ]', ']'],
    ]) {
      const text = ['[project]', '  dependencies = [ "a",', last].join('\n');
      assert.deepEqual(arraysIn(text).get('project.dependencies')?.tail, [tail]);
    }
  });

  it('whose items share lines has lines for none of them', () => {
    const rows = ['dependencies = [ "a",', '  "b", "c",', '  ]'];
    assert.deepEqual(arraysIn(['[project]', ...rows].join('\n')).get('project.dependencies'), {
      ...{ start: 1, end: 4, rows, head: 'dependencies = [', tail: ['  ]'] },
      items: ['a', 'b', 'c'].map(value => ({ code: `"${value}"`, lines: [], value })),
    });
  });
});

/** A text, and where its arrays are: the name, and the lines counted from 0. */
const texts: [about: string, text: string, ...found: string[]][] = [
  [
    'several tables',
    '[project]\ndependencies = []\nx = []\n[a.groups] # why\nx = ["a"]\ny-z = [\n]\n"q" = []',
    'project.dependencies 1-2',
    'a.groups.x 4-5',
    'a.groups.y-z 5-7',
  ],
  ['a table with blanks', '  [ groups ]\n  a\t=\t[]', 'groups.a 1-2'],
  ['a table that is not wanted', '[project]\nx = []\n[tool]\ndependencies = []'],
  ['a text without tables', 'dependencies = []'],
  [
    'what only ends like its name',
    '[project]\ndependencies = ["a"]\nx.dependencies = ["a"]',
    'project.dependencies 1-2',
  ],
  [
    'a string that looks like it',
    '[project]\nx = """\ndependencies = ["b"]\n"""\ndependencies = ["a"]',
    'project.dependencies 4-5',
  ],
  ['a string that looks like a table', '[project]\nx = """\n[groups]\na = []\n"""'],
  ['an array of tables', '[[groups]]\na = []'],
  ['what isn’t TOML', '[project]\ndependencies = ["a"]\nx ='],
];

describe('arrays are found in', () => {
  for (const [about, text, ...found] of texts) {
    it(about, () =>
      assert.deepEqual(
        [...arraysIn(text)].map(([name, { start, end }]) => `${name} ${start}-${end}`),
        found,
      ),
    );
  }
});

/** Arrays that can't be split into lines without losing something, or that have other items. */
const others: [about: string, ...array: string[]][] = [
  ['a comment after its bracket', '[ # why', '  "a",', ']'],
  ['a comment between items on one line', '["a", "b", # why', ']'],
  ['a comment after it', '["a"] # why'],
  ['a number', '["a", 1]'],
  ['an array', '["a", ["b"]]'],
  ['a text of several lines', '["""a', '"""]'],
];

describe('an array is left alone with', () => {
  for (const [about, ...lines] of others) {
    it(about, () => assert.deepEqual(arraysIn(`[project]\ndependencies = ${lines.join('\n')}`), new Map()));
  }
});
