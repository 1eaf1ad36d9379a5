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
import { expectations, finds } from './finds.ts';

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
/** Gives the bot's key another value. */
const key = (value: string): Fault =>
  change('server/.env', text => text.replace(OPENAI, () => `OPENAI_API_KEY=${value}`));
const dotenv = (more: string): Fault => append('server/.env', more);
const remove =
  (...paths: string[]): Fault =>
  root => {
    for (const path of paths) rmSync(join(root, path), { recursive: true });
  };
/** Changes the bot's own file, and adds code at its top. */
const bot = (before: string | RegExp, after: string): Fault => edit('server/bot.py', before, after);
const add = (code: string): Fault => bot(/^(REQUIRED_ENV = .*\n)/m, `$1\n${code}\n`);
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
/** A server of the user's. */
const SERVER = 'http://localhost:8000/v1';
const HEX = '9f8e7d6c5b4a39281706f5e4d3c2b1a0';
const STATE = '"version": "';
const NEWER = npxOf('9.0.0') ? `${npxOf('9.0.0')} check` : 'Use that version or a newer one.';

/** The bot's function has another name. */
const RENAMED = bot('async def bot(', 'async def my_bot(');
const PUT = 'import asyncio\nfrom pipecat.services.azure.tts import AzureTTSService';
const ITSELF = "-> If it isn't the client itself, npm run dev chooses another one and prints its address.";

/** How to check, and what was chosen. */
type Settings = CheckSettings & { config?: RawConfig };

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

const projects = new Map<RawConfig, Promise<Tree>>();

function projectOf(config: RawConfig): Promise<Tree> {
  const known = projects.get(config) ?? filledProject(resolveFlags(config));
  projects.set(config, known);
  return known;
}

/** A test of what is done to a project, which is a cascade by default, with settings. What `finds` says follows. */
function given(title: string, ...parts: readonly (Fault | Settings)[]): void {
  const expected = expectations();
  const objects = parts.filter(part => typeof part === 'object');
  const { config = cascade.config, ...settings }: Settings = Object.assign({}, ...objects);
  it(title, async () => {
    const found = await inTree(await projectOf(config), async root => {
      for (const part of parts) if (typeof part === 'function') part(root);
      const { code, findings } = await check(root, settings);
      const all = findings.map(summarize);
      return { code, lines: all.map(line => line.replaceAll(realpathSync(root), 'ROOT')) };
    });
    assert.deepEqual(found.lines.sort(), expected.sort());
    assert.equal(found.code, expected.some(line => line.startsWith('error')) ? 1 : 0);
  });
}

