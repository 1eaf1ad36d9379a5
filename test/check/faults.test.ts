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

/** Changes a project in a directory. */
type Fault = (root: string) => unknown;

const write =
  (path: string, text: string | Buffer): Fault =>
  root => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
const change =
  (path: string, edited: (text: string) => string | Buffer): Fault =>
  root =>
    write(path, edited(readFileSync(join(root, path), 'utf8')))(root);
/** Replaces a text that must be there. */
const edit = (path: string, before: string | RegExp, after: string): Fault =>
  change(path, text => {
    const edited = text.replace(before, after);
    assert.notEqual(edited, text, `${path} has no ${before}`);
    return edited;
  });
const env = (before: string | RegExp, after: string): Fault => edit('server/.env', before, after);
const append = (path: string, more: string): Fault => change(path, text => `${text}${more}\n`);
const remove =
  (...paths: string[]): Fault =>
  root => {
    for (const path of paths) rmSync(join(root, path), { recursive: true });
  };
/** Code of the user's at the top of the bot. */
const add = (code: string): Fault => edit('server/bot.py', /^(REQUIRED_ENV = .*\n)/m, `$1\n${code}\n`);
/** Puts everything but ignored files under git, and these. */
const commit =
  (...more: string[]): Fault =>
  root => {
    git(root, 'init', '--quiet');
    git(root, 'add', '.');
    git(root, 'update-index', '--index-version', '4');
    for (const path of more) git(root, 'add', '--force', path);
  };

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

/** How to check, and what was chosen. */
type Settings = CheckSettings & { config?: RawConfig };

/** What is done to a project, what is found, and settings, of which the project is a cascade by default. */
type Case = readonly (Fault | string | Settings)[];

type Cases = Record<string, Case>;

const each = <Item>(items: readonly Item[], caseOf: (item: Item) => readonly [title: string, ...Case]): Cases =>
  Object.fromEntries(
    items.map(item => {
      const [title, ...more] = caseOf(item);
      return [title, more];
    }),
  );

const on = (config: RawConfig) => ({ config: { ...CASCADE, ...config } });

const cascade = on({ deploy_to_cloud: true, enable_eval: true });
const realtime = { config: { ...REALTIME, transports: ['rtc_hosted'] } };
const phone = on({ transports: ['tel_a'] });
const dialOut = on({ transports: ['rtc_hosted_pstn_dialout'] });
const sip = { config: { ...REALTIME, transports: ['tel_a_rtc_sip_dialin'] } };
const react = on({ client_framework: 'component' });
const next = on({ client_framework: 'component', client_server: 'fullstack' });
const ollama = on({ llm_service: 'ollama_llm' });
const aws = on({ llm_service: 'aws_bedrock_llm' });

/** No process has this number. */
const SCRATCH = '.botcli-4194305-abc123.tmp';

/** What is said about a missing file, a variable that isn't set, and an extra that isn't listed. */
const lacking = (path: string) => `error missing-files: Missing: ${path} -> ${FRESH}`;
const unset = (name: string, source = OWN) => `error variable-missing: ${name} isn't set in server/.env -> ${source}`;
const unlisted = (className: string, extra: string) =>
  `warning package-missing: ${className} needs pipecat-ai[${extra}], and server/pyproject.toml doesn't list that extra -> Add it, unless its packages are listed themselves.`;

const FRESH = 'botcli init fresh-copy --config .botcli.json';
const OWN = 'Add it there, or set it in the shell.';
const REFUSED = '-> Fix it, or restore it from git. In server/, uv run ruff check says more.';

