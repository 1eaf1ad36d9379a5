import assert from 'node:assert/strict';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import semver from 'semver';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { openSession } from '../../scripts/local-cloud/sessions.ts';
import { SERVICE_KINDS, serviceIds } from '../../src/catalog/index.ts';
import { type CloudSession, cloudSession, SECRET } from '../support/cloud-session.ts';
import { deploySession } from '../support/deploys.ts';
import { inlineCodeOf, inRepository, readText } from '../support/documents.ts';
import { gated, gateSession } from '../support/gated.ts';
import { BOT, typeLine } from '../support/session.ts';
import { runShell } from '../support/shell.ts';
import { shellWords } from '../support/shell-words.ts';
import { inTree } from '../support/trees.ts';

/** Commands of one kind, and how to test them. */
interface Kind {
  pattern: RegExp;
  /** Fails if the command would not do what its reader expects. */
  check(...groups: string[]): void | Promise<void>;
}

const manifest = JSON.parse(readText('package.json'));

const exists = (path: string): void => assert(existsSync(inRepository(path)), `${path} does not exist`);

/** Commands that this test doesn't check, each with the reason. */
const ELSEWHERE: Record<string, string> = {
  'node -e 0': 'only starts Node, as the baseline of npm run bench',
  'npm exec': 'runs another release',
  'uv sync': 'installs packages; test:bots runs it',
  'npm install': 'installs packages; test:browser runs it',
  'pipecat init': "is the framework's own generator",
  'pipecat eval run': "is the framework's own; test:bots runs it",
  'uv run pipecat eval run evals/starter_text.yaml -v': "is the framework's own; test:bots runs it",
  'npm install --global npm@11': 'installs the npm that the release workflow needs',
  'npm publish --access public': 'publishes',
  'npm create botcli@latest': 'asks; test:package runs it',
  'npm install --global generator-botcli': 'installs it; test:package installs the same package from a file',
  'curl -LsSf https://astral.sh/uv/install.sh \\| sh': "is the uv project's own installer",
  'winget install --id=astral-sh.uv -e': "is the uv project's own package",
};

const KINDS: readonly Kind[] = [
  { pattern: /^eval "\$\(botcli (.+)\)"$/, check: runScript },
  { pattern: /^botcli (completion \w+)$/, check: runScript },
  { pattern: /^botcli update\b(.*)$/, check: runUpdate },
  { pattern: /^(?:npx )?botcli (check.*)$/, check: runCheck },
  { pattern: /^(?:npx )?botcli ((?:dev|test|talk)\b.*)$/, check: startNothing },
  {
    pattern:
      /^(?:npx (?:--yes )?)?botcli(?:@[\d.]+)? (cloud (?:deploy|status|logs|call|phone|rollback|sessions|delete).*)$/,
    check: runDeployed,
  },
  { pattern: /^(?:npx )?botcli (.+)$/, check: runBotcli },
  { pattern: /^op inject -i \.env\.tpl \| botcli (.+)$/, check: line => pipe('OPENAI_API_KEY=x\n', line) },
  { pattern: /^printf '(.+)' \| npx botcli (.+)$/, check: pipe },
  { pattern: /^npx (?:--yes )?botcli@(?:latest|[\d.]+) (.+)$/, check: runBotcli },
  { pattern: /^node --import tsx\/esm src\/bin\/botcli\.ts (.+)$/, check: runBotcli },
  { pattern: /^npx botcli@latest$/, check: () => assert(manifest.bin.botcli) },
  {
    pattern: /^npm version (\S+) --no-git-tag-version$/,
    check: version => assert(semver.valid(version) && version?.includes('-')),
  },
  { pattern: /^npx botcli$/, check: () => assert(manifest.bin.botcli) },
  { pattern: /^yo botcli(?::(\w+))?(?: (.+))?$/, check: checkYo },
  { pattern: /^alias botcli="node \$PWD\/(.+)"$/, check: path => assert.equal(path, manifest.bin.botcli) },
  { pattern: /^npm ci$/, check: () => exists('package-lock.json') },
  { pattern: /^(?:UPDATE_SNAPSHOTS=1 )?npm (test)$/, check: checkScript },
  { pattern: /^npm run test:all -- -g (.+)$/, check: checkTitle },
  { pattern: /^npm run ([\w:]+)(?: -- (.+))?$/, check: checkScript },
  { pattern: /^npx biome /, check: () => exists('node_modules/.bin/biome') },
  { pattern: /^npx mocha (\S+\.test\.ts)$/, check: exists },
  { pattern: /^python3 (scripts\/\S+\.py) \S+ > (\S+)$/, check: (...paths) => paths.forEach(exists) },
  { pattern: /^git diff (\S+)$/, check: exists },
  { pattern: /^\.ci\/run$/, check: () => accessSync(inRepository('.ci/run'), constants.X_OK) },
  {
    pattern: /^export BOTCLI_API_URL=(\S+) BOTCLI_TOKEN=(\S+)$/,
    check: (url, token) => assert.deepEqual([url, token], ['http://127.0.0.1:4010', LOCAL_TOKEN]),
  },
];

