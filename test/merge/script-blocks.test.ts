import assert from 'node:assert/strict';
import { openersOf } from '../../src/merge/openers.ts';
import { mergeTexts } from './merging.ts';

const MISFIT = "conflict: botcli's change doesn't fit the blocks around it in your file.";
const RETURNS =
  "conflict: With botcli's change, lines that you removed would be back, or some that you have would be gone.";
const lost = (name: string) => `conflict: botcli's change uses "${name}", which your file doesn't define any more.`;

/** The merge of texts whose lines `|` separates; the reasons of its conflicts if it has any. */
function merge(path: string, ...versions: [user: string, base: string, botcli: string]): string {
  const [user = '', base = '', botcli = ''] = versions.map(rows => rows.replaceAll('|', '\n'));
  const { text, conflicts } = mergeTexts(path, user, base, botcli);
  const reasons = new Set(conflicts.map(({ reason }) => reason));
  return conflicts.length > 0 ? `conflict: ${[...reasons].join(' ')}` : text.replaceAll('\n', '|');
}

const cases: [about: string, user: string, base: string, botcli: string, merged: string][] = [
  ['below what the user has wrapped', 'if (m) {|  a();|}', 'a();', 'a();|o();', 'if (m) {|  a();|}|o();'],
  ['above what the user has wrapped', 'if (m) {|  a();|}', 'a();', 'o();|a();', 'o();|if (m) {|  a();|}'],
  [
    'between lines that the user has wrapped',
    'if (m) {|  a();|  b();|}',
    'a();|b();',
    'a();|o();|b();',
    'if (m) {|  a();|o();|  b();|}',
  ],
  ['in place of a line that the user has wrapped', 'if (m) {|  a();|}', 'a();', 'o();', 'if (m) {|o();|}'],
  [
    'above and in place of a line that the user has wrapped',
    'c();|if (m) {|  a();|}',
    'c();|a();',
    'c();|o();|b();',
    MISFIT,
  ],
  [
    'where the user has moved a line into a block',
    'if (x) {|  a();|  b();|}',
    'if (x) {|  a();|}|b();',
    'if (x) {|  a();|}|o();|b();',
    MISFIT,
  ],
  [
    'in a block that the user has removed',
    'a();|b();|c();',
    'if (x) {|  a();|  b();|}|c();',
    'if (x) {|  a();|  o();|  b();|}|c();',
    'a();|  o();|b();|c();',
  ],
  [
    'in a block whose condition the user has changed',
    'if (m) {|  a();|}',
    'if (x) {|  a();|}',
    'if (x) {|  a();|  o();|}',
    'if (m) {|  a();|  o();|}',
  ],
  [
    'around a block to which the user has added "else"',
    'if (x) {|  if (y) {|  } else {|    m();|  }|} else {|}',
    'if (x) {|  if (y) {|  }|} else {|}',
    'try {|  if (x) {|    if (y) {|    }|  } else {|  }|} finally {|}',
    MISFIT,
  ],
  [
    'with a closing tag like that of the user, below what they have wrapped',
    '<p>|  <div>|    <A />|    <B />|  </div>|</p>',
    '<p>|  <A />|  <B />|</p>',
    '<p>|  <A />|  <B />|  <div>|    Ours|  </div>|</p>',
    MISFIT,
  ],
  [
    'around tags between which the user has added one',
    '{x && (|  <a>|    <b />|    <m />|    <a>|    </a>|  </a>|)}',
    '{x && (|  <a>|    <b />|    <a>|    </a>|  </a>|)}',
    '<p>|  {x && (|    <a>|      <b />|      <a>|      </a>|    </a>|  )}|</p>',
    MISFIT,
  ],
  [
    'that uses a constant which the user has renamed',
    'const m = 1;|a();',
    'const x = 1;|a();',
    'const x = 1;|a();|o(x);',
    lost('x'),
  ],
  [
    'that uses an import which the user has removed',
    'a();',
    'import { x } from "x";|a();',
    'import { x } from "x";|a();|o(x);',
    lost('x'),
  ],
  [
    'around a line that the user has removed, between lines that are the same',
    'on(() => {|  x;|  if (c) {|    x;|  }|  on(() => {|    x;|    x;|  });|});|x;',
    'on(() => {|  x;|  if (c) {|    x;|  }|  on(() => {|    a();|    x;|    x;|  });|});|x;',
    'if (o) {|  on(() => {|    x;|    if (c) {|      x;|    }|    on(() => {|      a();|      x;|      x;|    });|  });|  o();|}|x;',
    RETURNS,
  ],
  [
    'that removes a line which the user has moved',
    'b();|a();|c();',
    'a();|b();|c();',
    'b();',
    'conflict: You moved these lines, and botcli removes them.',
  ],
  [
    'at the end of a block that the user has removed',
    'a();|b();|c();|d();',
    'if (x) {|  a();|  b();|}|c();|d();',
    'if (x) {|  a();|  b();|  o();|}|c();|d();',
    MISFIT,
  ],
  [
    'in two blocks that the user has removed',
    'a();|b();|c();',
    'if (x) {|  if (y) {|    a();|    b();|  }|}|c();',
    'if (x) {|  if (y) {|    a();|    o();|    b();|  }|}|c();',
    'a();|    o();|b();|c();',
  ],
  [
    'below what both have wrapped alike',
    'c();|if (n) {|  a();|}',
    'c();|a();',
    'c();|if (n) {|  a();|}|o();',
    'c();|if (n) {|  a();|}|o();',
  ],
  [
    'in a block that the user has replaced',
    'if (m) {|  n();|}',
    'if (x) {|  a();|}',
    'if (x) {|  a();|  o();|}',
    MISFIT,
  ],
  [
    'around a line in a block that the user has removed',
    'a();|b();',
    'a();|if (x) {|  b();|}',
    'a();|if (x) {|  if (o) {|    b();|  }|}',
    'a();|  if (o) {|    b();|  }',
  ],
  [
    'to the condition of a block that the user has wrapped, and whose line they have changed',
    'if (m) {|  if (x) {|    n();|  }|}|b();',
    'if (x) {|  a();|}|b();',
    'if (o) {|  a();|}|b();',
    'if (m) {|if (o) {|    n();|  }|}|b();',
  ],
  [
    'in place of a line that the user has wrapped, with a block',
    'if (m) {|  a();|}|b();',
    'a();|b();',
    'if (o) {|  p();|}|b();',
    'if (m) {|if (o) {|  p();|}|}|b();',
  ],
  [
    'to the condition of a block, and around its line, where the user changes another line',
    'if (x) {|  a();|}|b();|m();',
    'if (x) {|  a();|}|b();|c();',
    'if (o) {|  if (p) {|    a();|  }|}|b();|c();',
    'if (o) {|  if (p) {|    a();|  }|}|b();|m();',
  ],
  ['where the user has added a line', 'a();|m();', 'a();', 'a();|o();', 'a();|o();|m();'],
  [
    'around what follows the brackets in which the user has put a line',
    'f(|a()|);|b();',
    'a()|b();',
    'a()|if (o) {|b();|}',
    'f(|a()|);|if (o) {|b();|}',
  ],
];

