import { isUtf8 } from 'node:buffer';
import lt from 'semver/functions/lt.js';
import valid from 'semver/functions/valid.js';
import type { ScaffoldConfig } from '../../config/config.ts';
import { UserError } from '../../errors.ts';
import { isSameText } from '../../formats/bytes.ts';
import { unique } from '../../std.ts';
import { VERSION } from '../../version.ts';
import { planClient } from '../client.ts';
import { dueIn, type Features, featuresOf, type PlannedFile } from '../features.ts';
import { type FileRecord, parseState, STATE_FILE, stateText, textHashOf } from './state.ts';

/** The workflow for GitHub. */
export const WORKFLOW = '.github/workflows/bot.yml';

/** The last line of a file that may become outdated: what wrote it and, for a guide, how to refresh it. */
export const footerOf = (version: string, isGuide = false): string =>
  `<!-- Written by botcli ${version}.${isGuide ? ' Refresh with: botcli init . --overwrite-guide' : ''} -->`;

function versionIn(line = ''): string | undefined {
  const version = /^<!-- Written by botcli (\S+)\. .*-->$/.exec(line)?.[1];
  return version && valid(version) ? version : undefined;
}

/** A guide for coding agents and the people who work with them. Its template has its name. */
interface GuideFile extends Omit<PlannedFile, 'when'> {
  /** Whether it ends with the version that wrote it. */
  isStamped?: true;
  /** Whether it's written on request only. Once it exists, it's refreshed with the others. */
  isOnRequest?: true;
}

/** The guide for people. */
export const GETTING_STARTED = 'GETTING_STARTED.md';

export const guideFiles: readonly GuideFile[] = [
  { template: 'AGENTS.md.ejs', destination: 'AGENTS.md', note: 'the guide for coding agents', isStamped: true },
  { template: 'ASSISTANT.md', destination: 'ASSISTANT.md', note: 'imports AGENTS.md' },
  {
    template: 'GETTING_STARTED.md.ejs',
    destination: GETTING_STARTED,
    note: 'how to build a bot with a coding agent',
    isStamped: true,
    isOnRequest: true,
  },
];

/**
 * The guides that an older release wrote, according to our last footer on its own line: people may have written below it.
 * A guide without our footer, or from a newer release, isn't older.
 *
 * @param read The text of a guide, if there is one.
 */
export const olderGuides = (read: (name: string) => string | undefined): string[] =>
  guideFiles.flatMap(({ destination: name, isStamped }) => {
    const lines = isStamped ? (read(name) ?? '').split('\n').map(line => line.trimEnd()) : [];
    const version = versionIn(lines.findLast(versionIn));
    return version && lt(version, VERSION) ? [name] : [];
  });

/**
 * A file of a bot. Its template has the same path; if a file has several templates to choose from, each adds its subject
 * to the file's name.
 */
const file = (template: string, note: string, ...when: PlannedFile['when']): PlannedFile => {
  const destination = template
    .replace(/\.ejs$/, '')
    .replace(/(?<=^|\/)(?=(?:gitignore|gitattributes|dockerignore|env\.example)$|github\/)/, '.')
    .replace(/-[a-z-]+(?=\.py$)/, '');
  return { template, destination, note, when };
};

