import assert from 'node:assert/strict';
import { mergeRows } from './merging.ts';

const SAME = 'conflict: You and botcli changed the same lines.';

/** What the user has, what both come from, what botcli writes, and the merge, in rows. */
const cases: [about: string, user: string, base: string, botcli: string, merged: string][] = [
  [
    'botcli changes the line below it',
    'llm: Alpha = Alpha()/use(llm)/',
    'llm = Alpha()/use(llm)/',
    'llm = Alpha()/use(llm, 1)/',
    'llm: Alpha = Alpha()/use(llm, 1)/',
  ],
  [
    'botcli makes an object of another class, next to a number with a type',
    'x: int = 1/llm: a.Alpha = a.Alpha(1)/use(llm)/',
    'x = 1/llm = a.Alpha(1)/use(llm)/',
    'x = 1/llm = b.Beta(2)/use(llm)/',
    'x: int = 1/llm: b.Beta = b.Beta(2)/use(llm)/',
  ],
  [
    'botcli makes an object of another class further down, and changes what is in between',
    'def run():/    llm: Alpha = Alpha(/        1,/    )/    go()/    use(llm)/',
    'def run():/    llm = Alpha(/        1,/    )/    go()/    use(llm)/',
    'def run():/    go()/    llm = Beta(/        2,/    )/    use(llm)/',
    'def run():/    go()/    llm: Beta = Beta(/        2,/    )/    use(llm)/',
  ],
  ['the type is another class', 'llm: Base = Alpha()/end/', 'llm = Alpha()/end/', 'llm = Beta()/end/', SAME],
  ['botcli gives it another kind of value', 'llm: Alpha = Alpha()/end/', 'llm = Alpha()/end/', 'llm = None/end/', SAME],
  ['botcli gives it a type, too', 'llm: Alpha = Alpha()/end/', 'llm = Alpha()/end/', 'llm: Beta = Beta()/end/', SAME],
  ['it is a number', 'LIMIT: Final = 3/end/', 'LIMIT = 3/end/', 'LIMIT = 4/end/', SAME],
  ['botcli had a type, and the user has none', 'LIMIT = 3/end/', 'LIMIT: int = 3/end/', 'LIMIT: int = 4/end/', SAME],
  [
    'botcli gives it a value in each of two branches',
    'llm: Alpha = Alpha()/end/',
    'llm = Alpha()/end/',
    'if x:/    llm = Beta()/else:/    llm = Gamma()/end/',
    SAME,
  ],
  [
    'botcli removes the variable',
    'def f():/    x: int = 1/    a = 1/    g()/',
    'def f():/    x = 1/    a = 1/    g()/',
    'def f():/    a = 1/    g()/',
    'def f():/    a = 1/    g()/',
  ],
  [
    'botcli removes the variable, and another function has one of its name',
    'def f():/    x: A = A(1)/    g()/def h():/    x = A(2)/    i(x)/',
    'def f():/    x = A(1)/    g()/def h():/    x = A(2)/    i(x)/',
    'def f():/    g()/def h():/    x = A(2)/    i(x)/',
    'def f():/    g()/def h():/    x = A(2)/    i(x)/',
  ],
  [
    'botcli makes objects of another class in two functions',
    'def f():/    x: A = A(1)/    g(x)/def h():/    x = A(2)/    i(x)/',
    'def f():/    x = A(1)/    g(x)/def h():/    x = A(2)/    i(x)/',
    'def f():/    g()/def h():/    x = B(2)/    i(x)/',
    SAME,
  ],
  [
    'it is a parameter, and botcli removes the function',
    'a()/def f(x: int = 1):/    b()/c()/',
    'a()/def f(x = 1):/    b()/c()/',
    'a()/c()/',
    'conflict: You changed these lines, and botcli removes them.',
  ],
];

describe('merging a variable to which the user has given a type when', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(mergeRows('bot.py', user, base, botcli), merged));
  }
});
