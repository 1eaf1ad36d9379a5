import assert from 'node:assert/strict';
import { mergeTexts, testMerges } from './merging.ts';

const APP = [
  'import { useState } from "react";',
  'import { Composer } from "./Composer";',
  'import { Stage } from "./Stage";',
  '',
  '/** The page. */',
  'export function App({ bot }: { bot: Bot }) {',
  '  const [line, setLine] = useState(LINES[0]);',
  '  const state = useCall(bot);',
  '  return (',
  '    <main>',
  '      <Stage state={state} />',
  '      <Composer onSend={bot.send} onLine={setLine} line={line} />',
  '    </main>',
  '  );',
  '}',
  '',
  'interface Line {',
  '  text: string;',
  '}',
  '',
].join('\n');

type Edit = (text: string) => string;
const swap =
  (...pairs: [from: string, to: string][]): Edit =>
  text =>
    pairs.reduce((edited, [from, to]) => {
      assert(edited.includes(from), from);
      return edited.replace(from, () => to);
    }, text);

const COMPOSER = '      <Composer onSend={bot.send} onLine={setLine} line={line} />\n';
const withoutComposer = swap([COMPOSER, ''], ['import { Composer } from "./Composer";\n', '']);
const withoutLine = swap(
  ['  const [line, setLine] = useState(LINES[0]);\n', ''],
  [' onLine={setLine} line={line}', ''],
  ['import { useState } from "react";\n', ''],
);
const STAGE = '      <Stage state={state} />\n';
const addStage = (...lines: string[]) => swap([STAGE, `${lines.map(line => `      ${line}\n`).join('')}${STAGE}`]);
const addHook = (...lines: string[]) => swap(['  return (', `${lines.map(line => `  ${line}\n`).join('')}  return (`]);
const addLevel = swap(
  ['  const [line,', '  const [level, setLevel] = useState(0);\n  const [line,'],
  [' line={line}', ' line={line} level={level} onLevel={setLevel}'],
);

const HOLE = "botcli's change removes what is between these brackets of yours.";
const MISFIT = "botcli's change doesn't fit the blocks around it in your file.";
const CHANGED = 'You changed these lines, and botcli removes them.';
const goesWith = (name: string) => `This goes with another conflict: both are about "${name}".`;
const hidden = (name: string) => `With botcli's change, "${name}" would be used outside of the block that defines it.`;
const lost = (name: string) => `Your lines use "${name}", which botcli's change removes.`;
const twice = (name: string) => `Your file already defines "${name}", and so does botcli's change.`;

/** What the user did, what botcli does, and the reason of the conflict, if there is one. */
const cases: [about: string, user: Edit, botcli: Edit, ...reasons: string[]][] = [
  [
    'the user has wrapped what goes in brackets',
    swap([COMPOSER, `      {bot.send && (\n${COMPOSER}      )}\n`]),
    withoutComposer,
    goesWith('Composer'),
    HOLE,
  ],
  [
    'the user has wrapped what goes in braces',
    swap([COMPOSER, `      {IS_WIDE &&\n${COMPOSER}      }\n`]),
    withoutComposer,
    goesWith('Composer'),
    HOLE,
  ],
  ['the user shows a state that goes', addStage('<small>{line}</small>'), withoutLine, lost('line')],
  [
    'the user has a type that goes, below a function',
    addHook('const shown: Line | null = null;'),
    swap(['}\n\ninterface Line {\n  text: string;\n}\n', '}\n']),
    lost('Line'),
  ],
  ['the user writes no semicolons', text => text.replaceAll(/^(import .*) "(.*)";$/gm, "$1 '$2'"), addLevel],
  [
    'the user has a second component of those that go',
    addStage('{isWide && <Composer onSend={bot.send} />}'),
    withoutComposer,
    lost('Composer'),
  ],
  [
    'the user has a state of the same name',
    addHook('const [level, setLevel] = useState("x");'),
    addLevel,
    twice('level'),
  ],
  [
    'the user exports a constant of the same name',
    text => `${text}\nexport const LEVELS = 3;\n`,
    swap(['/** The page. */', 'export const LEVELS = [1];\n\n/** The page. */']),
    twice('LEVELS'),
  ],
  [
    'the user has a state of the same name in another component',
    text => `${text}\nfunction Mine() {\n  const [level, setLevel] = useState("x");\n  return level;\n}\n`,
    addLevel,
  ],
  ['the user writes a word like the name', addStage('<p>Which line?</p>', '<b title="line" />'), withoutLine],
  ['the user has a property of the name', addStage('{(() => bot.line)()}', '<p line={1} />'), withoutLine],
  ['the user declares the name', addHook('const line = bot.line;', 'print(line);'), withoutLine],
  ['the user shows what stays', addStage('{state && <b>{state.name}</b>}'), withoutLine],
  [
    'the user has a comment on the first of some properties, and botcli adds one above it',
    swap(['interface Line {\n', 'interface Line {\n  // Mine.\n']),
    swap(['interface Line {\n', 'interface Line {\n  level: number;\n']),
  ],
  ['the user wraps what stays', swap([STAGE, `      {state && (\n${STAGE}      )}\n`]), withoutComposer],
];

