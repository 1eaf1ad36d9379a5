import assert from 'node:assert/strict';
import { blocksOf, declaredIn, findAll, mask, parametersIn } from '../../src/merge/script-code.ts';

const masked: [about: string, lines: string[], code: string][] = [
  ['strings become empty', ['a("x", "y\\"z", 1);'], 'a("", "", 1);'],
  ['a string that no quote ends stays', ['a("x);'], 'a("x);'],
  ['comments become blank', ['a(); // if (b) {'], 'a();  '],
  ['comments keep their lines', ['/* if (a) {', 'if (b) { */ c();'], ' \n  c();'],
  ['an address is no comment', ['a: http://b'], 'a: http://b'],
  ['words between tags become blank', ['<p>Hello {name} or: you</p>'], '<p> {name} </p>'],
  ['what may be code between tags stays', ['<p>Hello (you {name}</p>'], '<p>Hello (you {name}</p>'],
  [
    'imports without semicolons stay',
    ["import { a } from './a'", "import { b } from './b'", 'export { c }'],
    "import { a } from './a'\nimport { b } from './b'\nexport { c }",
  ],
  ['what declares a type after a block stays', ['}', '', 'export interface A {', '}'], '}\n\nexport interface A {\n}'],
  ['what declares a constant after a block stays', ['}', 'const a: A<B> = c'], '}\nconst a: A<B> = c'],
  ['words on several lines keep their lines', ['<p>', '  Hello you', '</p>'], '<p>\n \n</p>'],
];

/** Names, each with its line. */
const names = (found: ReturnType<typeof declaredIn>) => found.map(({ name, line }) => `${name} ${line}`).join(', ');

const declared: [about: string, code: string, found: string][] = [
  ['an import of several names', 'import a, { b as c, type D } from ""', 'a 0, c 0, D 0'],
  ['a module', 'x;/import * as a from ""', 'a 1'],
  ['constants and variables', 'const a = 1;/let b;/var $c = 2', 'a 0, b 1, $c 2'],
  ['parts of an object', 'const { a, b: c, d = 1, ...e } = f;', 'a 0, c 0, d 0, e 0'],
  ['items of a list', 'x;/const [a, setA] = b;', 'a 1, setA 1'],
  ['functions and classes', 'function a() {}/class B {}/function* c() {}', 'a 0, B 1, c 2'],
  ['types', 'interface A {}/enum B {}', 'A 0, B 1'],
  ['a type with parameters', 'type A<T> = T;/type B = A;', 'A 0, B 1'],
  ['nothing in an import of a file', 'import ""', ''],
];

const parameters: [about: string, code: string, found: string][] = [
  ['parts of properties', 'x;/function A({ b, c }: { b: B }) {}', 'b 1, c 1'],
  ['parameters of an arrow function', '(a, b: B, c = 1) => a', 'a 0, b 0, c 0'],
  ['one without brackets', 'x.map(a => b)', 'a 0'],
  ['parameters of a function', 'x;/function a(b: B, c = 1) {}', 'b 1, c 1'],
  ['nothing in a call', 'a(b, c)', ''],
  ['nothing in an empty list', 'function a() {}/() => 1', ''],
];

const rows = (text: string) => text.replaceAll('/', '\n');

describe('in TypeScript,', () => {
  for (const [about, lines, code] of masked) it(about, () => assert.equal(mask(lines), code));
  for (const [about, code, found] of declared) {
    it(`names are declared by ${about}`, () => assert.equal(names(declaredIn(rows(code))), found));
  }
  for (const [about, code, found] of parameters) {
    it(`parameters are ${about}`, () => assert.equal(names(parametersIn(rows(code))), found));
  }

  it('what a pattern finds has its first and last line', () => {
    const found = findAll('a\n(\n)\na ( )\n\n(\n\n)', /\(\s*\)/g);
    assert.deepEqual(
      found.map(({ line, lastLine }) => [line, lastLine]),
      [
        [1, 2],
        [3, 3],
        [5, 7],
      ],
    );
  });

  it('a line belongs to the one before it that is less indented', () => {
    assert.deepEqual(blocksOf(['a', '  b', '', '  c', '    d', '  e', 'f', '  g']), [-1, 0, -1, 0, 3, 0, -1, 6]);
  });
});
