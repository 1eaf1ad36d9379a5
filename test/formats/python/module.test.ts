import assert from 'node:assert/strict';
import fc from 'fast-check';
import { importsOf } from '../../../src/formats/python/imports.ts';
import { readPython } from '../../../src/formats/python/module.ts';
import type { Scope } from '../../../src/formats/python/scope.ts';

const sorted = (names: Iterable<string>) => [...names].sort().join(' ');

/** The names of each scope: `module a b | f` defines a and b, and uses f. */
const describeScopes = (source: string) =>
  readPython(source).scopes.map(({ kind, name, defines, uses }) =>
    [kind, kind === name ? '' : name, sorted(defines.keys()), '|', sorted(uses.keys())].filter(Boolean).join(' '),
  );

const scopes: [source: string, ...scopes: string[]][] = [
  ['import a.b as c, d.e', 'module c d |'],
  ['from a import (\n  b, # why\n  c as d,\n)', 'module b d |'],
  ['from .a import *', 'module * |'],
  ['import abc.de', 'module abc |'],
  ['def f(a, *b, c: T = D, **e) -> R: pass', 'module f | D R T', 'function f a b c e |'],
  ['def f(a, /, b=lambda c, d=E: c + d, *, g): return a', 'module f | E', 'function f a b g | a', 'lambda c d | c d'],
  ['async def f():\n  await g()', 'module f |', 'function f | g'],
  [
    'class A(B, metaclass=C):\n  x = 1\n  def f(self): return x',
    'module A | B C',
    'class A f x |',
    'function f self | x',
  ],
  ['@a.b(c=d)\nclass E: pass', 'module E | a d', 'class E |'],
  ['a = b.c = d[e] = f', 'module a | b d e f'],
  ['a, (b, *c), [d] = e', 'module a b c d | e'],
  ['a: T = b', 'module a | T b'],
  ['a: T\n(b): T\n(c): T = d', 'module a c | T b d'],
  ['a.b: T = c', 'module | T a c'],
  ['a += b', 'module a | a b'],
  ['a[b] **= c', 'module | a b c'],
  ['del a, b.c', 'module a | a b'],
  ['for a, b in c: d(a)\nelse: e = 1', 'module a b e | a c d'],
  ['async def f():\n  async for a in b: pass\n  async with c as d: pass', 'module f |', 'function f a d | b c'],
  ['with a as b, c() as (d, e): pass', 'module b d e | a c'],
  ['with (a as b, c() as d.e): pass', 'module b | a c d'],
  ['try: a\nexcept (B, c.D) as e: e\nexcept* F: pass', 'module e | B F a c e'],
  ['if (a := b): pass', 'module a | b'],
  ['x = [a for a in b if a > c]', 'module x | b', 'comprehension a | a c'],
  ['x = [a for a in b if c if d]', 'module x | b', 'comprehension a | a c d'],
  ['x = {a: b for a in c for b in a if (d := b)}', 'module d x | c', 'comprehension a b | a b'],
  ['f(a async for a in (b if c else d))', 'module | b c d f', 'comprehension a | a'],
  ['x = [[a for a in b] for b in c]', 'module x | c', 'comprehension b | b', 'comprehension a | a'],
  ['f = lambda a, *b: c, d', 'module f | d', 'lambda a b | c'],
  ['f = lambda a=b: c', 'module f | b', 'lambda a | c'],
  ['f(key=lambda: a, b=c)', 'module | c f', 'lambda | a'],
  ['call(a=b, c=d.e)', 'module | b call d'],
  ['x = f"{a} {{b}} {c!r:>{d}} {e=} {f:%Y-{g}}"', 'module x | a c d e f g'],
  ['x = f"{f\'{a["b"]:{c}}\'}" rf"\\{d}" t\'{e}\' "{f}" f"\\N{DASH}{g}"', 'module x | a c d e g'],
  ['x = f"""{\n  [a for a in b] # {c}\n}"""', 'module x | b', 'comprehension a | a'],
  ['x = {"b": c, "d": {*e}, **f}', 'module x | c e f'],
  ['x = a \\\n  if b else c', 'module x | a b c'],
  ['x = y[a:b, lambda: c:d]', 'module x | a b d y', 'lambda | c'],
  ['def f():\n  global a, b\n  a = b', 'module a f |', 'function f | b'],
  ['def f():\n  def g():\n    nonlocal a\n    a = 1\n  a = 2', 'module f |', 'function f a g |', 'function g | a'],
  ['match a:\n  case B(c, d=e) | [f, *g]: pass\n  case {"h": i, **j} if i > k: pass', 'module c e f g i j | B a i k'],
  ['match a, b:\n  case c.D as d: pass\n  case (-1 | None | _): pass', 'module d | a b c'],
  ['match = case = type = 1\nmatch(case)[type]: case\nprint(match)', 'module case match type | case match print type'],
  ['type A[T: B] = list[T]', 'module A |', 'types T | B T list'],
  ['type A = b', 'module A | b'],
  ['type[a] = b', 'module | a b type'],
  ['def f[T, *U](a: T) -> U: pass', 'module f |', 'types T U | T U', 'function f a |'],
  ['class A[T](B[T]): a: T', 'module A |', 'types T | B T', 'class A a | T'],
  ['if a: b = 1; import c\nelse: d', 'module b c | a d'],
  ['if lambda a=lambda: b: c: d = 1', 'module d |', 'lambda a | c', 'lambda | b'],
  ['if lambda a=":": a: b = 1', 'module b |', 'lambda a | a'],
  ['if a == "lambda": b = 1', 'module b | a'],
  ['x = ["for", a, "in", b, "(", c, "lambda", d]', 'module x | a b c d'],
  ['motif = forth = 1', 'module forth motif |'],
  ['case = 1\nmatch a:\n  case b:\n    c = 1\nwithout = 1', 'module b c case without | a'],
  ['print("a" \'b\' """c\nd""" r"\\d" b\'e\') # f', 'module | print'],
  ['ｗidth = µ', 'module width | μ'],
  ['a = 1 if x else 2j + 0x1F + .5e-3 + 1_0.', 'module a | x'],
];

