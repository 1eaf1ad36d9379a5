import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type OwnedProject, ownedIt } from './project.ts';

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
    'a module that a module that stays imports',
    '-t tel_a_rtc_sip_dialout',
    ['server/routes.py', 'from server import app\n\nprint(app)\n'],
    '-t rtc_local',
    /\n {12}server\/server_utils\.py, which server\/server\.py imports\n/,
    ['server/server_utils.py', /def start_bot/],
  ],
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
    ownedIt(about, async project => {
      put(project, path, text);
      if (first) await project.succeed(`update bot ${first}`);
      assert.match(await project.succeed(`update bot ${line}`), shows);
      assert.match(project.read(`bot/${place}`), stays);
      const { kept } = JSON.parse(await project.succeed('update bot --json'));
      assert.deepEqual(
        kept.filter((one: { used_by: string }) => one.used_by !== path),
        [],
      );
    });
  }

  ownedIt('a variable that bot.py reads for something else', async project => {
    project.edit('server/bot.py', 'GREETING = ', 'EMBEDDINGS = os.getenv("OPENAI_API_KEY")\nGREETING = ');
    const shown = await project.succeed('update bot --stt deepgram_stt --llm anthropic_llm --tts cartesia_tts');
    assert.match(shown, /\n {2}kept {6}OPENAI_API_KEY, which server\/bot\.py reads\n/);
    assert.match(project.read('bot/server/.env.example'), /^OPENAI_API_KEY=$/m);
  });
});

const NAMES = '--stt openai_stt --llm anthropic_llm --tts openai_tts';

describe('botcli update says which code it leaves as it is:', () => {
  ownedIt(
    'an agent in the cloud that the project names no longer',
    async project => {
      const named =
        'server/cloud-deploy.toml: the next deploy makes the agent tea, with the secret set tea-secrets. If bot is ' +
        'deployed, it stays until you delete it';
      assert((await project.succeed('update bot --name tea --dry-run')).includes(`\n  note      ${named}\n`));
      const gone =
        'server/cloud-deploy.toml: no longer names an agent. If bot is deployed, it stays until you delete it';
      assert((await project.succeed('update bot --no-deploy-to-cloud')).includes(`\n  note      ${gone}\n`));
    },
    '--deploy-to-cloud',
  );

  ownedIt('files in which an edit has undone the choice that is typed again', async project => {
    const old = project.read('bot/server/bot.py');
    await project.succeed('update bot --recording');
    put(project, 'server/bot.py', old);
    assert.equal(await project.succeed('update bot'), 'bot is up to date.\n');
    const shown = 'bot is up to date.\n  kept      server/bot.py (as you edited it)\n';
    assert.equal(await project.succeed('update bot --recording'), shown);
  });

  ownedIt("a service of the user's own of the same class, which goes on requiring its key", async project => {
    const own = 'judge = OpenAILLMService(api_key=os.environ["OPENAI_API_KEY"])';
    project.edit('server/bot.py', '    pipeline = Pipeline(', `    ${own}\n    pipeline = Pipeline(`);
    await project.succeed('update bot --stt deepgram_stt --llm anthropic_llm --tts cartesia_tts');
    const required = /REQUIRED_ENV = \["OPENAI_API_KEY", .*"ANTHROPIC_API_KEY".*\]/;
    assert.match(project.read('bot/server/bot.py'), required);
  });

  ownedIt(
    "a processor of the user's own in place of one that goes: a conflict",
    async project => {
      put(project, 'server/tools.py', 'class Recorder:\n    pass\n');
      project.edit('server/bot.py', 'from recording import', 'from tools import');
      const shown = await project.fail(1, 'update bot --no-recording');
      assert.match(shown, /Nothing would use your import of "Recorder" any more\./);
    },
    '--recording',
  );

  ownedIt("settings of the user's for a service that goes: a conflict", async project => {
    const frame = 'LLMUpdateSettingsFrame(delta=OpenAILLMService.Settings(temperature=0.2))';
    project.edit('server/bot.py', 'frames import LLMRunFrame', 'frames import LLMRunFrame, LLMUpdateSettingsFrame');
    project.edit(
      'server/bot.py',
      '    await run_session',
      `    calm = ${frame}\n    print(calm)\n    await run_session`,
    );
    const shown = await project.fail(1, `update bot ${NAMES}`);
    assert.match(shown, /Your line "calm = .*…" is for OpenAILLMService, which botcli's change replaces\./);
  });
});

describe('botcli update leaves alone', () => {
  ownedIt("a README that is the user's own", async project => {
    put(project, 'README.md', '# My shop\n\nRing twice.\n');
    assert.match(
      await project.succeed('update bot --recording'),
      /\n {2}kept {6}README\.md \(the text is your own\)\n/,
    );
    assert.equal(project.read('bot/README.md'), '# My shop\n\nRing twice.\n');
    assert.match(await project.succeed('update bot --eval'), /README\.md \(the text is your own\)/);
  });

  ownedIt('a file where a new one would go', async project => {
    put(project, 'server/guard.py', 'mine = 1\n');
    const reason = /server\/guard\.py {2}botcli would create this file, but you have one of that name\. Rename yours\./;
    for (const mode of ['', '--conflicts markers']) {
      assert.match(await project.fail(1, `update bot -t rtc_local -t tel_a ${mode}`), reason);
      assert.equal(project.read('bot/server/guard.py'), 'mine = 1\n');
    }
  });
});
