import { testMerges } from './merging.ts';

const HOLE = "botcli's change removes what is between these brackets of yours.";
const MISFIT = "botcli's change doesn't fit the blocks around it in your file.";
const CHANGED = 'You changed these lines, and botcli removes them.';
const goesWith = (name: string) => `This goes with another conflict: both are about "${name}".`;
const hidden = (name: string) => `With botcli's change, "${name}" would be used outside of the block that defines it.`;
const lost = (name: string) => `Your lines use "${name}", which botcli's change removes.`;
const twice = (name: string) => `Your file already defines "${name}", and so does botcli's change.`;

const USE = 'import { C } from "./c";|const l = f();|x = (|<m>|<S s={s} />|<C a l={l} />|</m>|);';
const GONE = USE.replace('import { C } from "./c";|', '').replace('<C a l={l} />|', '');
const BARE = USE.replace('const l = f();|', '').replace(' l={l}', '');
/** What the user writes below the first component. */
const add = (line: string, text: string) => text.replace('<S s={s} />', `<S s={s} />|${line}`);

testMerges('merging TypeScript when', 'a.tsx', '|')`
the user has wrapped what goes in brackets
  ${USE.replace('<C a l={l} />', '{a && (|<C a l={l} />|)}')} <-- ${USE} --> ${GONE}
  ==> conflict: ${goesWith('C')} ${HOLE}
the user has wrapped what goes in braces
  ${USE.replace('<C a l={l} />', '{a &&|<C a l={l} />|}')} <-- ${USE} --> ${GONE} ==> conflict: ${goesWith('C')} ${HOLE}
the user shows a state that goes
  ${add('<b>{l}</b>', USE)} <-- ${USE} --> ${BARE} ==> conflict: ${lost('l')}
the user has a type that goes, below a function
  function f() {|  const s: L[] = [];|  return s;|}|interface L {|  t: string;|}
  <-- function f() {|  return s;|}|interface L {|  t: string;|} --> function f() {|  return s;|}
  ==> conflict: ${lost('L')}
the user has a second component of those that go
  ${add('{w && <C />}', USE)} <-- ${USE} --> ${GONE} ==> conflict: ${lost('C')}
both have a state of one name
  function f() {|  a();|  b();|  const [l, setL] = g("x");|} <-- function f() {|  a();|  b();|}
  --> function f() {|  const [l, setL] = g(0);|  a();|  b();|} ==> conflict: ${twice('l')}
both export a constant of one name
  a();|export const L = 3; <-- a(); --> export const L = [1];|a(); ==> conflict: ${twice('L')}
the user has a state of the same name in another component
  function f() {|  b();|}|function m() {|  const [l] = g("x");|  return l;|} <-- function f() {|  b();|}
  --> function f() {|  const [l] = g(0);|  b(l);|}
  ==> function f() {|  const [l] = g(0);|  b(l);|}|function m() {|  const [l] = g("x");|  return l;|}
the user writes a word like the name
  ${add('<p>Is it l?</p>|<b title="l" />', USE)} <-- ${USE} --> ${BARE}
  ==> ${add('<p>Is it l?</p>|<b title="l" />', BARE)}
the user has a property of the name
  ${add('{(() => o.l)()}|<p l={1} />', USE)} <-- ${USE} --> ${BARE} ==> ${add('{(() => o.l)()}|<p l={1} />', BARE)}
the user declares the name
  on(() => {|  const l = o.l;|  p(l);|});|${USE} <-- ${USE} --> ${BARE}
  ==> on(() => {|  const l = o.l;|  p(l);|});|${BARE}
the user shows what stays
  ${add('{s && <b>{s.n}</b>}', USE)} <-- ${USE} --> ${BARE} ==> ${add('{s && <b>{s.n}</b>}', BARE)}
the user has a comment on the first of some properties, and botcli adds one above it
  interface L {|  // Mine.|  t: string;|} <-- interface L {|  t: string;|} --> interface L {|  n: number;|  t: string;|}
  ==> interface L {|  n: number;|  // Mine.|  t: string;|}
the user wraps what stays
  ${USE.replace('<S s={s} />', '{s && (|<S s={s} />|)}')} <-- ${USE} --> ${GONE}
  ==> ${GONE.replace('<S s={s} />', '{s && (|<S s={s} />|)}')}
`;

testMerges('merging lines of TypeScript when', 'a.ts')`
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
  const isOne = (one: A): one is B => true;/x = {/  b: 1,/  a: 1,/};
  <-- const isOne = (one: A): one is B => true;/x = {/  a: 1,/};
  --> const isOne = (one: A): one is B => true;/x = {/  a: 1,/  b: 2,/}; ==> conflict: ${twice('b')}
both sides add one property in a file with a syntax error
  const one = two three;/x = {/  b: 1,/  a: 1,/}; <-- const one = two three;/x = {/  a: 1,/};
  --> const one = two three;/x = {/  a: 1,/  b: 2,/}; ==> conflict: ${twice('b')}
`;
