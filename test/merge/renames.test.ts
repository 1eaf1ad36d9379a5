import assert from 'node:assert/strict';
import { mergeTexts, testMerges } from './merging.ts';

const BASE = `import os
from a import Alpha, Worker

LIMIT = 3


def load(context):
    """Load it."""
    return os.open(context, LIMIT)


async def run_bot(transport):
    context = Context(os)
    llm = Alpha(key="A")
    line = load(context)
    worker = Worker([llm, line])

    @worker.event_handler("on_end")
    async def on_end(worker, frame):
        print(f"{worker} ended")

    await worker.run(context=context)


async def bot(args):
    await run_bot(args.transport)
`;

type Edit = (text: string) => string;
const swap =
  (...pairs: [from: string, to: string][]): Edit =>
  text =>
    pairs.reduce((now, [from, to]) => {
      assert(now.includes(from), from);
      return now.replaceAll(from, () => to);
    }, text);
const all =
  (...edits: Edit[]): Edit =>
  text =>
    edits.reduce((now, edit) => edit(now), text);

const part = (from: string, to?: string) => BASE.slice(BASE.indexOf(from), to ? BASE.indexOf(to) : undefined);
const move =
  (text: string, to: string): Edit =>
  file =>
    file.replace(text, '').replace(to, () => text + to);

const toBrain = swap(['    llm = ', '    brain = '], ['[llm, ', '[brain, ']);
const toHistory: Edit = text =>
  text.replace(
    /async def run_bot[\s\S]*?\n\n\n/,
    swap(['    context = ', '    history = '], ['load(context)', 'load(history)'], ['=context)', '=history)']),
  );
const addGuard = swap(['    worker = ', '    guard = Guard(llm, context=context)\n    worker = ']);
const addCall = swap(['    await run_bot', '    load(args)\n    await run_bot']);
const LOAD = part('def load', 'async def run_bot');
const MAIN = part('async def bot');
const dropLoad: Edit = all(text => text.replace(LOAD, ''), swap(['load(context)', '1']));

/** What the user and botcli each do, and what becomes of it; a reason if it's a conflict. */
const cases: [about: string, user: Edit, botcli: Edit, merged: Edit | RegExp][] = [
  [
    'the user renamed a variable, and ours uses it',
    toBrain,
    addGuard,
    all(addGuard, toBrain, swap(['Guard(llm', 'Guard(brain'])),
  ],
  [
    'the user renamed two variables, and ours uses both, and an argument of that name',
    all(toBrain, toHistory),
    addGuard,
    all(addGuard, toBrain, toHistory, swap(['Guard(llm', 'Guard(brain'])),
  ],
  [
    'the user renamed it and changed its value',
    all(toBrain, swap(['Alpha(key="A")', 'Alpha(key="A", retries=2)'])),
    addGuard,
    all(addGuard, toBrain, swap(['Guard(llm', 'Guard(brain'], ['Alpha(key="A")', 'Alpha(key="A", retries=2)'])),
  ],
  [
    'ours replaces the value of what the user renamed',
    toBrain,
    swap(['llm = Alpha(key="A")', 'llm = Beta(key="B")']),
    all(swap(['Alpha(key="A")', 'Beta(key="B")']), toBrain),
  ],
  [
    'the user renamed a function and a constant',
    swap(['load(', 'fetch('], ['LIMIT', 'MOST']),
    all(addCall, swap(['LIMIT = 3', 'LIMIT = 4'])),
    all(addCall, swap(['LIMIT = 3', 'LIMIT = 4']), swap(['load(', 'fetch('], ['LIMIT', 'MOST'])),
  ],
  [
    'the user renamed a function, and a variable in it',
    all(toBrain, swap(['run_bot', 'converse'])),
    addGuard,
    all(addGuard, toBrain, swap(['Guard(llm', 'Guard(brain'], ['run_bot', 'converse'])),
  ],
  [
    'ours uses it in an f-string, and a parameter of that name somewhere else',
    swap(['    worker = ', '    task = '], ['@worker', '@task'], ['await worker', 'await task']),
    swap(['    await worker', '    print(f"{worker}")\n    await worker']),
    swap(
      ['    worker = ', '    task = '],
      ['@worker', '@task'],
      ['    await worker', '    print(f"{task}")\n    await task'],
    ),
  ],
  [
    'the user replaced a variable by another one',
    swap(['llm = Alpha(key="A")', 'brain = Mine()'], ['[llm', '[brain']),
    addGuard,
    /"llm"/,
  ],
  ['the user took a name that ours has, too', all(toBrain, swap(['brain', 'guard'])), addGuard, /"guard"/],
  [
    'the user replaced a function by another one of its form',
    all(
      swap(
        ['load(', 'mine('],
        ['    """Load it."""\n    return os.open(context, LIMIT)', '    print(LIMIT)\n    return 1'],
      ),
    ),
    addCall,
    /"load"/,
  ],
  [
    'the user moved a function, and ours changes it',
    move(LOAD, MAIN),
    swap(['os.open(context', 'os.open(self']),
    all(move(LOAD, MAIN), swap(['os.open(context', 'os.open(self'])),
  ],
  ['the user moved a function, and ours removes it', move(LOAD, MAIN), dropLoad, /You moved these lines/],
];

