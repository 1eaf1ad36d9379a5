import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { SERVICE_KINDS, type ServiceKind, services } from '../../src/catalog/index.ts';
import { type RawConfig, scaffoldOptions } from '../../src/config/options.ts';
import { QUICKSTART_DIRECTORY, quickstart } from '../../src/config/quickstart.ts';
import { HOSTILE_NAMES } from '../support/many-configs.ts';
import { acceptedTransports, CASCADE, REALTIME } from '../support/projects.ts';
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

/** The bots whose services the local AI and its like replace. */
export { CASCADE as OPENAI, REALTIME };

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
export function serviceProjects(): (Project & { kind: ServiceKind })[] {
  return SERVICE_KINDS.flatMap(kind =>
    services[kind].map(row => ({
      name: row.id,
      config: { ...configWith(kind, row.id), enable_eval: true },
      kind,
    })),
  );
}

const configWith = (kind: ServiceKind, id: string): RawConfig => ({
  ...(kind === 'realtime' ? REALTIME : CASCADE),
  [`${kind}_service`]: id,
});

/** Each mode with both evals and cloud, and with neither. */
const KINDS: readonly Project[] = Object.entries({
  cascade: CASCADE,
  realtime: REALTIME,
}).flatMap(([mode, services]) => [
  { name: `${mode}-all`, config: { ...services, enable_eval: true } },
  { name: `${mode}-none`, config: { ...services, deploy_to_cloud: false } },
]);

/** Every transport in each kind of bot, and every pair that one bot can have, in one kind each. */
const transportProjects = (): Project[] =>
  acceptedTransports()
    .filter(([one = '', other]) => !other || one < other)
    .flatMap((transports, at) => {
      const kinds = transports.length > 1 ? [KINDS[at % KINDS.length] as Project] : KINDS;
      return kinds.map(({ name, config }) => ({
        name: [...transports, name].join('-'),
        config: { ...config, transports },
      }));
    });

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

/** The projects to check: each service, transport, feature in both modes, pair of transports, and hostile name. */
export function matrixProjects(): Project[] {
  const web: RawConfig = { transports: ['rtc_local', 'rtc_hosted'] };
  const both: RawConfig = { ...CASCADE, ...web };
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
