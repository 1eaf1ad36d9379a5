import assert from 'node:assert/strict';
import { mergeRows, mergeTexts, testMerges } from './merging.ts';

const MISFIT = "conflict: botcli's change doesn't fit the blocks around it in your file.";
const HOLE = "conflict: botcli's change removes what is between these brackets of yours.";
const GONE = 'conflict: You removed or moved these lines, and botcli changes them.';
const DEAD = 'conflict: Nothing after your "return" would run.';
const SAME = 'conflict: You and botcli changed the same lines.';
const TWICE = 'conflict: Your file already defines "f", and so does botcli\'s change.';
const lost = (name: string) => `conflict: botcli's change uses "${name}", which your file doesn't define any more.`;

testMerges('merging a change of TypeScript', 'a.tsx', '|')`
below what the user has wrapped
  if (m) {|  a();|} <-- a(); --> a();|o(); ==> if (m) {|  a();|}|o();
above what the user has wrapped
  if (m) {|  a();|} <-- a(); --> o();|a(); ==> o();|if (m) {|  a();|}
between lines that the user has wrapped
  if (m) {|  a();|  b();|} <-- a();|b(); --> a();|o();|b(); ==> if (m) {|  a();|  o();|  b();|}
next to an element that the user has replaced, in elements that the user has wrapped
  x = (|<main>|<p>|<div>|<div>|<M />|<B id={4} />|</div>|</div>|</p>|</main>|);
  <-- x = (|<main>|<div>|<div>|<A />|<B id={4} />|</div>|</div>|</main>|);
  --> x = (|<main>|<div>|<div>|<A />|<O />|<B id={4} />|</div>|</div>|</main>|);
  ==> ${MISFIT}
below an element that the user has edited, and above one like it
  x = (|<main>|<A />|<div>|<p>|{f(5)}|</p>|</div>|<div>|<div>|<B id={8} />|{f(9)}|</div>|</div>|</main>|);
  <-- x = (|<main>|<A />|<div>|<div>|{f(5)}|</div>|</div>|<div>|<div>|<B id={8} />|{f(9)}|</div>|{f(10)}|</div>|</main>|);
  --> x = (|<main>|<A />|<div>|<div>|{f(5)}|</div>|</div>|<O />|<div>|<div>|<B id={8} />|{f(9)}|</div>|{f(10)}|</div>|</main>|);
  ==> x = (|<main>|<A />|<div>|<p>|{f(5)}|</p>|</div>|<O />|<div>|<div>|<B id={8} />|{f(9)}|</div>|</div>|</main>|);
in place of one of two lines that the user has wrapped
  if (m) {|  a();|  b();|}|c(); <-- a();|b();|c(); --> a();|o();|c(); ==> ${SAME}
to an argument before one that the user has added
  f(a, b, m); <-- f(a, b); --> f(a); ==> ${SAME}
to an argument after one that the user has added
  f(m, a, b); <-- f(a, b); --> f(b); ==> ${SAME}
above and in place of a line that the user has wrapped
  c();|if (m) {|  a();|} <-- c();|a(); --> c();|o();|b(); ==> ${SAME} ${HOLE.replace('conflict: ', '')}
where the user has moved a line into a block
  if (x) {|  a();|  b();|} <-- if (x) {|  a();|}|b(); --> if (x) {|  a();|}|o();|b(); ==> ${MISFIT}
in a block that the user has removed
  a();|b();|c(); <-- if (x) {|  a();|  b();|}|c(); --> if (x) {|  a();|  o();|  b();|}|c(); ==> a();|o();|b();|c();
in a block whose condition the user has changed
  if (m) {|  a();|} <-- if (x) {|  a();|} --> if (x) {|  a();|  o();|} ==> if (m) {|  a();|  o();|}
around a block to which the user has added "else"
  if (x) {|  if (y) {|  } else {|    m();|  }|} else {|}
  <-- if (x) {|  if (y) {|  }|} else {|} --> try {|  if (x) {|    if (y) {|    }|  } else {|  }|} finally {|}
  ==> try {|  if (x) {|    if (y) {|    } else {|      m();|    }|  } else {|  }|} finally {|}
with a closing tag like that of the user, below what they have wrapped
  <p>|  <div>|    <A />|    <B />|  </div>|</p>
  <-- <p>|  <A />|  <B />|</p> --> <p>|  <A />|  <B />|  <div>|    Ours|  </div>|</p>
  ==> <p>|  <div>|    <A />|    <B />|  </div>|  <div>|    Ours|  </div>|</p>
around tags between which the user has added one
  {x && (|  <a>|    <b />|    <m />|    <a>|    </a>|  </a>|)}
  <-- {x && (|  <a>|    <b />|    <a>|    </a>|  </a>|)}
  --> <p>|  {x && (|    <a>|      <b />|      <a>|      </a>|    </a>|  )}|</p>
  ==> <p>|  {x && (|    <a>|      <b />|      <m />|      <a>|      </a>|    </a>|  )}|</p>
that uses a constant which the user has renamed
  const m = 1;|a(); <-- const x = 1;|a(); --> const x = 1;|a();|o(x); ==> const m = 1;|a();|o(m);
that uses an import which the user has removed: it returns
  a(); <-- import { x } from "x";|a(); --> import { x } from "x";|a();|o(x); ==> import { x } from "x";|a();|o(x);
that uses an import of another file which the user has removed
  a(); <-- import { x } from "./x";|a(); --> import { x } from "./x";|a();|o(x); ==> ${lost('x')}
around a line that the user has removed, between lines that are the same
  on(() => {|  x;|  if (c) {|    x;|  }|  on(() => {|    x;|    x;|  });|});|x;
  <-- on(() => {|  x;|  if (c) {|    x;|  }|  on(() => {|    a();|    x;|    x;|  });|});|x;
  --> if (o) {|  on(() => {|    x;|    if (c) {|      x;|    }|    on(() => {|      a();|      x;|      x;|    });|  });|  o();|}|x;
  ==> if (o) {|  on(() => {|    x;|    if (c) {|      x;|    }|    on(() => {|      x;|      x;|    });|  });|  o();|}|x;
that removes a line which the user has moved
  b();|a();|c(); <-- a();|b();|c(); --> b(); ==> conflict: You moved these lines, and botcli removes them.
at the end of a block that the user has removed
  a();|b();|c();|d(); <-- if (x) {|  a();|  b();|}|c();|d();
  --> if (x) {|  a();|  b();|  o();|}|c();|d(); ==> ${MISFIT}
in two blocks that the user has removed
  a();|b();|c(); <-- if (x) {|  if (y) {|    a();|    b();|  }|}|c();
  --> if (x) {|  if (y) {|    a();|    o();|    b();|  }|}|c(); ==> a();|o();|b();|c();
below what both have wrapped alike
  c();|if (n) {|  a();|} <-- c();|a(); --> c();|if (n) {|  a();|}|o(); ==> c();|if (n) {|  a();|}|o();
in a block that the user has replaced
  if (m) {|  n();|} <-- if (x) {|  a();|} --> if (x) {|  a();|  o();|} ==> ${MISFIT}
to the condition of a block that the user has wrapped, and whose line they have changed
  if (m) {|  if (x) {|    n();|  }|}|b(); <-- if (x) {|  a();|}|b(); --> if (o) {|  a();|}|b(); ==> ${GONE}
to the condition of a block, and around its line, where the user changes another line
  if (x) {|  a();|}|b();|m(); <-- if (x) {|  a();|}|b();|c();
  --> if (o) {|  if (p) {|    a();|  }|}|b();|c(); ==> if (o) {|  if (p) {|    a();|  }|}|b();|m();
of a line that the user has commented out
  // two();|three(); <-- two();|three(); --> two(1);|three(); ==> ${GONE}
in the second half of a function that the user has split
  function a() {|  b();|}|function m() {|  c();|} <-- function a() {|  b();|  c();|}
  --> function a() {|  b();|  c();|  d();|} ==> function a() {|  b();|}|function m() {|  c();|  d();|}
after lines of which the user has moved the last one
  if (x) {|  a();|  b();|}|c(); <-- if (x) {|  a();|}|b();|c();
  --> if (x) {|  a();|}|b();|o();|c(); ==> if (x) {|  a();|  b();|}|o();|c();
around a line above which the user has added another, with a comment
  a();|// Mine.|m();|b(); <-- a();|b(); --> a();|if (o) {|  b();|} ==> a();|// Mine.|m();|if (o) {|  b();|}
to an import for which the user has another path
  import { a, b } from "@/x";|a(b); <-- import { a, b } from "../x";|a(b);
  --> import { a, c } from "../x";|a(c); ==> import { a, c } from "@/x";|a(c);
below a call in place of which the user has put the lines of its function
  one(x);|two(x);|b(); <-- f(x);|b();|function f(x) {|  one(x);|  two(x);|}
  --> f(x);|o(x);|b();|function f(x) {|  one(x);|  two(x);|} ==> ${MISFIT}
below lines that the user has put into a function above them
  function m(x) {|  one(x);|  two(x);|}|m(x);|b(); <-- one(x);|two(x);|b();
  --> one(x);|two(x);|o(x);|b(); ==> ${MISFIT}
below lines that the user has put into a function elsewhere
  function f(x) {|  m(x);|  b();|}|function m(x) {|  one(x);|  two(x);|}
  <-- function f(x) {|  one(x);|  two(x);|  b();|} --> function f(x) {|  one(x);|  two(x);|  o(x);|  p(x);|  b();|}
  ==> ${MISFIT}
below a line that returns now
  a();|return;|b(); <-- a();|b(); --> a();|b();|c(); ==> ${DEAD}
where the user has added a line
  a();|m(); <-- a(); --> a();|o(); ==> a();|o();|m();
around what follows the brackets in which the user has put a line
  f(|a()|);|b(); <-- a()|b(); --> a()|if (o) {|b();|} ==> f(|a()|);|if (o) {|b();|}
`;