const botFiles: readonly PlannedFile[] = [
  file('gitignore.ejs', 'what git ignores: keys, caches, recordings'),
  file('gitattributes', 'line endings: the same on every system'),
  file('github/workflows/bot.yml.ejs', 'what GitHub does on each push', 'hasWorkflow'),
  file('README.md.ejs', 'how to run, test and deploy the bot'),
  file('server/bot.py.ejs', 'the bot'),
  file('server/env.py', 'reads the variables, and reports those that are missing'),
  file('server/recording.py', 'records conversations', 'hasRecording'),
  file('server/journal.py', 'writes down each call, for botcli calls', 'hasJournal'),
  file('server/guard-call.py.ejs', 'what callers hear when a service fails', 'guardsCalls'),
  file('server/guard-realtime.py.ejs', 'what happens when the service fails', 'guardsSessions'),
  file('server/typed_text-frame.py', 'lets the service answer what people type', 'sendsTextFrame'),
  file('server/typed_text-item.py', 'lets the service answer what people type', 'sendsTextItem'),
  file('server/typed_text-message.py', 'lets the service answer what people type', 'sendsTextMessage'),
  file('server/shutdown.py', 'ends the sessions when you stop the bot'),
  file('server/picture.py.ejs', 'what the bot shows', 'hasPicture'),
  file('server/server-dial-out.py.ejs', 'starts the bot for each call', 'placesCalls'),
  file('server/server-sip-dial-in.py.ejs', 'starts the bot for each call', 'takesSipCalls'),
  file('server/server_utils.py.ejs', 'how server.py starts the bot, locally or in the cloud', 'hasCallServer'),
  file('server/download_models.py.ejs', 'downloads the models that run on this machine', 'loadsModels'),
  file('server/pyproject.toml.ejs', "the bot's packages"),
  file('server/env.example.ejs', 'the variables to set; copy it to .env'),
  file('server/evals/starter_text.yaml.ejs', 'a first test conversation, in text', 'hasEvals', 'takesText'),
  file('server/evals/starter_audio.yaml.ejs', 'a spoken test conversation', 'hasEvals'),
  file('server/evals/starter_simulation.yaml.ejs', 'a conversation with a simulated person', 'hasEvals', 'hasJudge'),
  file('server/evals/judge.py.ejs', 'the language model that judges the evals', 'hasEvals', 'hasJudge'),
  file('server/container-file.ejs', 'builds the cloud image', 'hasCloud'),
  file('server/dockerignore.ejs', "what the cloud image doesn't contain", 'hasCloud'),
  file('server/cloud-deploy.toml.ejs', 'how the cloud runs the bot', 'hasCloud'),
];

export const planBot = (facts: Features): PlannedFile[] => dueIn(facts, botFiles);

/** The files of a project: its guides, its bot, its client, and what the generator of whole projects adds. */
const planProject = (facts: Features): { destination: string; note: string }[] => [
  ...guideFiles.filter(({ isOnRequest }) => !isOnRequest),
  ...planBot(facts),
  ...planClient(facts),
  { destination: STATE_FILE, note: 'how this project was made, for botcli update' },
];

/** The directories of a client that the README names instead of their files. */
const CLIENT_FOLDERS: Readonly<Record<string, string>> = {
  'client/public/': 'the icon of the page',
  'client/src/app/': 'the page, and the requests that go to the bot',
  'client/src/server/': "adds the bot's address and key to them, which the browser never sees",
  'client/src/components/': 'the parts of the page',
  'client/src/page/': 'what the page does without a framework',
  'client/src/bot/': 'the call: its connection, transports, transcript and texts',
};

/** The project's files, each with its note, as a list in Markdown. None depends on another, for merges. */
export const projectTree = (facts: Features): string[] =>
  unique(
    planProject(facts).map(({ destination, note }) => {
      const folder = Object.entries(CLIENT_FOLDERS).find(([path]) => destination.startsWith(path));
      return `- \`${folder?.[0] ?? destination}\`: ${folder?.[1] ?? note}`;
    }),
  );

/** The project's files, sorted by path, for programs. */
export const listFiles = (config: ScaffoldConfig): { path: string; note: string }[] =>
  planProject(featuresOf(config))
    .map(({ destination, note }) => ({ path: destination, note }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));

/** A directory that gets rendered files. */
interface Ground {
  /** The contents of a file; undefined if there is none that can be read. */
  read(path: string): Buffer | undefined;
  /** The files that are botcli's own, whatever is in them now. Default: the files themselves say whose they are. */
  record?: FileRecord;
}

/** What to do with guides. */
export interface GuideWishes {
  overwriteGuide?: boolean | undefined;
  /** The names of guides to replace; the others are kept. */
  refreshed?: readonly string[] | undefined;
  /** Also writes GETTING_STARTED.md, for people who build with a coding agent. */
  gettingStarted?: boolean | undefined;
}

/** A file in its place. */
interface PlacedFile {
  path: string;
  /** What to write; absent to keep the existing file. */
  contents?: Buffer;
  /** Whether an existing file may be replaced. */
  replaces?: boolean;
  /** What botcli writes into an empty directory. Absent for a file that an update leaves alone. */
  ours?: Buffer;
}

/**
 * Decides where rendered files go in a directory, and which existing files stay: guides are kept unless they should be
 * replaced, missing lines are added to .gitignore, .gitattributes and the workflow are kept, and a README.md of the user's is kept: ours then goes in `server/`.
 *
 * @throws {UserError} The existing .gitignore can't be added to.
 */