describe('merging a change of TypeScript', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(merge('a.tsx', user, base, botcli), merged));
  }
});

const partly: [about: string, user: string, base: string, botcli: string, merged: string, refused: string[]][] = [
  [
    'a line in a block that the user has changed',
    'if (x) {|  a();|  b();|}|c();|d();|e();',
    'if (x) {|  a();|}|b();|c();|d();|e();',
    'if (x) {|  a();|}|o();|b();|c();|d();|p();|e();',
    'if (x) {|  a();|  b();|}|c();|d();|p();|e();',
    ['o();'],
  ],
  [
    'a line that both have changed, above what they have wrapped',
    'f(1);|c();|if (m) {|  a();|}',
    'f(0);|c();|a();',
    'f(2);|c();|a();|o();',
    'f(1);|c();|if (m) {|  a();|}|o();',
    ['f(2);'],
  ],
  [
    'lines that open and close a block',
    'if (x) {|  if (y) {|  } else {|    m();|  }|} else {|}|s();|t();|r();',
    'if (x) {|  if (y) {|  }|} else {|}|s();|t();|r();',
    'try {|  if (x) {|    if (y) {|    }|  } else {|  }|} finally {|}|s();|t();|p();|r();',
    'if (x) {|  if (y) {|  } else {|    m();|  }|} else {|}|s();|t();|p();|r();',
    ['try {|  if (x) {|    if (y) {|    }|  } else {', '} finally {'],
  ],
];

