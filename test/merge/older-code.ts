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

const ON_MESSAGE =
  '    @transport.event_handler("on_app_message")\n    async def on_app_message(transport, message, sender):\n';

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
  'another call of greet': [inSession(`${ON_MESSAGE}        await greet()`)],
  'an opening of its own': [inSession('    if line:\n        await begin("Say that this call is recorded.")')],
  'another model for the judge': [
    [JUDGE, '    return OpenAILLMService(', '    # Judges.\n    return OpenAILLMService('],
  ],
};

const REMOVED = /You changed these lines, and botcli removes them/;
const used = (name: string) => new RegExp(`Your lines use "${name}", which botcli's change removes`);

/** Edits of code that moved or changed, and why the update leaves them to the owner. */
export const CONFLICTING_EDITS: Readonly<Record<string, readonly [edit: Edit, reason: RegExp]>> = {
  'how a recording is written': [[BOT, '    path.touch()\n', '    path.touch(mode=0o600)\n'], REMOVED],
  'where recordings are': [[BOT, 'Path(__file__).parent / "recordings"', 'Path("/var/recordings")'], REMOVED],
  'another file with sound': [
    inSession('    append_to_wav(RECORDINGS / "tone.wav", bytes(960), 16000, 1)'),
    used('(append_to_wav|RECORDINGS)'),
  ],
  'a look at the recording': [inSession('    logger.info(f"Recording to {recording}")'), used('recording')],
  'a pause of the recorder': [inSession('    await recorder.stop_recording()'), used('recorder')],
  'how optional variables are read': [[BOT, ' if os.getenv(name)}', '}'], REMOVED],
  'the message about missing variables': [[BOT, ', or in the cloud in the secret set (see .env.example)', ''], REMOVED],
  'when people are greeted': [[BOT, 'sleep(READY)', 'sleep(READY / 2)'], REMOVED],
  'whether people are greeted': [
    inSession(`${ON_MESSAGE}        nonlocal is_greeted\n        is_greeted = True`),
    used('is_greeted'),
  ],
  'how the judge reads optional variables': [[JUDGE, ' if os.getenv(name)}', '}'], REMOVED],
};
