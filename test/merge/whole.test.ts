import assert from 'node:assert/strict';
import { mergeRows, mergeTexts, testMerges } from './merging.ts';

const BASE = [
  'from shutdown import run_session',
  '',
  'NEEDED = ["A_KEY", "B_KEY"]',
  '',
  '',
  'async def run_bot(transport, args):',
  '    """Run it."""',
  '    context = Context(',
  '        tools=[],',
  '    )',
  '    llm = Alpha(',
  '        settings=Alpha.Settings(',
  '            instruction=TEXT,',
  '            model=MODEL,',
  '        ),',
  '    )',
  '    runner = Runner(transport, llm, context)',
  '',
  '    async def begin(text):',
  '        context.add(text)',
  '        await runner.queue()',
  '',
  '    @transport.on("left")',
  '    async def on_left():',
  '        await runner.cancel()',
  '',
  '    await run_session(runner)',
  '',
  '',
  'async def bot(args):',
  '    await run_bot(',
  '        make({',
  '            "webrtc": Local(sound=True),',
  '        }),',
  '        args,',
  '    )',
].join('\n');

type Edit = (text: string) => string;

/** Puts lines before or after the one that begins like this. */
const put =
  (where: 'before' | 'after', start: string, ...added: string[]): Edit =>
  text =>
    text
      .split('\n')
      .flatMap(line => (line.startsWith(start) ? (where === 'after' ? [line, ...added] : [...added, line]) : [line]))
      .join('\n');
const swap = (from: string, to: string): Edit => {
  return text => {
    assert(text.includes(from), from);
    return text.replaceAll(from, to);
  };
};
/** Indents the lines from one to another, below new ones. */
const wrap =
  (from: string, to: string, head: string[], tail: string[] = []): Edit =>
  text => {
    const lines = text.split('\n');
    const [start, end] = [from, to].map(begin => lines.findIndex(line => line.startsWith(begin))) as [number, number];
    const inner = lines.slice(start, end + 1).map(line => (line === '' ? '' : `    ${line}`));
    return [...lines.slice(0, start), ...head, ...inner, ...tail, ...lines.slice(end + 1)].join('\n');
  };
const all =
  (...edits: Edit[]): Edit =>
  text =>
    edits.reduce((edited, edit) => edit(edited), text);
const inSession = (head: string[], tail?: string[]) => wrap('    context', '    await run_session', head, tail);
const tabs: Edit = text => text.replaceAll(/^(?: {4})+/gm, spaces => '\t'.repeat(spaces.length / 4));

const HANDLER = ['', '    @transport.on("turn")', '    async def on_turn(text):', '        print(text)'];
const addHandler = put('after', '        await runner.cancel', ...HANDLER);
const addStop = put('after', '    context = Context', '        stop=True,');
const useLlm = put('after', '        await runner.cancel', '        await llm.stop()');
const addLine = put('before', '    context', '    line = take(args)', '    print(line)');
const split = put(
  'before',
  '    async def begin',
  '    await converse(transport, context, runner)',
  '',
  '',
  'async def converse(transport, context, runner):',
);
const addGuard = all(
  put('before', 'from shutdown', 'from guard import Guard'),
  put('after', '    runner = ', '    Guard(runner)'),
);
const LLM = BASE.slice(BASE.indexOf('    llm = '), BASE.indexOf('    runner = '));
const moveLlm = all(
  swap(LLM, '    llm = make_llm()\n'),
  put('before', 'async def run_bot', 'def make_llm():', ...LLM.trimEnd().split('\n'), '    return llm', '', ''),
);
const toBeta = swap('Alpha', 'Beta');
const addVoice = put('after', '            model=', '            voice=VOICE,');

