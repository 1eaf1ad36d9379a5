import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

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
const ready: Edit = swap(['    await run_bot', '    ready(args)\n    await run_bot']);
const LOAD = part('def load', 'async def run_bot');
const RUN = part('async def run_bot', 'async def bot');
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
    'the user moved a function down, and ours changes it',
    move(LOAD, MAIN),
    swap(['os.open(context', 'os.open(self, context']),
    all(swap(['os.open(context', 'os.open(self, context']), text =>
      move(LOAD.replace('(context, ', '(self, context, '), MAIN)(text),
    ),
  ],
  [
    'the user moved one up, and ours changes it',
    move(MAIN, LOAD),
    ready,
    all(text => move(ready(MAIN), LOAD)(ready(text))),
  ],
  ['the user moved a function, and ours removes it', move(LOAD, MAIN), dropLoad, dropLoad],
  [
    'the user moved a constant, and ours changes it',
    swap(['LIMIT = 3\n\n\n', ''], ['async def run_bot', 'LIMIT = 3\n\n\nasync def run_bot']),
    swap(['LIMIT = 3', 'LIMIT = 4']),
    swap(['LIMIT = 3\n\n\n', ''], ['async def run_bot', 'LIMIT = 4\n\n\nasync def run_bot']),
  ],
  [
    'the user put a function first that ours adds another one before',
    move(RUN, LOAD),
    swap(['async def bot', 'def more():\n    pass\n\n\nasync def bot']),
    all(swap(['async def bot', 'def more():\n    pass\n\n\nasync def bot']), move(RUN, LOAD)),
  ],
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
