import lt from 'semver/functions/lt.js';
import valid from 'semver/functions/valid.js';
import type { ScaffoldConfig } from '../../config/config.ts';
import { unique } from '../../std.ts';
import { VERSION } from '../../version.ts';
import { planClient } from '../client.ts';
import { dueIn, type Features, featuresOf, type PlannedFile } from '../features.ts';
import { STATE_FILE } from './state.ts';

/** The workflow for GitHub. */
export const WORKFLOW = '.github/workflows/bot.yml';

/** The last line of a file that may become outdated: what wrote it, and how to refresh it. */
export const guideFooter = (version: string): string =>
  `<!-- Written by botcli ${version}. Refresh with: botcli init . --overwrite-guide -->`;

/** The last line of our README. */
export const readmeFooter = (version: string): string => `<!-- Written by botcli ${version}. -->`;

/** The version that wrote a file, according to its last line; nothing if that isn't our footer. */
export function writtenBy(text: string): string | undefined {
  return versionIn(text.trimEnd().split('\n').at(-1));
}

/**
 * True for a guide that an older release wrote, according to our last footer on its own line: people may have written
 * below it. A guide without our footer, or from a newer release, isn't older.
 */
export function isOlder(text: string, version: string): boolean {
  const stamp = text.split('\n').findLast(line => versionIn(line.trimEnd()));
  return stamp !== undefined && lt(versionIn(stamp.trimEnd()) ?? version, version);
}

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
 * The guides that an older release wrote.
 *
 * @param read The text of a guide, if there is one.
 */
export function olderGuides(read: (name: string) => string | undefined): string[] {
  const names = guideFiles.filter(({ isStamped }) => isStamped).map(({ destination }) => destination);
  return names.filter(name => isOlder(read(name) ?? '', VERSION));
}

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

export const botFiles: readonly PlannedFile[] = [
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

/** The names of the starter scenarios, the fastest first. */
export const scenariosOf = (facts: Features): string[] =>
  planBot(facts).flatMap(({ destination }) => /evals\/(\w+)\.yaml$/.exec(destination)?.[1] ?? []);

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