testMerges('it is a conflict if both sides add', '', '|')`
a.tsx: one attribute
  <a m={1} b="c" /> <-- <a b="c" /> --> <a b="c" m={2} /> ==> ${SAME}
a.css: one property of CSS
  a {|  w: 1px;|  b: c;|} <-- a {|  b: c;|} --> a {|  b: c;|  w: 2px;|} ==> ${SAME}
a.ts: a function of one name, of other lines
  a();|function f() {|  m();|} <-- a(); --> a();|function f() {|  return 1;|} ==> ${TWICE}
a.ts: a constant of one name
  a();|const f = { m: 1 }; <-- a(); --> a();|const f = { o: 1 }; ==> ${TWICE}
a.css: one rule of CSS
  a {|  b: c;|}|n {|  w: 1px;|} <-- a {|  b: c;|} --> n {|  w: 2px;|}|a {|  b: c;|} ==> ${SAME}
a.html: elements around some, so that they would cross
  <main>|  <div>|    <p>a</p>|    <p>b</p>|  </div>|  <p>c</p>|</main>
  <-- <main>|  <p>a</p>|  <p>b</p>|  <p>c</p>|</main>
  --> <main>|  <p>a</p>|  <section>|    <p>b</p>|    <p>c</p>|  </section>|</main>
  ==> ${MISFIT}
`;

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