describe('merging TypeScript when', () => {
  for (const [about, user, botcli, ...expected] of cases) {
    it(about, () => {
      const { text, conflicts } = mergeTexts('App.tsx', user(APP), APP, botcli(APP));
      const reasons = conflicts.map(conflict => conflict.reason);
      assert.deepEqual(reasons, expected);
      if (expected.length === 0) assert.equal(text, botcli(user(APP)));
    });
  }
});

testMerges(
  'merging lines of TypeScript when',
  'a.ts',
  `
both have written a file
  mine(); <-- (empty) --> ours(); ==> conflict: You and botcli changed the same lines.
the user has added "else" to a condition that goes
  if (x) {/  a();/} else {/  b();/} <-- if (x) {/  a();/} -->   a(); ==> conflict: ${CHANGED}
the user's brackets don't match in the first place
  x = '(';/b();/c(); <-- x = 1;/b();/c(); --> x = 1;/b();/d(); ==> x = '(';/b();/d();
botcli's brackets don't match in the first place
  x = '(';/b();/a(); <-- x = '(';/b(); --> x = '(';/c(); ==> x = '(';/c();/a();
the user has changed a condition that goes
  if (y) {/  a();/} <-- if (x) {/  a();/} -->   a(); ==> conflict: ${CHANGED}
the user has wrapped two values that go, and others change
  a();/b();/x && (/  y/);/c();/x && (/  z/); <-- a();/b();/  y/c();/  z
  --> d();/b();/c(); ==> conflict: ${CHANGED} ${CHANGED}
brackets are empty in what botcli adds
  b();/c(); <-- b(); --> a && ();/b(); ==> a && ();/b();/c();
brackets are empty in both versions
  a && ();/b();/c(); <-- a && ();/b;/c(); --> a && ();/b;/d(); ==> a && ();/b();/d();
the user needs a parameter that goes
  const f = (a) => {/  b();/  use(a);/}; <-- const f = (a) => {/  b();/};
  --> const f = () => {/  b();/}; ==> conflict: ${lost('a')}
the user needs a constant that goes, and ends no line with a semicolon
  const a = 1/b()/x = a/y() <-- const a = 1/b() --> b() ==> conflict: ${lost('a')}
the user needs an import from a package that goes, one of several lines, and others change
  import {/  a,/  b,/  c,/} from "x";/f(a);/g(c); <-- import {/  a,/  b,/  c,/} from "x";/f(a);
  --> import {/  a,/} from "x";/h(a); ==> import {/  a,/  c,/} from "x";/h(a);/g(c);
the user needs an import from another file that goes
  import { a, c } from ".";/f(a);/g(c); <-- import { a, c } from ".";/f(a);
  --> import { a } from ".";/f(a); ==> conflict: ${lost('c')}
botcli needs what it declares in another way now
  const e = f();/print(e);/mine(); <-- const e = f();/print(e);
  --> try {/  f();/} catch (e) {/print(e);/} ==> try {/  f();/} catch (e) {/print(e);/}/mine();
the user adds a type to a constant that changes
  const A = 1;/type A = number;/b(); <-- const A = 1;/b();
  --> const A = 2;/b(); ==> const A = 2;/type A = number;/b();
botcli adds a type to a constant that the user has changed
  const A = 3;/b(); <-- const A = 1;/b();
  --> const A = 1;/b();/type A = number; ==> const A = 3;/b();/type A = number;
the user needs a function that goes, and others change
  function f() {/}/f();/a();/b(); <-- function f() {/}/a();/b(); --> a();/c(); ==> conflict: ${lost('f')}
both sides add a property
  x = {/  a: 1,/  m: 1,/}; <-- x = {/  a: 1,/}; --> x = {/  o: 1,/  a: 1,/}; ==> x = {/  o: 1,/  a: 1,/  m: 1,/};
the user has wrapped the lines around a constant, which botcli uses below
  f() {/  if (m) {/    a();/    b();/  }/  c();/  return d;/} <-- f() {/  a();/  b();/  c();/  return d;/}
  --> f() {/  a();/  const o = a();/  b();/  c();/  return [d, o];/} ==> conflict: ${hidden('o')}
the user has wrapped a constant, which botcli begins to use below
  f() {/  if (m) {/    const o = 1;/    b();/  }/  return d;/} <-- f() {/  const o = 1;/  b();/  return d;/}
  --> f() {/  const o = 1;/  b();/  return [d, o];/} ==> conflict: ${hidden('o')}
the user has wrapped all lines in which botcli uses a new constant
  f() {/  if (m) {/    a();/    b();/  }/  c();/  return d;/}
  <-- f() {/  a();/  b();/  c();/  return d;/} --> f() {/  a();/  const o = a();/  o.p();/  b();/  c();/  return d;/}
  ==> f() {/  if (m) {/    a();/    const o = a();/    o.p();/    b();/  }/  c();/  return d;/}
the user has renamed a function that botcli calls once more
  uno(1);/function uno(n: number) {/  return n;/}
  <-- one(1);/function one(n: number) {/  return n;/}
  --> one(1);/log();/one(2);/function one(n: number) {/  return n;/}
  ==> uno(1);/log();/uno(2);/function uno(n: number) {/  return n;/}
the user has split a function, and botcli uses a local name in the other half
  function run(a: A) {/  const client = make(a);/  open(a);/  end(a);/}/function end(a: A) {/  close(a);/}
  <-- function run(a: A) {/  const client = make(a);/  open(a);/  close(a);/}
  --> function run(a: A) {/  const client = make(a);/  open(a);/  close(a);/  client.stop();/}
  ==> conflict: ${hidden('client')}
the user's name hides one that botcli uses
  import { find } from "f";/function go(a: A) {/  const find = mine(a);/  one(a);/  two(find);/}
  <-- import { find } from "f";/function go(a: A) {/  one(a);/  two(a);/}
  --> import { find } from "f";/function go(a: A) {/  one(a);/  two(a);/  find("x");/}
  ==> conflict: With botcli's change, "find" would mean something else.
botcli wraps what the user has added a line above
  a();/mine();/b(); <-- a();/b(); --> a();/if (o) {/  b();/} ==> a();/mine();/if (o) {/  b();/}
both sides add a function at the end
  one();/function m() {/  return 1;/} <-- one();
  --> one();/function o() {/  return 2;/} ==> one();/function m() {/  return 1;/}/function o() {/  return 2;/}
both sides add one property
  x = {/  b: 1,/  a: 1,/}; <-- x = {/  a: 1,/}; --> x = {/  a: 1,/  b: 2,/}; ==> conflict: ${twice('b')}
the user returns before the end of a function, where botcli adds a line
  function go() {/  one();/  return 1;/} <-- function go() {/  one();/}
  --> function go() {/  one();/  two();/} ==> function go() {/  one();/  two();/  return 1;/}
botcli adds an argument to a call that the user has replaced
  mine(/  one,/  two,/); <-- start(/  one,/  two,/);
  --> start(/  one,/  two,/  three,/);
  ==> conflict: botcli's change gives settings to start, which your file has replaced.
the user has made an expression of a function in which botcli changes a line
  const f = (k) => k ?? a; <-- function f(k) {/  if (!k) return a;/  return null;/}
  --> function f(k) {/  if (!k) return a;/  return find(k);/} ==> conflict: ${MISFIT}
botcli has made an expression of a function to which the user has added a line
  function f(k) {/  mine(k);/  return k;/} <-- function f(k) {/  return k;/}
  --> const f = (k) => k; ==> conflict: You and botcli changed the same lines.
the user has written a name for an array to which botcli adds
  const o = m;/a(); <-- const o = [1];/a(); --> const o = [1, 2];/a(); ==> conflict: ${MISFIT}
the user has moved a constant below the line where botcli uses it
  b();/const a = 1;/c(a); <-- const a = 1;/b();/c(a);
  --> const a = 1;/o(a);/b();/c(a); ==> conflict: With botcli's change, "a" would be used before it is defined.
the user uses a constant that botcli moves down
  const a = 1;/m(a);/b();/c(a); <-- const a = 1;/b();/c(a);
  --> b();/const a = 1;/c(a); ==> conflict: With botcli's change, "a" would be used before it is defined.
the user has moved a function that botcli calls once more
  b();/function a() {/} <-- function a() {/}/b(); --> function a() {/}/a();/b(); ==> a();/b();/function a() {/}
both have changed the definition of what botcli uses below
  const a = mine();/b(a); <-- const a = one();/b(a);
  --> const [a, c] = two();/b(a, c); ==> conflict: You and botcli changed the same lines. ${goesWith('c')}
both sides add an argument
  f(/  a,/  m,/); <-- f(/  a,/); --> f(/  a,/  o,/); ==> conflict: You and botcli changed the same lines.
both sides add one property in a file with a type parameter
  const id = <T>(one: T) => one;/x = {/  b: 1,/  a: 1,/}; <-- const id = <T>(one: T) => one;/x = {/  a: 1,/};
  --> const id = <T>(one: T) => one;/x = {/  a: 1,/  b: 2,/}; ==> conflict: ${twice('b')}
both sides add one property in a file with a type that a test proves
  const isOne = (one: A): one is B => true;/x = {/  b: 1,/  a: 1,/}; <-- const isOne = (one: A): one is B => true;/x = {/  a: 1,/};
  --> const isOne = (one: A): one is B => true;/x = {/  a: 1,/  b: 2,/}; ==> conflict: ${twice('b')}
both sides add one property in a file with a syntax error
  const one = two three;/x = {/  b: 1,/  a: 1,/}; <-- const one = two three;/x = {/  a: 1,/};
  --> const one = two three;/x = {/  a: 1,/  b: 2,/}; ==> conflict: ${twice('b')}
`,
);
