import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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

  it(
    'a name of bot.py: a conflict',
    owned(async project => {
      put(project, 'server/tests/test_bot.py', 'from bot import on_the_line\nfrom bot import run_bot, phone_line\n');
      await project.succeed('update bot -t rtc_local -t tel_a');
      const before = project.tree();
      const shown = await project.fail(1, 'update bot -t rtc_local');
      assert.match(
        shown,
        /server\/bot\.py {2}server\/tests\/test_bot\.py uses "phone_line", which botcli's change removes\./,
      );
      assert.deepEqual(project.tree(), before);
    }),
  );
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
      await project.succeed('update bot --recording');
      assert.match(project.read('bot/README.md'), /\n## License\n\nMIT\n$/);
    }),
  );
});
