import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { CASCADE, type Project } from '../support/projects.ts';
import { type Edit, edit } from './edits.ts';
import { mergeTexts } from './merging.ts';

/** The choices of the project in `older/`. Its release had the code of `env.py` and `recording.py` in `bot.py`. */
export const OLDER: RawConfig = {
  ...CASCADE,
  project_name: 'old',
  transports: ['tel_a', 'rtc_local'],
  recording: true,
  enable_eval: true,
};

/** What the older release wrote, by path in the project. */
export const OLDER_FILES: Readonly<Record<string, string>> = Object.fromEntries(
  ['bot.py', 'evals/judge.py', 'pyproject.toml'].map(path => [
    `server/${path}`,
    readFileSync(join(import.meta.dirname, 'older', basename(path)), 'utf8'),
  ]),
);

/** Updates that project, after these edits, to what this release renders. */
export const mergeOlder = (edits: readonly Edit[], now: Project) =>
  Object.entries(edit(OLDER_FILES, edits)).map(([path, mine]) => ({
    path,
    ...mergeTexts(path, mine, OLDER_FILES[path] ?? '', now[path] ?? ''),
  }));

const BOT = 'server/bot.py';
const PYPROJECT = 'server/pyproject.toml';
const JUDGE = 'server/evals/judge.py';

/** Code in `run_bot`, after the client has left. */
const inSession = (code: string): Edit => [
  BOT,
  '        await runner.cancel()\n',
  `        await runner.cancel()\n\n${code}\n`,
];

/** Edits of that project that its update keeps, and the lines that must be in the merge. */
export const KEPT_EDITS: Readonly<Record<string, readonly Edit[]>> = {
  'a second file of variables': [
    [BOT, '    load_dotenv(override=True)\n', '    load_dotenv(override=True)\n    load_dotenv(".env.shop")\n'],
  ],
  'the prompt and the greeting': [
    [BOT, 'You are a friendly assistant', 'You are a patient assistant'],
    [BOT, 'Greet the person and say', 'Greet the guest and say'],
    [BOT, 'READY = 3', 'READY = 5'],
  ],
  'packages, groups and settings of uv': [
    [PYPROJECT, '    "pipecatcloud>=1.4,<2",\n', '    "httpx>=0.28",\n    "pipecatcloud>=1.4,<2",\n'],
    [PYPROJECT, ']\n\n[tool.uv]\n', ']\ndocs = ["mkdocs>=1.6"]\n\n[tool.uv]\n'],
    [PYPROJECT, 'package = false\n', 'package = false\nexclude-newer = "2026-11-01"\n'],
  ],
  'an index of packages': [
    [PYPROJECT, 'package = false\n', 'package = false\n\n[[tool.uv.index]]\nurl = "https://pypi.example.com/simple"\n'],
  ],
  'an optional variable': [
    [
      BOT,
      '            **optional_env(model="OPENAI_MODEL"),\n',
      '            **optional_env(model="OPENAI_MODEL"),\n            **optional_env(user="OPENAI_USER"),\n',
    ],
  ],
  'a required variable': [
    [BOT, 'REQUIRED_ENV = ["OPENAI_API_KEY"]', 'REQUIRED_ENV = ["OPENAI_API_KEY", "SHOP_URL"]'],
    inSession('    logger.info(os.environ["SHOP_URL"])'),
  ],
  'a second check of variables': [inSession('    logger.info(missing_env(["SHOP_URL"]))')],
  'what the code imported': [
    inSession(
      '    load_dotenv(".env.shop")\n    started: dict[str, Any] = {"at": datetime.now()}\n' +
        '    logger.info(f"{started} {Path(__file__).parent}")',
    ),
  ],
  'a file, in a context that suppresses errors': [
    [BOT, 'import asyncio\n', 'import asyncio\nimport contextlib\n'],
    inSession('    with contextlib.suppress(OSError):\n        Path("orders.txt").touch()'),
  ],
  'another call of greet': [
    inSession(
      '    @transport.event_handler("on_app_message")\n    async def on_app_message(transport, message, sender):\n' +
        '        await greet()',
    ),
  ],
  'an opening of its own': [inSession('    if line:\n        await begin("Say that this call is recorded.")')],
  'another model for the judge': [
    [JUDGE, '    return OpenAILLMService(', '    # Judges.\n    return OpenAILLMService('],
  ],
};

/** Edits of code that moved or changed, and why the update leaves them to the owner. */
export const CONFLICTING_EDITS: Readonly<Record<string, readonly [edits: readonly Edit[], reason: RegExp]>> = {
  'how a recording is written': [
    [[BOT, '    path.touch()\n', '    path.touch(mode=0o600)\n']],
    /You changed these lines, and botcli removes them/,
  ],
  'where recordings are': [
    [[BOT, 'RECORDINGS = Path(__file__).parent / "recordings"', 'RECORDINGS = Path("/var/recordings")']],
    /You changed these lines, and botcli removes them/,
  ],
  'what happens to a recording': [
    [
      [
        BOT,
        '        logger.info(f"Saved the recording as {recording}")\n',
        '        logger.info(f"Saved the recording as {recording}")\n        recording.chmod(0o600)\n',
      ],
    ],
    /You changed these lines, and botcli removes them|Your lines use/,
  ],
  'another file with sound': [
    [inSession('    append_to_wav(RECORDINGS / "tone.wav", bytes(960), 16000, 1)')],
    /Your lines use "(append_to_wav|RECORDINGS)", which botcli's change removes/,
  ],
  'a look at the recording': [
    [inSession('    logger.info(f"Recording to {recording}")')],
    /Your lines use "recording", which botcli's change removes/,
  ],
  'a pause of the recorder': [
    [inSession('    await recorder.stop_recording()')],
    /Your lines use "recorder", which botcli's change removes/,
  ],
  'how optional variables are read': [
    [[BOT, 'for argument, name in names.items() if os.getenv(name)}', 'for argument, name in names.items()}']],
    /You changed these lines, and botcli removes them/,
  ],
  'the message about missing variables': [
    [[BOT, 'place = ".env, or in the cloud in the secret set (see .env.example)"', 'place = ".env"']],
    /You changed these lines, and botcli removes them/,
  ],
  'when people are greeted': [
    [[BOT, '            await asyncio.sleep(READY)\n', '            await asyncio.sleep(READY / 2)\n']],
    /You changed these lines, and botcli removes them/,
  ],
  'whether people are greeted': [
    [
      inSession(
        '    @transport.event_handler("on_app_message")\n    async def on_app_message(transport, message, sender):\n' +
          '        nonlocal is_greeted\n        is_greeted = True',
      ),
    ],
    /Your lines use "is_greeted", which botcli's change removes/,
  ],
  'how the judge reads optional variables': [
    [[JUDGE, 'for argument, name in names.items() if os.getenv(name)}', 'for argument, name in names.items()}']],
    /You changed these lines, and botcli removes them/,
  ],
};
