import assert from 'node:assert/strict';
import { mergeRows, testMerges } from './merging.ts';

const SAME = 'conflict: You and botcli changed the same lines.';
const CHANGED = 'conflict: You changed these lines, and botcli removes them.';

testMerges('merging what the user has tidied up:', '')`
a.ts: a script without semicolons
  a()/b()/c() <-- a();/b();/c(); --> a();/b();/x();/c(); ==> a()/b()/x();/c()
a.ts: a line of it that ours changes
  a()/b() <-- a();/b(); --> a();/b(1); ==> a()/b(1)
a.ts: single quotes and four spaces
  if (a) {/    b('c')/} <-- if (a) {/  b("c")/} --> if (a) {/  b("c")/  d()/} ==> if (a) {/    b('c')/    d()/}
a.ts: no comma at the end of a list, to which ours adds an item
  f({/  a: 1/}) <-- f({/  a: 1,/}); --> f({/  a: 1,/  b: 2,/}); ==> f({/  a: 1,/  b: 2/})
a.ts: no comma at the end of a list that ours does not change
  f({/  a: 1/}) <-- f({/  a: 1,/}); --> x();/f({/  a: 1,/}); ==> x();/f({/  a: 1/})
a.css: single quotes in CSS
  a {/  b: 'c';/} <-- a {/  b: "c";/} --> a {/  b: "c";/  d: e;/} ==> a {/  b: 'c';/  d: e;/}
a.html: four spaces in HTML
  <a>/    <b> <-- <a>/  <b> --> <a>/  <b>/  <c> ==> <a>/    <b>/    <c>
a.css: a line of CSS that ours removes
    a: 1/b <-- a: 1;/b --> b ==> b
a.html: a line of HTML that ours removes
      <a>/b <--   <a>/b --> b ==> b
a.css: blanks in a blank line that ours removes
  a/  /b <-- a//b --> a/b ==> a/  /b
a.ts: a line that the user has changed as well
  a(2) <-- a(); --> a(1); ==> ${SAME}
README.md: another sign in lists
  * a/* b <-- - a/- b --> - a/- x/- b ==> * a/- x/* b
README.md: another line, and ours has another sign in lists
  - a/m <-- - a --> * a ==> * a/m
README.md: wider columns
  | a   | b | <-- | a | b | --> | a | b |/| c | d | ==> | a   | b |/| c | d |
a.py: a removed blank line in Python
  a()/b()/c() <-- a()//b()/c() --> a()/c() ==> a()/c()
a.py: a removed docstring
  def f():/    pass/c() <-- def f():/    """F."""/    pass/c() --> c() ==> ${CHANGED}
a.py: a removed docstring of a function in which ours has nothing else left
  def f():/    a()/b() <-- def f():/    """F."""/    a()/b()
  --> def f():/    """F."""/b()
  ==> conflict: With botcli's change, the brackets of your file would no longer match.
a.py: an added blank line below what ours changes
  a()//b() <-- a()/b() --> c()/b() ==> c()//b()
a.py: an added blank line in Python
  a()//b()/c() <-- a()/b()/c() --> c() ==> c()
a.py: a comment of the user in what ours removes
  a()/# Mine/b()/c() <-- a()/b()/c() --> c()
  ==> # Mine/c()
a.py: a type
  a: A = A(1)/a.b() <-- a = A(1)/a.b() --> a = B(2)/a.b() ==> ${SAME}
a.py: one argument that both add
  f(/    a=1,/    b=2,/) <-- f(a=1) --> f(/    a=1,/    b=3,/)
  ==> conflict: Your file already defines "b", and so does botcli's change.
`;

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
