import assert from 'node:assert/strict';
import { followBreaks } from '../../src/merge/python/looks.ts';

const follow = (user: string, base: string, botcli: string): string => {
  const [mine = [], old = [], ours = []] = [user, base, botcli].map(text => text.split('/'));
  const followed = followBreaks({ user: mine, base: old, botcli: ours });
  assert.deepEqual([followed.user, followed.botcli], [mine, ours]);
  return followed.base.join('/');
};

const USER = 'x = f(/    a,/    mine,/)';
const OURS = 'x = f(/    a,/    ours,/)';

/** Lines of the base, with `/` between them, and what they become. */
const broken: [about: string, base: string, result: string, user?: string, botcli?: string][] = [
  ['one argument', 'x = f(a)', 'x = f(/    a,/)'],
  ['several', 'x = f(a, b=1)', 'x = f(/    a,/    b=1,/)'],
  ['a text with signs', 'x = f("a, (b", c)', 'x = f(/    "a, (b",/    c,/)'],
  ['brackets', 'x = f(g(a, b), [c, d], {e, f}, c)', 'x = f(/    g(a, b),/    [c, d],/    {e, f},/    c,/)'],
  ['other lines around it', 'a/x = f(a)/b', 'a/x = f(/    a,/)/b'],
  [
    'a call in a block, in a list',
    '    f(a, b),',
    '    f(/        a,/        b,/    ),',
    '    f(/        mine,/    ),',
    '    f(/        ours,/    ),',
  ],
  ['an item of a dictionary', '"k": f(a)', '"k": f(/    a,/)', '"k": f(/    mine,/)', '"k": f(/    ours,/)'],
];

/** What stays on one line. */
const kept: [about: string, base: string, user?: string, botcli?: string][] = [
  ['no arguments', 'x = f()'],
  ['an argument that is missing', 'x = f(a, )'],
  ['a second call', 'x = f(a)(b)'],
  ['an open bracket', 'x = f(g(a)'],
  ['a text in single quotes', "x = f('a')"],
  ['a text with an escape', 'x = f("\\"")'],
  ['a comment', 'x = f(a #)'],
  ['code after it', 'x = f(a) + 1'],
  ['a text before it', '"a" + f(b)', ' + f(/    b,/)', ' + f(/    b,/)'],
  ['code before a call in a text', '"x = f(a)"', '"x = f(/)', '"x = f(/)'],
  ['a call that only the user breaks', 'x = f(a)', USER, 'x = f(a, ours)'],
  ['a call that only botcli breaks', 'x = f(a)', 'x = f(a, mine)', OURS],
  ['a call that the user also has on one line', 'x = f(a)', `${USER}/x = f(a)`],
  ['a call that the user breaks twice', 'x = f(a)', `${USER}/${USER}`],
  ['a call that the base has twice', 'x = f(a)/x = f(a)'],
  ['a call that the base also has over lines', `x = f(a)/${USER}`],
];

describe('a call in the base that both sides break into lines', () => {
  for (const [about, base, result, user = USER, botcli = OURS] of broken) {
    it(`has a line for each argument: ${about}`, () => assert.equal(follow(user, base, botcli), result));
  }
  for (const [about, base, user = USER, botcli = OURS] of kept) {
    it(`stays as it is: ${about}`, () => assert.equal(follow(user, base, botcli), base));
  }
});