/** Tests a command. An unknown command fails. */
export async function checkCommand(command: string): Promise<void> {
  if (ELSEWHERE[command] !== undefined) return;
  for (const { pattern, check } of KINDS) {
    const match = pattern.exec(command);
    if (match) return check(...match.slice(1));
  }
  assert.fail(`No kind in test/documents/commands.ts matches this: ${command}`);
}

/** Checks that the script of an `npm run` line exists, and that it has the options and names in the line. */
function checkScript(name: string, typed = ''): void {
  const script: string | undefined = manifest.scripts[name];
  assert(script, `package.json has no script ${name}`);
  const [, file] = /^tsx (\S+)$/.exec(script) ?? [];
  if (file) exists(file);
  const words = shellWords(typed);
  if (words.length > 0) assert(file, `${name} takes no arguments`);
  for (const [at, word] of words.entries()) {
    if (!word.startsWith('--')) continue;
    assert(declares(file as string, word.slice(2)), `${file} has no ${word}`);
    if (word === '--only') checkOnly(name, words[at + 1] ?? '');
  }
}

/** Whether a script has an option, itself or like all that have levels. */
function declares(file: string, option: string): boolean {
  const text = readText(file);
  const all = text.includes('runLevels(') ? text + readText('test/bots/levels.ts') : text;
  return all.includes(`${option}: { type:`);
}

function checkOnly(script: string, subject: string): void {
  const known = script === 'test:bots' ? [...SERVICE_KINDS.flatMap(serviceIds), 'guides', 'python-reader'] : [];
  assert(known.includes(subject) || readText('test/browser/clients.ts').includes(`'${subject}'`), subject);
}

