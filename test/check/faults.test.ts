import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { npxOf } from '../../src/about.ts';
import { INSTALL_UV } from '../../src/check/checks/machine.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { VERSION } from '../../src/version.ts';
import { type CheckSettings, check, filledProject, summarize } from '../support/check.ts';
import { SECRET } from '../support/cloud-session.ts';
import { git } from '../support/git.ts';
import { CASCADE, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree, type Tree } from '../support/trees.ts';

/** Changes a project. */
type Fault = (project: Disk) => void;

/** A project on disk. */
class Disk {
  readonly root: string;
  constructor(root: string) {
    this.root = root;
  }
  write(path: string, text: string | Buffer): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }
  read = (path: string): string => readFileSync(join(this.root, path), 'utf8');
  /** Replaces a text that must be there. */
  edit(path: string, before: string | RegExp, after: string): void {
    const text = this.read(path);
    const edited = text.replace(before, after);
    assert.notEqual(edited, text, `${path} has no ${before}`);
    this.write(path, edited);
  }
  remove = (path: string): void => rmSync(join(this.root, path), { recursive: true });
  /** Puts everything but ignored files under git. */
  commit(...more: string[]): void {
    git(this.root, 'init', '--quiet');
    git(this.root, 'add', '.');
    git(this.root, 'update-index', '--index-version', '4');
    for (const path of more) git(this.root, 'add', '--force', path);
  }
}

const edit =
  (path: string, before: string | RegExp, after: string): Fault =>
  disk =>
    disk.edit(path, before, after);
const env = (before: string | RegExp, after: string): Fault => edit('server/.env', before, after);
const append =
  (path: string, text: string): Fault =>
  disk =>
    disk.write(path, `${disk.read(path)}${text}\n`);
const remove =
  (...paths: string[]): Fault =>
  disk =>
    paths.forEach(disk.remove);

/** Keys of other providers. */
const OTHERS = {
  Anthropic: `sk-${'ant'}-api03-${'a1B2c3D4e5F6g7H8'.repeat(3)}`,
  Cartesia: `sk_${'car'}_${'a1B2c3D4e5F6g7H8'.repeat(2)}`,
  Groq: `${'gsk'}_${'a1B2c3D4e5F6g7H8'.repeat(3)}`,
  GitHub: `${'ghp'}_${'a1B2c3D4e5F6g7H8'.repeat(3)}`,
};

const OPENAI = `OPENAI_API_KEY=${SECRET}-OPENAI_API_KEY`;
const GET_OPENAI = 'https://platform.openai.com/api-keys';
const STATE = '"version": "';
const NEWER = npxOf('9.0.0') ? `${npxOf('9.0.0')} check` : 'Use that version or a newer one.';

const ITSELF = "-> If it isn't the client itself, npm run dev chooses another one and prints its address.";

const cascade = { ...CASCADE, deploy_to_cloud: true, enable_eval: true };
const realtime = { ...REALTIME, transports: ['rtc_hosted'] };
const phone = { ...CASCADE, transports: ['tel_a'] };
const dialOut = { ...CASCADE, transports: ['rtc_hosted_pstn_dialout'] };
const sip = { ...REALTIME, transports: ['tel_a_rtc_sip_dialin'] };
const react = { ...CASCADE, client_framework: 'component' };
const next = { ...CASCADE, client_framework: 'component', client_server: 'fullstack' };
const ollama = { ...CASCADE, llm_service: 'ollama_llm' };
const aws = { ...CASCADE, llm_service: 'aws_bedrock_llm' };

type Row = [title: string, config: RawConfig, fault: Fault, findings: string[], settings?: CheckSettings];

/** No process has this number. */
const SCRATCH = '.botcli-4194305-abc123.tmp';

/** What an interrupted run leaves. */
const leave =
  (files: Tree): Fault =>
  disk => {
    for (const [name, text] of Object.entries(files)) disk.write(`${SCRATCH}/${name}`, text);
  };