describe('the names of Python', () => {
  for (const [source, ...expected] of scopes) {
    it(source.replaceAll('\n', ' ⏎ '), () => {
      const { isBalanced, problems } = readPython(source);
      assert.deepEqual([describeScopes(source), isBalanced, problems], [expected, true, []]);
    });
  }

  it('have a line, and what gives them a meaning', () => {
    const source =
      'import a\nb = (\n  c) = 1\nclass d: pass\ndef e(f): pass\nb = 2\nfor g in f"""\n{a}""": pass\n' +
      'h, i = (j := 1), 2\ntype k = 1\nmatch 1:\n  case l: pass';
    const { scopes } = readPython(source);
    const bindings = scopes.flatMap(({ defines }) => [...defines.values()].flat());
    assert.equal(
      bindings.map(({ name, line, by }) => `${name} ${line} ${by}`).join(', '),
      'a 0 import, b 1 assignment, b 5 assignment, c 2 target, d 3 class, e 4 function, g 6 target, j 8 target, ' +
        'h 8 target, i 8 target, k 9 assignment, l 11 target, f 4 parameter',
    );
    assert.deepEqual(scopes[0]?.uses.get('a'), [{ name: 'a', line: 7, column: 1 }]);
  });

  it('are in scopes that have a kind, a name, a line and a path', () => {
    const source = 'class A:\n  def f(self): pass\n  b = lambda: [\n    c for c in d]\ntype E[T] = f';
    assert.deepEqual(
      readPython(source).scopes.map(({ kind, name, line, path }) => [kind, name, line, path]),
      [
        ['module', '', 0, ''],
        ['class', 'A', 0, 'A'],
        ['function', 'f', 1, 'A.f'],
        ['lambda', 'lambda', 2, 'A'],
        ['comprehension', 'comprehension', 2, 'A'],
        ['types', 'types', 4, ''],
      ],
    );
  });

  it('are read after a bracket too many, too', () => {
    assert.deepEqual(describeScopes('a) + b(c)'), ['module | a b c']);
  });

  it('are looked up in the scopes around them, but not in classes', () => {
    const source =
      'a = b = c = 1\ndef f(b):\n  class A:\n    b = c = 2\n    def g(self):\n      return a, b, c, d, [b for e in c]\n  d = 3';
    const all = readPython(source).scopes;
    const find = (scope: Scope | undefined, name: string) => {
      const found = scope?.resolve(name);
      return found && (found.path || 'module');
    };
    const g = all.find(({ name }) => name === 'g');
    assert.deepEqual(
      ['a', 'b', 'c', 'd', 'print'].map(name => find(g, name)),
      ['module', 'f', 'module', 'f', undefined],
    );
    const a = all.find(({ name }) => name === 'A');
    assert.deepEqual([find(a, 'b'), find(all.at(-1), 'b')], ['f.A', 'f']);
  });

  it('are the ones of the module or of a function if they are declared so', () => {
    const source = 'a = 1\ndef f(a, b):\n  def g():\n    global a, c\n    nonlocal b\n    b = a\n    return a, b, c';
    const g = readPython(source).scopes.at(-1);
    assert.deepEqual(
      ['a', 'b', 'c'].map(name => g?.resolve(name)?.kind),
      ['module', 'function', undefined],
    );
    assert.deepEqual(
      g?.uses.get('b')?.map(({ line }) => line),
      [5, 6],
    );
  });

  it('resolve to the nearest function around them, however they get their meaning', () => {
    const forms: ((name: string) => string)[] = [
      name => `${name} = 1`,
      name => `import x.y as ${name}`,
      name => `for ${name}, _ in _(): pass`,
      name => `with _() as ${name}: pass`,
      name => `def ${name}(): pass`,
      name => `[(${name} := i) for i in _()]`,
      name => `match 1:\n case {"k": [${name}]}: pass`,
    ];
    const level = fc.record({ name: fc.constantFrom('a', 'b', 'c'), form: fc.nat(forms.length - 1) });
    fc.assert(
      fc.property(fc.array(level, { maxLength: 8 }), levels => {
        const indent = (text: string, depth: number) => text.replaceAll(/^/gm, ' '.repeat(2 * depth));
        const lines = levels.flatMap(({ name, form }, at) => [
          indent(forms[form]?.(name) ?? '', at),
          indent(`def f${at}():`, at),
        ]);
        const source = [...lines, indent('print(a, b, c)', levels.length)].join('\n');
        const inner = readPython(source).statements.at(-1)?.scope;
        for (const name of ['a', 'b', 'c']) {
          const at = levels.findLastIndex(one => one.name === name);
          const path = levels
            .slice(0, at)
            .map((_, index) => `f${index}`)
            .join('.');
          assert.equal(inner?.resolve(name)?.path, at === -1 ? undefined : path, source);
        }
      }),
    );
  });
});