describe('botcli check finds, about the project:', () => {
  given('a run of botcli was interrupted', write(`${SCRATCH}/0.new`, 'new'));
  finds`warning interrupted-run: botcli was interrupted, and left temporary files in ${SCRATCH} -> botcli update`;
  given('something looks like what an interrupted run leaves', write(`${SCRATCH}/run.sh`, 'new'));
  given('a file has conflict markers', bot('"""', '<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> theirs\n"""'));
  finds`error conflict-markers: server/bot.py has conflict markers, from line 1 on -> Keep the lines that you want, and remove the others and the markers.`;
  given('an older botcli made it', edit('.botcli.json', `${STATE}${VERSION}`, `${STATE}0.0.9`));
  finds`warning older-project: botcli 0.0.9 made this project; this is ${VERSION} -> botcli update`;
  given('code names what will go', write('server/tool.py', 'from pipecat.pipeline.task import PipelineTask\n'));
  finds`warning names-going: 2 names in your code will go in Pipecat 2.0 -> botcli update --framework --dry-run`;
  given('a newer botcli made it', edit('.botcli.json', `${STATE}${VERSION}`, `${STATE}9.0.0`));
  finds`warning newer-project: botcli 9.0.0 made this project; this is only ${VERSION} -> ${NEWER}`;
  given('a guide is older', realtime, edit('AGENTS.md', `Written by botcli ${VERSION}`, 'Written by botcli 0.0.9'));
  finds`warning older-guides: An older botcli wrote AGENTS.md -> botcli init . --overwrite-guide`;
  given('the bot is missing, and git has it', phone, commit(), remove('server/bot.py'));
  finds`error missing-files: Missing: server/bot.py -> git checkout -- server/bot.py`;
  given('the bot is empty', write('server/bot.py', ''));
  finds`${lacking('server/bot.py')}`;
  given("the client's package.json is broken", react, write('client/package.json', '{'));
  finds`error client-packages: client/package.json is not valid JSON -> Fix it, or restore it from git.`;
  given('a module that the bot imports is missing, and git is not used', remove('server/shutdown.py'));
  finds`${lacking('server/shutdown.py')}`;
  given('modules that nothing here lists', add('import langchain_openai, yaml, helpers'));
  given('a name that nothing defines: a linter finds it', bot('logger.info(', 'loger.info('));
  given('pyproject.toml is missing', realtime, remove('server/pyproject.toml'));
  finds`${lacking('server/pyproject.toml')}`;
  given('the server that starts calls is missing', dialOut, remove('server/server.py'));
  finds`${lacking('server/server.py')}`;
  const unneeded = ['server/evals/starter_text.yaml', 'server/container-file', 'AGENTS.md'];
  given('files are missing that the bot runs without', remove(...unneeded));
  finds`warning missing-files: Missing: server/evals/starter_text.yaml, server/container-file, AGENTS.md -> botcli init fresh-copy --config .botcli.json`;
  given('Python refuses the bot, a module that it imports, and a script', {
    machine: {
      refusedByPython: async () =>
        new Map([
          ['server/bot.py', { line: 96, why: "'(' was never closed" }],
          ['server/shutdown.py', { line: undefined, why: 'source code string cannot contain null bytes' }],
          ['server/scripts/load.py', { line: 3, why: 'invalid syntax' }],
        ]),
    },
  });
  finds`error syntax: server/bot.py, line 96: '(' was never closed ${REFUSED}`;
  finds`error syntax: server/shutdown.py: source code string cannot contain null bytes ${REFUSED}`;
  finds`warning syntax: server/scripts/load.py, line 3: invalid syntax ${REFUSED}`;
  given('the bot may be broken, and there is no Python to ask', append('server/bot.py', 'x = (1'));
  given('pyproject.toml is not TOML', edit('server/pyproject.toml', 'dependencies = [', 'dependencies = '));
  finds`error syntax: server/pyproject.toml, line 6: this isn't valid TOML -> Fix it, or restore it from git.`;
  given('the function of the bot has another name', RENAMED);
  finds`error bot-function-missing: server/bot.py defines no bot, the function that the framework starts for each session -> Name it like this: async def bot(runner_args: RunnerArguments) -> None`;
  const named = ['bot = my_bot', 'from my_bot import *', 'if my_bot:\n    bot = my_bot', 'globals()["bot"] = my_bot'];
  for (const code of named) {
    given(`nothing: the function is ${JSON.stringify(code)}`, RENAMED, bot(/^(?=if __name__)/m, `${code}\n\n\n`));
  }
  given('nothing: the framework starts no bot', RENAMED, bot(/^if __name__[\s\S]*/m, 'asyncio.run(my_bot())\n'));
  given('pyproject.toml lacks the package of a service', edit('server/pyproject.toml', 'openai,', ''));
  finds`${unlisted('OpenAISTTService', 'openai')}`;
  given('a service was put in by hand', bot('import asyncio', PUT));
  finds`${unlisted('AzureTTSService', 'azure')}`;
  given('pyproject.toml lacks the framework', edit('server/pyproject.toml', /^ *"pipecat-ai\[.*\n/gm, ''));
  finds`warning package-missing: server/pyproject.toml doesn't list pipecat-ai among its dependencies, and the bot needs it -> Put its line back, such as from git, unless another package brings it.`;
  given('a Python file is too large', write('server/data.py', `X = "${'x'.repeat(2 ** 20)}"\n`));
  finds`warning file-unreadable: server/data.py is larger than 1 MiB -> botcli doesn't know what this code needs.`;
  given('the bot is too large', append('server/bot.py', `# ${'x'.repeat(2 ** 20)}`));
  finds`error file-unreadable: server/bot.py is larger than 1 MiB -> botcli doesn't know what this code needs.`;
  given('the client is missing: one finding', react, remove('client'));
  finds`error missing-files: Missing: client -> botcli update --client-framework none`;
  given('the working directory is server/', remove('server/shutdown.py'), { cwd: 'server' });
  finds`error missing-files: Missing: shutdown.py -> botcli init fresh-copy --config ../.botcli.json`;
});

describe('botcli check finds, about this machine:', () => {
  given('there is no uv', { machine: { uvVersion: async () => undefined } });
  finds`error uv-missing: uv isn't installed, or isn't on the PATH -> ${INSTALL_UV}`;
  given('uv is too old', { machine: { uvVersion: async () => '0.4.26' } });
  finds`error uv-too-old: uv 0.4.26 is too old: projects need 0.4.27 or newer -> uv self update`;
  given('the pinned version of Python is not one that the project allows', write('server/.python-version', '3.9\n'));
  finds`error python-version: server/.python-version asks for Python 3.9, but server/pyproject.toml requires >=3.11 -> Change one of them.`;
  given('the pinned version of Python is fine', write('server/.python-version', '3.12.4\n'));
  given("uv can't be started", {
    machine: { uvVersion: async () => ({ problem: "can't be started: too many open files" }) },
  });
  finds`error uv-broken: uv can't be started: too many open files -> See what it says to: uv --version`;
  given('uv says no version', { machine: { uvVersion: async () => '' } });
  for (const [settings, number, says] of [
    [{}, 7860, 'which the bot uses -> uv run bot.py --port 7861'],
    [react, 5173, `which the client uses ${ITSELF}`],
    [next, 3000, `which the client uses ${ITSELF}`],
    [dialOut, 8080, "which the call server uses -> If it isn't server.py itself, stop it, or set PORT in server/.env."],
  ] as const) {
    given(`port ${number} is in use`, settings, { machine: { isFree: async port => port !== number } });
    finds`warning port-in-use: Something already listens on port ${number}, ${says}`;
  }
  for (const value of ['70000', 'http']) {
    given(`PORT is ${value}`, dialOut, dotenv(`PORT=${value}`));
    finds`error variable-value: server/.env, line 33: PORT is not a port -> Set it to a number from 1 to 65535, or remove it.`;
  }
  given('PORT is a port', dialOut, dotenv('PORT=65535'));
  given('the port of PORT is in use', dialOut, dotenv('PORT=18181'), {
    machine: { isFree: async port => port !== 18181 },
  });
  finds`warning port-in-use: Something already listens on the port of PORT, which the call server uses -> If it isn't server.py itself, stop it, or set PORT in server/.env.`;
  given('a service that its provider has ended', on({ tts_service: 'hume_tts' }));
  finds`warning service-ended: Hume ended its text-to-speech on 2026-11-13 -> https://dev.hume.ai/intro`;
  given('Ollama is not there', ollama, { machine: { ollamaModels: async () => undefined } });
  finds`error ollama-silent: Ollama doesn't answer at http://localhost:11434/v1 -> ollama serve`;
  given('Ollama lacks the model of .env', ollama, dotenv('OLLAMA_MODEL=mine:7b'));
  finds`error ollama-model-missing: Ollama doesn't have the model of OLLAMA_MODEL -> Download it with ollama pull, or choose one of ollama list.`;
  given('Ollama has the model', ollama, dotenv('OLLAMA_MODEL=llama3.2:latest'));
  const unasked = { machine: { ollamaModels: () => assert.fail('asked') } };
  for (const address of ['http://ollama.example/v1', 'https://localhost:1/v1', 'http://localhost.example']) {
    given(`nothing: Ollama is at ${address}`, ollama, dotenv(`OLLAMA_BASE_URL=${address}`), unasked);
  }
  given('only an Ollama with an address is asked', ollama, dotenv('OLLAMA_BASE_URL=ollama'), unasked);
  finds`error variable-value: server/.env, line 21: OLLAMA_BASE_URL is not an address -> Begin it with http://, https://, ws://, or wss://.`;
  given('another model needs no Ollama', unasked);
  given('Node.js is too old for the client', react, { machine: { node: '18.20.0' } });
  finds`error node-version: The web client doesn't run on Node.js 18.20.0: its package.json requires ^20.19.0 || ^22.13.0 || >=24 -> https://nodejs.org`;
  given('Node.js is too old, and there is no client', { machine: { node: '18.20.0' } });
  const other = write('client/node_modules/next/package.json', JSON.stringify({ version: '999.0.0' }));
  given('node_modules does not match package.json', next, other, remove('client/node_modules/eslint'));
  finds`warning client-packages: client/node_modules doesn't match package.json: next, eslint -> npm --prefix client install`;
  given('pnpm has to install the packages', react, write('client/pnpm-lock.yaml', ''), remove('client/node_modules'));
  finds`warning client-packages: The web client's packages aren't installed: there is no client/node_modules -> pnpm --dir client install`;
  const yarn = ['client/yarn.lock', 'client/.pnp.cjs'].map(path => write(path, ''));
  given('yarn has unpacked nothing', react, ...yarn, remove('client/node_modules'));
  given('a workspace has the packages above the client', react, root =>
    renameSync(join(root, 'client/node_modules'), join(root, 'node_modules')),
  );
  given("the client's packages were never installed", react, remove('client/node_modules'));
  finds`warning client-packages: The web client's packages aren't installed: there is no client/node_modules -> npm --prefix client install`;
});

describe('botcli check finds, about keys:', () => {
  given('.env is missing', remove('server/.env'));
  finds`error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> cp server/.env.example server/.env`;
  given('.env is missing, and the shell has the key', remove('server/.env'), { env: { OPENAI_API_KEY: SECRET } });
  given('.env is in the project directory', write('.env', 'OPENAI_API_KEY=\n'), remove('server/.env'));
  finds`error variable-missing: OPENAI_API_KEY isn't set in .env -> ${GET_OPENAI}`;
  given('a key is blank', key(''));
  finds`${unset('OPENAI_API_KEY', GET_OPENAI)}`;
  given('a key is blank, and the shell has it', key(''), { env: { OPENAI_API_KEY: SECRET } });
  given('the key of a transport is missing', phone, env(/^TWILIO_AUTH_TOKEN=.*$/m, ''));
  finds`${unset('TWILIO_AUTH_TOKEN', 'https://console.twilio.com')}`;
  given('a variable of server.py is missing', sip, env(/^PUBLIC_URL=.*$/m, ''));
  finds`${unset('PUBLIC_URL', 'Public address of server.py, as in the Twilio webhook: https://HOST')}`;
  given('a key that the provider may find elsewhere is not set', aws);
  given('nothing has the credentials of a service', aws, { machine: { hasAtHome: () => false } });
  finds`warning credentials-missing: AWS Bedrock needs credentials of AWS, and neither server/.env nor this machine has any -> Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run: aws configure. A role of this machine works, too.`;
  given('two services look for credentials in vain', on({ stt_service: 'google_stt', tts_service: 'google_tts' }), {
    machine: { hasAtHome: path => path.startsWith('.aws') },
  });
  finds`warning credentials-missing: Google Cloud Speech-to-Text and Google Cloud Text-to-Speech need credentials of Google Cloud, and neither server/.env nor this machine has any -> Set GOOGLE_APPLICATION_CREDENTIALS to the path of a service account file, or run: gcloud auth application-default login. A service account of this machine works, too.`;
  given('a name is misspelled', realtime, env('OPENAI_API_KEY=', 'OPENAI_APIKEY='));
  finds`error variable-missing: OPENAI_API_KEY isn't set in server/.env, but OPENAI_APIKEY is -> Rename it to OPENAI_API_KEY.`;
  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are references in an env file
  const noKeys: Record<string, readonly string[]> = {
    'is a placeholder -> Replace it with the real value.': [
      ...['<your key>', 'your-api-key', 'sk-...', 'sk-xxxxxxxxxxxx', 'xxxx', 'changeme', 'YOUR_KEY_HERE', '{{ key }}'],
      ...['TODO', 'OPENAI_API_KEY', 'test', 'sk-no-key-required'],
    ],
    'is the name of a variable or a command, which only a shell replaces -> Set the value itself, or the name of another variable with a dollar sign and braces.':
      ['$REAL_KEY'],
    'is an address or a reference, which the bot sends as the key -> Set the key itself. Or leave it empty here, and set it in the shell: what is in the file wins.':
      ['op://vault/openai/key', '"op://My Vault/OpenAI/key"', 'encrypted:BDqDBibm4wsYqMpCjTQ6BsDHmMadg9K3dAt'],
    'begins with #, which becomes part of it -> Remove it.': [`#${SECRET}`],
    'ends with a backslash, which becomes part of it -> Put the whole key on one line, without it.': [`${SECRET}\\`],
    'is masked, as dashboards show keys -> Copy the whole key. If the provider no longer shows it, create a new one.': [
      'sk-proj-****************l9Zx',
      'sk-...l9Zx',
      'sk-proj-xxxxxxxxxxxxl9Zx',
    ],
    'is a setting such as true, not a key -> Replace it with the real value.': ['true', 'No'],
    'is an email address -> Replace it with the real value.': ['me@acme.com'],
    'is the path of a file, which the bot sends as the key -> Set the key itself.': ['/a/openai', '~/a', 'C:\\a.txt'],
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
    'begins with the name of a variable -> Keep only what is after the = in it.': [OPENAI, `export A_B=${SECRET}`],
    'contains a character that no key has, perhaps an invisible one -> Copy it again, as plain text.': [
      `${SECRET}\ufeff`,
      `\u200b${SECRET}`,
    ],
    'ends with a comma or a semicolon, which becomes part of it -> Remove it.': [`${SECRET},`],
    'contains a space -> Keys have none: copy it again.': [`${SECRET} OTHER=${SECRET}`],
  };
  for (const [owner, key] of Object.entries(OTHERS))
    noKeys[`is a key of ${owner} -> Replace it with a key of the right provider.`] = [key];
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same
  for (const [says, values] of Object.entries(noKeys))
    for (const value of values) {
      given(`a key is ${value}`, key(value), { env: { PATH: '/usr/local/bin:/usr/bin' } });
      finds`error variable-value: server/.env, line 6: OPENAI_API_KEY ${says}`;
    }
  const shellWins = edit('server/env.py', 'override=True', '');
  given('a key is a reference, which what starts the bot may replace', key('op://vault/openai/key'), shellWins);
  finds`warning variable-value: server/.env, line 6: OPENAI_API_KEY is an address or a reference, which the bot sends as the key -> It works only if what starts the bot replaces it.`;
  const right = ['sk-abc#def', '/a/b+c==', 'pa$$word', 'a:b', '/a1B2/c3D4', 'a@b', 'axxxxxb', 'a)'];
  for (const value of [...right, `sk-${'a1B2c3D4'.repeat(6)}`]) given(`nothing: a key may be ${value}`, key(value));
  for (const value of ['test', '#crm', '$CRM', 'https://crm.example.com', 'true', 'sk-***a', OTHERS.Anthropic]) {
    given(`nothing: the user's own key may be ${value}`, add('os.environ["CRM_TOKEN"]'), dotenv(`CRM_TOKEN=${value}`));
  }
  const addresses: Record<string, string | undefined> = {
    '': "is empty, and the provider's library takes that for the address -> Remove the line, or set the address.",
    'localhost:8000/v1': 'is not an address -> Begin it with http://, https://, ws://, or wss://.',
    'my-server/v1': 'is not an address -> Begin it with http://, https://, ws://, or wss://.',
    'http://your-server:8000/v1': 'is a placeholder -> Replace it with the real value.',
    'https://<host>/v1': 'is a placeholder -> Replace it with the real value.',
    [SERVER]: undefined,
    'http://my-server:8000/v1': undefined,
    'http://host.docker.internal:8000/v1': undefined,
  };
  for (const [value, says] of Object.entries(addresses)) {
    given(`the address is ${JSON.stringify(value)}`, dotenv(`OPENAI_BASE_URL=${value}`));
    if (says) finds`error variable-value: server/.env, line 17: OPENAI_BASE_URL ${says}`;
  }
  given('an address is empty, and the shell has it', dotenv('OPENAI_BASE_URL='), {
    env: { OPENAI_BASE_URL: SERVER },
  });
  given('an address that only the bot reads is empty', ollama, dotenv('OLLAMA_BASE_URL='));
  given("an address is of the user's code", add('CRM = os.environ["CRM_URL"]'), dotenv('CRM_URL=crm.example.com'));
  given('a placeholder for a server of the user', key(`none\nOPENAI_BASE_URL=${SERVER}`));
  finds`warning variable-value: server/.env, line 6: OPENAI_API_KEY is a placeholder -> If the server at OPENAI_BASE_URL checks keys, replace it.`;
  const named = `LOCAL = OpenAILLMService(base_url="${SERVER}")`;
  for (const [address, line, code] of [
    ['OPENAI_BASE_URL', `\nOPENAI_BASE_URL=${SERVER}`, ''],
    ['base_url', '', named],
  ] as const) {
    given(`a key is true, for a server that ${address} has`, key(`true${line}`), add(code));
    finds`warning variable-value: server/.env, line 6: OPENAI_API_KEY is a setting such as true, not a key -> If the server at ${address} checks keys, replace it.`;
  }
  given("a key of another provider, for the user's server", key(`${OTHERS.Groq}\nOPENAI_BASE_URL=${SERVER}`));
  given('such a key, for a server that the code names', key(OTHERS.Groq), add(named));
  const path = env(/^(?:# ?)?(GOOGLE_APPLICATION_CREDENTIALS)=.*$/m, '$1=/run/secrets/google.json');
  given('credentials of Google Cloud are a path', on({ stt_service: 'google_stt' }), path);
  const alike = env(/^(GRADIUM_API_KEY)=.*$/m, `$1=${OTHERS.Groq}`);
  given('keys of two providers that begin alike', on({ tts_service: 'gradium_tts' }), alike);
  given('a placeholder for a service with one address', realtime, key(`none\nOPENAI_BASE_URL=${SERVER}`));
  finds`error variable-value: server/.env, line 6: OPENAI_API_KEY is a placeholder -> Replace it with the real value.`;
  given('a quote is never closed', key(`"${SECRET}`));
  finds`error env-line: server/.env, line 6: the bot can't read it, so OPENAI_API_KEY isn't set -> Write NAME=value, and close any quotes.`;
  given('a line has nothing but the key', env(OPENAI, `sk-${SECRET}`));
  finds`${unset('OPENAI_API_KEY', GET_OPENAI)}`;
  finds`warning env-line: server/.env, line 6 has no =, so the bot reads no value from it -> Write NAME=value on one line.`;
  given('a line is YAML', env('OPENAI_API_KEY=', 'OPENAI_API_KEY: '));
  finds`error env-line: server/.env, line 6: the bot can't read it, so OPENAI_API_KEY isn't set -> Write NAME=value, and close any quotes.`;
  const lines = `-----BEGIN KEY-----\n${SECRET}\nMIIE${SECRET.replace('-', '')}==\n-----END KEY-----`;
  given('a key that spans lines without quotes: no part of it is shown', dotenv(`PRIVATE_KEY=${lines}`));
  finds`warning env-line: server/.env, line 18 has no =, so the bot reads no value from it -> Write NAME=value on one line.`;
  finds`warning env-line: server/.env, line 20: the bot can't read it -> Write NAME=value, and close any quotes.`;
  finds`warning variable-unread: server/.env, line 17: nothing in server/ reads PRIVATE_KEY -> Remove it, unless a library reads it.`;
  finds`warning variable-unread: server/.env, line 19: nothing in server/ reads this variable -> Remove it, unless a library reads it.`;
  given('a name is set twice', dotenv(`OPENAI_API_KEY=${SECRET}-2`));
  finds`warning variable-repeated: server/.env, line 17: OPENAI_API_KEY is set on line 6, too -> The last one counts. Remove the other.`;
  given(
    'nothing but other lines reads a variable', // biome-ignore lint/suspicious/noTemplateCurlyInString: these are references in an env file
    env(OPENAI, 'GATEWAY_HOST=x\nGATEWAY=${GATEWAY_HOST:-y}/v1\nOPENAI_BASE_URL=http://${GATEWAY}\n$&'),
  );
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the same
  for (const value of ['${A:-${MY_KEY}}', '${MY_KEY:=K}', '$MY_KEY', '$(echo-$MY_KEY)', '%MY_KEY%', '$env:MY_KEY']) {
    given(`only another line mentions a variable, as ${value}`, dotenv(`OPENAI_MODEL=${value}\nMY_KEY=${SECRET}`));
  }
  given('nothing reads a name, which is close to another one', dotenv(`OPENAI_MODLE=${SECRET}`));
  finds`warning variable-unread: server/.env, line 17: nothing in server/ reads OPENAI_MODLE -> Did you mean OPENAI_MODEL?`;
  given('nothing reads a name', dotenv(`DATABASE_URL=${SECRET}`));
  finds`warning variable-unread: server/.env, line 17: nothing in server/ reads DATABASE_URL -> Remove it, unless a library reads it.`;
  given('libraries read names of their own', dotenv('OPENAI_ORG_ID=org\nHTTPS_PROXY=http://proxy\nLOGURU_LEVEL=INFO'));
  given(
    '.env is UTF-16',
    change('server/.env', text => Buffer.from(`\ufeff${text}`, 'utf16le')),
  );
  finds`error env-file-unreadable: server/.env is not UTF-8 text -> Save it as a UTF-8 text file that you can read.`;
  given(
    '.env is from Windows',
    change('server/.env', text => `\ufeff${text.replaceAll('\n', '\r\n')}`),
  );
  given('a byte order mark is before the first key', write('server/.env', `\ufeff${OPENAI}\n`));
  finds`warning env-line: server/.env begins with a byte order mark: python-dotenv before 1.2.3 reads no OPENAI_API_KEY -> Save the file as UTF-8 without a byte order mark.`;
  given('a byte order mark is before a later key', write('server/.env', `# Keys\n\ufeff${OPENAI}\n`));
  finds`error variable-missing: OPENAI_API_KEY isn't set in server/.env: a byte order mark before it is part of its name -> Delete the name and what is before it, and type it again.`;
  given('.env is a directory', remove('server/.env'), write('server/.env/a', ''));
  finds`error env-file-unreadable: server/.env is a directory -> Save it as a UTF-8 text file that you can read.`;
  given('.env and its example are missing', remove('server/.env', 'server/.env.example'));
  finds`warning missing-files: Missing: server/.env.example -> botcli init fresh-copy --config .botcli.json`;
  finds`error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> Create it, with a line NAME=value for each.`;
  const settings = append('server/bot.py', 'class Settings(BaseSettings):\n    crm_token: str\n');
  given('settings, and the shell has their name in another case', settings, dotenv(`CRM_TOKEN=${SECRET}`), {
    env: { crm_token: '' },
  });
  given('.env is a named pipe', remove('server/.env'), root => execFileSync('mkfifo', [join(root, 'server/.env')]));
  finds`warning env-file-not-checked: server/.env is not a file, so botcli didn't read it -> The bot names what is missing when it starts.`;
  given('git tracks .env', commit('server/.env'));
  finds`warning env-file-tracked: git tracks server/.env, so anyone with the repository can read its values -> git rm --cached server/.env`;
  given("the repository is another user's", commit('server/.env'), {
    env: { PATH: process.env.PATH, GIT_TEST_ASSUME_DIFFERENT_OWNER: '1' },
  });
  finds`warning git-refused: git refuses to read ROOT, which is another user's, so botcli didn't check what git tracks -> git config --global --add safe.directory ROOT`;
  given(
    'git tracks secrets, or does not ignore them',
    write('server/login.json', '{"type": "service_account"}'),
    write('server/sip.yaml', 'user: bot\npassword: hunter2\n'),
    write('server/tools.py', `KEY = "${'sk'}-proj-${'a1B2c3D4e5F6g7H8'.repeat(2)}"\n`),
    commit(),
    write('env.local', `OPENAI_API_KEY=${HEX}\n`),
    write('data/answer_key.json', '{"answer_key": "b"}'),
    write('id.key', 'secret'),
  );
  finds`warning secret-in-git: git doesn't ignore env.local: line 1 sets OPENAI_API_KEY -> Add the file to .gitignore.`;
  finds`warning secret-in-git: git tracks server/login.json: line 1 has credentials of Google Cloud -> git rm --cached server/login.json`;
  finds`warning secret-in-git: git tracks server/sip.yaml: line 2 may have a password -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.`;
  finds`warning secret-in-git: git tracks server/tools.py: line 1 has a token of OpenAI or a service like it -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.`;
  const ignored = ['.netrc', '.kube/config', 'a/.aws/credentials', 'prod.env', 'secrets.json', 'x.tfvars.json'];
  const hidden = ignored.map(name => write(name, `OPENAI_API_KEY=${HEX}\n`));
  given('secrets in files that git ignores', commit(), ...hidden, write('.npmrc', `//r.acme.io/:_authToken=${HEX}\n`));
  finds`warning secret-in-git: git doesn't ignore .npmrc: line 1 sets _authToken -> Add the file to .gitignore.`;
  const preset = write('server/tools.py', `import os\n\nKEY = os.getenv("DEEPGRAM_API_KEY", "${HEX}")\n`);
  given('a key as a default in code', preset, commit('server/tools.py'));
  finds`warning secret-in-git: git tracks server/tools.py: line 3 sets DEEPGRAM_API_KEY -> Move it to .env, and read the variable. If you have pushed it, create a new key as well.`;
});

describe('botcli check finds, in an edited bot:', () => {
  given('the keys for calls are missing', on({ transports: ['tel_a', 'rtc_local'] }), env(/^TWILIO_.*$/gm, ''));
  finds`warning variable-missing-for-calls: Calls need TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN; the browser works without them -> https://console.twilio.com`;
  const both = on({ transports: ['rtc_hosted_pstn_dialout', 'rtc_local'] });
  given('the keys of the server that starts calls are missing', both, env(/^D(AILY|IALOUT)_.*$/gm, ''));
  finds`warning variable-missing-for-calls: Calls need DAILY_API_KEY and DIALOUT_API_KEY; the browser works without them -> https://dashboard.daily.co/developers`;
  given('the code reads another variable', append('server/bot.py', 'WEATHER = os.environ["WEATHER_API_KEY"]'));
  finds`${unset('WEATHER_API_KEY')}`;
  const weather = write('server/tools/weather.py', 'import os\n\nKEY = f"{os.environ[\'WEATHER_API_KEY\']}"\n');
  given('a module reads another variable', realtime, weather, add('from tools import weather'));
  finds`${unset('WEATHER_API_KEY')}`;
  given('a script does', write('server/scripts/load.py', 'import os, pandas\nos.environ["DATABASE_URL"]\n'));
  finds`warning variable-unset-elsewhere: DATABASE_URL isn't set in server/.env; server/scripts/load.py needs it -> Add it there, or set it in the shell.`;
  const service = (module: string, name: string, given = '') =>
    append('server/bot.py', `from pipecat.services.${module} import ${name}\nservice = ${name}(${given})`);
  const passed = service('deepgram.tts', 'DeepgramTTSService', 'api_key=os.getenv("DEEPGRAM_API_KEY")');
  given('the code passes a key on without checking it', passed);
  finds`${unlisted('DeepgramTTSService', 'deepgram')}`;
  finds`warning variable-unset: DEEPGRAM_API_KEY isn't set in server/.env -> https://console.deepgram.com`;
  given('the library of a service reads keys itself', service('nvidia.sagemaker.stt', 'NvidiaSageMakerSTTService'));
  finds`${unset('AWS_ACCESS_KEY_ID', 'https://console.aws.amazon.com/iam')}`;
  finds`${unset('AWS_SECRET_ACCESS_KEY', 'https://console.aws.amazon.com/iam')}`;
  finds`${unlisted('NvidiaSageMakerSTTService', 'aws')}`;
  finds`${unlisted('NvidiaSageMakerSTTService', 'sagemaker')}`;
  const virtual = write('server/env/pyvenv.cfg', '');
  given('a virtual environment reads others', virtual, write('server/env/a.py', 'os.environ["A"]'));
  /** Code that requires a variable, or may, and it isn't set. */
  const requiring: [finding: string, ...sources: string[]][] = [
    [
      'warning variable-unset',
      'from decouple import config\nconfig("CRM_TOKEN")',
      'from environs import Env\nenv = Env()\nenv.str("CRM_TOKEN")',
      'def need(name):\n    return os.environ[name]\nneed("CRM_TOKEN")',
      'Crm(os.getenv("CRM_TOKEN"))',
    ],
    [
      'error variable-missing',
      'from pydantic_settings import BaseSettings\nclass Settings(BaseSettings):\n    crm_token: str',
      'REQUIRED_ENV += ["CRM_TOKEN"]',
      'REQUIRED_ENV += ["CRM_" "TOKEN"]',
      'os.environ["CRM_" "TOKEN"]',
      'REQUIRED_ENV.append("CRM_TOKEN")',
      'REQUIRED_ENV = ("OPENAI_API_KEY", "CRM_TOKEN")',
      'os.environ["CRM_TOKEN"] = os.environ["CRM_TOKEN"].strip()',
      'X = os.environ["CRM_TOKEN"]\ndef log():\n    return bool(os.getenv("CRM_TOKEN"))',
    ],
  ];
  for (const [finding, ...sources] of requiring) {
    for (const source of sources) {
      given(`code requires a variable: ${JSON.stringify(source)}`, add(source));
      finds`${finding}: CRM_TOKEN isn't set in server/.env -> ${OWN}`;
    }
  }
  const harmless: Record<string, string> = {
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
  };
  for (const [source, line] of Object.entries(harmless)) {
    given(`${JSON.stringify(source)} is right`, add(source), dotenv(line));
  }
  const tested = 'def test(monkeypatch):\n    monkeypatch.setenv("CRM_URL", "x")\n    assert os.environ["CRM_URL"]\n';
  given('a test sets a variable that it reads', write('server/tests/test_crm.py', `import os\n${tested}`));
  const manager = bot('import os\n', 'import json\nimport os\nos.environ.update(json.loads(input()))\n');
  given('keys are from a secrets manager', remove('server/.env'), manager);
  finds`warning variable-not-followed: OPENAI_API_KEY isn't set in server/.env, but server/bot.py may set more variables in a way that botcli can't follow -> The bot names what is missing when it starts.`;
  const loading = (what: string) => edit('server/env.py', 'load_dotenv(override=True)', `load_dotenv(${what})`);
  const moved: Fault = root => renameSync(join(root, 'server/.env'), join(root, 'server/.env.local'));
  given('the code loads another env file, which exists', moved, loading('".env.local", override=True'));
  const blank = write('server/.env.local', 'OPENAI_API_KEY=\n');
  given('one that lacks the key', blank, remove('server/.env'), loading('".env.local"'));
  finds`error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> cp server/.env.example server/.env`;
  given('one whose name it makes up', remove('server/.env'), loading('f".env.{__name__}"'));
  finds`warning variable-not-followed: OPENAI_API_KEY isn't set in server/.env, but server/env.py may set more variables in a way that botcli can't follow -> The bot names what is missing when it starts.`;
  given(
    'the code no longer reads a variable: nobody asks for it',
    on({ tts_service: 'cartesia_tts' }),
    bot(/^REQUIRED_ENV = .*$/m, 'REQUIRED_ENV = ["OPENAI_API_KEY"]'),
    bot('os.environ["CARTESIA_API_KEY"]', '"none"'),
    env(/^CARTESIA_.*$/gm, ''),
  );
  given(
    'the bot no longer has a transport: nobody asks for its key',
    on({ transports: ['rtc_hosted'] }),
    bot(/^TRANSPORT_ENV: .*$/m, 'TRANSPORT_ENV: dict[str, list[str]] = {"webrtc": []}'),
    bot('"daily": lambda', '"webrtc": lambda'),
    env(/^DAILY_API_KEY=.*$/m, ''),
  );
});

describe('botcli check finds, in what people make of a bot:', () => {
  const MODERN = 'from pydantic import *\nfrom pydantic_settings import BaseSettings, SettingsConfigDict\n';
  const CRM = 'class S(BaseSettings):\n    crm_token: str\n';
  const TOKEN = `CRM_TOKEN=${SECRET}`;
  const LOCAL = 'model_config = SettingsConfigDict(env_file=".env.local")';
  const unfollowed = (name: string, place: string) =>
    `warning variable-not-followed: ${name} isn't set in server/.env, but ${place} may set more variables in a way that botcli can't follow -> The bot names what is missing when it starts.`;
  const missing = unset('CRM_TOKEN');
  const perhaps = missing.replace('error variable-missing', 'warning variable-unset');

  /** A module of settings that the bot imports, what `.env` has for it, and what is found. */
  const settings: [about: string, code: string, env?: string, found?: string, more?: Fault][] = [
    [
      'pydantic 1',
      `from pydantic import BaseSettings\n${CRM}    class Config:\n        env_file = ".env"\nsettings = S()`,
    ],
    [
      'a prefix of a base in another module',
      'from base import Base\nclass S(Base):\n    token: str\nsettings = S()',
      '',
      missing.replace('CRM', 'APP'),
      write(
        'server/base.py',
        `${MODERN}class Base(BaseSettings):\n    model_config = SettingsConfigDict(env_prefix="APP_")`,
      ),
    ],
    ['a caller has the value', `${MODERN}${CRM}def load(value): return S(crm_token=value)\nsettings = load("x")`, ''],
    ['an env file', `${MODERN}${CRM}    ${LOCAL}\nsettings = S()`, '', undefined, write('server/.env.local', TOKEN)],
    [
      'another source',
      `${MODERN}${CRM}    @classmethod\n    def settings_customise_sources(cls, settings_cls, **more): return (aws(),)\nsettings = S()`,
      '',
      unfollowed('CRM_TOKEN', 'server/settings.py'),
    ],
    ['a default for tests', `${MODERN}${CRM}class Test(S):\n    crm_token: str = "x"\nsettings = Test()`, ''],
    [
      'decouple',
      'from decouple import config\nsettings = config("CRM_TOKEN"), config("CRM_URL", default="x", cast=str)',
    ],
    [
      'decouple with an env file',
      'from decouple import Config, RepositoryEnv\nconfig = Config(RepositoryEnv("own.env"))\nsettings = config("CRM_TOKEN")',
      '',
      undefined,
      write('server/own.env', TOKEN),
    ],
    [
      'environs',
      'from environs import Env\nenv = Env()\nwith env.prefixed("CRM_"):\n    settings = env.str("TOKEN"), env.int("PORT", 1)',
    ],
    ['django', 'import environ\nenv = environ.Env(CRM_PORT=(int, 1))\nsettings = env("CRM_TOKEN"), env("CRM_PORT")'],
    ['dynaconf', 'from dynaconf import Dynaconf\nsettings = Dynaconf(envvar_prefix="CRM")\ntoken = settings.TOKEN'],
    [
      'a union with an env file',
      'import os\nfrom dotenv import dotenv_values\nsettings = os.environ | dotenv_values(".env.shared")\ntoken = settings["CRM_TOKEN"]',
    ],
    [
      'a helper with a default',
      'import os\ndef env(name, default=None):\n    value = os.getenv(name, default)\n    if value is None:\n        raise RuntimeError(name)\n    return value\nsettings = env("CRM_TOKEN"), env("CRM_URL", "x")',
    ],
    [
      'a dataclass',
      'import os\nfrom dataclasses import dataclass, field\n@dataclass\nclass S:\n    token: str = field(default_factory=lambda: os.environ["CRM_TOKEN"])\n    url: str = field(default_factory=lambda: os.getenv("CRM_URL", "x"))\nsettings = S()',
    ],
    [
      'arguments with defaults',
      'import argparse, os\nparser = argparse.ArgumentParser()\nparser.add_argument("--token", default=os.environ.get("CRM_TOKEN"))\nsettings = parser.parse_args([])',
      '',
      perhaps,
    ],
  ];
  for (const [about, code, line = TOKEN, found, more = () => {}] of settings) {
    const read = write('server/settings.py', code);
    given(`settings: ${about}`, add('from settings import settings'), read, more, dotenv(line));
    if (found) finds`${found}`;
  }

  const loads = 'from settings import S\nfrom vault import fetch\nsettings = S(crm_token=fetch())';
  const vault = write('server/vault.py', 'def fetch(): return "x"');
  given('settings that another module makes', add(loads), vault, write('server/settings.py', MODERN + CRM));
  const helpers = write('server/helpers.py', 'import os\ndef need(name: str) -> str:\n    return os.environ[name]');
  given('a helper in another module', add('from helpers import need\nCRM = need("CRM_TOKEN")'), helpers);
  finds`${perhaps}`;
  const cell = '{"cells": [{"source": ["import os; os.environ[\\"X_KEY\\"]"]}]}';
  given('a notebook', write('server/notebooks/try.ipynb', cell));
  given("a key of a transport's own", add('TRANSPORT_ENV: dict[str, list[str]] = {"webrtc": ["TURN_SECRET"]}'));
  finds`${unset('TURN_SECRET')}`;
  given("keys of two transports' own", add('TRANSPORT_ENV = {"webrtc": ["TURN_SECRET"], "daily": ["CRM_TOKEN"]}'));
  finds`${perhaps}`;
  finds`${perhaps.replace('CRM_TOKEN', 'TURN_SECRET')}`;
  given('a name that is made up', add('CRM = os.environ[f"{os.name}_TOKEN"]'));

  const fetched =
    'from google.cloud import secretmanager\nclient = secretmanager.SecretManagerServiceClient()\nos.environ["OPENAI_API_KEY"] = client.access(name="x")';
  given('a secrets manager that code names', add(fetched), remove('server/.env'));
  /** Files that say where keys are from, without `.env`. */
  const sources: [path: string, text: string][] = [
    ['server/bot.py', 'import os\nfor key, value in hvac.Client().read("bot").items():\n    os.environ[key] = value'],
    ['.sops.yaml', 'creation_rules: []\n'],
    ['compose.yaml', 'services:\n  bot:\n    environment:\n      - OPENAI_API_KEY\n'],
    ['docker-compose.yml', 'services:\n  bot:\n    env_file: secrets/bot.env\n'],
    ['.vscode/launch.json', '{"configurations": [{"envFile": "dev.env"}]}'],
    ['doppler.yaml', 'setup:\n  - project: bot\n'],
    ['Makefile', 'dev:\n\tcd server && doppler run -- uv run bot.py\n'],
    ['justfile', 'dev:\n  op run --env-file op.env -- uv run bot.py\n'],
    ['.envrc', 'export OPENAI_API_KEY=$(pass openai)\n'],
  ];
  for (const [path, text] of sources) {
    const fault = path === 'server/bot.py' ? add(text) : write(path, text);
    given(`keys from elsewhere: ${JSON.stringify(text)} in ${path}`, remove('server/.env'), fault);
    finds`${unfollowed('OPENAI_API_KEY', path)}`;
  }
  const database = 'services:\n  db:\n    environment:\n      POSTGRES_USER: bot\n  bot:\n    env_file: server/.env\n';
  given('Docker Compose for a database', remove('server/.env'), write('compose.yaml', database));
  finds`error env-file-missing: server/.env doesn't exist, and the bot needs OPENAI_API_KEY -> cp server/.env.example server/.env`;
});

describe('botcli check finds', () => {
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