const rows: Record<string, Row[]> = {
  project: [
    [
      'a run of botcli was interrupted',
      cascade,
      leave({ '0.new': 'new' }),
      [`warning interrupted-run: botcli was interrupted, and left temporary files in ${SCRATCH} -> botcli update`],
    ],
    ['something looks like what an interrupted run leaves', cascade, leave({ 'run.sh': 'new' }), []],
    [
      'a file has conflict markers',
      cascade,
      edit('server/bot.py', '"""', '<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> theirs\n"""'),
      [
        'error conflict-markers: server/bot.py has conflict markers, from line 1 on -> Keep the lines that you want, and remove the others and the markers.',
      ],
    ],
    [
      'an older botcli made it',
      cascade,
      edit('.botcli.json', `${STATE}${VERSION}`, `${STATE}0.0.9`),
      [`warning older-project: botcli 0.0.9 made this project; this is ${VERSION} -> botcli update`],
    ],
    [
      'code of the user’s names what will go',
      cascade,
      disk => disk.write('server/tool.py', 'from pipecat.pipeline.task import PipelineTask\n'),
      ['warning names-going: 2 names in your code will go in Pipecat 2.0 -> botcli update --framework --dry-run'],
    ],
    [
      'a newer botcli made it',
      cascade,
      edit('.botcli.json', `${STATE}${VERSION}`, `${STATE}9.0.0`),
      [`warning newer-project: botcli 9.0.0 made this project; this is only ${VERSION} -> ${NEWER}`],
    ],
    [
      'a guide is older',
      realtime,
      edit('AGENTS.md', `Written by botcli ${VERSION}`, 'Written by botcli 0.0.9'),
      ['warning older-guides: An older botcli wrote AGENTS.md -> botcli init . --overwrite-guide'],
    ],
    [
      'the bot is missing, and git has it',
      phone,
      disk => {
        disk.commit();
        disk.remove('server/bot.py');
      },
      ['error missing-files: Missing: server/bot.py -> git checkout -- server/bot.py'],
    ],
    [
      'the bot is empty',
      cascade,
      disk => disk.write('server/bot.py', ''),
      ['error missing-files: Missing: server/bot.py -> botcli init fresh-copy --config .botcli.json'],
    ],
    [
      "the client's package.json is broken",
      react,
      disk => disk.write('client/package.json', '{'),
      ['error client-packages: client/package.json is not valid JSON -> Fix it, or restore it from git.'],
    ],
    [
      'a module that the bot imports is missing, and git is not used',
      cascade,
      remove('server/shutdown.py'),
      ['error missing-files: Missing: server/shutdown.py -> botcli init fresh-copy --config .botcli.json'],
    ],
    [
      'a module that a package brings, and that nothing here lists',
      cascade,
      edit('server/bot.py', 'import asyncio', 'import asyncio\nimport langchain_openai\nimport helpers'),
      [],
    ],
    [
      'a name that nothing defines: a linter finds it',
      cascade,
      edit('server/bot.py', 'logger.info(', 'loger.info('),
      [],
    ],
    [
      'pyproject.toml is missing',
      realtime,
      remove('server/pyproject.toml'),
      ['error missing-files: Missing: server/pyproject.toml -> botcli init fresh-copy --config .botcli.json'],
    ],
    [
      'the server that starts calls is missing',
      dialOut,
      remove('server/server.py'),
      ['error missing-files: Missing: server/server.py -> botcli init fresh-copy --config .botcli.json'],
    ],
    [
      'evals, the container file and a guide are missing',
      cascade,
      remove('server/evals/starter_text.yaml', 'server/container-file', 'AGENTS.md'),
      [
        'warning missing-files: Missing: server/evals/starter_text.yaml, server/container-file, AGENTS.md -> botcli init fresh-copy --config .botcli.json',
      ],
    ],
    [
      'Python refuses the bot, a module that it imports, and a script',
      cascade,
      () => {},
      [
        "error syntax: server/bot.py, line 96: '(' was never closed -> Fix it, or restore it from git. In server/, uv run ruff check says more.",
        'error syntax: server/shutdown.py: source code string cannot contain null bytes -> Fix it, or restore it from git. In server/, uv run ruff check says more.',
        'warning syntax: server/scripts/load.py, line 3: invalid syntax -> Fix it, or restore it from git. In server/, uv run ruff check says more.',
      ],
      {
        machine: {
          refusedByPython: async () =>
            new Map([
              ['server/bot.py', { line: 96, why: "'(' was never closed" }],
              ['server/shutdown.py', { line: undefined, why: 'source code string cannot contain null bytes' }],
              ['server/scripts/load.py', { line: 3, why: 'invalid syntax' }],
            ]),
        },
      },
    ],
    ['the bot may be broken, and there is no Python to ask', cascade, append('server/bot.py', 'x = (1'), []],
    [
      'pyproject.toml is not TOML',
      cascade,
      edit('server/pyproject.toml', 'dependencies = [', 'dependencies = ['.slice(0, -1)),
      ["error syntax: server/pyproject.toml, line 6: this isn't valid TOML -> Fix it, or restore it from git."],
    ],
    [
      'the function that the framework starts has another name',
      cascade,
      edit('server/bot.py', 'async def bot(', 'async def my_bot('),
      [
        'error bot-function-missing: server/bot.py defines no bot, the function that the framework starts for each session -> Name it like this: async def bot(runner_args: RunnerArguments) -> None',
      ],
    ],
    ...['bot = my_bot', 'from my_bot import *', 'if my_bot:\n    bot = my_bot', 'globals()["bot"] = my_bot'].map(
      (code): Row => [
        `nothing: the function that the framework starts comes from ${JSON.stringify(code)}`,
        cascade,
        disk => {
          disk.edit('server/bot.py', 'async def bot(', 'async def my_bot(');
          disk.edit('server/bot.py', /^(?=if __name__)/m, `${code}\n\n\n`);
        },
        [],
      ],
    ),
    [
      'nothing: the bot starts without the framework, which needs no function of that name',
      cascade,
      disk => {
        disk.edit('server/bot.py', 'async def bot(', 'async def my_bot(');
        disk.edit('server/bot.py', /^if __name__[\s\S]*/m, 'asyncio.run(my_bot())\n');
      },
      [],
    ],
    [
      'pyproject.toml lacks the package of a service',
      cascade,
      edit('server/pyproject.toml', 'openai,', ''),
      [
        "warning package-missing: OpenAISTTService needs pipecat-ai[openai], and server/pyproject.toml doesn't list that extra -> Add it, unless its packages are listed themselves.",
      ],
    ],
    [
      'a service that the code imports was put in by hand',
      cascade,
      disk => {
        disk.edit(
          'server/bot.py',
          'import asyncio',
          'import asyncio\nfrom pipecat.services.azure.tts import AzureTTSService',
        );
      },
      [
        "warning package-missing: AzureTTSService needs pipecat-ai[azure], and server/pyproject.toml doesn't list that extra -> Add it, unless its packages are listed themselves.",
      ],
    ],
    [
      'pyproject.toml lacks the framework',
      cascade,
      edit('server/pyproject.toml', /^ *"pipecat-ai\[.*\n/gm, ''),
      [
        "warning package-missing: server/pyproject.toml doesn't list pipecat-ai among its dependencies, and the bot needs it -> Put its line back, such as from git, unless another package brings it.",
      ],
    ],
    [
      "a Python file is too large: botcli didn't look at it",
      cascade,
      disk => disk.write('server/data.py', `X = "${'x'.repeat(2 ** 20)}"\n`),
      ["warning file-unreadable: server/data.py is larger than 1 MiB -> botcli doesn't know what this code needs."],
    ],
    [
      'the bot is too large',
      cascade,
      append('server/bot.py', `# ${'x'.repeat(2 ** 20)}`),
      ["error file-unreadable: server/bot.py is larger than 1 MiB -> botcli doesn't know what this code needs."],
    ],
    [
      'the client is missing: one finding',
      react,
      remove('client'),
      ['error missing-files: Missing: client -> botcli update --client-framework none'],
    ],
    [
      'the working directory is server/: paths are as seen from there',
      cascade,
      remove('server/shutdown.py'),
      ['error missing-files: Missing: shutdown.py -> botcli init fresh-copy --config ../.botcli.json'],
      { cwd: 'server' },
    ],
  ],
  machine: [
    [
      'there is no uv',
      cascade,
      () => {},
      [`error uv-missing: uv isn't installed, or isn't on the PATH -> ${INSTALL_UV}`],
      { machine: { uvVersion: async () => undefined } },
    ],
    [
      'uv is too old',
      cascade,
      () => {},
      ['error uv-too-old: uv 0.4.26 is too old: projects need 0.4.27 or newer -> uv self update'],
      { machine: { uvVersion: async () => '0.4.26' } },
    ],
    [
      'the pinned version of Python is not one that the project allows',
      cascade,
      disk => disk.write('server/.python-version', '3.9\n'),
      [
        'error python-version: server/.python-version asks for Python 3.9, but server/pyproject.toml requires >=3.11 -> Change one of them.',
      ],
    ],
    ['the pinned version of Python is fine', cascade, disk => disk.write('server/.python-version', '3.12.4\n'), []],
    [
      "uv can't be started",
      cascade,
      () => {},
      ["error uv-broken: uv can't be started: too many open files -> See what it says to: uv --version"],
      { machine: { uvVersion: async () => ({ problem: "can't be started: too many open files" }) } },
    ],
    ['uv says no version', cascade, () => {}, [], { machine: { uvVersion: async () => '' } }],
    ...inUse(
      [cascade, 7860, 'which the bot uses -> uv run bot.py --port 7861'],
      [react, 5173, `which the client uses ${ITSELF}`],
      [next, 3000, `which the client uses ${ITSELF}`],
      [
        dialOut,
        8080,
        "which the call server uses -> If it isn't server.py itself, stop it, or set PORT in server/.env.",
      ],
    ),
    ...['70000', 'http'].map(
      (value): Row => [
        `PORT is ${value}`,
        dialOut,
        append('server/.env', `PORT=${value}`),
        [
          'error variable-value: server/.env, line 33: PORT is not a port -> Set it to a number from 1 to 65535, or remove it.',
        ],
      ],
    ),
    ['PORT is a port', dialOut, append('server/.env', 'PORT=65535'), []],
    [
      'the port that PORT sets is in use, and its value is not shown',
      dialOut,
      append('server/.env', 'PORT=18181'),
      [
        "warning port-in-use: Something already listens on the port of PORT, which the call server uses -> If it isn't server.py itself, stop it, or set PORT in server/.env.",
      ],
      { machine: { isFree: async port => port !== 18181 } },
    ],
    [
      'a service that its provider has ended',
      { ...CASCADE, tts_service: 'hume_tts' },
      () => {},
      ['warning service-ended: Hume ended its text-to-speech on 2026-11-13 -> https://dev.hume.ai/intro'],
    ],
    [
      'Ollama is not there',
      ollama,
      () => {},
      ["error ollama-silent: Ollama doesn't answer at http://localhost:11434/v1 -> ollama serve"],
      { machine: { ollamaModels: async () => undefined } },
    ],
    [
      'Ollama has not the model of .env, which is not shown',
      ollama,
      append('server/.env', 'OLLAMA_MODEL=mine:7b'),
      [
        "error ollama-model-missing: Ollama doesn't have the model of OLLAMA_MODEL -> Download it with ollama pull, or choose one of ollama list.",
      ],
    ],
    ['Ollama has the model', ollama, append('server/.env', 'OLLAMA_MODEL=llama3.2:latest'), []],
    ...['http://ollama.example/v1', 'https://localhost:1/v1', 'http://localhost.example', 'ollama'].map(
      (address): Row => [
        `only an Ollama on this machine is asked, not ${address}`,
        ollama,
        append('server/.env', `OLLAMA_BASE_URL=${address}`),
        address === 'ollama'
          ? [
              'error variable-value: server/.env, line 21: OLLAMA_BASE_URL is not an address -> Begin it with http://, https://, ws://, or wss://.',
            ]
          : [],
        { machine: { ollamaModels: () => assert.fail('asked') } },
      ],
    ),
    ['another model needs no Ollama', cascade, () => {}, [], { machine: { ollamaModels: () => assert.fail('asked') } }],
    [
      'Node.js is too old for the client',
      react,
      () => {},
      [
        "error node-version: The web client doesn't run on Node.js 18.20.0: its package.json requires ^20.19.0 || ^22.13.0 || >=24 -> https://nodejs.org",
      ],
      { machine: { node: '18.20.0' } },
    ],
    ['Node.js is too old, and there is no client', cascade, () => {}, [], { machine: { node: '18.20.0' } }],
    [
      'node_modules does not match package.json',
      next,
      disk => {
        disk.write('client/node_modules/next/package.json', JSON.stringify({ version: '999.0.0' }));
        disk.remove('client/node_modules/eslint');
      },
      [
        "warning client-packages: client/node_modules doesn't match package.json: next, eslint -> npm --prefix client install",
      ],
    ],
    [
      'another package manager than npm has to install the packages',
      react,
      disk => {
        disk.write('client/pnpm-lock.yaml', '');
        disk.remove('client/node_modules');
      },
      [
        "warning client-packages: The web client's packages aren't installed: there is no client/node_modules -> pnpm --dir client install",
      ],
    ],
    [
      'yarn has unpacked nothing',
      react,
      disk => {
        disk.write('client/yarn.lock', '');
        disk.write('client/.pnp.cjs', '');
        disk.remove('client/node_modules');
      },
      [],
    ],
    [
      'npm has put the packages of a workspace above the client',
      react,
      disk => renameSync(join(disk.root, 'client/node_modules'), join(disk.root, 'node_modules')),
      [],
    ],
    [
      "the client's packages were never installed",
      react,
      remove('client/node_modules'),
      [
        "warning client-packages: The web client's packages aren't installed: there is no client/node_modules -> npm --prefix client install",
      ],
    ],
  ],
  keys: [
    [
      '.env is missing',
      cascade,
      remove('server/.env'),
      [
        "error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> cp server/.env.example server/.env",
      ],
    ],
    [
      '.env is missing, and the shell has the key',
      cascade,
      remove('server/.env'),
      [],
      { env: { OPENAI_API_KEY: SECRET } },
    ],
    [
      '.env is in the project directory, where the bot finds it, too',
      cascade,
      disk => {
        disk.write('.env', 'OPENAI_API_KEY=\n');
        disk.remove('server/.env');
      },
      [`error variable-missing: OPENAI_API_KEY isn't set in .env -> ${GET_OPENAI}`],
    ],
    [
      'a key is blank',
      cascade,
      env(OPENAI, 'OPENAI_API_KEY='),
      [`error variable-missing: OPENAI_API_KEY isn't set in server/.env -> ${GET_OPENAI}`],
    ],
    [
      'a key is blank, and the shell has it',
      cascade,
      env(OPENAI, 'OPENAI_API_KEY='),
      [],
      { env: { OPENAI_API_KEY: SECRET } },
    ],
    [
      'the key of a transport is missing',
      phone,
      env(/^TWILIO_AUTH_TOKEN=.*$/m, ''),
      ["error variable-missing: TWILIO_AUTH_TOKEN isn't set in server/.env -> https://console.twilio.com"],
    ],
    [
      'a variable of server.py is missing',
      sip,
      env(/^PUBLIC_URL=.*$/m, ''),
      [
        "error variable-missing: PUBLIC_URL isn't set in server/.env -> Public address of server.py, as in the Twilio webhook: https://HOST",
      ],
    ],
    ['a key that the provider may find elsewhere is not set', aws, () => {}, []],
    [
      'nothing on the machine has the credentials that a service looks for',
      aws,
      () => {},
      [
        'warning credentials-missing: AWS Bedrock needs credentials of AWS, and neither server/.env nor this machine has any -> Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: aws configure. A role of this machine works, too.',
      ],
      { machine: { hasAtHome: () => false } },
    ],
    [
      'two services look for credentials in vain',
      { ...CASCADE, stt_service: 'google_stt', tts_service: 'google_tts' },
      () => {},
      [
        'warning credentials-missing: Google Cloud Speech-to-Text and Google Cloud Text-to-Speech need credentials of Google Cloud, and neither server/.env nor this machine has any -> Set GOOGLE_APPLICATION_CREDENTIALS to the path of a service account file, or run: gcloud auth application-default login. A service account of this machine works, too.',
      ],
      { machine: { hasAtHome: path => path.startsWith('.aws') } },
    ],
    [
      'a name is misspelled',
      realtime,
      env('OPENAI_API_KEY=', 'OPENAI_APIKEY='),
      [
        "error variable-missing: OPENAI_API_KEY isn't set in server/.env, but OPENAI_APIKEY is -> Rename it to OPENAI_API_KEY.",
      ],
    ],
    ...placeholders(
      ...['<your key>', 'your-api-key', 'sk-...', 'sk-xxxxxxxxxxxx', 'xxxx', 'changeme', 'YOUR_KEY_HERE', '{{ key }}'],
      ...['TODO', 'OPENAI_API_KEY', 'test', 'sk-no-key-required'],
    ),
    ...noKeys({
      $REAL_KEY:
        'is the name of a variable or a command, which only a shell replaces -> Set the value itself, or the name of another variable with a dollar sign and braces.',
      'op://vault/openai/key':
        'is an address or a reference, which the bot sends as the key -> Set the key itself. Or leave it empty here, and set it in the shell: what is in the file wins.',
      'encrypted:BDqDBibm4wsYqMpCjTQ6BsDHmMadg9K3dAt':
        'is an address or a reference, which the bot sends as the key -> Set the key itself. Or leave it empty here, and set it in the shell: what is in the file wins.',
      [`#${SECRET}`]: 'begins with #, which becomes part of it -> Remove it.',
      [`${SECRET}\\`]: 'ends with a backslash, which becomes part of it -> Put the whole key on one line, without it.',
      ...sayingOf(
        'is masked, as dashboards show keys -> Copy the whole key. If the provider no longer shows it, create a new one.',
        'sk-proj-****************l9Zx',
        'sk-...l9Zx',
        'sk-proj-xxxxxxxxxxxxl9Zx',
      ),
      ...sayingOf('is a setting such as true, not a key -> Replace it with the real value.', 'true', 'No'),
      'me@acme.com': 'is an email address -> Replace it with the real value.',
      ...sayingOf(
        'is the path of a file, which the bot sends as the key -> Set the key itself.',
        '/run/secrets/openai',
        '~/keys/openai',
        'C:\\keys\\openai.txt',
      ),
      ...sayingOf(
        'has an escape such as \\n or %0A, which becomes part of it -> Copy the key again, as plain text.',
        `${SECRET}\\n`,
        `${SECRET}%3d`,
      ),
      // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are references in an env file
      ...sayingOf(
        'has a dollar sign and braces that nothing replaces -> Between the braces, python-dotenv knows only a name, or a name with a default after :- and without braces.',
        '${NOPE:-${B}}',
        'a-${NOPE:-${B}}',
      ),
      ...sayingOf(
        'refers to a variable that is not set, with a dollar sign and braces -> Set that variable above it, or remove the dollar sign.',
        '${NOPE?K}',
        '${NOPE}',
      ),
      // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same
      [`“${SECRET}”`]: 'is in typographic quotes, which become part of it -> Use straight quotes, or none.',
      [`${SECRET}"`]: 'has a quote at one end, which becomes part of it -> Remove it, or put one at both ends.',
      [`'"${SECRET}"'`]: 'has two pairs of quotes, and the inner pair is part of it -> Use one pair, or none.',
      [`"${SECRET} "`]: 'begins or ends with a space, which the quotes keep -> Remove the space.',
      ...sayingOf(
        'begins with the name of a variable -> Keep only what is after the = in it.',
        OPENAI,
        `export OTHER_NAME=${SECRET}`,
      ),
      ...sayingOf(
        'contains a character that no key has, perhaps an invisible one -> Copy it again, as plain text.',
        `${SECRET}\ufeff`,
        `\u200b${SECRET}`,
      ),
      [`${SECRET},`]: 'ends with a comma or a semicolon, which becomes part of it -> Remove it.',
      [`${SECRET} OTHER=${SECRET}`]: 'contains a space -> Keys have none: copy it again.',
      ...Object.fromEntries(
        Object.entries(OTHERS).map(([owner, key]) => [
          key,
          `is a key of ${owner} -> Replace it with a key of the right provider.`,
        ]),
      ),
    }),
    [
      'a key is a reference, and the code lets the shell win, so what starts the bot may replace it',
      cascade,
      disk => {
        disk.edit('server/.env', OPENAI, 'OPENAI_API_KEY=op://vault/openai/key');
        disk.edit('server/env.py', 'override=True', '');
      },
      [
        'warning variable-value: server/.env, line 6: OPENAI_API_KEY is an address or a reference, which the bot sends as the key -> It works only if what starts the bot replaces it.',
      ],
    ],
    ...[
      'sk-abc#def',
      '/a/b+c==',
      'pa$$word',
      'a:b',
      '/a1B2/c3D4',
      'a@b',
      'axxxxxb',
      `sk-${'a1B2c3D4'.repeat(6)}`,
      'a)',
    ].map((key): Row => [`nothing: a key may be ${key}`, cascade, env(OPENAI, `OPENAI_API_KEY=${key}`), []]),
    ...['test', '#crm', '$CRM', 'https://crm.example.com', 'true', 'sk-***a', OTHERS.Anthropic].map(
      (value): Row => [
        `nothing: a key of the user's own service may be ${value}`,
        cascade,
        disk => {
          disk.edit('server/bot.py', /^(REQUIRED_ENV = .*\n)/m, '$1\nCRM = os.environ["CRM_TOKEN"]\n');
          disk.write('server/.env', `${disk.read('server/.env')}CRM_TOKEN=${value}\n`);
        },
        [],
      ],
    ),
    ...addresses({
      '': "is empty, and the provider's library takes that for the address -> Remove the line, or set the address.",
      'localhost:8000/v1': 'is not an address -> Begin it with http://, https://, ws://, or wss://.',
      'my-server/v1': 'is not an address -> Begin it with http://, https://, ws://, or wss://.',
      'http://your-server:8000/v1': 'is a placeholder -> Replace it with the real value.',
      'https://<host>/v1': 'is a placeholder -> Replace it with the real value.',
      'http://localhost:8000/v1': undefined,
      'http://my-server:8000/v1': undefined,
      'http://host.docker.internal:8000/v1': undefined,
    }),
    [
      'an address is empty, and the shell has it, which the bot takes',
      cascade,
      append('server/.env', 'OPENAI_BASE_URL='),
      [],
      { env: { OPENAI_BASE_URL: 'http://localhost:8000/v1' } },
    ],
    ['an address that only the bot reads is empty', ollama, append('server/.env', 'OLLAMA_BASE_URL='), []],
    [
      "what the user's own code takes for an address is not known",
      cascade,
      disk => {
        disk.edit('server/bot.py', /^(REQUIRED_ENV = .*\n)/m, '$1\nCRM = os.environ["CRM_URL"]\n');
        disk.write('server/.env', `${disk.read('server/.env')}CRM_URL=crm.example.com\n`);
      },
      [],
    ],
    [
      'a key is a placeholder, and its requests go to a server of the user',
      cascade,
      env(OPENAI, 'OPENAI_API_KEY=none\nOPENAI_BASE_URL=http://localhost:8000/v1'),
      [
        'warning variable-value: server/.env, line 6: OPENAI_API_KEY is a placeholder -> If the server at OPENAI_BASE_URL checks keys, replace it.',
      ],
    ],
    ...[
      ['OPENAI_BASE_URL', '\nOPENAI_BASE_URL=http://localhost:8000/v1', ''],
      ['base_url', '', 'LOCAL = OpenAILLMService(base_url="http://localhost:8000/v1")'],
    ].flatMap(([address, line, code]): Row[] => {
      const found = `warning variable-value: server/.env, line 6: OPENAI_API_KEY is a setting such as true, not a key -> If the server at ${address} checks keys, replace it.`;
      const keys = { true: [found], [OTHERS.Groq]: [] };
      return Object.entries(keys).map(([key, findings]) => [
        `a key is ${key.slice(0, 4)}, and its requests go to a server that ${address} has`,
        cascade,
        disk => {
          disk.edit('server/.env', OPENAI, `OPENAI_API_KEY=${key}${line}`);
          disk.edit('server/bot.py', /^(REQUIRED_ENV = .*\n)/m, `$1\n${code}\n`);
        },
        findings,
      ]);
    }),
    [
      'a path, JSON and the like are right for credentials of Google Cloud',
      { ...cascade, stt_service: 'google_stt' },
      env(/^(?:# ?)?GOOGLE_APPLICATION_CREDENTIALS=.*$/m, 'GOOGLE_APPLICATION_CREDENTIALS=/run/secrets/google.json'),
      [],
    ],
    [
      'keys of two providers that begin alike',
      { ...cascade, tts_service: 'gradium_tts' },
      env(/^GRADIUM_API_KEY=.*$/m, `GRADIUM_API_KEY=${OTHERS.Groq}`),
      [],
    ],
    [
      'a key is a placeholder, and its service knows no other address',
      realtime,
      env(OPENAI, 'OPENAI_API_KEY=none\nOPENAI_BASE_URL=http://localhost:8000/v1'),
      ['error variable-value: server/.env, line 6: OPENAI_API_KEY is a placeholder -> Replace it with the real value.'],
    ],
    [
      'a quote is never closed',
      cascade,
      env(OPENAI, `OPENAI_API_KEY="${SECRET}`),
      [
        "error env-line: server/.env, line 6: the bot can't read it, so OPENAI_API_KEY isn't set -> Write NAME=value, and close any quotes.",
      ],
    ],
    [
      'a line has nothing but the key',
      cascade,
      env(OPENAI, `sk-${SECRET}`),
      [
        "error variable-missing: OPENAI_API_KEY isn't set in server/.env -> https://platform.openai.com/api-keys",
        'warning env-line: server/.env, line 6 has no =, so the bot reads no value from it -> Write NAME=value on one line.',
      ],
    ],
    [
      'a line is YAML',
      cascade,
      env('OPENAI_API_KEY=', 'OPENAI_API_KEY: '),
      [
        "error env-line: server/.env, line 6: the bot can't read it, so OPENAI_API_KEY isn't set -> Write NAME=value, and close any quotes.",
      ],
    ],
    [
      'a key that spans lines is not in quotes: no part of it is shown',
      cascade,
      append(
        'server/.env',
        `PRIVATE_KEY=-----BEGIN KEY-----\n${SECRET}\nMIIE${SECRET.replace('-', '')}==\n-----END KEY-----`,
      ),
      [
        'warning env-line: server/.env, line 18 has no =, so the bot reads no value from it -> Write NAME=value on one line.',
        "warning env-line: server/.env, line 20: the bot can't read it -> Write NAME=value, and close any quotes.",
        'warning variable-unread: server/.env, line 17: nothing in server/ reads PRIVATE_KEY -> Remove it, unless a library reads it.',
        'warning variable-unread: server/.env, line 19: nothing in server/ reads this variable -> Remove it, unless a library reads it.',
      ],
    ],
    [
      'a name is set twice',
      cascade,
      append('server/.env', `OPENAI_API_KEY=${SECRET}-2`),
      [
        'warning variable-repeated: server/.env, line 17: OPENAI_API_KEY is set on line 6, too -> The last one counts. Remove the other.',
      ],
    ],
    [
      'nothing but other lines reads a variable',
      cascade,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: these are references in an env file
      env(OPENAI, 'GATEWAY_HOST=x\nGATEWAY=${GATEWAY_HOST:-y}/v1\nOPENAI_BASE_URL=http://${GATEWAY}\n$&'),
      [],
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    ...['${A:-${MY_KEY}}', '${MY_KEY:=K}', '$MY_KEY', '$(echo-$MY_KEY)', '%MY_KEY%', '$env:MY_KEY'].map(
      (value): Row => [
        `nothing but another line mentions a variable, as ${value}`,
        cascade,
        append('server/.env', `OPENAI_MODEL=${value}\nMY_KEY=${SECRET}`),
        [],
      ],
    ),
    [
      'nothing reads a name, which is close to another one',
      cascade,
      append('server/.env', `OPENAI_MODLE=${SECRET}`),
      [
        'warning variable-unread: server/.env, line 17: nothing in server/ reads OPENAI_MODLE -> Did you mean OPENAI_MODEL?',
      ],
    ],
    [
      'nothing reads a name',
      cascade,
      append('server/.env', `DATABASE_URL=${SECRET}`),
      [
        'warning variable-unread: server/.env, line 17: nothing in server/ reads DATABASE_URL -> Remove it, unless a library reads it.',
      ],
    ],
    [
      'libraries read names of their own',
      cascade,
      append('server/.env', 'OPENAI_ORG_ID=org\nHTTPS_PROXY=http://proxy\nLOGURU_LEVEL=INFO'),
      [],
    ],
    [
      '.env is UTF-16',
      cascade,
      disk => disk.write('server/.env', Buffer.from(`\ufeff${disk.read('server/.env')}`, 'utf16le')),
      ['error env-file-unreadable: server/.env is not UTF-8 text -> Save it as a UTF-8 text file that you can read.'],
    ],
    [
      '.env has a byte order mark and Windows line ends',
      cascade,
      disk => disk.write('server/.env', `\ufeff${disk.read('server/.env').replaceAll('\n', '\r\n')}`),
      [],
    ],
    [
      '.env has a byte order mark before a key, which becomes part of its name in older releases of python-dotenv',
      cascade,
      disk => disk.write('server/.env', `\ufeff${OPENAI}\n`),
      [
        'warning env-line: server/.env begins with a byte order mark: python-dotenv before 1.2.3 reads no OPENAI_API_KEY -> Save the file as UTF-8 without a byte order mark.',
      ],
    ],
    [
      '.env has a byte order mark before a later key, which becomes part of its name',
      cascade,
      disk => disk.write('server/.env', `# Keys\n\ufeff${OPENAI}\n`),
      [
        "error variable-missing: OPENAI_API_KEY isn't set in server/.env: a byte order mark before it is part of its name -> Delete the name and what is before it, and type it again.",
      ],
    ],
    [
      '.env is a directory',
      cascade,
      disk => {
        disk.remove('server/.env');
        mkdirSync(join(disk.root, 'server/.env'));
      },
      ['error env-file-unreadable: server/.env is a directory -> Save it as a UTF-8 text file that you can read.'],
    ],
    [
      '.env and its example are missing',
      cascade,
      remove('server/.env', 'server/.env.example'),
      [
        'warning missing-files: Missing: server/.env.example -> botcli init fresh-copy --config .botcli.json',
        "error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> Create it, with a line NAME=value for each.",
      ],
    ],
    [
      'a class of settings reads a variable for its attribute',
      cascade,
      disk => {
        disk.write('server/settings.py', 'class Settings(BaseSettings):\n    database_url: str\n');
        disk.edit('server/.env', '# ---', `DATABASE_URL=${SECRET}\n# ---`);
      },
      [],
    ],
    [
      'a variable of settings is set, and the shell has its name in another case',
      cascade,
      disk => {
        append('server/bot.py', 'class Settings(BaseSettings):\n    crm_token: str\n')(disk);
        append('server/.env', `CRM_TOKEN=${SECRET}`)(disk);
      },
      [],
      { env: { crm_token: '' } },
    ],
    [
      '.env is a named pipe, which is not read',
      cascade,
      disk => {
        disk.remove('server/.env');
        execFileSync('mkfifo', [join(disk.root, 'server/.env')]);
      },
      [
        "warning env-file-not-checked: server/.env is not a file, so botcli didn't read it -> The bot names what is missing when it starts.",
      ],
    ],
    [
      'git tracks .env',
      cascade,
      disk => disk.commit('server/.env'),
      [
        'warning env-file-tracked: git tracks server/.env, so anyone with the repository can read its values -> git rm --cached server/.env',
      ],
    ],
    [
      "another user's repository, which git refuses to read",
      cascade,
      disk => disk.commit('server/.env'),
      [
        "warning git-refused: git refuses to read ROOT, which is another user's, so botcli didn't check what git tracks -> git config --global --add safe.directory ROOT",
      ],
      { env: { PATH: process.env.PATH, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' } },
    ],
    [
      'files with secrets that git tracks or does not ignore, and others',
      cascade,
      disk => {
        disk.write('server/login.json', '{"type": "service_account"}');
        disk.write('server/sip.yaml', 'user: bot\npassword: hunter2\n');
        disk.write('server/tools.py', `KEY = "${'sk'}-proj-${'a1B2c3D4e5F6g7H8'.repeat(2)}"\n`);
        disk.commit();
        disk.write('env.local', 'OPENAI_API_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n');
        disk.write('data/answer_key.json', '{"answer_key": "b"}');
        disk.write('id.key', 'secret');
      },
      [
        "warning secret-in-git: git doesn't ignore env.local: line 1 sets OPENAI_API_KEY -> Add the file to .gitignore.",
        'warning secret-in-git: git tracks server/login.json: line 1 has credentials of Google Cloud -> git rm --cached server/login.json',
        'warning secret-in-git: git tracks server/sip.yaml: line 2 may have a password -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.',
        'warning secret-in-git: git tracks server/tools.py: line 1 has a token of OpenAI or a service like it -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.',
      ],
    ],
  ],
  'a project with many secrets': [
    [
      'most are in files whose names git ignores',
      cascade,
      disk => {
        disk.commit();
        const names = [
          '.netrc',
          'server/.kube/config',
          'a/b/.aws/credentials',
          'prod.env',
          'secrets.json',
          'x.tfvars.json',
        ];
        for (const name of names) disk.write(name, 'OPENAI_API_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n');
        disk.write('.npmrc', '//r.acme.io/:_authToken=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n');
      },
      ["warning secret-in-git: git doesn't ignore .npmrc: line 1 sets _authToken -> Add the file to .gitignore."],
    ],
    [
      'a key as a default in code',
      cascade,
      disk => {
        disk.write(
          'server/tools.py',
          'import os\n\nKEY = os.getenv("DEEPGRAM_API_KEY", "9f8e7d6c5b4a39281706f5e4d3c2b1a0")\n',
        );
        disk.commit('server/tools.py');
      },
      [
        'warning secret-in-git: git tracks server/tools.py: line 3 sets DEEPGRAM_API_KEY -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.',
      ],
    ],
  ],
  'a phone bot that browsers reach': [
    [
      'without the keys for calls, the browser still works',
      { ...CASCADE, transports: ['tel_a', 'rtc_local'] },
      env(/^TWILIO_.*$/gm, ''),
      [
        'warning variable-missing-for-calls: Calls need TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN; the browser works without them -> https://console.twilio.com',
      ],
    ],
    [
      'without those of the server that starts calls',
      { ...CASCADE, transports: ['rtc_hosted_pstn_dialout', 'rtc_local'] },
      env(/^D(AILY|IALOUT)_.*$/gm, ''),
      [
        'warning variable-missing-for-calls: Calls need DAILY_API_KEY and DIALOUT_API_KEY; the browser works without them -> https://dashboard.daily.co/developers',
      ],
    ],
  ],
  'an edited bot': [
    [
      'the code reads another variable',
      cascade,
      append('server/bot.py', 'WEATHER = os.environ["WEATHER_API_KEY"]'),
      ["error variable-missing: WEATHER_API_KEY isn't set in server/.env -> Add it there, or set it in the shell."],
    ],
    [
      'a new module reads another variable',
      realtime,
      disk => {
        disk.write('server/tools/weather.py', 'import os\n\nKEY = f"{os.environ[\'WEATHER_API_KEY\']}"\n');
        disk.edit('server/bot.py', 'import os\n', 'import os\n\nfrom tools import weather\n');
      },
      ["error variable-missing: WEATHER_API_KEY isn't set in server/.env -> Add it there, or set it in the shell."],
    ],
    [
      'a script that the bot does not import reads another variable',
      cascade,
      disk => disk.write('server/scripts/load.py', 'import os\n\nos.environ["DATABASE_URL"]\n'),
      [
        "warning variable-unset-elsewhere: DATABASE_URL isn't set in server/.env; server/scripts/load.py needs it -> Add it there, or set it in the shell.",
      ],
    ],
    [
      'the code passes a key on without checking it',
      cascade,
      append(
        'server/bot.py',
        'from pipecat.services.deepgram.tts import DeepgramTTSService\ntts = DeepgramTTSService(api_key=os.getenv("DEEPGRAM_API_KEY"))',
      ),
      [
        "warning package-missing: DeepgramTTSService needs pipecat-ai[deepgram], and server/pyproject.toml doesn't list that extra -> Add it, unless its packages are listed themselves.",
        "warning variable-unset: DEEPGRAM_API_KEY isn't set in server/.env -> https://console.deepgram.com",
      ],
    ],
    [
      'the code names a service whose library reads keys itself',
      cascade,
      append(
        'server/bot.py',
        'from pipecat.services.nvidia.sagemaker.stt import NvidiaSageMakerSTTService\nstt = NvidiaSageMakerSTTService()',
      ),
      [
        "error variable-missing: AWS_ACCESS_KEY_ID isn't set in server/.env -> https://console.aws.amazon.com/iam",
        "error variable-missing: AWS_SECRET_ACCESS_KEY isn't set in server/.env -> https://console.aws.amazon.com/iam",
        "warning package-missing: NvidiaSageMakerSTTService needs pipecat-ai[aws], and server/pyproject.toml doesn't list that extra -> Add it, unless its packages are listed themselves.",
        "warning package-missing: NvidiaSageMakerSTTService needs pipecat-ai[sagemaker], and server/pyproject.toml doesn't list that extra -> Add it, unless its packages are listed themselves.",
      ],
    ],
    [
      'a virtual environment reads others',
      cascade,
      disk => {
        disk.write('server/env/pyvenv.cfg', '');
        disk.write('server/env/a.py', 'os.environ["A"]');
      },
      [],
    ],
    ...requiring(
      'warning variable-unset',
      'from decouple import config\nconfig("CRM_TOKEN")',
      'from environs import Env\nenv = Env()\nenv.str("CRM_TOKEN")',
      'def need(name):\n    return os.environ[name]\nneed("CRM_TOKEN")',
      'Crm(os.getenv("CRM_TOKEN"))',
    ),
    ...requiring(
      'error variable-missing',
      'from pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n    crm_token: str',
      'REQUIRED_ENV += ["CRM_TOKEN"]',
      'REQUIRED_ENV += ["CRM_" "TOKEN"]',
      'os.environ["CRM_" "TOKEN"]',
      'REQUIRED_ENV.append("CRM_TOKEN")',
      'REQUIRED_ENV = ("OPENAI_API_KEY", "CRM_TOKEN")',
      'os.environ["CRM_TOKEN"] = os.environ["CRM_TOKEN"].strip()',
      'X = os.environ["CRM_TOKEN"]\ndef log():\n    return bool(os.getenv("CRM_TOKEN"))',
    ),
    ...harmless({
      'os.environ["HOME"]': '',
      'OPTIONAL_ENV = ["SENTRY_DSN"]': '',
      'ALLOWED_ENV = ["development", "production"]': '',
      'try:\n    R = os.environ["BOT_REGION"]\nexcept KeyError:\n    R = "eu"': '',
      'def app(request):\n    return request.environ["REMOTE_ADDR"]': '',
      'def wsgi(environ, start):\n    return environ["PATH_INFO"]': '',
      'os.environ["PRIVATE_KEY"]': 'PRIVATE_KEY="-----BEGIN PRIVATE KEY-----\\nabc def\\n-----END PRIVATE KEY-----"',
      'os.environ["DEEPGRAM_KEYWORDS"]': 'DEEPGRAM_KEYWORDS="Acme Corp, Widget Pro"',
      'os.environ["STT_KEYTERMS"]': 'STT_KEYTERMS="Zürich"',
      'os.environ["TLS_KEY_FILE"]': 'TLS_KEY_FILE="/home/ann/My Keys/tls.pem"',
      'os.environ["GOOGLE_CLOUD_PROJECT"]': 'GOOGLE_CLOUD_PROJECT=my-project-412307',
      'from pydantic import BaseModel\nfrom pydantic_settings import BaseSettings, SettingsConfigDict\nclass Model(BaseModel):\n    api_key: str\nclass S(BaseSettings):\n    model_config = SettingsConfigDict(env_nested_delimiter="__")\n    llm: Model':
        'LLM__API_KEY=x',
      'from pydantic_settings import BaseSettings\nclass S(BaseSettings):\n    crm_token: str': 'crm_token=x',
    }),
    [
      'a test sets a variable that it reads',
      cascade,
      disk =>
        disk.write(
          'server/tests/test_crm.py',
          'import os\ndef test(monkeypatch):\n    monkeypatch.setenv("CRM_URL", "x")\n    assert os.environ["CRM_URL"]\n',
        ),
      [],
    ],
    [
      'keys are from a secrets manager',
      cascade,
      disk => {
        disk.remove('server/.env');
        disk.edit('server/bot.py', 'import os\n', 'import json\nimport os\nos.environ.update(json.loads(input()))\n');
      },
      [
        "warning variable-not-followed: OPENAI_API_KEY isn't set in server/.env, but server/bot.py may set more variables in a way that botcli can't follow -> The bot names what is missing when it starts.",
      ],
    ],
    [
      'the code loads another env file, which exists',
      cascade,
      disk => {
        disk.write('server/.env.local', disk.read('server/.env'));
        disk.remove('server/.env');
        disk.edit('server/env.py', 'load_dotenv(override=True)', 'load_dotenv(".env.local", override=True)');
      },
      [],
    ],
    [
      'the code loads another env file, which lacks the key',
      cascade,
      disk => {
        disk.write('server/.env.local', 'OPENAI_API_KEY=\n');
        disk.remove('server/.env');
        disk.edit('server/env.py', 'load_dotenv(override=True)', 'load_dotenv(".env.local")');
      },
      [
        "error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> cp server/.env.example server/.env",
      ],
    ],
    [
      'the code loads an env file whose name it makes up',
      cascade,
      disk => {
        disk.remove('server/.env');
        disk.edit('server/env.py', 'load_dotenv(override=True)', 'load_dotenv(f".env.{__name__}")');
      },
      [
        "warning variable-not-followed: OPENAI_API_KEY isn't set in server/.env, but server/env.py may set more variables in a way that botcli can't follow -> The bot names what is missing when it starts.",
      ],
    ],
    [
      'the code no longer reads a variable: nobody asks for it',
      { ...CASCADE, tts_service: 'cartesia_tts' },
      disk => {
        disk.edit('server/bot.py', /^REQUIRED_ENV = .*$/m, 'REQUIRED_ENV = ["OPENAI_API_KEY"]');
        disk.edit('server/bot.py', 'os.environ["CARTESIA_API_KEY"]', '"none"');
        disk.edit('server/.env', /^CARTESIA_.*$/gm, '');
      },
      [],
    ],
    [
      'the bot no longer has a transport: nobody asks for its key',
      { ...CASCADE, transports: ['rtc_hosted'] },
      disk => {
        disk.edit('server/bot.py', /^TRANSPORT_ENV: .*$/m, 'TRANSPORT_ENV: dict[str, list[str]] = {"webrtc": []}');
        disk.edit('server/bot.py', '"daily": lambda', '"webrtc": lambda');
        disk.edit('server/.env', /^DAILY_API_KEY=.*$/m, '');
      },
      [],
    ],
  ],
};

/** Ports that something else listens on, and what is said about each. */
function inUse(...ports: [config: RawConfig, number: number, says: string][]): Row[] {
  return ports.map(([config, number, says]) => [
    `port ${number} is in use`,
    config,
    () => {},
    [`warning port-in-use: Something already listens on port ${number}, ${says}`],
    { machine: { isFree: async port => port !== number } },
  ]);
}

/** Python that requires a variable, or may, and it isn't set. */
function requiring(finding: string, ...sources: string[]): Row[] {
  return sources.map(source => [
    `code requires a variable: ${JSON.stringify(source)}`,
    cascade,
    disk => {
      disk.edit('server/bot.py', /^(REQUIRED_ENV = .*\n)/m, `$1\n${source}\n`);
      disk.edit('server/pyproject.toml', 'dependencies = [', 'dependencies = ["python-decouple", "environs", ');
    },
    [`${finding}: CRM_TOKEN isn't set in server/.env -> Add it there, or set it in the shell.`],
  ]);
}

/** Python with a line of the env file, which are right. */
function harmless(sources: Readonly<Record<string, string>>): Row[] {
  return Object.entries(sources).map(([source, line]) => [
    `${JSON.stringify(source)} is right`,
    cascade,
    disk => {
      disk.edit('server/bot.py', /^(REQUIRED_ENV = .*\n)/m, `$1\n${source}\n`);
      disk.write('server/.env', `${disk.read('server/.env')}${line}\n`);
    },
    [],
  ]);
}

function placeholders(...values: string[]): Row[] {
  return values.map(value => [
    `a key is the placeholder ${value}`,
    cascade,
    env(OPENAI, `OPENAI_API_KEY=${value}`),
    ['error variable-value: server/.env, line 6: OPENAI_API_KEY is a placeholder -> Replace it with the real value.'],
  ]);
}

/** Values that no provider's key can be, and what is said about each. */
function noKeys(values: Readonly<Record<string, string>>): Row[] {
  return Object.entries(values).map(([value, says]) => [
    `a key is ${value}`,
    cascade,
    disk =>
      disk.write(
        'server/.env',
        disk.read('server/.env').replace(OPENAI, () => `OPENAI_API_KEY=${value}`),
      ),
    [`error variable-value: server/.env, line 6: OPENAI_API_KEY ${says}`],
    { env: { PATH: '/usr/local/bin:/usr/bin' } },
  ]);
}

function sayingOf(says: string, ...values: string[]): Record<string, string> {
  return Object.fromEntries(values.map(value => [value, says]));
}

/** Addresses of a server for the language model, and what is said about each. */
function addresses(values: Readonly<Record<string, string | undefined>>): Row[] {
  return Object.entries(values).map(([value, says]) => [
    `the address is ${JSON.stringify(value)}`,
    cascade,
    append('server/.env', `OPENAI_BASE_URL=${value}`),
    says === undefined ? [] : [`error variable-value: server/.env, line 17: OPENAI_BASE_URL ${says}`],
  ]);
}

describe('botcli check finds', () => {
  const projects = new Map<RawConfig, Promise<Tree>>();
  const projectOf = (config: RawConfig) => {
    const known = projects.get(config) ?? filledProject(resolveFlags(config));
    projects.set(config, known);
    return known;
  };

  for (const [group, cases] of Object.entries(rows)) {
    describe(group, () => {
      for (const [title, config, fault, expected, settings] of cases) {
        it(`${title}: ${expected.length === 0 ? 'nothing' : expected.map(line => line.split(':')[0]).join(', ')}`, async () => {
          const found = await inTree(await projectOf(config), async root => {
            fault(new Disk(root));
            const { code, findings } = await check(root, settings);
            const lines = findings.map(summarize);
            return { code, lines: lines.map(line => line.replaceAll(realpathSync(root), 'ROOT')) };
          });
          assert.deepEqual(found.lines.sort(), [...expected].sort());
          assert.equal(found.code, expected.some(line => line.startsWith('error')) ? 1 : 0);
        });
      }
    });
  }

  it('an env file that cannot be read', async () => {
    const found = await inTree(await projectOf(cascade), root => {
      const path = join(root, 'server/.env');
      rmSync(path);
      // A link to itself; unlike a mode, it stops root, too.
      symlinkSync('.env', path);
      return check(root);
    });
    assert.match(found.findings.map(summarize).join(), /^error env-file-unreadable: server\/\.env can't be read/);
  });

  it('what Python refuses in edited files, and asks about no others', async () => {
    const asked: string[] = [];
    const machine = {
      refusedByPython: async (_: string, paths: readonly string[]) => {
        asked.push(...paths);
        return new Map();
      },
    };
    await inTree(await projectOf(cascade), async root => {
      await check(root, { machine });
      assert.deepEqual(asked, []);
      append('server/bot.py', 'x = 1')(new Disk(root));
      writeFileSync(join(root, 'server/mine.py'), 'x = 1\n');
      await check(root, { machine });
      assert.deepEqual(new Set(asked), new Set(['server/bot.py', 'server/mine.py']));
    });
  });
});
