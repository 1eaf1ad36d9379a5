import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import {
  type FrameworkTable,
  findTouched,
  loadFrameworkTable,
  readCode,
  renameIn,
} from '../../src/existing/framework.ts';
import { PIPECAT_RELEASE } from '../../src/project/release.ts';

const P = 'pipecat.pipeline';

type FrameworkChange = FrameworkTable['changes'][number];

const TTS = { kind: 'default', name: 'pipecat.tts.TTS', argument: 'model' } as const;
const SAY = { kind: 'note', name: 'pipecat.tts.Say', note: 'It is kept.' } as const;

const TABLE: FrameworkTable = {
  releases: { '1.0.0': 1, '1.3.0': 10, '1.8.0': 20, '1.14.0': 30 },
  changes: [
    { kind: 'module', name: 'pipecat.lmnt.tts', effect: 'gone', since: '1.8.0' },
    { kind: 'name', name: 'pipecat.frames.Gone', effect: 'gone', since: '1.3.0' },
    { ...TTS, was: 'a', is: 'b', effect: 'changed', since: '1.3.0' },
    { ...TTS, was: 'b', is: 'c', effect: 'changed', since: '1.8.0' },
    { kind: 'module', name: 'pipecat_flows', note: 'It moved.', effect: 'changed', since: '1.5.0' },
    { kind: 'note', name: 'pipecat.mcp.MCP', note: 'It has to be started.', effect: 'changed', since: '1.3.0' },
    { ...SAY, unless: 'keep', position: 1, only: 'on_said', effect: 'changed', since: '1.3.0' },
    ...deprecated(
      { kind: 'module', name: `${P}.task`, use: `${P}.worker`, rename: true },
      { kind: 'name', name: `${P}.worker.PipelineTask`, use: `${P}.worker.PipelineWorker`, rename: true },
      { kind: 'name', name: `${P}.runner.PipelineRunner`, use: 'pipecat.workers.runner.WorkerRunner', rename: true },
      { kind: 'name', name: 'pipecat.utils.helper', use: 'pipecat.utils.other' },
      { kind: 'member', name: 'pipecat.llm.LLM.InputParams', use: 'LLM.Settings' },
      { kind: 'argument', name: 'pipecat.llm.LLM', argument: 'model', use: 'settings=LLM.Settings(model=...)' },
      { kind: 'argument', name: 'pipecat.workers.runner.WorkerRunner.run', argument: 'worker', position: 0 },
      { kind: 'member', name: 'pipecat.llm.LLM.set_model' },
    ),
  ],
};

function deprecated(...rows: Omit<FrameworkChange, 'effect' | 'since'>[]): FrameworkChange[] {
  return rows.map(row => ({ ...row, effect: 'deprecated', since: '1.3.0' }));
}

/** What changed for a file, a line each: its place, the change, and the argument. */
function touched(text: string, from = '1.0.0', to = '1.14.0'): string[] {
  const { code } = readCode(new Map([['bot.py', text]]));
  return findTouched(code, TABLE, from, to).map(
    ({ change: { effect, name, argument, was, is }, places }) =>
      `${places.map(({ line }) => line).join()} ${effect} ${name.replace(/^pipecat\./, '')}` +
      `${argument ? `(${argument})` : ''}${was === undefined ? '' : ` ${was} ${is}`}`,
  );
}

function renamed(text: string, others: Record<string, string> = {}): string {
  const { code } = readCode(new Map(Object.entries({ 'bot.py': text, ...others })));
  return renameIn(code, TABLE, '1.14.0', new Map(Object.entries(others))).texts.get('bot.py') ?? 'unchanged';
}

