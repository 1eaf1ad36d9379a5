import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BOT, session } from '../support/session.ts';
import { type OwnedProject, owned } from './project.ts';

const put = ({ directory }: OwnedProject, path: string, contents: string) => {
  const place = join(directory, 'bot', path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, contents);
};

/** The first choices, the owner's file, the update, what it says, and the text that stays. */
const cases: [
  about: string,
  first: string,
  file: [path: string, text: string],
  line: string,
  shows: RegExp,
  stays: [path: string, text: RegExp],
][] = [
  [
    'a module',
    '-t tel_a',
    ['server/fallback.py', 'from guard import CallGuard\n\nprint(CallGuard)\n'],
    '-t rtc_local',
    /\n {2}kept {6}server\/guard\.py, which server\/fallback\.py imports\n/,
    ['server/guard.py', /class CallGuard/],
  ],
  ...[
    ['that a file in the root imports', 'tests/test_guard.py', 'from guard import CallGuard\n\nprint(CallGuard)\n'],
    ['that a script imports from its folder', 'scripts/try.py', 'from server.guard import CallGuard\n'],
    ['that is imported by its name', 'server/late.py', 'import importlib\nm = importlib.import_module("guard")\n'],
    ['that is imported at once', 'server/late.py', 'guard = __import__("guard")\n'],
  ].map(([about, path = '', text = '']): (typeof cases)[number] => [
    `a module ${about}`,
    '-t tel_a',
    [path, text],
    '-t rtc_local',
    new RegExp(`\n {2}kept {6}server/guard\\.py, which ${path.replaceAll('.', '\\.')} imports\n`),
    ['server/guard.py', /class CallGuard/],
  ]),
  [
    'a variable',
    '',
    ['server/embeddings.py', 'import os\n\nKEY = os.environ["OPENAI_API_KEY"]\n'],
    '--stt deepgram_stt --llm anthropic_llm --tts cartesia_tts',
    /\n {2}kept {6}OPENAI_API_KEY, which server\/embeddings\.py reads\n/,
    ['server/.env.example', /# --- OpenAI[^\n]*\n# API key\nOPENAI_API_KEY=\n/],
  ],
  [
    'a variable that a class of settings reads',
    '',
    ['server/settings.py', 'class Settings(BaseSettings):\n    openai_api_key: str\n'],
    '--stt deepgram_stt --llm anthropic_llm --tts cartesia_tts',
    /\n {2}kept {6}OPENAI_API_KEY, which server\/settings\.py reads\n/,
    ['server/.env.example', /OPENAI_API_KEY=\n/],
  ],
  [
    'an extra',
    '',
    ['server/embeddings.py', 'from openai import AsyncOpenAI\n\nprint(AsyncOpenAI)\n'],
    '--stt deepgram_stt --llm anthropic_llm --tts cartesia_tts',
    /\n {2}kept {6}openai, which server\/embeddings\.py imports\n/,
    ['server/pyproject.toml', /pipecat-ai\[anthropic,cartesia,deepgram,openai,/],
  ],
];

describe("botcli update keeps what code of the user's uses:", () => {
  for (const [about, first, [path, text], line, shows, [place, stays]] of cases) {
    it(
      about,
      owned(async project => {
        put(project, path, text);
        if (first) await project.succeed(`update bot ${first}`);
        assert.match(await project.succeed(`update bot ${line}`), shows);
        assert.match(project.read(`bot/${place}`), stays);
        const { kept } = JSON.parse(await project.succeed('update bot --json'));
        assert.deepEqual(
          kept.filter((one: { used_by: string }) => one.used_by !== path),
          [],
        );
      }),
    );
  }

  it(
    'a variable that bot.py reads for something else',
    owned(async project => {
      project.edit('server/bot.py', 'GREETING = ', 'EMBEDDINGS = os.getenv("OPENAI_API_KEY")\nGREETING = ');
      const shown = await project.succeed('update bot --stt deepgram_stt --llm anthropic_llm --tts cartesia_tts');
      assert.match(shown, /\n {2}kept {6}OPENAI_API_KEY, which server\/bot\.py reads\n/);
      assert.match(project.read('bot/server/.env.example'), /^OPENAI_API_KEY=$/m);
    }),
  );

  for (const [how, path, text] of [
    ['', 'server/tests/test_bot.py', 'from bot import on_the_line\nfrom bot import run_bot, call_env\n'],
    [' as an attribute', 'tests/test_bot.py', 'from server import bot\n\nprint(bot.call_env)\n'],
    [' in a text', 'tests/test_bot.py', 'import bot\n\n\ndef test(mocker):\n    mocker.patch("bot.call_env")\n'],
    [' late', 'tests/test_bot.py', 'import importlib\n\nprint(importlib.import_module("bot").call_env)\n'],
  ] as const) {
    it(
      `a name of bot.py that a file uses${how}: a conflict`,
      owned(async project => {
        put(project, path, text);
        await project.succeed('update bot -t rtc_local -t tel_a');
        const before = project.tree();
        const shown = await project.fail(1, 'update bot -t rtc_local');
        assert(shown.includes(`server/bot.py  ${path} uses "call_env", which botcli's change removes.`), shown);
        assert.deepEqual(project.tree(), before);
      }),
    );
  }
});

const NAMES = '--stt openai_stt --llm anthropic_llm --tts openai_tts';

describe('botcli update says which code it leaves as it is:', () => {
  it(
    'a copy of a function that changes',
    owned(async project => {
      const text = project.read('bot/server/bot.py');
      const [from, to] = [text.indexOf('async def run_bot'), text.indexOf('async def bot(')];
      const copy = text.slice(from, to).replace('run_bot', 'run_support');
      project.write('bot/server/bot.py', text.slice(0, to) + copy + text.slice(to));
      const note = 'server/bot.py: run_support looks like run_bot, and stays as it is';
      const { notes } = JSON.parse(await project.succeed('update bot --recording --dry-run --json'));
      assert.deepEqual(notes, [note]);
      assert((await project.succeed('update bot --recording')).includes(`\n  note      ${note}\n`));
    }),
  );

  it(
    'an agent in the cloud that the project names no longer',
    owned(async project => {
      const named =
        'server/cloud-deploy.toml: the next deploy makes the agent tea, with the secret set tea-secrets. If bot is ' +
        'deployed, it stays until you delete it';
      assert((await project.succeed('update bot --name tea --dry-run')).includes(`\n  note      ${named}\n`));
      const gone =
        'server/cloud-deploy.toml: no longer names an agent. If bot is deployed, it stays until you delete it';
      assert((await project.succeed('update bot --no-deploy-to-cloud')).includes(`\n  note      ${gone}\n`));
    }, '--deploy-to-cloud'),
  );

  it(
    'files in which an edit has undone the choice that is typed again',
    owned(async project => {
      const old = project.read('bot/server/bot.py');
      await project.succeed('update bot --recording');
      put(project, 'server/bot.py', old);
      assert.equal(await project.succeed('update bot'), 'bot is up to date.\n');
      const shown = 'bot is up to date.\n  kept      server/bot.py (as you edited it)\n';
      assert.equal(await project.succeed('update bot --recording'), shown);
    }),
  );

  it(
    "a service's class in another file",
    owned(async project => {
      const text = 'from pipecat.services.openai.llm import OpenAILLMService\n\n\nprint(OpenAILLMService.Settings())\n';
      put(project, 'server/mood.py', text);
      const shown = await project.succeed(`update bot ${NAMES}`);
      assert(shown.includes('server/mood.py:4 still uses OpenAILLMService, and the bot no longer does\n'), shown);
    }),
  );

  it(
    "a service of the user's own of the same class, which goes on requiring its key",
    owned(async project => {
      const own = 'judge = OpenAILLMService(api_key=os.environ["OPENAI_API_KEY"])';
      project.edit('server/bot.py', '    pipeline = Pipeline(', `    ${own}\n    pipeline = Pipeline(`);
      const shown = await project.succeed('update bot --stt deepgram_stt --llm anthropic_llm --tts cartesia_tts');
      assert.match(shown, /server\/bot\.py:\d+ still uses OpenAILLMService, and the bot no longer does\n/);
      const required = /REQUIRED_ENV = \["OPENAI_API_KEY", .*"ANTHROPIC_API_KEY".*\]/;
      assert.match(project.read('bot/server/bot.py'), required);
    }),
  );

  it(
    "a processor of the user's own in place of one that goes: a conflict",
    owned(async project => {
      put(project, 'server/tools.py', 'class Recorder:\n    pass\n');
      project.edit('server/bot.py', 'from recording import', 'from tools import');
      const shown = await project.fail(1, 'update bot --no-recording');
      assert.match(shown, /Nothing would use your import of "Recorder" any more\./);
    }, '--recording'),
  );

  it(
    "settings of the user's for a service that goes: a conflict",
    owned(async project => {
      const frame = 'LLMUpdateSettingsFrame(delta=OpenAILLMService.Settings(temperature=0.2))';
      project.edit('server/bot.py', 'frames import LLMRunFrame', 'frames import LLMRunFrame, LLMUpdateSettingsFrame');
      project.edit(
        'server/bot.py',
        '    await run_session',
        `    calm = ${frame}\n    print(calm)\n    await run_session`,
      );
      const shown = await project.fail(1, `update bot ${NAMES}`);
      assert.match(shown, /Your line "calm = .*…" is for OpenAILLMService, which botcli's change replaces\./);
    }),
  );
});

/** Client code of the user's, an update, and what of it would no longer build. */
const clients: [about: string, path: string, from: string | undefined, text: string, line: string, reason?: string][] =
  [
    [
      'an edited component',
      'components/App.tsx',
      '<h1>',
      '<h1 title="mine">',
      '--client-framework vanilla',
      '"@pipecat-ai/client-react"',
    ],
    ...['./components/Clock', '/src/components/Clock', '@/components/Clock', '~/components/Clock.tsx'].map(
      (module): (typeof clients)[number] => [
        `a component of its own that imports ${module}`,
        'Mine.tsx',
        undefined,
        `import { Clock } from "${module}";`,
        '--client-framework vanilla',
        `"${module}"`,
      ],
    ),
    [
      'a module of its own that loads another when it needs it',
      'mine.ts',
      undefined,
      'const clock = await import(`./components/Clock`);',
      '--client-framework vanilla',
      '"./components/Clock"',
    ],
    [
      'a module of its own that imports a name',
      'page/mine.ts',
      undefined,
      'import {\n  type isForDevelopers,\n  TRANSPORT as way,\n} from "../config.ts";',
      '-t rtc_local -t rtc_hosted',
      '"TRANSPORT" from "../config.ts"',
    ],
    [
      'a module of its own that passes a name on',
      'mine.ts',
      undefined,
      'export { TRANSPORT } from "./config";',
      '-t rtc_local -t rtc_hosted',
      '"TRANSPORT" from "./config"',
    ],
    [
      'a module of its own that imports other names',
      'mine.ts',
      undefined,
      'import { BOT_NAME as TRANSPORT } from "./config";\nimport { TRANSPORTS } from "./page/config";',
      '-t rtc_local -t rtc_hosted',
    ],
    [
      'a module of its own that needs nothing',
      'mine.ts',
      undefined,
      'export const two = 2;',
      '--client-framework vanilla',
    ],
    [
      'comments of its own',
      'mine.ts',
      undefined,
      '// import { Clock } from "./components/Clock";\n/*\n * import "react";\n */\nexport const all = \'src/**/*.ts\';',
      '--client-framework vanilla',
    ],
    [
      'an edited component without any client',
      'components/App.tsx',
      '<h1>',
      '<h1 title="mine">',
      '--client-framework none',
    ],
  ];

describe("botcli update, with a client's code that is the user's:", () => {
  for (const [about, name, from, text, options, gone] of clients) {
    it(
      about,
      owned(async project => {
        const path = `client/src/${name}`;
        if (from === undefined) put(project, path, text);
        else project.edit(path, from, text);
        const line = `update bot ${options}`;
        if (gone === undefined) await project.succeed(line);
        else {
          const reason = `${path}  It imports ${gone}, which these choices remove. Move it out of client, or delete it.`;
          assert((await project.fail(1, line)).includes(reason));
        }
        assert(project.read(`bot/${path}`).includes(text));
      }, '--client-framework component'),
    );
  }
});

describe('botcli update leaves alone', () => {
  it(
    "a README that is the user's own",
    owned(async project => {
      put(project, 'README.md', '# My shop\n\nRing twice.\n');
      assert.match(
        await project.succeed('update bot --recording'),
        /\n {2}kept {6}README\.md \(the text is your own\)\n/,
      );
      assert.equal(project.read('bot/README.md'), '# My shop\n\nRing twice.\n');
      assert.match(await project.succeed('update bot --eval'), /README\.md \(the text is your own\)/);
    }),
  );

  it(
    'a file where a new one would go',
    owned(async project => {
      put(project, 'server/guard.py', 'mine = 1\n');
      const reason =
        /server\/guard\.py {2}botcli would create this file, but you have one of that name\. Rename yours\./;
      for (const mode of ['', '--conflicts markers']) {
        assert.match(await project.fail(1, `update bot -t rtc_local -t tel_a ${mode}`), reason);
        assert.equal(project.read('bot/server/guard.py'), 'mine = 1\n');
      }
    }),
  );

  it(
    'text below the README that says how the project was made',
    owned(async project => {
      put(project, 'README.md', `${project.read('bot/README.md')}\n## License\n\nMIT\n`);
      rmSync(join(project.directory, 'bot/.botcli.json'));
      await project.succeed('update bot --name Reception');
      assert.match(project.read('bot/README.md'), /^# Reception\n[\s\S]*\n## License\n\nMIT\n$/);
      assert.match(project.read('bot/.botcli.json'), /"README\.md"/);
    }),
  );

  it(
    'a README of its own above that of a project without its state',
    session({ 'bot/README.md': '# My shop\n' }, async ({ write, read, remove, succeed }) => {
      await succeed(`init bot ${BOT} --name bot`);
      remove('bot/.botcli.json');
      write('bot/server/README.md', `${read('bot/server/README.md')}\n## License\n\nMIT\n`);
      await succeed('update bot --name Reception');
      assert.equal(read('bot/README.md'), '# My shop\n');
      assert.match(read('bot/server/README.md'), /^# Reception\n[\s\S]*\n## License\n\nMIT\n$/);
      assert.match(read('bot/.botcli.json'), /"server\/README\.md"/);
    }),
  );
});
