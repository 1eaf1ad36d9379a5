import assert from 'node:assert/strict';
import { followOrder } from '../../src/merge/python/moves.ts';

/** The base and botcli's version in the user's order; `/` separates lines. */
function order(user: string, base: string, botcli: string): [base: string, botcli: string] {
  const [mine = [], old = [], ours = []] = [user, base, botcli].map(text => text.split('/'));
  const ordered = followOrder({ user: mine, base: old, botcli: ours });
  assert.equal(ordered.user, mine);
  return [ordered.base.join('/'), ordered.botcli.join('/')];
}

const [A, B, C, D] = ['a', 'b', 'c', 'd'].map(name => `def ${name}():/    return 1`);

const [CLOCK, TIMER] = ['Clock', 'Timer'].map(name => `class ${name}:/    @property/    def time(self):/        1`);

const CLAUSES = 'elif z:/    2/else:/    3';

/** What the user has moved, what both come from and what botcli has, and both in the user's order. */
const moved: [about: string, user: string, base: string, botcli: string, ordered: [base: string, botcli: string]][] = [
  ['one below the next', `${B}/${A}`, `${A}/${B}`, `${A}/    5/${B}/${C}`, [`${B}/${A}`, `${B}/${A}/    5/${C}`]],
  [
    'one to the top',
    `/# Mine/${C}/${A}/${B}/`,
    `/${A}/${B}/${C}/`,
    `/${A}/${B}/${C}/    4/`,
    [`${C}//${A}/${B}/`, `${C}/    4//${A}/${B}/`],
  ],
  [
    'two to the same place',
    `${A}/${D}/${C}/${B}`,
    `${A}/${B}/${C}/${D}`,
    `${A}/${B}/    5/${C}/${D}`,
    [`${A}/${D}/${C}/${B}`, `${A}/${D}/${C}/${B}/    5`],
  ],
  [
    "one below a function of the user's own",
    `${B}/${C}/def mine():/    9/${A}`,
    `${A}/${B}/${C}`,
    `${A}/    5/${B}/${C}`,
    [`${B}/${C}/${A}`, `${B}/${C}/${A}/    5`],
  ],
  [
    'one below another that botcli removes',
    `${B}/${C}/${A}`,
    `${A}/${B}/${C}`,
    `${A}/    5/${B}`,
    [`${B}/${C}/${A}`, `${B}/${A}/    5`],
  ],
  [
    'one with decorators and a comment above it',
    `import x//${B}/${C}/${D}/# Says it/@cache/@more/async ${A}/`,
    `import x/# Says it/@cache/@more/async ${A}//${B}/${C}/${D}/`,
    `import x/# Says it/@cache/@less/async ${A}//${B}/${C}/${D}/`,
    [
      `import x//${B}/${C}/${D}/# Says it/@cache/@more/async ${A}/`,
      `import x//${B}/${C}/${D}/# Says it/@cache/@less/async ${A}/`,
    ],
  ],
  [
    'a class and values, of which one has a type',
    'class B:/    x = 2/A: int = 1/X = [/    1,/]',
    'X = [/    1,/]/A: int = 1/class B:/    x = 2',
    'X = [/    1,/]/A: int = 2/class B(C):/    x = 2',
    ['class B:/    x = 2/A: int = 1/X = [/    1,/]', 'class B(C):/    x = 2/A: int = 2/X = [/    1,/]'],
  ],
  [
    'one to the imports',
    `import x/from y import z/${C}/${A}/${B}`,
    `import x/from y import z/${A}/${B}/${C}`,
    `import x/from y import z/${A}/${B}/${C}/    4`,
    [`import x/from y import z/${C}/${A}/${B}`, `import x/from y import z/${C}/    4/${A}/${B}`],
  ],
  [
    'one below the second of two conditions with the same clauses',
    `${B}/if x:/    1/${CLAUSES}/if y:/    4/${CLAUSES}/${A}`,
    `${A}/${B}/if x:/    1/${CLAUSES}/if y:/    4/${CLAUSES}`,
    `${A}/${B}/if x:/    1/${CLAUSES}/if y:/    5/${CLAUSES}`,
    [
      `${B}/if x:/    1/${CLAUSES}/if y:/    4/${CLAUSES}/${A}`,
      `${B}/if x:/    1/${CLAUSES}/if y:/    5/${CLAUSES}/${A}`,
    ],
  ],
  ...[
    ['except E:', 'finally:'],
    ['finally:', 'except E:'],
  ].map(([mine, old]): (typeof moved)[number] => [
    `one below a try, and has replaced its "${old}"`,
    `${B}/try:/    x = 1/${mine}/    y = 2/${A}`,
    `${A}/${B}/try:/    x = 1/${old}/    x = 2`,
    `${A}/${B}/try:/    x = 1/${old}/    x = 3`,
    [`${B}/try:/    x = 1/${old}/    x = 2/${A}`, `${B}/try:/    x = 1/${old}/    x = 3/${A}`],
  ]),
  [
    'a line of two statements',
    `${B}/${A}/X = 1; Y = 2`,
    `X = 1; Y = 2/${B}/${A}`,
    `X = 1; Y = 3/${B}/${A}`,
    [`${B}/${A}/X = 1; Y = 2`, `${B}/${A}/X = 1; Y = 3`],
  ],
  [
    'one of two classes with a method of one name that has a decorator',
    `${TIMER}/${CLOCK}`,
    `${CLOCK}/${TIMER}`,
    `${CLOCK}/    more()/${TIMER}`,
    [`${TIMER}/${CLOCK}`, `${TIMER}/${CLOCK}/    more()`],
  ],
  [
    'one, and has given it a type parameter',
    `${B}/def a[T]():/    return 1`,
    `${A}/${B}`,
    `${A}/    5/${B}`,
    [`${B}/${A}`, `${B}/${A}/    5`],
  ],
  [
    'one, and has written another that botcli writes elsewhere',
    `${C}/${B}/${A}`,
    `${A}/${B}`,
    `${A}/${B}/${C}`,
    [`${B}/${A}`, `${B}/${A}/${C}`],
  ],
  [
    'one below a call that botcli now has twice',
    `${B}/f(1)/${A}`,
    `${A}/${B}/f(1)`,
    `${A}/${B}/f(1)/x = 1/f(1)`,
    [`${B}/f(1)/${A}`, `${B}/${A}/f(1)/x = 1/f(1)`],
  ],
  ['one that botcli has twice', `${B}/${A}`, `${A}/${B}`, `${A}/${B}/${A}/${C}`, [`${B}/${A}`, `${A}/${B}/${A}/${C}`]],
];

/** What the user has moved, which stays where it is in the other versions. */
const kept: [about: string, user: string, base: string][] = [
  ['nothing', `${A}/${B}`, `${A}/${B}`],
  ['imports', 'import b/import a', 'import a/import b'],
  ['calls', 'b(1)/a(1)', 'a(1)/b(1)'],
  ['changes of values', 'x.b = 1/x.a = 1', 'x.a = 1/x.b = 1'],
  ['additions to values', 'b += 1/a += 1', 'a += 1/b += 1'],
  ['one of two with the same name', `${B}/${A}`, `${A}/${B}/${A}`],
];

describe("functions, classes and values are in the user's order if the user has moved", () => {
  for (const [about, user, base, botcli, ordered] of moved) {
    it(about, () => assert.deepEqual(order(user, base, botcli), ordered));
  }
});

describe('nothing moves if the user has moved', () => {
  for (const [about, user, base] of kept) {
    it(about, () => assert.deepEqual(order(user, base, `${base}/${C}`), [base, `${base}/${C}`]));
  }
});
