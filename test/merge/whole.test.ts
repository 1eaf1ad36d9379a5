import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

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
const addPhone = put('after', '            "webrtc"', '            "phone": Phone(),');

/** What the user did, what botcli does, and the merge as an edit of the base, or the reason of the conflict. */
const cases: [about: string, user: Edit, botcli: Edit, merged: Edit | RegExp][] = [
  [
    'the session is in a block',
    inSession(['    async with shop():']),
    addHandler,
    all(addHandler, inSession(['    async with shop():'])),
  ],
  [
    'the session is in a try',
    inSession(['    try:'], ['    finally:', '        close()']),
    all(addHandler, addStop),
    all(addHandler, addStop, inSession(['    try:'], ['    finally:', '        close()'])),
  ],
  [
    'a method runs the session',
    all(inSession([]), wrap('async def run_bot', '    """Run', ['class Shop:'])),
    addHandler,
    all(addHandler, inSession([]), wrap('async def run_bot', '    """Run', ['class Shop:'])),
  ],
  ['there are tabs', tabs, all(addHandler, addStop), all(addHandler, addStop, tabs)],
  [
    'a block of the user ends where ours begin',
    wrap('    runner = ', '    runner = ', ['    if OPEN:']),
    put('after', '    runner = ', '    print(1)'),
    all(put('after', '    runner = ', '    print(1)'), wrap('    runner = ', '    runner = ', ['    if OPEN:'])),
  ],
  [
    'only one end of ours is in a condition',
    wrap('    async def begin', '    await run_session', ['    if OPEN:']),
    put('after', '    await run_session', '    print(1)'),
    /at another depth/,
  ],
  [
    'a handler has an else',
    wrap('    await run_session', '    await run_session', ['    if OPEN:'], ['    else:', '        close()']),
    put('after', '    await run_session', '    print(1)'),
    /at another depth/,
  ],
  [
    'ours would never run',
    put('before', '    async def begin', '    return'),
    put('before', '    @transport', '    begin = 1'),
    /double|defines "begin"|Nothing after/,
  ],
  [
    'ours wait in a function that no longer can',
    swap('    async def begin', '    def begin'),
    put('after', '        context.add', '        await llm.stop()'),
    /isn't async/,
  ],

  ['the function was split', split, useLlm, /^botcli's change uses "llm", which isn't defined in converse\.on_left\.$/],
  [
    'the function was split, and ours fits',
    split,
    put('after', '        await runner.cancel', '        print(context)'),
    all(put('after', '        await runner.cancel', '        print(context)'), split),
  ],
  [
    'ours has the name of a parameter',
    all(
      swap('(transport, args):', '(transport, args, line):'),
      put('after', '        await runner.queue', '        print(line)'),
    ),
    addLine,
    /already defines "line"/,
  ],
  [
    'ours has the name of a loop',
    put('before', '    runner =', '    for line in open("x"):', '        print(line)'),
    addLine,
    /already defines "line"/,
  ],
  [
    'ours has the name of a with',
    put('before', '    runner =', '    with open("x") as line:', '        print(line)'),
    addLine,
    /already defines "line"/,
  ],
  [
    'ours has the name of an except',
    put('before', '    runner =', '    try:', '        x()', '    except OSError as line:', '        print(line)'),
    addLine,
    /already defines "line"/,
  ],
  [
    'ours has the name of a :=',
    put('before', '    runner =', '    if line := x():', '        print(line)'),
    addLine,
    /already defines "line"/,
  ],
  [
    'ours has the name in a match',
    put('before', '    runner =', '    match args:', '        case [line]:', '            print(line)'),
    addLine,
    /already defines "line"/,
  ],
  [
    'ours has the name of a comprehension',
    put('before', '    runner =', '    print([line for line in args])'),
    addLine,
    all(addLine, put('before', '    runner =', '    print([line for line in args])')),
  ],
  [
    'ours would hide a name of the user',
    all(put('before', 'NEEDED', 'line = 1'), put('before', '    runner =', '    print(line)')),
    addLine,
    /"line" means something else in run_bot/,
  ],
  [
    'the user defines it later',
    all(
      swap('    runner = Runner(transport, llm, context)\n', ''),
      put('before', '    @transport', '    runner = Runner(transport, llm, context)'),
    ),
    put('before', '    async def begin', '    print(runner)'),
    /"runner" is used before/,
  ],
  [
    'ours no longer uses an import in a function',
    all(put('before', '    context', '    from a import Alpha')),
    toBeta,
    /^Nothing would use your import of "Alpha" any more\.$/,
  ],
  [
    'a name comes from another module',
    swap('NEEDED', 'WANTED'),
    swap('shutdown', 'endings'),
    all(swap('NEEDED', 'WANTED'), swap('shutdown', 'endings')),
  ],
  ...[
    'class Guard:\n    pass',
    'def Guard():\n    pass',
    'Guard = 1',
    'from mine import Guard',
    'import guards as Guard',
  ].map((own): (typeof cases)[number] => [
    `ours imports a name that is there: ${own.split('\n')[0]}`,
    put('after', 'from shutdown', '', ...own.split('\n')),
    addGuard,
    /^botcli's change imports "Guard", and your file gives that name a meaning of its own\.$/,
  ]),
  [
    'ours imports a name that the user tries to import',
    put('before', 'NEEDED', 'try:', '    from mine import Guard', 'except ImportError:', '    Guard = None'),
    addGuard,
    /^botcli's change imports "Guard"/,
  ],
  [
    'the user imports a name that is a function of ours',
    put('after', 'from shutdown', 'from mine import take'),
    all(put('before', 'async def run_bot', 'def take(args):', '    return args', '', ''), addLine),
    /each give "take" a meaning/,
  ],
  [
    'ours imports what the user imports, too',
    put('after', 'from shutdown', 'from guard import Guard'),
    addGuard,
    all(put('after', 'from shutdown', 'from guard import Guard'), put('after', '    runner = ', '    Guard(runner)')),
  ],

  [
    'the user wrote a call over several lines, and ours changes it',
    swap('Runner(transport, llm, context)', 'Runner(\n        transport,\n        llm,\n        context,\n    )'),
    swap('Runner(transport, llm,', 'Runner(transport, llm, None,'),
    swap('Runner(transport, llm,', 'Runner(transport, llm, None,'),
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
    all(addStop, addVoice, inSession(['    try:'], ['    finally:', '        close()'])),
  ],
  [
    'only the comma of a tuple is new',
    swap('Runner(transport, llm, context)', 'Runner((transport,))'),
    all(swap('Runner(transport, llm, context)', 'Runner((transport))')),
    /same lines/,
  ],
  [
    'services were moved to a function, and ours changes the one they came from',
    moveLlm,
    all(addLine, useLlm),
    /same lines/,
  ],
  [
    'services were moved to a function, and ours changes them and the one they came from',
    moveLlm,
    all(addLine, toBeta),
    /same lines/,
  ],
  [
    'the user adds arguments, and ours changes the call on both sides of them',
    all(swap('            model=', '            tokens=400,\n            model=')),
    all(toBeta, swap('MODEL', 'BETA_MODEL')),
    /^You gave these settings to Alpha\.Settings\. This goes with another conflict: both are about "Alpha"\.$/,
  ],

  [
    'the user gives another value to an argument that both calls have',
    swap('instruction=TEXT', 'instruction=MINE'),
    toBeta,
    all(swap('instruction=TEXT', 'instruction=MINE'), toBeta),
  ],
  [
    'the user changes a comment next to an item of ours',
    swap('instruction=TEXT,', 'instruction=TEXT,  # mine'),
    put('after', '            instruction', '            voice=VOICE,'),
    all(
      put('after', '            instruction', '            voice=VOICE,'),
      swap('instruction=TEXT,', 'instruction=TEXT,  # mine'),
    ),
  ],

  ['the last argument has no comma', swap('model=MODEL,', 'model=MODEL'), addVoice, addVoice],
  [
    'the user adds arguments to a call that becomes another',
    put('after', '            model=', '            tokens=400,'),
    toBeta,
    /^You gave these settings to Alpha\.Settings\.$/,
  ],
  [
    'ours is an argument of a call that the user made another',
    toBeta,
    addVoice,
    /gives settings to Alpha\.Settings, which your file has replaced/,
  ],
  [
    'a key is in the dictionary',
    put('before', '            "webrtc"', '            "phone": Mine(),'),
    addPhone,
    /have "phone" in the same dictionary/,
  ],

  [
    'both add to a list of texts',
    swap('"B_KEY"]', '"B_KEY", "A_MINE"]'),
    swap('"A_KEY", ', '"A_KEY", "OURS", '),
    swap('["A_KEY", "B_KEY"]', '["A_KEY", "OURS", "B_KEY", "A_MINE"]'),
  ],
  [
    'both change a list of texts, over several lines',
    swap('["A_KEY", "B_KEY"]', '[\n    "A_KEY",\n    "B_KEY",\n    "MINE",\n]'),
    swap('"A_KEY", ', ''),
    swap('["A_KEY", "B_KEY"]', '[\n    "B_KEY",\n    "MINE",\n]'),
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

  const RUN = 'def run():\n    load()\n    go()\n    os.abort()\n';
  const LOAD = 'def load():\n    pass\n\n\n';
  const moves: [about: string, user: string, reason: RegExp][] = [
    [
      'moved and changed a function',
      `import os\nfrom a import go\n\n\n${RUN}\n\n${LOAD.replace('pass', 'mine()')}`,
      /botcli's change removes them/,
    ],
    [
      'imports it further down',
      `import os\n\n\ndef mine():\n    pass\n\n\nfrom a import go\n\n\n${LOAD}${RUN}`,
      /use your import of "go"/,
    ],
    ['imports it from elsewhere', `import os\nfrom a import go\nfrom mine import load\n\n\n${RUN}`, /import of "load"/],
  ];
  for (const [about, user, reason] of moves) {
    it(`ours no longer uses something, and the user ${about}: a conflict`, () => {
      const base = `import os\nfrom a import go\n\n\n${LOAD}${RUN}`;
      const ours = 'import os\n\n\ndef run():\n    os.abort()\n';
      const { conflicts } = mergeTexts('bot.py', user, base, ours);
      assert.match(conflicts.map(conflict => conflict.reason).join(' '), reason);
    });
  }

  it('the user removes all comments from a list, and ours adds an item: no conflict', () => {
    const file = (...items: string[]) => `run(\n    [\n${items.map(item => `        ${item}\n`).join('')}    ]\n)\n`;
    const base = file('a,  # One', 'b,  # Two', 'c,');
    const ours = file('a,  # One', 'b,  # Two', 'x,  # New', 'c,');
    const { text, conflicts } = mergeTexts('bot.py', file('a,', 'b,', 'c,'), base, ours);
    assert.deepEqual([conflicts, text], [[], file('a,', 'b,', 'x,  # New', 'c,')]);
  });

  it('one conflict leads to another: the second says that it goes with the first', () => {
    const base = 'def run():\n    old = make()\n    a()\n    b()\n    use(old)\n';
    const ours = 'def run():\n    new = build()\n    a()\n    b()\n    use(new)\n';
    const { conflicts } = mergeTexts('bot.py', base.replace('make()', 'make(1)'), base, ours);
    assert.deepEqual(
      conflicts.map(({ reason, follows }) => [reason, follows]),
      [
        ['You and botcli changed the same lines.', undefined],
        ['This goes with another conflict: both are about "new".', true],
      ],
    );
  });

  it('ours no longer uses a name that a function of the user has by chance: no conflict', () => {
    const mine = '\n\ndef line():\n    pass\n';
    const [base, ours] = ['def run():\n    line = 1\n    print(line)\n', 'def run():\n    print(2)\n'];
    const { text, conflicts } = mergeTexts('bot.py', base + mine, base, ours);
    assert.deepEqual([conflicts, text], [[], ours + mine]);
  });

  it("the user removed the docstring, or rewrote that of a function: the words are the user's", () => {
    const file = (top: string, inner: string, more = '') =>
      `${top}import os\n\n\ndef run():\n    """${inner}"""\n    pass\n${more}`;
    const base = file('"""Old.\n\nOld words.\n"""\n\n', 'Run it.');
    const ours = file('"""Old.\n\nNew words.\n"""\n\n', 'Run it all.', '    run()\n');
    const { text, conflicts } = mergeTexts('bot.py', file('', 'Talk to\n\n    guests.\n    '), base, ours);
    assert.deepEqual([conflicts, text], [[], file('', 'Talk to\n\n    guests.\n    ', '    run()\n')]);
  });

  it("both rewrote the docstring: the words are the user's", () => {
    const file = (words: string, more = '') => `"""A bot.\n\n${words}\n"""\n\nimport os\n${more}`;
    const { text, conflicts } = mergeTexts('bot.py', file('Mine.'), file('Old.'), file('New.', '\nx = 1\n'));
    assert.deepEqual([conflicts, text], [[], file('Mine.', '\nx = 1\n')]);
  });
});
