import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseConfig } from '../../src/account/user-config.ts';
import { flawOf } from '../../src/check/checks/value-flaws.ts';
import { offlineResults } from '../../src/check/command.ts';
import { readFacts } from '../../src/check/gather.ts';
import { resolveConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { revealedBy } from '../../src/deploy/context/contents.ts';
import { UserError } from '../../src/errors.ts';
import { parseDeployFile } from '../../src/existing/deploy-file.ts';
import { readModules, requirementsOf } from '../../src/existing/needs.ts';
import { fillIn, parseDotEnv } from '../../src/formats/dotenv.ts';
import { explainJsonFault } from '../../src/formats/json.ts';
import { findMarkers } from '../../src/formats/markers.ts';
import { readRequirement } from '../../src/formats/requirement.ts';
import { listPackages, markersIn, mergeFile } from '../../src/merge/index.ts';
import { validated } from '../../src/platform/answers.ts';
import { inputProblems } from '../../src/platform/names.ts';
import { olderGuides, placeFiles } from '../../src/project/files/files.ts';
import { parseState } from '../../src/project/files/state.ts';
import { isProtected } from '../../src/project/protected.ts';
import { renderProject } from '../../src/rendering/project.ts';
import { parsePairs, parseSecrets } from '../../src/secrets-cli/input/sources.ts';
import { toTerminalText } from '../../src/shell/terminal/style.ts';
import { shellWord } from '../../src/shells.ts';
import { excerpt, printable, printableJson, withoutSequences } from '../../src/text.ts';
import { CASCADE, generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { openRecorded } from '../support/session.ts';
import { growTree } from '../support/trees.ts';

const config = resolveFlags({ ...CASCADE, deploy_to_cloud: true });
const labels = { yours: 'yours', base: 'botcli 1', ours: 'botcli 2' };

/** Two versions of a project's files: what botcli wrote, and what it would write now. */
type Trees = readonly [base: Map<string, string>, botcli: Map<string, string>];

const treesOf = (...choices: [RawConfig, RawConfig]) =>
  choices.map(one => renderProject(resolveFlags({ ...CASCADE, ...one }))) as unknown as Trees;

const SERVER = treesOf(
  { deploy_to_cloud: true },
  { deploy_to_cloud: true, enable_eval: true, recording: true, tts_service: 'elevenlabs_tts' },
);
const CLIENT = treesOf(
  { client_framework: 'component', client_server: 'bundler' },
  { client_framework: 'component', client_server: 'bundler', transports: ['rtc_local', 'rtc_hosted'] },
);

const STYLES = ['c', 'd'].map(
  sign =>
    new Map([
      ['client/src/styles.css', `a {\n  b: ${sign};\n}\n`],
      ['client/index.html', `<p>${sign}</p>\n`],
    ]),
) as unknown as Trees;

/** The user's version of a file is botcli's, with a text before or after it. */
const merging =
  (path: string, isBefore = false, [base, botcli]: Trees = SERVER) =>
  (text: string): unknown => {
    const old = base.get(path) ?? '{}';
    const ours = botcli.get(path) ?? '{"a": 1}';
    const user = isBefore ? `${text}\n${old}` : `${old}\n${text}`;
    const [mine, before, after] = [user, old, ours].map(one => Buffer.from(one)) as [Buffer, Buffer, Buffer];
    return mergeFile(path, { user: mine, base: before, botcli: after }, labels);
  };

const project = generateProject(config);

/** Checks a project whose bot and whose env file are this text. */
export function checkProject(text: string): unknown {
  const root = mkdtempSync(join(tmpdir(), 'botcli-checking-'));
  try {
    growTree(root, { ...project, 'server/bot.py': text, 'server/.env': `${text.replaceAll('A', 'B')}\nX_Y=z\n` });
    const { terminal } = openRecorded(root);
    const files = readFacts(root, terminal);
    const machine = { node: '24.1.0', uv: '0.9.1', credentials: [], ports: [], ollama: undefined };
    const env = { ...files.env, tracked: [] };
    const facts = { ...files, restorable: new Set<string>(), refused: new Map(), going: [], env, machine };
    return offlineResults(facts, terminal);
  } finally {
    rmSync(root, { recursive: true });
  }
}

/** Everything that reads a text which people or strangers have written. */
export const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  'what Python needs': text =>
    requirementsOf(readModules(new Map(['server/bot.py', 'server/x.py'].map(path => [path, text]))), config),
  '.env': text => parseDotEnv(text, { A: 'a' }),
  'a file that may hold a secret': text => revealedBy(text, 'settings.yaml'),
  'a value in .env': value =>
    flawOf({ name: 'A_KEY', value, line: 1, lineBefore: undefined, isQuoted: true, isOpen: false, gap: undefined }),
  'filling in .env': text => fillIn(text, new Map(Object.entries({ A: 'b', B: 'c' }))),
  'cloud-deploy.toml': text => parseDeployFile(text),
  'packages in TOML': text => listPackages(text),
  'a requirement': text => readRequirement(text),
  'conflict markers': text => [findMarkers(text.split('\n')), markersIn(Buffer.from(text))],
  '.botcli.json': text => parseState(text),
  'a name in .botcli.json': text =>
    parseState(JSON.stringify({ botcli: { version: '1.0.0', files: { [text]: 'a'.repeat(64) } } })),
  'a protected name': text => isProtected(text),
  'a stamp': text => [olderGuides(() => text), olderGuides(() => `<!-- Written by botcli ${text}. -->`)],
  '.gitignore': text =>
    reporting(() => placeFiles([['.gitignore', SERVER[0].get('.gitignore') ?? '']], { read: () => Buffer.from(text) })),
  'broken JSON': text => explainJsonFault(text),
  'a config file': text =>
    reporting(() => {
      const file = { transports: [text], project_name: text, [text]: text };
      return resolveConfig({ file, flags: {}, directoryName: 'bot' });
    }),
  'the account file': text => parseConfig(Buffer.from(text)),
  'secrets in an env file': text => parseSecrets(Buffer.from(text), '.env'),
  'secrets in JSON': text => parseSecrets(Buffer.from(text), 'keys.json'),
  'a value for secrets in JSON': text => parseSecrets(Buffer.from(JSON.stringify({ A: text, B: [text] })), 'keys.json'),
  'secrets on the command line': text => [parsePairs([text, `A=${text}`]), parsePairs(text.split('\n'))],
  'an image registry': text => inputProblems({ host: text, region: text, name: text, newName: text }),
  'an answer of the platform': text =>
    validated('sets', { sets: [{ name: text, type: 'secret', errorMessage: text }] }, one => one),
  'texts for a terminal': text =>
    [toTerminalText, printable, printableJson, excerpt, shellWord].map(shown => shown(text)),
  'the output of a program': text => withoutSequences(text),
  'merging bot.py': merging('server/bot.py'),
  'merging before bot.py': merging('server/bot.py', true),
  'merging pyproject.toml': merging('server/pyproject.toml'),
  'merging before pyproject.toml': merging('server/pyproject.toml', true),
  'merging .env.example': merging('server/.env.example'),
  'merging before .env.example': merging('server/.env.example', true),
  'merging .gitignore': merging('.gitignore'),
  'merging README.md': merging('README.md', true),
  'merging JSON': merging('package.json'),
  'merging App.tsx': merging('client/src/components/App.tsx', false, CLIENT),
  'merging before App.tsx': merging('client/src/components/App.tsx', true, CLIENT),
  'merging before config.ts': merging('client/src/config.ts', true, CLIENT),
  'merging CSS': merging('client/src/styles.css', false, STYLES),
  'merging HTML': merging('client/index.html', true, STYLES),
};

/** Refusals are answers. */
function reporting(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}
