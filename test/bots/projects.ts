import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import {
  findService,
  findTransport,
  SERVICE_KINDS,
  type ServiceKind,
  type ServiceRow,
  services,
  transports,
} from '../../src/catalog/index.ts';
import { resolveConfig } from '../../src/config/config.ts';
import { type RawConfig, scaffoldOptions } from '../../src/config/options.ts';
import { QUICKSTART_DIRECTORY, quickstart } from '../../src/config/quickstart.ts';
import { ambientOf } from '../../src/project/variables.ts';
import { runWell } from './processes.ts';
import { ROOT } from './workshop.ts';

/**
 * The command under test. `BOTCLI` overrides it, such as with one installed from the packed tarball, and is split at
 * spaces.
 */
export const BOTCLI = process.env.BOTCLI?.split(' ') ?? [process.execPath, join(ROOT, 'dist/src/bin/botcli.js')];

/** A project to generate: the name of its directory, and its configuration, which becomes flags. */
export interface Project {
  name: string;
  config: RawConfig;
}

/** The only project that is created from a preset instead of flags. */
export const QUICKSTART: Project = { name: QUICKSTART_DIRECTORY, config: quickstart };

/** The services that the local AI replaces. */
export const OPENAI: RawConfig = {
  mode: 'cascade',
  stt_service: 'openai_stt',
  llm_service: 'openai_llm',
  tts_service: 'openai_tts',
};

/** The same for a speech-to-speech bot. */
export const REALTIME: RawConfig = { mode: 'realtime', realtime_service: 'openai_realtime' };

const LOCAL: RawConfig = { transports: ['rtc_local'] };

/** Generates a project below `parent`, replacing any existing files, and returns its directory. */
export async function makeProject({ name, config }: Project, parent: string): Promise<string> {
  const directory = join(parent, name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(parent, { recursive: true });
  const args = name === QUICKSTART.name ? ['quickstart'] : [name, ...flagsOf(config)];
  await runWell([...BOTCLI, 'init', ...args], { cwd: parent });
  return directory;
}

function flagsOf(config: RawConfig): string[] {
  return scaffoldOptions.flatMap(({ key, flag, kind }) => {
    const value = config[key];
    if (value === undefined) return [];
    if (kind === 'boolean') return [value ? `--${flag}` : `--no-${flag}`];
    return [value].flat().flatMap(one => [`--${flag}`, String(one)]);
  });
}

/** A project for each service, with the starter evals, because their packages must be compatible with the service's. */
export function serviceProjects(): (Project & { row: ServiceRow; kind: ServiceKind })[] {
  return SERVICE_KINDS.flatMap(kind =>
    services[kind].map(row => ({
      name: row.id,
      config: { ...LOCAL, ...configWith(kind, row.id), enable_eval: true },
      row,
      kind,
    })),
  );
}

function configWith(kind: ServiceKind, id: string): RawConfig {
  return kind === 'realtime' ? { mode: 'realtime', realtime_service: id } : { ...OPENAI, [`${kind}_service`]: id };
}

/** Each mode with both evals and cloud, and with neither. */
const KINDS: readonly { name: string; config: RawConfig }[] = Object.entries({
  cascade: OPENAI,
  realtime: REALTIME,
}).flatMap(([mode, services]) => [
  { name: `${mode}-all`, config: { ...services, enable_eval: true } },
  { name: `${mode}-none`, config: { ...services, deploy_to_cloud: false } },
]);

/** Every transport in each kind of bot, and every pair that one bot can have, in one kind each. */
function transportProjects(): Project[] {
  const ids = transports.map(({ id }) => id);
  const pairs = ids.flatMap((one, at) => ids.slice(at + 1).map(other => [one, other]));
  const make = (list: readonly string[], kinds: typeof KINDS): Project[] =>
    kinds.map(({ name, config }) => ({ name: [...list, name].join('-'), config: { ...config, transports: list } }));
  const accepted = pairs.filter(list => make(list, KINDS).some(isAccepted));
  return [
    ...ids.flatMap(id => make([id], KINDS)),
    ...accepted.flatMap((list, at) => make(list, KINDS.slice(at % KINDS.length).slice(0, 1))),
  ];
}

function isAccepted({ name, config }: Project): boolean {
  try {
    resolveConfig({ flags: config, directoryName: name });
    return true;
  } catch {
    return false;
  }
}

/** The features of a bot in addition to talking. */
const FEATURES: Record<string, RawConfig> = {
  evals: { enable_eval: true },
  recording: { recording: true },
  journal: { journal: true },
  transcription: { transcription: true },
  'video-input': { video_input: true },
  'video-output': { video_output: true },
  avatar: { video_service: 'simli_video' },
  'noise-cancellation': { enable_noisecancel: true },
  observability: { enable_observability: true },
  language: { language: 'pt-BR', enable_eval: true },
};

/** All features. An avatar replaces the bot's own picture. */
const { avatar, ...others } = FEATURES;
const ALL_FEATURES: RawConfig = Object.assign({}, ...Object.values(others));

const VARIATIONS: Record<string, RawConfig> = {
  ...FEATURES,
  'no-cloud': { deploy_to_cloud: false },
  'all-features': ALL_FEATURES,
  'all-features-and-avatar': { ...ALL_FEATURES, ...avatar },
};

const CLIENTS: Record<string, RawConfig> = {
  'client-component-bundler': { client_framework: 'component', client_server: 'bundler' },
  'client-component-fullstack': { client_framework: 'component', client_server: 'fullstack' },
  'client-vanilla': { client_framework: 'vanilla' },
  everything: { ...ALL_FEATURES, client_framework: 'component' },
};

const HOSTILE_NAMES = [
  `He said "hi", she said 'ho'`,
  '"""',
  '%> <% throw 1 %> <%= x %>',
  '../x',
  '🤖 emoji',
  'import',
  'class',
  'back\\slash \\N \\d',
  '{curly} $HOME $(id) `id`',
  '# hash = [table]',
  'ends with "',
  'ends with \\',
  '<!-- comment --> & </title>',
  'имя 名前',
  'x'.repeat(100),
];

/** The projects to check: each service, transport, feature in both modes, pair of transports, and hostile name. */
export function matrixProjects(): Project[] {
  const web: RawConfig = { transports: ['rtc_local', 'rtc_hosted'] };
  const both: RawConfig = { ...OPENAI, ...web };
  const realtime: RawConfig = { ...REALTIME, ...web };
  const varied = (prefix: string, base: RawConfig, variations: Record<string, RawConfig>): Project[] =>
    Object.entries(variations).map(([name, config]) => ({ name: `${prefix}-${name}`, config: { ...base, ...config } }));
  return [
    QUICKSTART,
    ...serviceProjects(),
    ...transportProjects(),
    ...varied('with', both, { ...VARIATIONS, ...CLIENTS }),
    ...varied('realtime-with', realtime, VARIATIONS),
    ...HOSTILE_NAMES.map((name, at) => ({ name: `name-${at + 1}`, config: { ...both, project_name: name } })),
  ];
}

/** The variables that `bot.py` itself doesn't read, but the framework's runner or a provider's library does. */
export function ambientVariables({ name, config }: Project): string[] {
  // The quickstart has a resolved configuration, like a config file.
  const resolved = resolveConfig({ flags: {}, file: config, directoryName: name });
  const rows = SERVICE_KINDS.flatMap(kind => {
    const id = resolved[`${kind}_service`];
    return id === null ? [] : [findService(kind, id).ambient ?? []];
  });
  return [...rows, ...resolved.transports.map(id => ambientOf(findTransport(id), resolved))]
    .flat()
    .map(({ env }) => env);
}
