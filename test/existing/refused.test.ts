import assert from 'node:assert/strict';
import { refusedIn } from '../../src/existing/python/refused.ts';
import { readPython } from '../../src/formats/python/module.ts';

/** Code that Python refuses: the kind of what is wrong, its line counted from 0, and the word that it is about. */
const refused: [code: string, found: string][] = [
  ['f(a\n  b)', 'comma 0 b'],
  ['f(os.environ["A"]\n  settings=1)', 'comma 0 settings'],
  ['[1 2]', 'comma 0'],
  ['{"a": 1 "b": 2}', 'comma 0'],
  ['f(x "a")', 'comma 0'],
  ['f("a" x)', 'comma 0 x'],
  ['f(f"{a b}")', 'comma 0 b'],
  ['f(f"{a}" b)', 'comma 0 b'],
  ['[{} {}]', 'comma 0'],
  ['x = a b', 'operator 0'],
  ['print "x"', 'operator 0'],
  ['a = type b', 'operator 0'],
  ['if line = 1:\n  pass', 'equals 0'],
  ['while a or b = 1:\n  pass', 'equals 0'],
  ['if a: pass\nelif a = 1: pass', 'equals 1'],
  ['try:\n  a\nb', 'try 0'],
  ['def f():\n  try:\n    a', 'try 1'],
  ['try: a\ntry: b\nexcept E: c', 'try 0'],
  ['else:\n  a', 'clause 0 else'],
  ['try: a\nelse: b\nfinally: c', 'clause 1 else'],
  ['if a: b\nc\nelif d: e', 'clause 2 elif'],
  ['if a: b\nelse: c\nelse: d', 'clause 2 else'],
  ['if a: b\nexcept E: c', 'clause 1 except'],
  ['if a: b\nelse: c\nfinally: d', 'clause 2 finally'],
  ['with a: b\nfinally: c', 'clause 1 finally'],
  ['@a', 'decorator 0'],
  ['@a\nx = 1', 'decorator 0'],
  ['class A:\n  @a\ndef f(): pass', 'decorator 1'],
  ['f(a=1, b=2,\n  a=3)', 'repeated 1 a'],
  ['class A(B, metaclass=M, metaclass=N): pass', 'repeated 0 metaclass'],
  ['f(a=1, b)', 'positional 0'],
  ['f(**a, b)', 'positional 0'],
  ['f(g(a=lambda b, c=1: b, d=2), x=1, (y))', 'positional 0'],
  ['def f(a=g(b=1, c)): pass', 'positional 0'],
  ['return 1', 'outside 0 return'],
  ['class A:\n  return', 'outside 1 return'],
  ['x = yield 1', 'outside 0 yield'],
  ['class A:\n  yield from a', 'outside 1 yield'],
  ['def f(a, *, b=1, a=2): pass', 'parameter 0 a'],
  ['async def f(_, *_): pass', 'parameter 0 _'],
  ['if a: b\nelse if c: d', 'else-if 1'],
  ['if a: break', 'loop 0 break'],
  ['for a in b:\n  def f():\n    continue', 'loop 2 continue'],
  ['for a in b: c\nelse: break', 'loop 1 break'],
  ['nonlocal a', 'nonlocal 0 a'],
  ['a = 1\ndef f():\n  nonlocal a', 'nonlocal 2 a'],
];

/** Code that Python takes. */
const right = [
  'f("a" "b" f"{c}" f"{d!r:>{e}}" r"")',
  'f(f"{a}{b:{c}{d}}" "e" if f else g)',
  'x = 1if y else 2',
  'from ...a import b as c\nfrom . import d',
  'match a:\n  case A(c=1, d=2, e=3) if f: pass\n  case {"b": c, **d}: pass\n  case b: pass',
  'match = case = type = 1\nmatch[0]\nprint(match, case)',
  'type A[T] = list[T]\ndef f[T: int, *U](a: T, b=1, *, c) -> T: return a',
  'a not in b, a is not b, not a, lambda: 1, [*a, *b], {**c}',
  'async def f():\n  async with a as b, c as d: pass\n  return [e async for e in await g if not h]',
  'if lambda a=1: a: pass',
  'if f(a=1): pass',
  'if (a := 1) == 2: pass',
  'try: a\nexcept* A as b: c\nexcept* B: d\nelse: e\nfinally: f',
  'try: a\nfinally: b\ntry:\n  c\nexcept: d',
  'for a in b: c\nelse: d\nwhile e: f\nelse: g',
  'if a:\n  if b: c\n  elif d: e\nelif f: g\nelse: h',
  '@a\n@b.c(d)\nasync def e(): pass\n@f\n\n# g\nclass H: pass',
  'f(a=1, *b, c=2, **d, e=3)',
  'f(*a, b, c=1, **d,)',
  'f(a=lambda b, c: b, d=lambda *e, f=1: e)',
  'f(a=1)(a=1)(g(a=1), a={b: c for b, c in d})',
  'def f(a, b=1, /, c=2, *, d, **e): return',
  'for a in b:\n  if c: continue\n  else: break\n  with d:\n    try: e\n    finally: break',
  'class A:\n  def f(self):\n    if self: return 1\n    return (yield)',
  'def f(a):\n  b = 1\n  def g():\n    nonlocal a, b\n    b = a',
  'def f():\n  a = 1\n  class A:\n    nonlocal a\n    def g(self):\n      nonlocal a, __class__',
  'def f():\n  x = yield a\n  return lambda: (yield)',
  'f = lambda: (yield)',
  'def f(a): return lambda a: a\ndef f(a): return [a for a in a]',
  'def f[a](a: a, b=lambda a: a, *c, **d): a = 1',
  'a \\\n  .b; c',
];

describe('what Python refuses', () => {
  for (const [code, found] of refused) {
    it(`is ${found} in ${JSON.stringify(code)}`, () => {
      const { statements, problems } = readPython(code);
      assert.deepEqual(problems, []);
      const [first] = refusedIn(statements);
      assert.equal([first?.kind, first?.line, first?.word?.name].filter(part => part !== undefined).join(' '), found);
    });
  }
  for (const code of right) {
    it(`is nowhere in ${JSON.stringify(code)}`, () => {
      const { statements, problems } = readPython(code);
      assert.deepEqual([...problems, ...refusedIn(statements)], []);
    });
  }
});