describe('merging an inner tag that the user has changed', () => {
  it('is about that tag also where botcli wraps an equal outer one', () => {
    const base =
      '<m>|  <div>|    <A />|    <div>|      <B />|      <C />|      <D />|    </div>|    <E />|  </div>|</m>';
    const user = base.replace('    <div>|      <B', '    <p>|      <B').replace('<D />|    </div>', '<D />|    </p>');
    const botcli =
      '<m>|  <q>|    <div>|      <A />|      <div>|        <B />|        <C />|        <D />|      </div>|      <E />|    </div>|  </q>|</m>';
    const merged = botcli
      .replace('      <div>|        <B', '      <p>|        <B')
      .replace('<D />|      </div>', '<D />|      </p>');
    assert.equal(mergeRows('a.tsx', user, base, botcli, '|'), merged);
  });
});

testMerges('merging what is added below what the user has wrapped, in', '', '|')`
a.css: a style sheet
  @media m {|  a {|  }|} <-- a {|} --> a {|}|@o "o"; ==> @media m {|  a {|  }|}|@o "o";
a.html: a document
  <p>|  <a></a>|</p> <-- <a></a> --> <a></a>|<b>|</b> ==> <p>|  <a></a>|</p>|<b>|</b>
`;

testMerges('merging what botcli adds at the beginning of a file, where the user has put', '', '|')`
a.ts: a directive
  "use client";||import b from "b";|b(); <-- import b from "b";|b();
  --> import a from "a";|import b from "b";|b(); ==> "use client";||import a from "a";|import b from "b";|b();
a.ts: a license
  /* Mine. */|import b from "b";|b(); <-- import b from "b";|b();
  --> import a from "a";|import b from "b";|b(); ==> /* Mine. */|import a from "a";|import b from "b";|b();
a.ts: comments, the first for a tool
  // @ts-nocheck|// Mine.|import b from "b";|b();
  <-- import b from "b";|b(); --> import a from "a";|import b from "b";|b();
  ==> // @ts-nocheck|// Mine.|import a from "a";|import b from "b";|b();
a.ts: a comment, and one that is about a line
  // All.||// Mine.|import b from "b";|b(); <-- import b from "b";|b();
  --> import a from "a";|import b from "b";|b(); ==> // All.||import a from "a";||// Mine.|import b from "b";|b();
a.ts: a comment that is about a function
  /** Mine. */|function b() {|} <-- function b() {|}
  --> const a = 1;||function b() {|} ==> const a = 1;||/** Mine. */|function b() {|}
a.css: the encoding of a style sheet, and a comment that is about a rule
  @charset "utf-8";|/* Mine. */|b {|} <-- b {|} --> a {|}|b {|} ==> @charset "utf-8";|a {|}|/* Mine. */|b {|}
`;

testMerges('merging what botcli adds next to what the user has written keeps', 'a.tsx', '|')`
items on lines of their own
  x = [|  1,|  3,|]; <-- x = [1]; --> x = [1, 2]; ==> x = [|  1,|  2,|  3,|];
several items on a line
  x = [|  1, 3,|  4,|]; <-- x = [1, 3]; --> x = [1, 3, 2]; ==> x = [|  1, 3, 2,|  4,|];
one space before a comment
  a(); // Mine.|b(); <-- a();|b(); --> a();|c();|b(); ==> a(); // Mine.|c();|b();
an import below the last one
  import a from "./a";|import m from "./m";||a(m);
  <-- import a from "./a";||a(); --> import a from "./a";|import o from "./o";||a();
  ==> import a from "./a";|import o from "./o";|import m from "./m";||a(m);
`;
