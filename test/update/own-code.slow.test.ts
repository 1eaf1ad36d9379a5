import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type OwnedProject, ownedIt } from './project.ts';

const put = ({ directory }: OwnedProject, path: string, contents: string) => {
  const place = join(directory, 'bot', path);
  mkdirSync(dirname(place), { recursive: true });
  writeFileSync(place, contents);
};

const OTHERS = '--stt deepgram_stt --llm anthropic_llm --tts cartesia_tts';
/** Files of the owner that import a module which goes with the phone. */
const imports: [about: string, path: string, text: string][] = [
  ['next to it', 'server/fallback.py', 'from guard import CallGuard\n\nprint(CallGuard)\n'],
  ['in the root', 'tests/test_guard.py', 'from guard import CallGuard\n\nprint(CallGuard)\n'],
  ['from its folder', 'scripts/try.py', 'from server.guard import CallGuard\n'],
  ['by its name', 'server/late.py', 'import importlib\nm = importlib.import_module("guard")\n'],
  ['at once', 'server/late.py', 'guard = __import__("guard")\n'],
];

/** What the owner's `a.py` has, what stays for it, and in which text. */
const uses: [about: string, text: string, kept: string, path: string, stays: RegExp][] = [
  [
    'a variable',
    'os.environ["OPENAI_API_KEY"]',
    'OPENAI_API_KEY, reads',
    '.env.example',
    /# --- OpenAI.*\n# API key\nOPENAI/,
  ],
  [
    'a field',
    'class Settings(BaseSettings):\n    openai_api_key: str',
    'OPENAI_API_KEY, reads',
    '.env.example',
    /OPENAI_API_KEY=\n/,
  ],
  [
    'an extra',
    'from openai import AsyncOpenAI',
    'openai, imports',
    'pyproject.toml',
    /\[anthropic,cartesia,deepgram,openai,/,
  ],
];

describe("botcli update keeps what code of the user's uses:", () => {
  const expectKept = async ({ succeed }: OwnedProject, line: string, kept: string, path: string) => {
    assert((await succeed(`update bot ${line}`)).includes(`${kept}\n`));
    const { kept: all } = JSON.parse(await succeed('update bot --json'));
    assert(all.every((one: { used_by: string }) => one.used_by === path));
  };

  for (const [about, path, text] of imports)
    ownedIt(`a module that is imported ${about}`, async project => {
      put(project, path, text);
      await project.succeed('update bot -t tel_a');
      await expectKept(project, '-t rtc_local', `  kept      server/guard.py, which ${path} imports`, path);
      assert.match(project.read('bot/server/guard.py'), /class CallGuard/);
    });

  ownedIt('a module that a module that stays imports', async project => {
    put(project, 'server/routes.py', 'from server import app\n\nprint(app)\n');
    await project.succeed('update bot -t tel_a_rtc_sip_dialout');
    const kept = '            server/server_utils.py, which server/server.py imports';
    await expectKept(project, '-t rtc_local', kept, 'server/routes.py');
    assert.match(project.read('bot/server/server_utils.py'), /def start_bot/);
  });

  for (const [about, text, kept, path, stays] of uses)
    ownedIt(about, async project => {
      put(project, 'server/a.py', `import os\n${text}\n`);
      await expectKept(project, OTHERS, `  kept      ${kept.replace(',', ', which server/a.py')}`, 'server/a.py');
      assert.match(project.read(`bot/server/${path}`), stays);
    });

  ownedIt('a variable that bot.py reads for something else', async project => {
    project.edit('server/bot.py', 'GREETING = ', 'EMBEDDINGS = os.getenv("OPENAI_API_KEY")\nGREETING = ');
    const shown = await project.succeed(`update bot ${OTHERS}`);
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
    await project.succeed(`update bot ${OTHERS}`);
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