describe('what changed in the framework for a bot', () => {
  const cases: Record<string, [text: string, ...found: string[]]> = {
    'an imported name': ['from pipecat.frames import Gone\nGone()\n', '1,2 gone frames.Gone'],
    'a name after its module': ['import pipecat.frames\nx = pipecat.frames.Gone\n', '2 gone frames.Gone'],
    'a name after an alias': ['from pipecat import frames as f\nf.Gone()\n', '2 gone frames.Gone'],
    'a module': ['from pipecat.lmnt.tts import LmntTTSService\n', '1 gone lmnt.tts'],
    'a class in a class': ['from pipecat.llm import LLM\nLLM.InputParams()\n', '2 deprecated llm.LLM.InputParams'],
    'an argument': ['from pipecat.llm import LLM\nLLM(\n    model="x",\n)\n', '2 deprecated llm.LLM(model)'],
    'a name that has moved, and changed': [
      `from ${P}.task import PipelineTask\n`,
      '1 deprecated pipeline.task',
      '1 deprecated pipeline.worker.PipelineTask',
    ],
    'a default that nobody sets, as it was first and is now': [
      'from pipecat.tts import TTS\nTTS(voice="x")\n',
      '2 changed tts.TTS(model) a c',
    ],
    'a sentence about a module': ['from pipecat_flows.types import FlowArgs\n', '1 changed pipecat_flows'],
    'a sentence about a class': ['from pipecat.mcp import MCP\nMCP()\n', '2 changed mcp.MCP'],
    'a sentence about files with a text': ['from pipecat.tts import Say\nSay("on_said")\n', '2 changed tts.Say'],
    'an import in a function': [
      'def f():\n    from pipecat.frames import Gone\n    return Gone\n',
      '2,3 gone frames.Gone',
    ],
    'a method’s argument, without its name': [
      'from pipecat.workers.runner import WorkerRunner\nasync def f():\n    r = WorkerRunner()\n    await r.run(task)\n',
      '4 deprecated workers.runner.WorkerRunner.run(worker)',
    ],
    'a method of a class under its old name': [
      `from ${P}.runner import PipelineRunner\nr: object = PipelineRunner()\nr.run(worker=task)\n`,
      '1,2 deprecated pipeline.runner.PipelineRunner',
      '3 deprecated workers.runner.WorkerRunner.run(worker)',
    ],
  };
  for (const [title, [text, ...found]] of Object.entries(cases))
    it(`finds ${title}`, () => assert.deepEqual(touched(text), found));

  const [LLM, TTS_CLASS, SAY_CLASS] = [
    'from pipecat.llm import LLM',
    'from pipecat.tts import TTS',
    'from pipecat.tts import Say',
  ];
  const others: [about: string, ...lines: string[]][] = [
    ['a name of the user’s own', 'import pipecat', 'class Gone: pass', 'Gone()', 'other.Gone()'],
    ['a name from another module', 'from mine import Gone', 'import pipecat', 'Gone()'],
    ['comments and texts', 'import pipecat', '# pipecat.frames.Gone', 'x = "pipecat.frames.Gone"'],
    ['an import that something else replaces', LLM, 'LLM = mine', 'LLM(model="x")'],
    ['a parameter of a lambda', LLM, 'f = lambda LLM: LLM(model="x")'],
    ['a name of a comprehension', LLM, '[LLM(model="x") for LLM in f]'],
    ['an argument of an inner call', LLM, 'LLM(settings=LLM.Settings(model="x"))'],
    ['a default that is set', TTS_CLASS, 'TTS(settings=TTS.Settings(model="x"))'],
    ['a default that may be set', TTS_CLASS, 'TTS(**options)', 'TTS(options)'],
    ['a default that settings from elsewhere may have', TTS_CLASS, 'TTS(settings=mine)', 'TTS(settings=make(voice=1))'],
    ['a default that options may have', TTS_CLASS, 'TTS(settings=TTS.Settings(**options))'],
    [
      'a method without the argument',
      'from pipecat.workers.runner import WorkerRunner',
      'r = WorkerRunner()',
      'r.run()',
    ],
    ['a method of a variable that is something else, too', LLM, 'a = LLM()', 'a = mine', 'a.set_model()'],
    ['a method of a variable that may be something else', LLM, 'b = LLM() or mine', 'b.set_model()'],
    ['a method of what has an object in it', LLM, 'c = mine', 'c.llm = LLM()', 'c.set_model()'],
    ['a method of a parameter', LLM, 'def f(d=LLM()):', '    d.set_model()'],
    ['a sentence about other files', SAY_CLASS, 'Say("x")'],
    ['a sentence about an argument that is set', SAY_CLASS, 'Say("on_said", False)', 'Say("x", keep=False)', 'Say(*x)'],
    ['a class that is only imported', 'from pipecat.mcp import MCP', TTS_CLASS],
  ];
  for (const [about, ...lines] of others)
    it(`leaves out ${about}`, () => assert.deepEqual(touched(`${lines.join('\n')}\n`), []));

  it('leaves out what changed before or later, except what will go', () => {
    const text = `from pipecat.frames import Gone\nfrom pipecat.lmnt.tts import T\nimport ${P}.task\n`;
    assert.deepEqual(touched(text, '1.3.0'), ['2 gone lmnt.tts', '3 deprecated pipeline.task']);
    assert.deepEqual(touched(text, '1.0.0', '1.2.0'), []);
  });

  it('reads only files that name the framework, and says which are broken', () => {
    const files = { 'a.py': 'x = (', 'b.py': 'import pipecat\nx = (', 'c.py': 'import pipecat\n' };
    const { code, broken } = readCode(new Map(Object.entries(files)));
    assert.deepEqual([code.map(({ path }) => path), broken], [['c.py'], ['b.py']]);
  });
});