describe('the imports of Python', () => {
  const imports: [source: string, ...names: ReturnType<typeof importsOf>][] = [
    ['import a.b as c, d', { module: 'a.b', alias: 'c', line: 0 }, { module: 'd', line: 0 }],
    [
      'from .a.b import (\n  c as d,\n  e,\n)',
      { module: '.a.b', name: 'c', alias: 'd', line: 1 },
      { module: '.a.b', name: 'e', line: 2 },
    ],
    ['from a'],
    ['raise a from b'],
    ['a'],
  ];
  for (const [source, ...names] of imports) {
    it(`of ${source.replaceAll('\n', ' ⏎ ')}`, () =>
      assert.deepEqual(importsOf(readPython(source).statements[0]?.tokens ?? []), names));
  }
});

describe('the statements of Python', () => {
  it('have lines, a column, a depth and the functions and classes around them', () => {
    const text =
      'class A:/\tdef f(/self)://\t\tif x: a; b = """/"""; c/\t\t# no statement/\t\telse:/\t\t\tpass/\tx = 1/y';
    const source = text.replaceAll('/', '\r\n');
    assert.deepEqual(
      readPython(`\uFEFF${source}`).statements.map(({ start, end, column, depth, scope, tokens }) =>
        [start, end, column, depth, scope.path, tokens[0]?.code].join(' '),
      ),
      [
        '0 1 0 0  class',
        '1 3 1 1 A def',
        '4 5 2 2 A.f if',
        '4 5 8 3 A.f a',
        '4 6 11 3 A.f b',
        '5 6 5 3 A.f c',
        '7 8 2 2 A.f else',
        '8 9 3 3 A.f pass',
        '9 10 1 1 A x',
        '10 11 0 0  y',
      ],
    );
  });

  it('know the statement whose block they are in', () => {
    const { statements } = readPython('if a:\n  for b in c:\n    d\n  e');
    assert.deepEqual(
      statements.map(({ header }) => header?.tokens[0]?.code),
      [undefined, 'if', 'for', 'if'],
    );
  });

  it('know whether a comment is in their lines', () => {
    const { statements } = readPython('a # b\n# c\nd\ne(\n# f\n)\ng; h # i\n"# j"');
    assert.deepEqual(
      statements.filter(({ hasComment }) => hasComment).map(({ tokens }) => tokens[0]?.code),
      ['a', 'e', 'g', 'h'],
    );
  });

  const problems: [source: string, ...problems: string[]][] = [
    ['f(', '0 bracket'],
    ['x\nf)', '1 bracket'],
    ['f(]\n)', '0 bracket'],
    ['x = "a\ny', '0 quote'],
    ['a\nf(\n    g(), "(",\n    [b], {\n    c', '3 bracket'],
    ['a\nf(\n    g(), "(",\n    [b], {}\n    c\n', '1 bracket'],
    ["a\nx = '''a\n", '1 quote'],
    ["a\nx = f'''\n{b\n", '2 bracket', '1 quote'],
    ['x = f"{a"', '0 quote', '0 bracket', '0 quote'],
    ['x = f"{a\ny', '0 bracket', '0 quote'],
    ['if a:\nb', '1 indentation'],
    ['if a:', '1 indentation'],
    ['if a\n    b', '0 colon'],
    ['def f(\n    a: int\n) -> int\n    b', '2 colon'],
    ['a\n  b', '1 indentation'],
    ['if a:\n    b\n  c', '2 indentation'],
    ['if a:\n        b\n\tc', '2 indentation'],
    ['if a:\n        if b:\n\t\tc', '2 indentation'],
    ['if a:\n\tb\n  \f\tc\n \td', '3 indentation'],
    ['if a:\n\tif b:\n \tc', '2 indentation'],
    ['if a:\n\tif b:\n     c', '2 indentation'],
    ['if a:\n\tif b:\n        c', '2 indentation'],
    ['if a:\n        \fb', '1 indentation'],
  ];
  for (const [source, ...expected] of problems) {
    it(`${JSON.stringify(source)} has problems`, () => {
      const module = readPython(source);
      const found = module.problems.map(({ line, kind }) => `${line} ${kind}`);
      const isBalanced = expected.every(problem => /indentation|colon/.test(problem));
      assert.deepEqual([found, module.isBalanced], [expected, isBalanced]);
    });
  }

  for (const source of [
    'if a:\n\tif b:\n         c',
    'if a:\n \tif b:\n         c',
    'if a:\n\tif b:\n\t\tc',
    'if a:\n\tb\n        \f\tc',
    'if a:\n  b\n  \f  c',
  ]) {
    it(`${JSON.stringify(source)} has no problems`, () => assert.deepEqual(readPython(source).problems, []));
  }
});