/** What the user did, what botcli does, and the merge as an edit of the base, or the reason of the conflict. */
const cases: [about: string, user: Edit, botcli: Edit, merged: Edit | RegExp][] = [
  [
    'the session is in a try',
    inSession(['    try:'], ['    finally:', '        close()']),
    all(addHandler, addStop),
    all(addHandler, addStop, inSession(['    try:'], ['    finally:', '        close()'])),
  ],
  ['there are tabs', tabs, all(addHandler, addStop), all(addHandler, addStop, tabs)],

  [
    'the function was split',
    split,
    useLlm,
    /^With botcli's change, "llm" would be used outside of the block that defines it\.$/,
  ],
  [
    'the function was split, and ours fits',
    split,
    put('after', '        await runner.cancel', '        print(context)'),
    all(put('after', '        await runner.cancel', '        print(context)'), split),
  ],
  [
    'ours imports what the user imports, too',
    put('after', 'from shutdown', 'from guard import Guard'),
    addGuard,
    all(put('after', 'from shutdown', 'from guard import Guard'), put('after', '    runner = ', '    Guard(runner)')),
  ],

  [
    'the user wrote a call on one line, without commas, and ours changes it in a block of the user',
    all(
      swap('(\n        tools=[],\n    )', '(tools=[])'),
      swap(
        'settings=Alpha.Settings(\n            instruction=TEXT,\n            model=MODEL,\n        ),\n',
        'settings=Alpha.Settings(instruction=TEXT, model=MODEL)\n',
      ),
      inSession(['    try:'], ['    finally:', '        close()']),
    ),
    all(addStop, addVoice),
    all(
      swap('(\n        tools=[],\n    )', '(stop=True, tools=[])'),
      swap(
        'settings=Alpha.Settings(\n            instruction=TEXT,\n            model=MODEL,\n        ),\n',
        'settings=Alpha.Settings(instruction=TEXT, model=MODEL, voice=VOICE)\n',
      ),
      inSession(['    try:'], ['    finally:', '        close()']),
    ),
  ],
  [
    'services were moved to a function, and ours changes the one they came from',
    moveLlm,
    all(addLine, useLlm),
    /"llm" would mean something else/,
  ],
  [
    'services were moved to a function, and ours changes them and the one they came from',
    moveLlm,
    all(addLine, toBeta),
    all(addLine, moveLlm, toBeta),
  ],

  [
    'the user gives another value to an argument that both calls have',
    swap('instruction=TEXT', 'instruction=MINE'),
    toBeta,
    all(swap('instruction=TEXT', 'instruction=MINE'), toBeta),
  ],
];

describe('merging the whole of a Python file when', () => {
  for (const [about, user, botcli, merged] of cases) {
    it(about, () => {
      const { text, conflicts } = mergeTexts('bot.py', user(BASE), BASE, botcli(BASE));
      const reasons = conflicts.map(({ reason }) => reason).join(' ');
      if (merged instanceof RegExp) assert.match(reasons, merged);
      else assert.deepEqual([reasons, text], ['', merged(BASE)]);
    });
  }
});

/** Ways to define a name, which botcli's change defines, too. */
const own = [
  ...['class x:/    pass', 'def x():/    pass', 'x = 1', 'from mine import x', 'import xs as x'],
  ...['for x in a:/    b', 'with a as x:/    b', 'try:/    a/except E as x:/    b', 'if x := a:/    b'],
  ...['match a:/    case [x]:/        b', 'try:/    from mine import x/except E:/    x = None'],
];

describe('it is a conflict if both sides define a name, and the user does with', () => {
  const reason = `Your file already defines "x", and so does botcli's change.`;
  for (const lines of own)
    for (const ours of ['from a import x', 'x = 2'])
      it(`${lines}, where botcli has ${ours}`, () =>
        assert.match(
          mergeRows('bot.py', `c/${lines}/d/e`, 'c/d/e', `${ours}/c/d/e/x()`),
          new RegExp(`^conflict: ${reason}`),
        ));
});

testMerges('merging Python is clean when', 'bot.py')`
ours has the name of a comprehension
  a/print([x for x in b])/c <-- a/c --> x = 1/a/c ==> x = 1/a/print([x for x in b])/c
ours imports what the user imports, too
  from a import x/b/m <-- b --> from a import x/b/x() ==> from a import x/b/x()/m
a name comes from another module
  from a import x/MINE = 1/x(MINE) <-- from a import x/OLD = 1/x(OLD) --> from b import x/OLD = 1/x(OLD)
  ==> from b import x/MINE = 1/x(MINE)
the user wrote a call over several lines, and ours changes it
  x = f(/    a,/    b,/) <-- x = f(a, b) --> x = f(a, None, b) ==> x = f(/    a,/    None,/    b,/)
the user changes a comment next to an item of ours
  f(/    a,  # Mine/    c,/) <-- f(/    a,/    c,/) --> f(/    a,/    b,/    c,/) ==> f(/    a,  # Mine/    b,/    c,/)
the user has removed the comments of a list, and ours adds an item
  f(/    a,/    b,/    c,/) <-- f(/    a,  # A/    b,  # B/    c,/) --> f(/    a,  # A/    b,  # B/    x,  # X/    c,/)
  ==> f(/    a,/    b,/    x,  # X/    c,/)
the user has removed a docstring, and both have rewritten another
  import os/def f():/    """Mine."""/    a <-- """Old."""/import os/def f():/    """Old."""/    a
  --> """New."""/import os/def f():/    """New."""/    a/    b ==> import os/def f():/    """Mine."""/    a/    b
`;
