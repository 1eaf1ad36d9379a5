import type { ScaffoldConfig } from '../../config/config.ts';
import { planClient } from '../client/files.ts';
import { type Features, featuresOf } from '../features.ts';
import type { PlannedFile } from '../planned-file.ts';
import { guideFiles } from './guides.ts';
import { STATE_FILE } from './state.ts';

/**
 * The files of a bot, each with its condition. The template tree mirrors the project; if a file has several templates to
 * choose from, each adds its subject to the file's name.
 */
export const botFiles: readonly PlannedFile[] = [
  { template: 'gitignore', destination: '.gitignore', note: 'what git ignores: keys, caches, recordings' },
  { template: 'gitattributes', destination: '.gitattributes', note: 'line ends: the same on every system' },
  { template: 'README.md.ejs', destination: 'README.md', note: 'how to run, test and deploy the bot' },
  { template: 'server/bot.py.ejs', destination: 'server/bot.py', note: 'the bot' },
  {
    template: 'server/env.py',
    destination: 'server/env.py',
    note: 'reads the variables, and names those that are missing',
  },
  {
    template: 'server/recording.py',
    destination: 'server/recording.py',
    note: 'records conversations',
    when: ({ hasRecording }) => hasRecording,
  },
  {
    template: 'server/guard-call.py.ejs',
    destination: 'server/guard.py',
    note: 'what callers hear when a service fails',
    when: ({ guardsCalls }) => guardsCalls,
  },
  {
    template: 'server/guard-realtime.py.ejs',
    destination: 'server/guard.py',
    note: 'what happens when the service fails',
    when: ({ guardsSessions }) => guardsSessions,
  },
  {
    template: 'server/typed_text-frame.py',
    destination: 'server/typed_text.py',
    note: 'lets the service answer what people type',
    when: ({ sendsTextFrame }) => sendsTextFrame,
  },
  {
    template: 'server/typed_text-item.py',
    destination: 'server/typed_text.py',
    note: 'lets the service answer what people type',
    when: ({ sendsTextItem }) => sendsTextItem,
  },
  {
    template: 'server/typed_text-message.py',
    destination: 'server/typed_text.py',
    note: 'lets the service answer what people type',
    when: ({ sendsTextMessage }) => sendsTextMessage,
  },
  {
    template: 'server/shutdown.py',
    destination: 'server/shutdown.py',
    note: 'ends the sessions when you stop the bot',
  },
  {
    template: 'server/picture.py.ejs',
    destination: 'server/picture.py',
    note: 'what the bot shows',
    when: ({ hasPicture }) => hasPicture,
  },
  {
    template: 'server/server-dial-out.py.ejs',
    destination: 'server/server.py',
    note: 'starts the bot for each call',
    when: ({ placesCalls }) => placesCalls,
  },
  {
    template: 'server/server-sip-dial-in.py.ejs',
    destination: 'server/server.py',
    note: 'starts the bot for each call',
    when: ({ takesSipCalls }) => takesSipCalls,
  },
  {
    template: 'server/server_utils.py.ejs',
    destination: 'server/server_utils.py',
    note: 'how server.py starts the bot, locally or in the cloud',
    when: ({ hasCallServer }) => hasCallServer,
  },
  { template: 'server/pyproject.toml.ejs', destination: 'server/pyproject.toml', note: "the bot's packages" },
  {
    template: 'server/env.example.ejs',
    destination: 'server/.env.example',
    note: 'the variables to set; copy it to .env',
  },
  {
    template: 'server/evals/starter_text.yaml.ejs',
    destination: 'server/evals/starter_text.yaml',
    note: 'a first test conversation, in text',
    when: ({ hasEvals, isCascade }) => hasEvals && isCascade,
  },
  {
    template: 'server/evals/starter_audio.yaml.ejs',
    destination: 'server/evals/starter_audio.yaml',
    note: 'a spoken test conversation',
    when: ({ hasEvals }) => hasEvals,
  },
  {
    template: 'server/evals/starter_simulation.yaml.ejs',
    destination: 'server/evals/starter_simulation.yaml',
    note: 'a conversation with a simulated person',
    when: ({ hasEvals, hasJudge }) => hasEvals && hasJudge,
  },
  {
    template: 'server/evals/judge.py.ejs',
    destination: 'server/evals/judge.py',
    note: 'the language model that judges the evals',
    when: ({ hasEvals, hasJudge }) => hasEvals && hasJudge,
  },
  {
    template: 'server/container-file.ejs',
    destination: 'server/container-file',
    note: 'builds the cloud image',
    when: ({ hasCloud }) => hasCloud,
  },
  {
    template: 'server/dockerignore',
    destination: 'server/.dockerignore',
    note: "what the cloud image doesn't contain",
    when: ({ hasCloud }) => hasCloud,
  },
  {
    template: 'server/cloud-deploy.toml.ejs',
    destination: 'server/cloud-deploy.toml',
    note: 'how the cloud runs the bot',
    when: ({ hasCloud }) => hasCloud,
  },
];

/** The files of a project's bot. */
export const planBot = (facts: Features): PlannedFile[] => botFiles.filter(file => file.when?.(facts) ?? true);

/** The names of the starter scenarios, the fastest first. */
export const scenariosOf = (facts: Features): string[] =>
  planBot(facts).flatMap(({ destination }) => /evals\/(\w+)\.yaml$/.exec(destination)?.[1] ?? []);

/** What the generator of whole projects adds. */
const stateFile = { destination: STATE_FILE, note: 'how this project was made, for botcli update' };

/** The files of a project: its guides, its bot and its client. */
function planProject(facts: Features): { destination: string; note: string }[] {
  const guides = guideFiles.filter(({ isOnRequest }) => !isOnRequest);
  return [...guides, ...planBot(facts), ...planClient(facts), stateFile];
}

/** The project's files, each with its note, as a list in Markdown. None depends on another, for merges. */
export const projectTree = (facts: Features): string[] =>
  planProject(facts).map(({ destination, note }) => `- \`${destination}\`: ${note}`);

/** The project's files, sorted by path, for programs. */
export const listFiles = (config: ScaffoldConfig): { path: string; note: string }[] =>
  planProject(featuresOf(config))
    .map(({ destination, note }) => ({ path: destination, note }))
    .sort((one, other) => (one.path < other.path ? -1 : 1));