describe('a change elsewhere is merged although the user keeps theirs in place of', () => {
  for (const [about, user, base, botcli, merged, refused] of partly) {
    it(about, () => {
      const [mine, old, ours] = [user, base, botcli].map(rows => rows.replaceAll('|', '\n'));
      const { text, conflicts } = mergeTexts('a.tsx', mine ?? '', old ?? '', ours ?? '');
      assert.equal(text.replaceAll('\n', '|'), merged);
      assert.deepEqual(
        conflicts.map(conflict => conflict.ours.replaceAll('\n', '|')),
        refused,
      );
    });
  }
});

describe('merging an inner tag that the user has changed with an equal outer tag that botcli wraps', () => {
  it('is a conflict, because the outer tag then looks as the inner one did', () => {
    const base =
      '<m>|  <div>|    <A />|    <div>|      <B />|      <C />|      <D />|    </div>|    <E />|  </div>|</m>';
    const user = base.replace('    <div>|      <B', '    <p>|      <B').replace('<D />|    </div>', '<D />|    </p>');
    const botcli =
      '<m>|  <q>|    <div>|      <A />|      <div>|        <B />|        <C />|        <D />|      </div>|      <E />|    </div>|  </q>|</m>';
    assert.equal(merge('a.tsx', user, base, botcli), MISFIT);
  });
});

const others: [path: string, user: string, base: string, botcli: string, merged: string][] = [
  ['a.css', '@media m {|  a {|  }|}', 'a {|}', 'a {|}|@o "o";', '@media m {|  a {|  }|}|@o "o";'],
  ['a.html', '<p>|  <a></a>|</p>', '<a></a>', '<a></a>|<b>|</b>', '<p>|  <a></a>|</p>|<b>|</b>'],
];

describe('merging what is added below what the user has wrapped, in', () => {
  for (const [path, ...versions] of others) {
    it(path, () => assert.equal(merge(path, versions[0], versions[1], versions[2]), versions[3]));
  }
});

const openers: [about: string, code: string, found: number[] | undefined][] = [
  ['brackets', 'a({|  b: [|  ],|});', [-1, 0, 1, 0]],
  ['tags', '<a>|  <b|    c|  />|</a>', [-1, 0, 1, 1, 0]],
  ['a fragment', '<>|  a|</>', [-1, 0, 0]],
  ['an arrow in an attribute', '<a|  b={() => c}|>|  d|</a>', [-1, 0, 0, 0, 0]],
  ['types and comparisons', 'const a = b<C>(d > e && f < 1);|g();', [-1, -1]],
  ['brackets that do not match', 'a(|}', undefined],
  ['a tag that is not closed', '<a>|<b />', undefined],
  ['a tag that another one closes', '<a>|</b>', undefined],
  ['a bracket that is not open', ')', undefined],
];

describe('the blocks of lines are found from', () => {
  for (const [about, code, found] of openers) {
    it(about, () => assert.deepEqual(openersOf(code.split('|')), found));
  }
});