export function placeFiles(
  rendered: Iterable<readonly [path: string, text: string | Buffer]>,
  ground: Ground,
  wishes: GuideWishes = {},
): PlacedFile[] {
  return [...rendered].flatMap(([path, text]) => {
    const ours = Buffer.from(text);
    if (ground.record?.has(path)) return [{ path, contents: ours, ours }];
    if (path === '.gitignore') return [placeIgnored(ours, ground)];
    if (path === 'README.md') return placeReadme(ours, ground);
    // What the user says about line ends counts, and so does their workflow, which gets their secrets.
    if (/^\.git(?:attributes|hub\/)/.test(path) && !isSameText(ground.read(path) ?? ours, ours)) return [{ path }];
    const guide = guideFiles.find(({ destination }) => destination === path);
    return guide ? placeGuide(guide, ours, ground, wishes) : [{ path, contents: ours, ours }];
  });
}

function placeIgnored(ours: Buffer, { read }: Ground): PlacedFile {
  const existing = read('.gitignore');
  // Existing bytes don't change, whatever they are.
  const encoding = isUtf8(existing ?? ours) ? 'utf8' : 'latin1';
  const merged = Buffer.from(mergeIgnored(existing?.toString(encoding), ours.toString()), encoding);
  return { path: '.gitignore', contents: merged, replaces: existing !== undefined, ours };
}

function placeReadme(ours: Buffer, { read, record }: Ground): PlacedFile[] {
  const [ownPath, otherPath] = ['README.md', 'server/README.md'];
  const existing = read(ownPath);
  const isOurs =
    existing === undefined ||
    isSameText(existing, ours) ||
    versionIn(existing.toString().trimEnd().split('\n').at(-1)) !== undefined;
  if (isOurs && !record?.has(otherPath)) return [{ path: ownPath, contents: ours, ours }];
  return [{ path: ownPath }, { path: otherPath, contents: ours, ours }];
}

function placeGuide(
  { destination: path, isOnRequest }: (typeof guideFiles)[number],
  contents: Buffer,
  { read }: Ground,
  { overwriteGuide, refreshed, gettingStarted }: GuideWishes,
): PlacedFile[] {
  const existing = read(path);
  if (isOnRequest && !gettingStarted && existing === undefined) return [];
  const replaces = overwriteGuide === true || refreshed?.includes(path) === true;
  const isWritten = replaces || existing === undefined || isSameText(existing, contents);
  return [{ path, ...(isWritten && { contents, replaces }), ...(!isOnRequest && { ours: contents }) }];
}

/** The state file of a project that gets these files. A guide that is kept keeps its record. */
export function placeState(
  config: ScaffoldConfig,
  version: string,
  files: readonly PlacedFile[],
  { read }: Ground,
): PlacedFile {
  const before = parseState(read(STATE_FILE)?.toString() ?? '');
  const known = typeof before === 'string' ? undefined : before.files;
  const record = files.flatMap(({ path, contents, ours }) => {
    const hash = ours && (contents ? textHashOf(ours) : known?.get(path));
    return hash ? [[path, hash] as const] : [];
  });
  return { path: STATE_FILE, contents: Buffer.from(stateText(config, version, new Map(record))), replaces: true };
}

/**
 * A .gitignore that contains all our patterns: existing lines stay unchanged, missing patterns are added at the end.
 *
 * @throws {UserError} Its encoding, such as UTF-16, would garble our lines.
 */
function mergeIgnored(existing: string | undefined, ours: string): string {
  if (existing === undefined || existing.trim() === '') return ours;
  if (existing.includes('\0')) {
    throw new UserError(".gitignore isn't a UTF-8 text file (it contains NUL bytes). Nothing was written.", {
      reason: 'conflict',
      hint: "Save it as UTF-8, or move it away: git can't read it as it is.",
    });
  }
  const lineEnd = existing.includes('\r\n') ? '\r\n' : '\n';
  const known = new Set(existing.split(/\r?\n/).map(line => line.trim()));
  const patterns = ours.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const isMissing = (pattern: string) => !known.has(pattern);
  // The last matching pattern wins, so an exception must come after the pattern that it's an exception to.
  const isOverruled = (pattern: string, at: number) => pattern.startsWith('!') && patterns.slice(0, at).some(isMissing);
  const missing = patterns.filter((pattern, at) => isMissing(pattern) || isOverruled(pattern, at));
  if (missing.length === 0) return existing;
  const start = existing.endsWith('\n') ? existing : existing + lineEnd;
  return `${start}${['', '# Added for the voice bot', ...missing].join(lineEnd)}${lineEnd}`;
}