/** Checks that a test's title matches the pattern. */
function checkTitle(quoted: string): void {
  const files = readdirSync(inRepository('test'), { recursive: true, encoding: 'utf8' });
  const sources = files.filter(file => file.endsWith('.test.ts')).map(file => readText(`test/${file}`));
  const titles = sources.flatMap(source => [...source.matchAll(/\b(?:it|describe)\(\s*['"`]([^\n]+)/g)]);
  const pattern = new RegExp(shellWords(quoted)[0] ?? '');
  assert(
    titles.some(([, title = '']) => pattern.test(title)),
    `no test is called ${pattern}`,
  );
}

/** Checks that the line is accepted, in a directory without a project. The tests of `dev` start bots. */
async function startNothing(line: string): Promise<void> {
  await inTree({}, async cwd => {
    const { code, stdout, stderr } = await typeLine(cwd, line);
    assert.equal(code, 2);
    assert.match(stdout + stderr, /is not in a botcli project/);
  });
}

/** Checks that the generator exists and that `botcli init` accepts the options. `test:package` runs the generator. */
async function checkYo(name = 'app', options = ''): Promise<void> {
  exists(`generators/${name}/index.ts`);
  if (options !== '') await runBotcli(`init . ${options}`);
}

/** Checks that the command prints a script to stdout, and nothing to stderr. */
async function runScript(line: string): Promise<void> {
  await inTree({}, async cwd => {
    const { code, stdout, stderr } = await runShell(`botcli ${line}`, { cwd });
    assert.deepEqual([code, stderr], [0, '']);
    assert(stdout.includes('botcli'));
  });
}

/** The config file in the README. */
const [CONFIG = ''] = inlineCodeOf(readText('docs/programs.md')).filter(code => code.startsWith('{ "transports"'));

/** Lines that fail in this test, because there is no terminal. */
const REFUSED: readonly [RegExp, string | RegExp][] = [
  [/^init$/, 'Nothing to do: pass a directory or options'],
  [/webb/, '5 problems'],
  [/^calls$/, 'not in a botcli project'],
  [/^cloud(?: secrets| auth| organizations)?$/, 'Usage:'],
  [/ auth login$/, '--token-stdin'],
  [/ set \S+ [A-Z_]+$/, 'KEY=-'],
  [/ image-pull-secret /, /stdin/],
  [/^cloud secrets (?:set|unset|delete) (?!.*(?:--skip|--dry-run))/, '--skip'],
];

/** Runs a command with what another program would pipe in. */
function pipe(input = '', line = ''): Promise<void> {
  return runBotcli(line.replace('NAME', 'demo'), input);
}

/** Runs a check in a new project. What it finds depends on the machine. */
function runCheck(line = ''): Promise<void> {
  const use = async ({ run, succeed }: CloudSession) => {
    await succeed(`init my-bot ${BOT}`);
    const { code, stdout } = await run(line, { cwd: line.includes('my-bot') ? '.' : 'my-bot' });
    assert(code === 0 || code === 1);
    assert.match(stdout, /"findings"|Project/);
  };
  return cloudSession({}, use)();
}

/** Runs a command in a project that was deployed twice. A question can't be answered here, so it's skipped. */
async function runDeployed(line = ''): Promise<void> {
  if (line.includes('--gate')) {
    const typed = `${line.replace('NAME', 'starter_text')} --skip`;
    return gateSession(gated(), async ({ run }) => assert.equal((await run(typed)).code, 0))();
  }
  const use = async ({ run, succeed, write, acme, cloud }: Parameters<Parameters<typeof deploySession>[1]>[0]) => {
    await succeed('cloud deploy --skip');
    write('server/extra.py', 'X = 1\n');
    await succeed('cloud deploy --skip');
    const { sessionId } = openSession(acme.agents.get('bot') as StoredAgent);
    const isBuild = line.includes('--build');
    const id = isBuild ? [...acme.builds.keys()][0] : sessionId;
    if (line.includes('--follow')) cloud.fault({ path: '/logs', after: 2, fault: { kind: 'answer', status: 401 } });
    const asks = /cloud (?:deploy|call|rollback|sessions stop|delete)/.test(line) && !/--skip|--dry-run/.test(line);
    const typed = line.replace(/\bID\b/, id ?? '').replace(/\bNAME\b/, 'bot');
    // The project has no phone.
    const more = [...(asks ? ['--skip'] : []), ...(/^cloud phone$/.test(line) ? ['-t tel_a'] : [])];
    const { code, stdout, stderr } = await run([typed, ...more].join(' '));
    assert.equal(code, line.includes('--follow') ? 1 : 0, stderr);
    assert(stdout.length > 0);
  };
  await deploySession({}, use)();
}

async function runBotcli(line: string, input?: string): Promise<void> {
  const words = shellWords(line.replace('DIRECTORY', 'my-bot').replace('FILE', 'bot.json'));
  const files = { '.env': `OPENAI_API_KEY=${SECRET}\n`, 'bot.json': CONFIG };
  const use = async ({ run, succeed }: CloudSession) => {
    await succeed('cloud secrets set my-bot-secrets OLD_API_KEY=x --skip');
    const { code, stdout, stderr } = await run(words, { input, env: { OPENAI_API_KEY: SECRET } });
    const [, refusal] = REFUSED.find(([pattern]) => pattern.test(line)) ?? [];
    if (refusal === undefined) {
      assert.deepEqual([code, stderr.includes('error')], [0, false], stderr);
      assert(stdout.length > 0);
    } else {
      assert.equal(code, 2, stderr);
      assert(stderr.search(refusal) >= 0, stderr);
    }
  };
  await cloudSession({ files }, use)();
}

/** Runs an update of a project. */
async function runUpdate(options = ''): Promise<void> {
  const line = `update ${options.trim()}`.replace('OPTIONS', '--eval');
  await inTree({}, async directory => {
    const cwd = line.includes('my-bot') ? '.' : 'my-bot';
    await typeLine(directory, `init my-bot ${BOT}`);
    const { code, stderr } = await typeLine(directory, line, { cwd });
    assert.deepEqual([code, stderr], [0, '']);
  });
}