describe('new names of the framework', () => {
  const task = `from ${P}.task import PipelineTask`;
  const worker = `from ${P}.worker import PipelineWorker`;
  const cases: Record<string, [before: string, after: string]> = {
    'where they are imported and used': [
      `${task}  # mine\ntask = PipelineTask(pipeline)\n# PipelineTask\nx = "a PipelineTask"\n`,
      `${worker}  # mine\ntask = PipelineWorker(pipeline)\n# PipelineTask\nx = "a PipelineTask"\n`,
    ],
    'of a module': [
      `from ${P}.task import (\n    PipelineParams,  # a\n    PipelineTask,\n)\nx: PipelineTask\n`,
      `from ${P}.worker import (\n    PipelineParams,  # a\n    PipelineWorker,\n)\nx: PipelineWorker\n`,
    ],
    'under an alias': [`${task} as T\nT()\n`, `${worker} as T\nT()\n`],
    'from another module': [
      `if x:\n    from ${P}.runner import PipelineRunner\n    PipelineRunner()\n`,
      `if x:\n    from pipecat.workers.runner import WorkerRunner\n    WorkerRunner()\n`,
    ],
    'with the ends of lines and the mark of a file': [
      `\uFEFF${task}\r\nPipelineTask()\r\n`,
      `\uFEFF${worker}\r\nPipelineWorker()\r\n`,
    ],
    'and not what hides them': [
      `${task}\nPipelineTask([PipelineTask() for PipelineTask in x], lambda PipelineTask: PipelineTask)\n`,
      `${worker}\nPipelineWorker([PipelineTask() for PipelineTask in x], lambda PipelineTask: PipelineTask)\n`,
    ],
    'next to the new one': [
      `${task}\n${worker}\nPipelineTask(PipelineWorker)\n`,
      `${worker}\n${worker}\nPipelineWorker(PipelineWorker)\n`,
    ],
    'in the code of an f-string': [`${task}\nf"{PipelineTask}"\n`, `${worker}\nf"{PipelineWorker}"\n`],
  };
  for (const [title, [before, after]] of Object.entries(cases))
    it(`are written ${title}`, () => assert.equal(renamed(before), after));

  it('are named in full for a module', () => {
    const { code } = readCode(new Map([['bot.py', `from ${P} import task as t\n${task}\n`]]));
    assert.deepEqual(
      renameIn(code, TABLE, '1.14.0').renamed.map(({ from, to }) => [from, to]),
      [
        [`${P}.task`, `${P}.worker`],
        ['PipelineTask', 'PipelineWorker'],
      ],
    );
  });

  const others: Record<string, [text: string, others?: Record<string, string>]> = {
    'attributes, arguments and methods': ['import pipecat\nx.PipelineTask(PipelineTask=1)\n'],
    'a class of the user’s own': ['import pipecat\nclass PipelineTask: pass\nPipelineTask()\n'],
    'a name that something else has too': [`${task}\nPipelineTask = mine\n`],
    'a name if the new one is taken': [`${task}\nclass PipelineWorker(PipelineTask): pass\n`],
    'a name that another file takes from there': [
      `${task}\n`,
      { 'a.py': 'import pipecat\nfrom bot import PipelineTask\n' },
    ],
    'a name that another file takes from there by the module': [
      `${task}\n`,
      { 'a.py': 'import bot\nbot.PipelineTask()\n' },
    ],
    'a name that a file has which Python refuses': [`${task}\n`, { 'a.py': 'from bot import PipelineTask\nx = (\n' }],
    'a name in a type that is a text': [`${task}\ndef f(x: "list[PipelineTask | None]"): ...\n`],
    'a name if the new one comes from elsewhere': [`from mine import PipelineWorker\n${task}\n`],
    'imports for more than one release': [`try:\n    ${worker}\nexcept ImportError:\n    ${task} as PipelineWorker\n`],
    'a name that a text leads to': [`${task}\npatch("bot.PipelineTask")\n`],
    'an import that has to be split': [`from ${P}.runner import PipelineRunner, Other\n`],
    'names that have no new one': ['from pipecat.utils import helper\nhelper()\n'],
    'code that Python refuses': [`${task}\nx = (\n`],
  };
  for (const [title, [text, files]] of Object.entries(others))
    it(`leave out ${title}`, () => assert.equal(renamed(text, files), 'unchanged'));
});

describe('the table of what changed in the framework', () => {
  it('goes to the release of new projects, and is small', async () => {
    const table = await loadFrameworkTable();
    assert.equal(Object.keys(table.releases).at(-1), PIPECAT_RELEASE);
    assert(gzipSync(JSON.stringify(table)).length < 100_000);
    for (const { name, since, effect } of table.changes) {
      assert.match(name, /^pipecat(?:_flows$|\.[\w.]+$)/);
      assert(effect === 'deprecated' || since in table.releases, `${name} ${since}`);
    }
  });

  it('says the same as what AGENTS.md has for names that agents may remember', async () => {
    const { changes } = await loadFrameworkTable();
    const agents = readFileSync('generators/guide/templates/AGENTS.md.ejs', 'utf8');
    const [, rows = ''] = /\n\| what you may remember \|[^\n]*\n\|---\|---\|\n((?:\|.*\n)+)/.exec(agents) ?? [];
    const known = rows.split('\n').flatMap(row => {
      const [, old = '', now = ''] = row.split('|');
      const names = [...old.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      const renamed = changes.filter(({ name, rename }) => rename && names.includes(name.split('.').at(-1)));
      return renamed.map(({ use = '' }) => [use.split('.').at(-1) ?? '', now] as const);
    });
    assert(known.length >= 3);
    for (const [name, now] of known) assert(now.includes(name), `${name} isn't in ${now}`);
  });
});
