import assert from 'node:assert/strict';
import { missingNamesIn } from '../../src/existing/missing-names.ts';
import { readModules } from '../../src/existing/modules.ts';
import { certaintiesOf } from '../../src/existing/python/certain.ts';
import { readPython } from '../../src/formats/python/module.ts';

/** Code, and the names in it that nothing defines. */
const rows: [code: string, names: string[]][] = [
  ['print(nme)', ['nme']],
  ['def f():\n    return loger.info(f"{x!r:>{width}} {y=}")', ['loger', 'x', 'width', 'y']],
  ['class A(Base):\n    def f(self):\n        return super().f(self.x, x=1)', ['Base']],
  ['@decorated\ndef f(a, b=default): return a, b', ['decorated', 'default']],
  ['x = [a for a in source if a and b]', ['source', 'b']],
  ['lambda a, *b, c=d, **e: (a, b, c, e, f)', ['d', 'f']],
  ['if x := y: print(x)', ['y']],
  [
    'match command:\n    case [first, *rest]: print(first, rest)\n    case {"a": a, **more}: print(a, more)\n    case A(b=c): print(c)',
    ['command', 'A'],
  ],
  ['with open("x") as f, g() as (h, i):\n    print(f, h, i)', ['g']],
  ['for a, (b, *c) in pairs:\n    print(a, b, c)\nelse:\n    print(d)', ['pairs', 'd']],
  ['try:\n    pass\nexcept* ValueError as error:\n    print(error)', []],
  ['def f[T: Bound](x: T) -> Missing:\n    y: Other = x\n    return y', []],
  ['from __future__ import annotations\ndef f(x: Later, *, y: "Z" = 1, **k: Kind) -> Later: ...', []],
  ['type Alias = Later', []],
  ['import a.b.c\nimport d as e\nfrom f import g as h\nprint(a.b, e, h)', []],
  ['from m import *\nprint(anything)', []],
  ['try:\n    unicode\nexcept NameError:\n    unicode = str', []],
  ['try:\n    print(a)\nexcept Exception:\n    print(b)', []],
  ['try:\n    print(a)\nexcept ValueError:\n    pass', ['a']],
  ['import sys\nif sys.version_info < (3,):\n    text = unicode\nelse:\n    text = old', []],
  ['from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from m import T\n    x: U', []],
  ['from contextlib import suppress\nwith suppress(NameError):\n    a', []],
  ['def f():\n    global session\n    session.close()', []],
  ['def f():\n    inner = 1\ndef g():\n    return inner', []],
  ['globals()["x"] = 1\nprint(x)', []],
  ['exec("x = 1")\nprint(x)', []],
  ['print(__file__, __name__, _("text"), __version__)', []],
  ['print(x', []],
  ['class A:\n    x = 1\n    y = [x for _ in range(3)]\n    z: int = __qualname__', []],
  ['async def f():\n    async with a() as b:\n        return [c async for c in b]', ['a']],
  ['print(object.attribute.nothing, f(name=1))', ['f']],
  ['del x', []],
  ['x += 1', []],
  ['nonsense: int\nother.nonsense = 1', ['other']],
];

describe('names that nothing defines', () => {
  for (const [code, names] of rows) {
    it(`are ${names.join(', ') || 'none'} in ${JSON.stringify(code)}`, () => {
      assert.deepEqual(
        certaintiesOf(readPython(code)).undefined.map(({ name }) => name),
        names,
      );
    });
  }
});

const awaits: [code: string, lines: number[]][] = [
  ['await f()', [0]],
  ['x = await f()', [0]],
  ['def f():\n    return await g()', [1]],
  ['async def f():\n    def g():\n        await h()\n    await g()', [2]],
  ['class A:\n    x = await f()', [1]],
  ['def f():\n    async with g() as h:\n        pass', [1]],
  ['def f():\n    async for x in y:\n        pass', [1]],
  ['def f():\n    if x:\n        await g()', [2]],
  ['async def f():\n    if x:\n        await g()', []],
  ['async def f():\n    async with g() as h:\n        async for i in h:\n            await i', []],
  ['def f():\n    return (await x for x in y)', []],
  ['class A:\n    async def f(self):\n        await self.g()', []],
  ['"await f()"  # await', []],
  ['object.awaits()', []],
];

describe('await outside of an async function', () => {
  for (const [code, lines] of awaits) {
    it(`is ${lines.length > 0 ? `in line ${lines}` : 'nowhere'} in ${JSON.stringify(code)}`, () => {
      assert.deepEqual(
        certaintiesOf(readPython(code)).awaits.map(({ line }) => line),
        lines,
      );
    });
  }
});

const HELPERS = 'import os\nfrom m import other\ndef greet(): pass\nclass Tool: pass\nA = B, (C, *D) = 1, 2\n';
const imports: [bot: string, files: Record<string, string>, found: string[]][] = [
  ['from helpers import gret', {}, ['gret in server/helpers.py, greet']],
  ['from helpers import greet, Tool, A, B, C, D, os, other, __doc__', {}, []],
  ['from helpers import nothing_alike', {}, ['nothing_alike in server/helpers.py']],
  ['def f():\n    from helpers import gret', {}, ['gret in server/helpers.py, greet']],
  ['try:\n    from helpers import gret\nexcept ImportError:\n    gret = None', {}, []],
  ['import helpers\nhelpers.client = 1\nfrom helpers import client', {}, []],
  ['from helpers import gret', { 'server/helpers.py': 'from m import *' }, []],
  ['from helpers import gret', { 'server/helpers.py': 'def __getattr__(name): ...' }, []],
  ['from helpers import gret', { 'server/helpers.py': 'x = (' }, []],
  ['import sys\nsys.path.insert(0, "lib")\nfrom helpers import gret', {}, []],
  ['from missing import gret', {}, []],
  ['from types import gret', { 'server/types.py': '' }, []],
  [
    'from app import crm, Crm',
    { 'server/app/__init__.py': 'from .crm import Crm', 'server/app/crm.py': 'class Crm: pass' },
    [],
  ],
  [
    'import app',
    { 'server/app/__init__.py': 'from .crm import Crn', 'server/app/crm.py': 'class Crm: pass' },
    ['Crn in server/app/crm.py, Crm'],
  ],
  ['from app import fast', { 'server/app/__init__.py': '' }, []],
  ['from app.crm import Crn', { 'server/app/crm.py': 'class Crm: pass' }, ['Crn in server/app/crm.py, Crm']],
];

describe('names that a module of the project lacks', () => {
  for (const [bot, files, found] of imports) {
    it(`are ${found.join('; ') || 'none'} in ${JSON.stringify([bot, files])}`, () => {
      const modules = readModules(
        new Map(Object.entries({ 'server/helpers.py': HELPERS, ...files, 'server/bot.py': bot })),
      );
      const names = missingNamesIn(modules, modules.keys()).filter(({ from }) => from);
      assert.deepEqual(
        names.map(({ name, from, similar }) => `${name} in ${from}${similar ? `, ${similar}` : ''}`),
        found,
      );
    });
  }
});