describe('following new names and places in Python when', () => {
  for (const [about, user, botcli, merged] of cases) {
    it(`${about}: ${merged instanceof RegExp ? 'a conflict' : 'clean'}`, () => {
      const { text, conflicts } = mergeTexts('bot.py', user(BASE), BASE, botcli(BASE));
      const reasons = conflicts.map(({ reason }) => reason).join(' ');
      if (merged instanceof RegExp) assert.match(reasons, merged);
      else assert.deepEqual([reasons, text], ['', merged(BASE)]);
    });
  }
});

testMerges('merging Python in which the user has renamed', 'bot.py')`
a variable that a line uses twice
  n2 = f()/n2 += 1/g(n2, n2) <-- n = f()/n += 1/g(n, n) --> n = f()/n += 1/g(n, n)/h(n, n, n)
  ==> n2 = f()/n2 += 1/g(n2, n2)/h(n2, n2, n2)
two variables of one assignment
  x, y = f()/g(x)/h(y) <-- a, b = f()/g(a)/h(b) --> a, b = f()/i(b, a) ==> x, y = f()/i(y, x)
a variable, and its value
  brain = Alpha(2, 1)/f(brain) <-- llm = Alpha(1)/f(llm) --> llm = Beta(1)/f(llm)
  ==> conflict: You gave these settings to Alpha.
a variable, and half of its uses
  brain = A()/f(brain)/g(brain, 2) <-- llm = A()/f(llm)/g(llm) --> llm = A()/f(llm)/g(llm)/h(llm)
  ==> brain = A()/f(brain)/g(brain, 2)/h(brain)
a variable that nothing uses
  y = f(1) <-- x = f(1) --> x = f(1)/g(x) ==> y = f(1)/g(y)
a variable, but not in each place
  brain = A()/f(brain)/g(brain)/h(llm) <-- llm = A()/f(llm)/g(llm)/h(llm) --> llm = A()/f(llm)/g(llm)/h(llm)/i(llm)
  ==> brain = A()/f(brain)/g(brain)/h(llm)/i(brain)
a variable and the function that it is in, and added an import
  import re/def converse():/    brain = A()/    a()/    b()/    c()/    f(brain)
  <-- def run():/    llm = A()/    a()/    b()/    c()/    f(llm)
  --> def run():/    llm = A()/    a()/    b()/    c()/    f(llm)/    g(llm)/run()
  ==> import re/def converse():/    brain = A()/    a()/    b()/    c()/    f(brain)/    g(brain)/converse()
a function that nothing uses
  def fetch():/    a()/    b() <-- def load():/    a()/    b() --> def load():/    a()/    c()
  ==> def fetch():/    a()/    c()
a function, or wrote another one
  def fetch():/    x()/    y() <-- def load():/    a()/    b() --> load() ==> conflict: You and botcli changed the same lines.
a global variable
  y = None/def f():/    global y/    y = 1/g(y) <-- x = None/def f():/    global x/    x = 1/g(x)
  --> x = None/def f():/    global x/    x = 2/g(x) ==> y = None/def f():/    global y/    y = 2/g(y)
a nonlocal variable
  def f():/    y = 0/    def g():/        nonlocal y/        y += 1/    h(y)/    i(y)/    j(y)
  <-- def f():/    x = 0/    def g():/        nonlocal x/        x += 1/    h(x)/    i(x)/    j(x)
  --> def f():/    x = 0/    def g():/        nonlocal x/        x += 2/    h(x)/    i(x)/    j(x)
  ==> conflict: botcli's change doesn't fit the blocks around it in your file.
a variable in one of two functions of one name
  def on():/    y = A()/    f(y)/def on():/    x = A()/    f(x)
  <-- def on():/    x = A()/    f(x)/def on():/    x = A()/    f(x)
  --> def on():/    x = A()/    f(x)/    g(x)/def on():/    x = A()/    f(x)
  ==> def on():/    y = A()/    f(y)/    g(y)/def on():/    x = A()/    f(x)
a name that botcli uses
  y = A()/f(y) <-- x = A()/f(x) --> x = A()/f(x)/g(y)
  ==> conflict: With botcli's change, "y" would mean something else.
`;
