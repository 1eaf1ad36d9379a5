import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

const LOAD = 'def load(path):\n    return open(path)\n';
const RUN = 'async def run():\n    await go()\n';
const HANDLER = '    @line.on("turn")\n    async def on_turn(text):\n        print(text)\n';
const SESSION = `async def run():\n${HANDLER}\n    await go()\n`;

/** What the user has, what both come from, what botcli writes, and the merge or the reason of the conflict. */
const cases: [about: string, user: string, base: string, ours: string, merged: string | RegExp][] = [
  [
    'there is a comment below it',
    '@cache\n# Why\ndef load(path):\n    return 1\n',
    '@cache\ndef load(path):\n    return 1\n',
    '@cache\ndef load(path):\n    return 2\n',
    '@cache\n# Why\ndef load(path):\n    return 2\n',
  ],
  [
    'the function goes below it',
    `@cache(size=4)\n${LOAD}\n\n${RUN}`,
    `${LOAD}\n\n${RUN}`,
    RUN,
    /You changed these lines, and botcli removes them/,
  ],
  [
    'the first of three functions goes',
    `@cache\n${LOAD}\n\ndef call():\n    pass\n\n\n${RUN}`,
    `${LOAD}\n\ndef call():\n    pass\n\n\n${RUN}`,
    `def call():\n    pass\n\n\n${RUN}`,
    /You changed these lines, and botcli removes them/,
  ],
  [
    'a class goes below it',
    `@final\nclass Call:\n    number: str\n\n\n${RUN}`,
    `class Call:\n    number: str\n\n\n${RUN}`,
    RUN,
    /You changed these lines, and botcli removes them/,
  ],
  [
    'a handler goes below it, and no other follows',
    SESSION.replace('    @line', '    @catch\n    @line'),
    SESSION,
    RUN,
    /You changed these lines, and botcli removes them/,
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
