import assert from 'node:assert/strict';
import { mergeLines } from '../../src/merge/lines.ts';
import { readDraft, readLines } from '../../src/merge/python/draft.ts';
import { checkDecorators } from '../../src/merge/python/places.ts';
import { mergeTexts } from './merging.ts';

const LOAD = 'def load(path):\n    return open(path)\n';
const RUN = 'async def run():\n    await go()\n';
const HANDLER = '    @line.on("turn")\n    async def on_turn(text):\n        print(text)\n';
const SESSION = `async def run():\n${HANDLER}\n    await go()\n`;

/** What the user has, what both come from, what botcli writes, and the merge or the reason of the conflict. */
const cases: [about: string, user: string, base: string, ours: string, merged: string | RegExp][] = [
  [
    'the function goes below it',
    `@cache(size=4)\n${LOAD}\n\n${RUN}`,
    `${LOAD}\n\n${RUN}`,
    RUN,
    /Your decorator of "load" would be above something else/,
  ],
  [
    'the first of three functions goes',
    `@cache\n${LOAD}\n\ndef call():\n    pass\n\n\n${RUN}`,
    `${LOAD}\n\ndef call():\n    pass\n\n\n${RUN}`,
    `def call():\n    pass\n\n\n${RUN}`,
    /Your decorator of "load" would be above something else/,
  ],
  [
    'a class goes below it',
    `@final\nclass Call:\n    number: str\n\n\n${RUN}`,
    `class Call:\n    number: str\n\n\n${RUN}`,
    RUN,
    /Your decorator of "Call" would be above something else/,
  ],
  [
    'a handler goes below it, and no other follows',
    SESSION.replace('    @line', '    @catch\n    @line'),
    SESSION,
    RUN,
    /Your decorator of "on_turn" would be above something else/,
  ],
  [
    "it is between botcli's and the function that goes",
    SESSION.replace('"turn")\n', '"turn")\n    @catch\n'),
    SESSION,
    RUN,
    /botcli removes them/,
  ],
  [
    'the function below it changes',
    `@cache\n${LOAD}`,
    LOAD,
    LOAD.replace('path):', 'path, mode):'),
    `@cache\n${LOAD.replace('path):', 'path, mode):')}`,
  ],
  [
    'botcli adds one below it',
    SESSION.replace('    @line', '    @catch\n    @line'),
    SESSION,
    SESSION.replace('    async', '    @line.on("word")\n    async'),
    SESSION.replace('    @line', '    @catch\n    @line').replace('    async', '    @line.on("word")\n    async'),
  ],
  [
    'the user has edited other lines, and botcli exchanges a decorator of two',
    `GREETING = "Mine"\n\n\n${SESSION.replace('    async', '    @line.on("error")\n    async')}`,
    `GREETING = "Hi"\n\n\n${SESSION.replace('    async', '    @line.on("error")\n    async')}`,
    `GREETING = "Hi"\n\n\n${SESSION.replace('    @line.on("turn")\n', '    @line.on("error")\n    @line.on("in")\n')}`,
    `GREETING = "Mine"\n\n\n${SESSION.replace('    @line.on("turn")\n', '    @line.on("error")\n    @line.on("in")\n')}`,
  ],
  [
    'the user has renamed the function, and botcli exchanges the decorator',
    SESSION.replace('on_turn', 'my_turn'),
    SESSION,
    SESSION.replace('"turn"', '"word"'),
    SESSION.replace('on_turn', 'my_turn').replace('"turn"', '"word"'),
  ],
];

describe('merging a decorator when', () => {
  for (const [about, user, base, ours, merged] of cases) {
    it(about, () => {
      const { text, conflicts } = mergeTexts('bot.py', user, base, ours);
      const reasons = conflicts.map(({ reason }) => reason).join(' ');
      if (merged instanceof RegExp) assert.match(reasons, merged);
      else assert.deepEqual([reasons, text], ['', merged]);
    });
  }
});

const TORN = "With botcli's change, a decorator would be above something else.";
const mine = (name: string) => `Your decorator of "${name}" would be above something else.`;

/** What the user has, what both come from, what botcli writes, and the faults of the merge, all in rows. */
const checks: [about: string, user: string, base: string, botcli: string, ...faults: string[]][] = [
  [
    'botcli removes what is below one of the user',
    '@cache/def f():/    a()/class G:/    b()',
    'def f():/    a()/class G:/    b()',
    'class G:/    b()',
    `1 f: ${mine('f')}`,
  ],
  [
    'botcli removes the class below one of the user, and what is left is no definition',
    'a()/@final/class F:/    b()/c()',
    'a()/class F:/    b()/c()',
    'a()/c()',
    `1 F: ${mine('F')}`,
  ],
  [
    'botcli removes what is below one of the user, and nothing is left',
    'a()/@cache/def f():/    b()',
    'a()/def f():/    b()',
    'a()',
    `1 f: ${mine('f')}`,
  ],
  ['the user has one above no definition', '@cache/a()/b()', '@cache/a()/b()', '@cache/a()/b()/c()'],
  [
    'the user has renamed a function with one',
    '@cache/async def g():/    a()',
    '@cache/async def f():/    a()',
    '@cache/async def f():/    a()/b()',
  ],
  [
    'the user has renamed a function, and botcli adds one',
    'def h():/    a()/def g():/    b()',
    'def f():/    a()/def g():/    b()',
    '@cache/def f():/    a()/def g():/    b()',
  ],
  [
    'the user has renamed a method of two classes, and botcli adds one',
    'class A:/    def g(self):/        a()/class B:/    def f(self):/        b()',
    'class A:/    def f(self):/        a()/class B:/    def f(self):/        b()',
    'class A:/    @cache/    def f(self):/        a()/class B:/    def f(self):/        b()',
  ],
  [
    'the user has removed a function, and botcli adds one',
    'def g():/    b()',
    'def f():/    a()/def g():/    b()',
    '@cache/def f():/    a()/def g():/    b()',
    `1 f: ${TORN}`,
  ],
  [
    'the user has removed a function and changed the next one, and botcli adds one',
    'def g(x):/    b()',
    'def f():/    a()/def g():/    b()',
    '@cache/def f():/    a()/def g():/    b()',
    `1 f: ${TORN}`,
  ],
  [
    'the user has replaced a function and moved it down, and botcli adds one',
    'def h():/    x()/b()/c()/def f():/    a()',
    'def f():/    a()/b()/c()',
    '@cache/def f():/    a()/b()/c()',
    `1 f: ${TORN}`,
  ],
];

describe('checking decorators when', () => {
  for (const [about, user, base, botcli, ...faults] of checks) {
    it(about, () => {
      const versions = { user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') };
      const modules = { user: readLines(versions.user), botcli: readLines(versions.botcli) };
      const found = checkDecorators(readDraft(mergeLines(versions) ?? [], modules));
      assert.deepEqual(
        found.map(({ line, name, reason }) => `${line} ${name}: ${reason}`),
        faults,
      );
    });
  }
});