describe('any text read as Python', () => {
  const parts = [
    ...'()[]{}:;,.=!@\\\'"#\n\t f'.split(''),
    ...['f"', "rf'", '"""', "'''", '{{', 'lambda ', 'for ', ' in ', 'def f(', 'class A', 'match ', 'case ', ':=', '->'],
    ...['import ', 'from ', ' as ', 'global ', '\r\n', '\\\n', 'with ', 'type ', 'async ', 'é', '🦜', '1e', '0x'],
  ];
  const text = fc.array(fc.constantFrom(...parts), { maxLength: 60 }).map(list => list.join(''));

  it('has each token at its place, and none twice', () => {
    fc.assert(
      fc.property(text, source => {
        const lines = source.split('\n');
        let last = [-1, -1];
        for (const { kind, code, line, column } of readPython(source).statements.flatMap(({ tokens }) => tokens)) {
          if (kind !== 'text') assert.equal(lines[line]?.slice(column, column + code.length), code);
          assert(line > (last[0] ?? 0) || (line === last[0] && column > (last[1] ?? 0)));
          last = [line, column];
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('is one block deeper in a block', () => {
    fc.assert(
      fc.property(text, source => {
        const [one, other] = [source, `if True:\n${source.replaceAll(/^(?=.)/gm, ' ')}`].map(readPython);
        fc.pre(one?.problems.length === 0);
        assert.deepEqual(
          other?.statements.slice(1).map(({ depth, scope }) => [depth - 1, scope.path]),
          one?.statements.map(({ depth, scope }) => [depth, scope.path]),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('may be nested deeply', () => {
    const parts = '(|f"{|f"{a:{|[x for x in |lambda a=|lambda: |if a: |def f(): |class A: |-> ';
    for (const part of parts.split('|')) readPython(part.repeat(20_000));
  });
});