const rows: Record<string, Cases> = {
  project: {
    'a run of botcli was interrupted': [
      write(`${SCRATCH}/0.new`, 'new'),
      `warning interrupted-run: botcli was interrupted, and left temporary files in ${SCRATCH} -> botcli update`,
    ],
    'something looks like what an interrupted run leaves': [write(`${SCRATCH}/run.sh`, 'new')],
    'a file has conflict markers': [
      edit('server/bot.py', '"""', '<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> theirs\n"""'),
      'error conflict-markers: server/bot.py has conflict markers, from line 1 on -> Keep the lines that you want, and remove the others and the markers.',
    ],
    'an older botcli made it': [
      edit('.botcli.json', `${STATE}${VERSION}`, `${STATE}0.0.9`),
      `warning older-project: botcli 0.0.9 made this project; this is ${VERSION} -> botcli update`,
    ],
    'code of the user’s names what will go': [
      write('server/tool.py', 'from pipecat.pipeline.task import PipelineTask\n'),
      'warning names-going: 2 names in your code will go in Pipecat 2.0 -> botcli update --framework --dry-run',
    ],
    'a newer botcli made it': [
      edit('.botcli.json', `${STATE}${VERSION}`, `${STATE}9.0.0`),
      `warning newer-project: botcli 9.0.0 made this project; this is only ${VERSION} -> ${NEWER}`,
    ],
    'a guide is older': [
      realtime,
      edit('AGENTS.md', `Written by botcli ${VERSION}`, 'Written by botcli 0.0.9'),
      'warning older-guides: An older botcli wrote AGENTS.md -> botcli init . --overwrite-guide',
    ],
    'the bot is missing, and git has it': [
      phone,
      commit(),
      remove('server/bot.py'),
      'error missing-files: Missing: server/bot.py -> git checkout -- server/bot.py',
    ],
    'the bot is empty': [write('server/bot.py', ''), lacking('server/bot.py')],
    "the client's package.json is broken": [
      react,
      write('client/package.json', '{'),
      'error client-packages: client/package.json is not valid JSON -> Fix it, or restore it from git.',
    ],
    'a module that the bot imports is missing, and git is not used': [
      remove('server/shutdown.py'),
      lacking('server/shutdown.py'),
    ],
    'a module that a package brings, and that nothing here lists': [
      edit('server/bot.py', 'import asyncio', 'import asyncio\nimport langchain_openai\nimport helpers'),
    ],
    'a name that nothing defines: a linter finds it': [edit('server/bot.py', 'logger.info(', 'loger.info(')],
    'pyproject.toml is missing': [realtime, remove('server/pyproject.toml'), lacking('server/pyproject.toml')],
    'the server that starts calls is missing': [dialOut, remove('server/server.py'), lacking('server/server.py')],
    'evals, the container file and a guide are missing': [
      remove('server/evals/starter_text.yaml', 'server/container-file', 'AGENTS.md'),
      'warning missing-files: Missing: server/evals/starter_text.yaml, server/container-file, AGENTS.md -> botcli init fresh-copy --config .botcli.json',
    ],
    'Python refuses the bot, a module that it imports, and a script': [
      `error syntax: server/bot.py, line 96: '(' was never closed ${REFUSED}`,
      `error syntax: server/shutdown.py: source code string cannot contain null bytes ${REFUSED}`,
      `warning syntax: server/scripts/load.py, line 3: invalid syntax ${REFUSED}`,
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
    'the bot may be broken, and there is no Python to ask': [append('server/bot.py', 'x = (1')],
    'pyproject.toml is not TOML': [
      edit('server/pyproject.toml', 'dependencies = [', 'dependencies = ['.slice(0, -1)),
      "error syntax: server/pyproject.toml, line 6: this isn't valid TOML -> Fix it, or restore it from git.",
    ],
    'the function that the framework starts has another name': [
      edit('server/bot.py', 'async def bot(', 'async def my_bot('),
      'error bot-function-missing: server/bot.py defines no bot, the function that the framework starts for each session -> Name it like this: async def bot(runner_args: RunnerArguments) -> None',
    ],
    ...each(
      ['bot = my_bot', 'from my_bot import *', 'if my_bot:\n    bot = my_bot', 'globals()["bot"] = my_bot'],
      code => [
        `nothing: the function that the framework starts comes from ${JSON.stringify(code)}`,
        edit('server/bot.py', 'async def bot(', 'async def my_bot('),
        edit('server/bot.py', /^(?=if __name__)/m, `${code}\n\n\n`),
      ],
    ),
    'nothing: the bot starts without the framework, which needs no function of that name': [
      edit('server/bot.py', 'async def bot(', 'async def my_bot('),
      edit('server/bot.py', /^if __name__[\s\S]*/m, 'asyncio.run(my_bot())\n'),
    ],
    'pyproject.toml lacks the package of a service': [
      edit('server/pyproject.toml', 'openai,', ''),
      unlisted('OpenAISTTService', 'openai'),
    ],
    'a service that the code imports was put in by hand': [
      edit('server/bot.py', 'import asyncio', 'import asyncio\nfrom pipecat.services.azure.tts import AzureTTSService'),
      unlisted('AzureTTSService', 'azure'),
    ],
    'pyproject.toml lacks the framework': [
      edit('server/pyproject.toml', /^ *"pipecat-ai\[.*\n/gm, ''),
      "warning package-missing: server/pyproject.toml doesn't list pipecat-ai among its dependencies, and the bot needs it -> Put its line back, such as from git, unless another package brings it.",
    ],
    "a Python file is too large: botcli didn't look at it": [
      write('server/data.py', `X = "${'x'.repeat(2 ** 20)}"\n`),
      "warning file-unreadable: server/data.py is larger than 1 MiB -> botcli doesn't know what this code needs.",
    ],
    'the bot is too large': [
      append('server/bot.py', `# ${'x'.repeat(2 ** 20)}`),
      "error file-unreadable: server/bot.py is larger than 1 MiB -> botcli doesn't know what this code needs.",
    ],
    'the client is missing: one finding': [
      react,
      remove('client'),
      'error missing-files: Missing: client -> botcli update --client-framework none',
    ],
    'the working directory is server/: paths are as seen from there': [
      remove('server/shutdown.py'),
      'error missing-files: Missing: shutdown.py -> botcli init fresh-copy --config ../.botcli.json',
      { cwd: 'server' },
    ],
  },
  machine: {
    'there is no uv': [
      `error uv-missing: uv isn't installed, or isn't on the PATH -> ${INSTALL_UV}`,
      { machine: { uvVersion: async () => undefined } },
    ],
    'uv is too old': [
      'error uv-too-old: uv 0.4.26 is too old: projects need 0.4.27 or newer -> uv self update',
      { machine: { uvVersion: async () => '0.4.26' } },
    ],
    'the pinned version of Python is not one that the project allows': [
      write('server/.python-version', '3.9\n'),
      'error python-version: server/.python-version asks for Python 3.9, but server/pyproject.toml requires >=3.11 -> Change one of them.',
    ],
    'the pinned version of Python is fine': [write('server/.python-version', '3.12.4\n')],
    "uv can't be started": [
      "error uv-broken: uv can't be started: too many open files -> See what it says to: uv --version",
      { machine: { uvVersion: async () => ({ problem: "can't be started: too many open files" }) } },
    ],
    'uv says no version': [{ machine: { uvVersion: async () => '' } }],
    ...inUse(
      [{}, 7860, 'which the bot uses -> uv run bot.py --port 7861'],
      [react, 5173, `which the client uses ${ITSELF}`],
      [next, 3000, `which the client uses ${ITSELF}`],
      [
        dialOut,
        8080,
        "which the call server uses -> If it isn't server.py itself, stop it, or set PORT in server/.env.",
      ],
    ),
    ...each(['70000', 'http'], value => [
      `PORT is ${value}`,
      dialOut,
      append('server/.env', `PORT=${value}`),
      'error variable-value: server/.env, line 33: PORT is not a port -> Set it to a number from 1 to 65535, or remove it.',
    ]),
    'PORT is a port': [dialOut, append('server/.env', 'PORT=65535')],
    'the port that PORT sets is in use, and its value is not shown': [
      dialOut,
      append('server/.env', 'PORT=18181'),
      "warning port-in-use: Something already listens on the port of PORT, which the call server uses -> If it isn't server.py itself, stop it, or set PORT in server/.env.",
      { machine: { isFree: async port => port !== 18181 } },
    ],
    'a service that its provider has ended': [
      on({ tts_service: 'hume_tts' }),
      'warning service-ended: Hume ended its text-to-speech on 2026-11-13 -> https://dev.hume.ai/intro',
    ],
    'Ollama is not there': [
      ollama,
      "error ollama-silent: Ollama doesn't answer at http://localhost:11434/v1 -> ollama serve",
      { machine: { ollamaModels: async () => undefined } },
    ],
    'Ollama has not the model of .env, which is not shown': [
      ollama,
      append('server/.env', 'OLLAMA_MODEL=mine:7b'),
      "error ollama-model-missing: Ollama doesn't have the model of OLLAMA_MODEL -> Download it with ollama pull, or choose one of ollama list.",
    ],
    'Ollama has the model': [ollama, append('server/.env', 'OLLAMA_MODEL=llama3.2:latest')],
    ...each(['http://ollama.example/v1', 'https://localhost:1/v1', 'http://localhost.example', 'ollama'], address => [
      `only an Ollama on this machine is asked, not ${address}`,
      ollama,
      append('server/.env', `OLLAMA_BASE_URL=${address}`),
      ...(address === 'ollama'
        ? [
            'error variable-value: server/.env, line 21: OLLAMA_BASE_URL is not an address -> Begin it with http://, https://, ws://, or wss://.',
          ]
        : []),
      { machine: { ollamaModels: () => assert.fail('asked') } },
    ]),
    'another model needs no Ollama': [{ machine: { ollamaModels: () => assert.fail('asked') } }],
    'Node.js is too old for the client': [
      react,
      "error node-version: The web client doesn't run on Node.js 18.20.0: its package.json requires ^20.19.0 || ^22.13.0 || >=24 -> https://nodejs.org",
      { machine: { node: '18.20.0' } },
    ],
    'Node.js is too old, and there is no client': [{ machine: { node: '18.20.0' } }],
    'node_modules does not match package.json': [
      next,
      write('client/node_modules/next/package.json', JSON.stringify({ version: '999.0.0' })),
      remove('client/node_modules/eslint'),
      "warning client-packages: client/node_modules doesn't match package.json: next, eslint -> npm --prefix client install",
    ],
    'another package manager than npm has to install the packages': [
      react,
      write('client/pnpm-lock.yaml', ''),
      remove('client/node_modules'),
      "warning client-packages: The web client's packages aren't installed: there is no client/node_modules -> pnpm --dir client install",
    ],
    'yarn has unpacked nothing': [
      react,
      write('client/yarn.lock', ''),
      write('client/.pnp.cjs', ''),
      remove('client/node_modules'),
    ],
    'npm has put the packages of a workspace above the client': [
      react,
      root => renameSync(join(root, 'client/node_modules'), join(root, 'node_modules')),
    ],
    "the client's packages were never installed": [
      react,
      remove('client/node_modules'),
      "warning client-packages: The web client's packages aren't installed: there is no client/node_modules -> npm --prefix client install",
    ],
  },
  keys: {
    '.env is missing': [
      remove('server/.env'),
      "error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> cp server/.env.example server/.env",
    ],
    '.env is missing, and the shell has the key': [remove('server/.env'), { env: { OPENAI_API_KEY: SECRET } }],
    '.env is in the project directory, where the bot finds it, too': [
      write('.env', 'OPENAI_API_KEY=\n'),
      remove('server/.env'),
      `error variable-missing: OPENAI_API_KEY isn't set in .env -> ${GET_OPENAI}`,
    ],
    'a key is blank': [env(OPENAI, 'OPENAI_API_KEY='), unset('OPENAI_API_KEY', GET_OPENAI)],
    'a key is blank, and the shell has it': [env(OPENAI, 'OPENAI_API_KEY='), { env: { OPENAI_API_KEY: SECRET } }],
    'the key of a transport is missing': [
      phone,
      env(/^TWILIO_AUTH_TOKEN=.*$/m, ''),
      unset('TWILIO_AUTH_TOKEN', 'https://console.twilio.com'),
    ],
    'a variable of server.py is missing': [
      sip,
      env(/^PUBLIC_URL=.*$/m, ''),
      unset('PUBLIC_URL', 'Public address of server.py, as in the Twilio webhook: https://HOST'),
    ],
    'a key that the provider may find elsewhere is not set': [aws],
    'nothing on the machine has the credentials that a service looks for': [
      aws,
      'warning credentials-missing: AWS Bedrock needs credentials of AWS, and neither server/.env nor this machine has any -> Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: aws configure. A role of this machine works, too.',
      { machine: { hasAtHome: () => false } },
    ],
    'two services look for credentials in vain': [
      on({ stt_service: 'google_stt', tts_service: 'google_tts' }),
      'warning credentials-missing: Google Cloud Speech-to-Text and Google Cloud Text-to-Speech need credentials of Google Cloud, and neither server/.env nor this machine has any -> Set GOOGLE_APPLICATION_CREDENTIALS to the path of a service account file, or run: gcloud auth application-default login. A service account of this machine works, too.',
      { machine: { hasAtHome: path => path.startsWith('.aws') } },
    ],
    'a name is misspelled': [
      realtime,
      env('OPENAI_API_KEY=', 'OPENAI_APIKEY='),
      "error variable-missing: OPENAI_API_KEY isn't set in server/.env, but OPENAI_APIKEY is -> Rename it to OPENAI_API_KEY.",
    ],
    // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are references in an env file
    ...noKeys({
      'is a placeholder -> Replace it with the real value.': [
        ...[
          '<your key>',
          'your-api-key',
          'sk-...',
          'sk-xxxxxxxxxxxx',
          'xxxx',
          'changeme',
          'YOUR_KEY_HERE',
          '{{ key }}',
        ],
        ...['TODO', 'OPENAI_API_KEY', 'test', 'sk-no-key-required'],
      ],
      'is the name of a variable or a command, which only a shell replaces -> Set the value itself, or the name of another variable with a dollar sign and braces.':
        ['$REAL_KEY'],
      'is an address or a reference, which the bot sends as the key -> Set the key itself. Or leave it empty here, and set it in the shell: what is in the file wins.':
        ['op://vault/openai/key', 'encrypted:BDqDBibm4wsYqMpCjTQ6BsDHmMadg9K3dAt'],
      'begins with #, which becomes part of it -> Remove it.': [`#${SECRET}`],
      'ends with a backslash, which becomes part of it -> Put the whole key on one line, without it.': [`${SECRET}\\`],
      'is masked, as dashboards show keys -> Copy the whole key. If the provider no longer shows it, create a new one.':
        ['sk-proj-****************l9Zx', 'sk-...l9Zx', 'sk-proj-xxxxxxxxxxxxl9Zx'],
      'is a setting such as true, not a key -> Replace it with the real value.': ['true', 'No'],
      'is an email address -> Replace it with the real value.': ['me@acme.com'],
      'is the path of a file, which the bot sends as the key -> Set the key itself.': [
        '/run/secrets/openai',
        '~/keys/openai',
        'C:\\keys\\openai.txt',
      ],
      'has an escape such as \\n or %0A, which becomes part of it -> Copy the key again, as plain text.': [
        `${SECRET}\\n`,
        `${SECRET}%3d`,
      ],
      'has a dollar sign and braces that nothing replaces -> Between the braces, python-dotenv knows only a name, or a name with a default after :- and without braces.':
        ['${NOPE:-${B}}', 'a-${NOPE:-${B}}'],
      'refers to a variable that is not set, with a dollar sign and braces -> Set that variable above it, or remove the dollar sign.':
        ['${NOPE?K}', '${NOPE}'],
      'is in typographic quotes, which become part of it -> Use straight quotes, or none.': [`“${SECRET}”`],
      'has a quote at one end, which becomes part of it -> Remove it, or put one at both ends.': [`${SECRET}"`],
      'has two pairs of quotes, and the inner pair is part of it -> Use one pair, or none.': [`'"${SECRET}"'`],
      'begins or ends with a space, which the quotes keep -> Remove the space.': [`"${SECRET} "`],
      'begins with the name of a variable -> Keep only what is after the = in it.': [
        OPENAI,
        `export OTHER_NAME=${SECRET}`,
      ],
      'contains a character that no key has, perhaps an invisible one -> Copy it again, as plain text.': [
        `${SECRET}\ufeff`,
        `\u200b${SECRET}`,
      ],
      'ends with a comma or a semicolon, which becomes part of it -> Remove it.': [`${SECRET},`],
      'contains a space -> Keys have none: copy it again.': [`${SECRET} OTHER=${SECRET}`],
      ...Object.fromEntries(
        Object.entries(OTHERS).map(([owner, key]) => [
          `is a key of ${owner} -> Replace it with a key of the right provider.`,
          [key],
        ]),
      ),
    }),
    // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same
    'a key is a reference, and the code lets the shell win, so what starts the bot may replace it': [
      edit('server/.env', OPENAI, 'OPENAI_API_KEY=op://vault/openai/key'),
      edit('server/env.py', 'override=True', ''),
      'warning variable-value: server/.env, line 6: OPENAI_API_KEY is an address or a reference, which the bot sends as the key -> It works only if what starts the bot replaces it.',
    ],
    ...each(
      ['sk-abc#def', '/a/b+c==', 'pa$$word', 'a:b', '/a1B2/c3D4', 'a@b', 'axxxxxb', `sk-${'a1B2c3D4'.repeat(6)}`, 'a)'],
      key => [`nothing: a key may be ${key}`, env(OPENAI, `OPENAI_API_KEY=${key}`)],
    ),
    ...each(['test', '#crm', '$CRM', 'https://crm.example.com', 'true', 'sk-***a', OTHERS.Anthropic], value => [
      `nothing: a key of the user's own service may be ${value}`,
      add('CRM = os.environ["CRM_TOKEN"]'),
      append('server/.env', `CRM_TOKEN=${value}`),
    ]),
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
    'an address is empty, and the shell has it, which the bot takes': [
      append('server/.env', 'OPENAI_BASE_URL='),
      { env: { OPENAI_BASE_URL: 'http://localhost:8000/v1' } },
    ],
    'an address that only the bot reads is empty': [ollama, append('server/.env', 'OLLAMA_BASE_URL=')],
    "what the user's own code takes for an address is not known": [
      add('CRM = os.environ["CRM_URL"]'),
      append('server/.env', `CRM_URL=crm.example.com`),
    ],
    'a key is a placeholder, and its requests go to a server of the user': [
      env(OPENAI, 'OPENAI_API_KEY=none\nOPENAI_BASE_URL=http://localhost:8000/v1'),
      'warning variable-value: server/.env, line 6: OPENAI_API_KEY is a placeholder -> If the server at OPENAI_BASE_URL checks keys, replace it.',
    ],
    ...each(
      [
        ['OPENAI_BASE_URL', '\nOPENAI_BASE_URL=http://localhost:8000/v1', ''],
        ['base_url', '', 'LOCAL = OpenAILLMService(base_url="http://localhost:8000/v1")'],
      ],
      ([address, line, code = '']) => [
        `a key is true, and its requests go to a server that ${address} has`,
        edit('server/.env', OPENAI, `OPENAI_API_KEY=true${line}`),
        add(code),
        `warning variable-value: server/.env, line 6: OPENAI_API_KEY is a setting such as true, not a key -> If the server at ${address} checks keys, replace it.`,
      ],
    ),
    'a key is of another provider, and its requests go to a server of the user': [
      edit('server/.env', OPENAI, `OPENAI_API_KEY=${OTHERS.Groq}\nOPENAI_BASE_URL=http://localhost:8000/v1`),
    ],
    'a key is of another provider, and its requests go to a server that the code names': [
      edit('server/.env', OPENAI, `OPENAI_API_KEY=${OTHERS.Groq}`),
      add('LOCAL = OpenAILLMService(base_url="http://localhost:8000/v1")'),
    ],
    'a path, JSON and the like are right for credentials of Google Cloud': [
      { config: { ...cascade.config, stt_service: 'google_stt' } },
      env(/^(?:# ?)?GOOGLE_APPLICATION_CREDENTIALS=.*$/m, 'GOOGLE_APPLICATION_CREDENTIALS=/run/secrets/google.json'),
    ],
    'keys of two providers that begin alike': [
      { config: { ...cascade.config, tts_service: 'gradium_tts' } },
      env(/^GRADIUM_API_KEY=.*$/m, `GRADIUM_API_KEY=${OTHERS.Groq}`),
    ],
    'a key is a placeholder, and its service knows no other address': [
      realtime,
      env(OPENAI, 'OPENAI_API_KEY=none\nOPENAI_BASE_URL=http://localhost:8000/v1'),
      'error variable-value: server/.env, line 6: OPENAI_API_KEY is a placeholder -> Replace it with the real value.',
    ],
    'a quote is never closed': [
      env(OPENAI, `OPENAI_API_KEY="${SECRET}`),
      "error env-line: server/.env, line 6: the bot can't read it, so OPENAI_API_KEY isn't set -> Write NAME=value, and close any quotes.",
    ],
    'a line has nothing but the key': [
      env(OPENAI, `sk-${SECRET}`),
      unset('OPENAI_API_KEY', GET_OPENAI),
      'warning env-line: server/.env, line 6 has no =, so the bot reads no value from it -> Write NAME=value on one line.',
    ],
    'a line is YAML': [
      env('OPENAI_API_KEY=', 'OPENAI_API_KEY: '),
      "error env-line: server/.env, line 6: the bot can't read it, so OPENAI_API_KEY isn't set -> Write NAME=value, and close any quotes.",
    ],
    'a key that spans lines is not in quotes: no part of it is shown': [
      append(
        'server/.env',
        `PRIVATE_KEY=-----BEGIN KEY-----\n${SECRET}\nMIIE${SECRET.replace('-', '')}==\n-----END KEY-----`,
      ),
      'warning env-line: server/.env, line 18 has no =, so the bot reads no value from it -> Write NAME=value on one line.',
      "warning env-line: server/.env, line 20: the bot can't read it -> Write NAME=value, and close any quotes.",
      'warning variable-unread: server/.env, line 17: nothing in server/ reads PRIVATE_KEY -> Remove it, unless a library reads it.',
      'warning variable-unread: server/.env, line 19: nothing in server/ reads this variable -> Remove it, unless a library reads it.',
    ],
    'a name is set twice': [
      append('server/.env', `OPENAI_API_KEY=${SECRET}-2`),
      'warning variable-repeated: server/.env, line 17: OPENAI_API_KEY is set on line 6, too -> The last one counts. Remove the other.',
    ],
    'nothing but other lines reads a variable': [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: these are references in an env file
      env(OPENAI, 'GATEWAY_HOST=x\nGATEWAY=${GATEWAY_HOST:-y}/v1\nOPENAI_BASE_URL=http://${GATEWAY}\n$&'),
    ],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
    ...each(['${A:-${MY_KEY}}', '${MY_KEY:=K}', '$MY_KEY', '$(echo-$MY_KEY)', '%MY_KEY%', '$env:MY_KEY'], value => [
      `nothing but another line mentions a variable, as ${value}`,
      append('server/.env', `OPENAI_MODEL=${value}\nMY_KEY=${SECRET}`),
    ]),
    'nothing reads a name, which is close to another one': [
      append('server/.env', `OPENAI_MODLE=${SECRET}`),
      'warning variable-unread: server/.env, line 17: nothing in server/ reads OPENAI_MODLE -> Did you mean OPENAI_MODEL?',
    ],
    'nothing reads a name': [
      append('server/.env', `DATABASE_URL=${SECRET}`),
      'warning variable-unread: server/.env, line 17: nothing in server/ reads DATABASE_URL -> Remove it, unless a library reads it.',
    ],
    'libraries read names of their own': [
      append('server/.env', 'OPENAI_ORG_ID=org\nHTTPS_PROXY=http://proxy\nLOGURU_LEVEL=INFO'),
    ],
    '.env is UTF-16': [
      change('server/.env', text => Buffer.from(`\ufeff${text}`, 'utf16le')),
      'error env-file-unreadable: server/.env is not UTF-8 text -> Save it as a UTF-8 text file that you can read.',
    ],
    '.env has a byte order mark and Windows line ends': [
      change('server/.env', text => `\ufeff${text.replaceAll('\n', '\r\n')}`),
    ],
    '.env has a byte order mark before a key, which becomes part of its name in older releases of python-dotenv': [
      write('server/.env', `\ufeff${OPENAI}\n`),
      'warning env-line: server/.env begins with a byte order mark: python-dotenv before 1.2.3 reads no OPENAI_API_KEY -> Save the file as UTF-8 without a byte order mark.',
    ],
    '.env has a byte order mark before a later key, which becomes part of its name': [
      write('server/.env', `# Keys\n\ufeff${OPENAI}\n`),
      "error variable-missing: OPENAI_API_KEY isn't set in server/.env: a byte order mark before it is part of its name -> Delete the name and what is before it, and type it again.",
    ],
    '.env is a directory': [
      remove('server/.env'),
      write('server/.env/a', ''),
      'error env-file-unreadable: server/.env is a directory -> Save it as a UTF-8 text file that you can read.',
    ],
    '.env and its example are missing': [
      remove('server/.env', 'server/.env.example'),
      'warning missing-files: Missing: server/.env.example -> botcli init fresh-copy --config .botcli.json',
      "error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> Create it, with a line NAME=value for each.",
    ],
    'a class of settings reads a variable for its attribute': [
      write('server/settings.py', 'class Settings(BaseSettings):\n    database_url: str\n'),
      edit('server/.env', '# ---', `DATABASE_URL=${SECRET}\n# ---`),
    ],
    'a variable of settings is set, and the shell has its name in another case': [
      append('server/bot.py', 'class Settings(BaseSettings):\n    crm_token: str\n'),
      append('server/.env', `CRM_TOKEN=${SECRET}`),
      { env: { crm_token: '' } },
    ],
    '.env is a named pipe, which is not read': [
      remove('server/.env'),
      root => execFileSync('mkfifo', [join(root, 'server/.env')]),
      "warning env-file-not-checked: server/.env is not a file, so botcli didn't read it -> The bot names what is missing when it starts.",
    ],
    'git tracks .env': [
      commit('server/.env'),
      'warning env-file-tracked: git tracks server/.env, so anyone with the repository can read its values -> git rm --cached server/.env',
    ],
    "another user's repository, which git refuses to read": [
      commit('server/.env'),
      "warning git-refused: git refuses to read ROOT, which is another user's, so botcli didn't check what git tracks -> git config --global --add safe.directory ROOT",
      { env: { PATH: process.env.PATH, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' } },
    ],
    'files with secrets that git tracks or does not ignore, and others': [
      write('server/login.json', '{"type": "service_account"}'),
      write('server/sip.yaml', 'user: bot\npassword: hunter2\n'),
      write('server/tools.py', `KEY = "${'sk'}-proj-${'a1B2c3D4e5F6g7H8'.repeat(2)}"\n`),
      commit(),
      write('env.local', 'OPENAI_API_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n'),
      write('data/answer_key.json', '{"answer_key": "b"}'),
      write('id.key', 'secret'),
      "warning secret-in-git: git doesn't ignore env.local: line 1 sets OPENAI_API_KEY -> Add the file to .gitignore.",
      'warning secret-in-git: git tracks server/login.json: line 1 has credentials of Google Cloud -> git rm --cached server/login.json',
      'warning secret-in-git: git tracks server/sip.yaml: line 2 may have a password -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.',
      'warning secret-in-git: git tracks server/tools.py: line 1 has a token of OpenAI or a service like it -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.',
    ],
  },
  'a project with many secrets': {
    'most are in files whose names git ignores': [
      commit(),
      ...['.netrc', 'server/.kube/config', 'a/b/.aws/credentials', 'prod.env', 'secrets.json', 'x.tfvars.json'].map(
        name => write(name, 'OPENAI_API_KEY=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n'),
      ),
      write('.npmrc', '//r.acme.io/:_authToken=9f8e7d6c5b4a39281706f5e4d3c2b1a0\n'),
      "warning secret-in-git: git doesn't ignore .npmrc: line 1 sets _authToken -> Add the file to .gitignore.",
    ],
    'a key as a default in code': [
      write(
        'server/tools.py',
        'import os\n\nKEY = os.getenv("DEEPGRAM_API_KEY", "9f8e7d6c5b4a39281706f5e4d3c2b1a0")\n',
      ),
      commit('server/tools.py'),
      'warning secret-in-git: git tracks server/tools.py: line 3 sets DEEPGRAM_API_KEY -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.',
    ],
  },
  'a phone bot that browsers reach': {
    'without the keys for calls, the browser still works': [
      on({ transports: ['tel_a', 'rtc_local'] }),
      env(/^TWILIO_.*$/gm, ''),
      'warning variable-missing-for-calls: Calls need TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN; the browser works without them -> https://console.twilio.com',
    ],
    'without those of the server that starts calls': [
      on({ transports: ['rtc_hosted_pstn_dialout', 'rtc_local'] }),
      env(/^D(AILY|IALOUT)_.*$/gm, ''),
      'warning variable-missing-for-calls: Calls need DAILY_API_KEY and DIALOUT_API_KEY; the browser works without them -> https://dashboard.daily.co/developers',
    ],
  },
  'an edited bot': {
    'the code reads another variable': [
      append('server/bot.py', 'WEATHER = os.environ["WEATHER_API_KEY"]'),
      unset('WEATHER_API_KEY'),
    ],
    'a new module reads another variable': [
      realtime,
      write('server/tools/weather.py', 'import os\n\nKEY = f"{os.environ[\'WEATHER_API_KEY\']}"\n'),
      edit('server/bot.py', 'import os\n', 'import os\n\nfrom tools import weather\n'),
      unset('WEATHER_API_KEY'),
    ],
    'a script that the bot does not import reads another variable': [
      write('server/scripts/load.py', 'import os\n\nos.environ["DATABASE_URL"]\n'),
      "warning variable-unset-elsewhere: DATABASE_URL isn't set in server/.env; server/scripts/load.py needs it -> Add it there, or set it in the shell.",
    ],
    'the code passes a key on without checking it': [
      append(
        'server/bot.py',
        'from pipecat.services.deepgram.tts import DeepgramTTSService\ntts = DeepgramTTSService(api_key=os.getenv("DEEPGRAM_API_KEY"))',
      ),
      unlisted('DeepgramTTSService', 'deepgram'),
      "warning variable-unset: DEEPGRAM_API_KEY isn't set in server/.env -> https://console.deepgram.com",
    ],
    'the code names a service whose library reads keys itself': [
      append(
        'server/bot.py',
        'from pipecat.services.nvidia.sagemaker.stt import NvidiaSageMakerSTTService\nstt = NvidiaSageMakerSTTService()',
      ),
      unset('AWS_ACCESS_KEY_ID', 'https://console.aws.amazon.com/iam'),
      unset('AWS_SECRET_ACCESS_KEY', 'https://console.aws.amazon.com/iam'),
      unlisted('NvidiaSageMakerSTTService', 'aws'),
      unlisted('NvidiaSageMakerSTTService', 'sagemaker'),
    ],
    'a virtual environment reads others': [
      write('server/env/pyvenv.cfg', ''),
      write('server/env/a.py', 'os.environ["A"]'),
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
    'a test sets a variable that it reads': [
      write(
        'server/tests/test_crm.py',
        'import os\ndef test(monkeypatch):\n    monkeypatch.setenv("CRM_URL", "x")\n    assert os.environ["CRM_URL"]\n',
      ),
    ],
    'keys are from a secrets manager': [
      remove('server/.env'),
      edit('server/bot.py', 'import os\n', 'import json\nimport os\nos.environ.update(json.loads(input()))\n'),
      "warning variable-not-followed: OPENAI_API_KEY isn't set in server/.env, but server/bot.py may set more variables in a way that botcli can't follow -> The bot names what is missing when it starts.",
    ],
    'the code loads another env file, which exists': [
      root => renameSync(join(root, 'server/.env'), join(root, 'server/.env.local')),
      edit('server/env.py', 'load_dotenv(override=True)', 'load_dotenv(".env.local", override=True)'),
    ],
    'the code loads another env file, which lacks the key': [
      write('server/.env.local', 'OPENAI_API_KEY=\n'),
      remove('server/.env'),
      edit('server/env.py', 'load_dotenv(override=True)', 'load_dotenv(".env.local")'),
      "error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> cp server/.env.example server/.env",
    ],
    'the code loads an env file whose name it makes up': [
      remove('server/.env'),
      edit('server/env.py', 'load_dotenv(override=True)', 'load_dotenv(f".env.{__name__}")'),
      "warning variable-not-followed: OPENAI_API_KEY isn't set in server/.env, but server/env.py may set more variables in a way that botcli can't follow -> The bot names what is missing when it starts.",
    ],
    'the code no longer reads a variable: nobody asks for it': [
      on({ tts_service: 'cartesia_tts' }),
      edit('server/bot.py', /^REQUIRED_ENV = .*$/m, 'REQUIRED_ENV = ["OPENAI_API_KEY"]'),
      edit('server/bot.py', 'os.environ["CARTESIA_API_KEY"]', '"none"'),
      edit('server/.env', /^CARTESIA_.*$/gm, ''),
    ],
    'the bot no longer has a transport: nobody asks for its key': [
      on({ transports: ['rtc_hosted'] }),
      edit('server/bot.py', /^TRANSPORT_ENV: .*$/m, 'TRANSPORT_ENV: dict[str, list[str]] = {"webrtc": []}'),
      edit('server/bot.py', '"daily": lambda', '"webrtc": lambda'),
      edit('server/.env', /^DAILY_API_KEY=.*$/m, ''),
    ],
  },
};

/** Ports that something else listens on, and what is said about each. */
function inUse(...ports: [settings: Settings, number: number, says: string][]): Cases {
  return each(ports, ([settings, number, says]) => [
    `port ${number} is in use`,
    { ...settings, machine: { isFree: async port => port !== number } },
    `warning port-in-use: Something already listens on port ${number}, ${says}`,
  ]);
}

/** Python that requires a variable, or may, and it isn't set. */
function requiring(finding: string, ...sources: string[]): Cases {
  return each(sources, source => [
    `code requires a variable: ${JSON.stringify(source)}`,
    add(source),
    edit('server/pyproject.toml', 'dependencies = [', 'dependencies = ["python-decouple", "environs", '),
    `${finding}: CRM_TOKEN isn't set in server/.env -> ${OWN}`,
  ]);
}

/** Python with a line of the env file, which are right. */
function harmless(sources: Readonly<Record<string, string>>): Cases {
  return each(Object.entries(sources), ([source, line]) => [
    `${JSON.stringify(source)} is right`,
    add(source),
    append('server/.env', line),
  ]);
}

/** Values that no provider's key can be, by what is said about them. */
function noKeys(values: Readonly<Record<string, readonly string[]>>): Cases {
  const all = Object.entries(values).flatMap(([says, some]) => some.map(value => ({ value, says })));
  return each(all, ({ value, says }) => [
    `a key is ${value}`,
    change('server/.env', text => text.replace(OPENAI, () => `OPENAI_API_KEY=${value}`)),
    `error variable-value: server/.env, line 6: OPENAI_API_KEY ${says}`,
    { env: { PATH: '/usr/local/bin:/usr/bin' } },
  ]);
}

/** Addresses of a server for the language model, and what is said about each. */
function addresses(values: Readonly<Record<string, string | undefined>>): Cases {
  return each(Object.entries(values), ([value, says]) => [
    `the address is ${JSON.stringify(value)}`,
    append('server/.env', `OPENAI_BASE_URL=${value}`),
    ...(says === undefined ? [] : [`error variable-value: server/.env, line 17: OPENAI_BASE_URL ${says}`]),
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
      for (const [title, parts] of Object.entries(cases)) {
        const expected = parts.filter(part => typeof part === 'string');
        const objects = parts.filter(part => typeof part === 'object');
        const { config = cascade.config, ...settings }: Settings = Object.assign({}, ...objects);
        it(`${title}: ${expected.map(line => line.split(':')[0]).join(', ') || 'nothing'}`, async () => {
          const found = await inTree(await projectOf(config), async root => {
            for (const part of parts) if (typeof part === 'function') part(root);
            const { code, findings } = await check(root, settings);
            const lines = findings.map(summarize);
            return { code, lines: lines.map(line => line.replaceAll(realpathSync(root), 'ROOT')) };
          });
          assert.deepEqual(found.lines.sort(), expected.sort());
          assert.equal(found.code, expected.some(line => line.startsWith('error')) ? 1 : 0);
        });
      }
    });
  }

  it('an env file that cannot be read', async () => {
    const found = await inTree(await projectOf(cascade.config), root => {
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
    await inTree(await projectOf(cascade.config), async root => {
      await check(root, { machine });
      assert.deepEqual(asked, []);
      append('server/bot.py', 'x = 1')(root);
      write('server/mine.py', 'x = 1\n')(root);
      await check(root, { machine });
      assert.deepEqual(new Set(asked), new Set(['server/bot.py', 'server/mine.py']));
    });
  });
});
