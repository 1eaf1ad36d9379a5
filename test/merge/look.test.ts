import assert from 'node:assert/strict';
import { mergeRows } from './merging.ts';

const SAME = 'conflict: You and botcli changed the same lines.';
const CHANGED = 'conflict: You changed these lines, and botcli removes them.';

/** What formatters, and people who tidy up, do to a file; rows are separated by `/`. */
const cases: [about: string, path: string, user: string, base: string, botcli: string, merged: string][] = [
  ['a script without semicolons', 'a.ts', 'a()/b()/c()', 'a();/b();/c();', 'a();/b();/x();/c();', 'a()/b()/x();/c()'],
  ['a line of it that ours changes', 'a.ts', 'a()/b()', 'a();/b();', 'a();/b(1);', 'a()/b(1)'],
  [
    'single quotes and four spaces',
    'a.ts',
    "if (a) {/    b('c')/}",
    'if (a) {/  b("c")/}',
    'if (a) {/  b("c")/  d()/}',
    "if (a) {/    b('c')/    d()/}",
  ],
  [
    'no comma at the end of a list, to which ours adds an item',
    'a.ts',
    'f({/  a: 1/})',
    'f({/  a: 1,/});',
    'f({/  a: 1,/  b: 2,/});',
    'f({/  a: 1,/  b: 2/})',
  ],
  [
    'no comma at the end of a list that ours does not change',
    'a.ts',
    'f({/  a: 1/})',
    'f({/  a: 1,/});',
    'x();/f({/  a: 1,/});',
    'x();/f({/  a: 1/})',
  ],
  [
    'single quotes in CSS',
    'a.css',
    "a {/  b: 'c';/}",
    'a {/  b: "c";/}',
    'a {/  b: "c";/  d: e;/}',
    "a {/  b: 'c';/  d: e;/}",
  ],
  ['four spaces in HTML', 'a.html', '<a>/    <b>', '<a>/  <b>', '<a>/  <b>/  <c>', '<a>/    <b>/    <c>'],
  ['a line of CSS that ours removes', 'a.css', '  a: 1/b', 'a: 1;/b', 'b', 'b'],
  ['a line of HTML that ours removes', 'a.html', '    <a>/b', '  <a>/b', 'b', 'b'],
  ['blanks in a blank line that ours removes', 'a.css', 'a/  /b', 'a//b', 'a/b', 'a/  /b'],
  ['a line that the user has changed as well', 'a.ts', 'a(2)', 'a();', 'a(1);', SAME],
  ['another sign in lists', 'README.md', '* a/* b', '- a/- b', '- a/- x/- b', '* a/- x/* b'],
  ['wider columns', 'README.md', '| a   | b |', '| a | b |', '| a | b |/| c | d |', '| a   | b |/| c | d |'],
  ['a removed blank line in Python', 'a.py', 'a()/b()/c()', 'a()//b()/c()', 'a()/c()', 'a()/c()'],
  ['a removed comment in Python', 'a.py', 'a()/b()/c()', 'a()/# B/b()/c()', 'a()/c()', 'a()/c()'],
  ['a removed docstring', 'a.py', 'def f():/    pass/c()', 'def f():/    """F."""/    pass/c()', 'c()', CHANGED],
  [
    'a removed docstring of a function in which ours has nothing else left',
    'a.py',
    'def f():/    a()/b()',
    'def f():/    """F."""/    a()/b()',
    'def f():/    """F."""/b()',
    "conflict: botcli's change doesn't fit the blocks around it in your file.",
  ],
  ['an added blank line below what ours changes', 'a.py', 'a()//b()', 'a()/b()', 'c()/b()', 'c()//b()'],
  ['an added blank line in Python', 'a.py', 'a()//b()/c()', 'a()/b()/c()', 'c()', 'c()'],
  ['a comment of the user in what ours removes', 'a.py', 'a()/# Mine/b()/c()', 'a()/b()/c()', 'c()', CHANGED],
  ['a type', 'a.py', 'a: A = A(1)/a.b()', 'a = A(1)/a.b()', 'a = B(2)/a.b()', SAME],
  ['one argument that both add', 'a.py', 'f(/    a=1,/    b=2,/)', 'f(a=1)', 'f(/    a=1,/    b=3,/)', SAME],
];

describe('merging what the user has tidied up:', () => {
  for (const [about, path, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(mergeRows(path, user, base, botcli), merged));
  }
});

const markdown: [line: string, plain: string][] = [
  ['| a  |  b |', '|a|b|'],
  ['|------|:----|', '|---|:---|'],
  ['  *  a', '  - a'],
  ['+ a', '- a'],
  ['- a', '- a'],
  ['a * b  ', 'a * b'],
];

describe('botcli removes a line of Markdown that the user has only formatted:', () => {
  for (const [line, plain] of markdown)
    it(`"${line}" instead of "${plain}"`, () => assert.equal(mergeRows('a.md', `a/${line}`, `a/${plain}`, 'a'), 'a'));
});
