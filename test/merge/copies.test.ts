import assert from 'node:assert/strict';
import { type Copy, findCopies } from '../../src/merge/index.ts';

/** A function with a statement for each letter. */
const fn = (head: string, letters: string): string =>
  `${head}:\n${[...letters].map(letter => `    ${letter}(1)\n`).join('')}\n\n`;

const RUN = fn('def run()', 'abcdefgh');
const NEW = fn('def run()', 'abcdefgx');

/** What the user has, what both come from, what botcli writes, the merge, and the copies in it. */
const cases: [about: string, user: string, base: string, botcli: string, merged: string, copies: Copy[]][] = [
  [
    'the user has a copy of a function that changes',
    RUN + fn('def mine()', 'abcdefgh'),
    RUN,
    NEW,
    NEW + fn('def mine()', 'abcdefgh'),
    [{ copy: 'mine', original: 'run' }],
  ],
  [
    'the copy is async, has other comments, and the file has other line ends',
    (RUN + fn('async def mine()', 'abcdefgh')).replaceAll('a(1)', 'a( 1 )  # Mine').replaceAll('\n', '\r\n'),
    RUN,
    NEW,
    (NEW + fn('async def mine()', 'abcdefgh')).replaceAll('\n', '\r\n'),
    [{ copy: 'mine', original: 'run' }],
  ],
  [
    'there are two copies, one with most of its statements, and one with fewer',
    RUN + fn('def near()', 'abcdeuv') + fn('def far()', 'abcduvw'),
    RUN,
    NEW,
    NEW + fn('def near()', 'abcdeuv') + fn('def far()', 'abcduvw'),
    [{ copy: 'near', original: 'run' }],
  ],
  [
    'the copy has six of ten statements',
    fn('def run()', 'abcdefghij') + fn('def mine()', 'abcdef'),
    fn('def run()', 'abcdefghij'),
    fn('def run()', 'abcdefghix'),
    fn('def run()', 'abcdefghix') + fn('def mine()', 'abcdef'),
    [],
  ],
  [
    'the function has too few statements',
    RUN.replace('    a(1)\n', '') + fn('def mine()', 'bcdefgh'),
    RUN.replace('    a(1)\n', ''),
    NEW.replace('    a(1)\n', ''),
    NEW.replace('    a(1)\n', '') + fn('def mine()', 'bcdefgh'),
    [],
  ],
  [
    'another function changes',
    RUN + fn('def mine()', 'abcdefgh') + fn('def more()', 'stuvwxyz'),
    RUN + fn('def more()', 'stuvwxyz'),
    RUN + fn('def more()', 'stuvwxya'),
    RUN + fn('def mine()', 'abcdefgh') + fn('def more()', 'stuvwxya'),
    [],
  ],
  [
    'the update changes none of them, because of a conflict',
    RUN + fn('def mine()', 'abcdefgh'),
    RUN,
    NEW,
    RUN + fn('def mine()', 'abcdefgh'),
    [],
  ],
  [
    'the update changes the copy instead',
    RUN + fn('def mine()', 'abcdefgh'),
    RUN,
    NEW,
    RUN + fn('def mine()', 'abcdefgx'),
    [{ copy: 'run', original: 'mine' }],
  ],
  [
    'the update changes the function and one of two copies',
    fn('def one()', 'abcdefgh') + RUN + fn('def two()', 'abcdefgh'),
    RUN,
    NEW,
    fn('def one()', 'abcdefgx') + NEW + fn('def two()', 'abcdefgh'),
    [{ copy: 'two', original: 'run' }],
  ],
  [
    'the update removes the function',
    RUN + fn('def mine()', 'abcdefgh'),
    RUN,
    'pass\n',
    `pass\n${fn('def mine()', 'abcdefgh')}`,
    [{ copy: 'mine', original: 'run' }],
  ],
  [
    'the copy is a method, and its statements are in a block and an inner function',
    `${RUN}class Mine:\n    def copy():\n        if x:\n            a(1)\n            b(1)\n            c(1)\n        def inner():\n            d(1)\n            e(1)\n`,
    RUN,
    NEW,
    `${NEW}class Mine:\n    def copy():\n        if x:\n            a(1)\n            b(1)\n            c(1)\n        def inner():\n            d(1)\n            e(1)\n`,
    [{ copy: 'copy', original: 'run' }],
  ],
];

describe('finding copies of a function when', () => {
  for (const [about, user, base, botcli, merged, copies] of cases) {
    it(about, () => assert.deepEqual(findCopies({ user, base, botcli }, merged), copies));
  }
});
