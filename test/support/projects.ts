import {
  COMPANIONS,
  SERVICE_KINDS,
  type ServiceKind,
  serviceIds,
  services,
  transports,
} from '../../src/catalog/index.ts';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { placeFiles, placeState } from '../../src/project/files/files.ts';
import { renderProject } from '../../src/rendering/project.ts';
import { VERSION } from '../../src/version.ts';
import { HOSTILE_NAMES } from './many-configs.ts';
import { LOCAL as CASCADE, REALTIME, resolveFlags } from './resolving.ts';

/** A generated project: the text of each file by its path, in order. */
export type Project = Readonly<Record<string, string>>;

/** Generates in memory what `botcli init` would write into an empty directory. */
export function generateProject(config: ScaffoldConfig): Project {
  const ground = { read: () => undefined };
  const files = placeFiles(renderProject(config), ground);
  const texts = [...files, placeState(config, VERSION, files, ground)].map(
    ({ path, contents }) => [path, String(contents)] as const,
  );
  return Object.fromEntries(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

export { CASCADE, REALTIME };

/** Every transport, and every pair that one bot can have, in both orders. */
export function acceptedTransports(): string[][] {
  const pairs = transports.flatMap(one =>
    transports
      .filter(other => other !== one && COMPANIONS[one.family].includes(other.family))
      .map(other => [one.id, other.id]),
  );
  return [...transports.map(({ id }) => [id]), ...pairs];
}

export const CLIENTS: Readonly<Record<string, RawConfig>> = {
  'React on Vite': { client_framework: 'component' },
  'Next.js': { client_framework: 'component', client_server: 'fullstack' },
  vanilla: { client_framework: 'vanilla' },
};
const REACHED = [['rtc_local'], ['rtc_hosted'], ['rtc_hosted', 'rtc_local']];
const SEEN: readonly RawConfig[] = [
  {},
  { video_input: true },
  { video_output: true },
  { video_input: true, video_output: true },
  { video_service: 'simli_video', video_input: true },
];

/** Each client with each choice of transports, and for a speech-to-speech bot, with each kind of video. */
export const clientMatrix = (clients = Object.values(CLIENTS)): ScaffoldConfig[] =>
  clients.flatMap(client =>
    [...REACHED.map(transports => ({ ...CASCADE, transports })), REALTIME].flatMap(bot =>
      SEEN.map(seen => resolveFlags({ ...bot, ...seen, ...client, project_name: 'My bot' })),
    ),
  );

/** A project to generate: the name of its directory, and its configuration. */
export interface NamedProject {
  name: string;
  config: RawConfig;
}

/** A bot for each service, with evals, because their packages must be compatible with the service's. */
export const serviceProjects = (): (NamedProject & { kind: ServiceKind })[] =>
  SERVICE_KINDS.flatMap(kind =>
    serviceIds(kind).map(id => ({
      kind,
      name: id,
      config: { ...(kind === 'realtime' ? REALTIME : CASCADE), [`${kind}_service`]: id, enable_eval: true },
    })),
  );

/**
 * A bot for each transport in both modes, with and without evals and the cloud. For each pair of transports, its two orders
 * in both modes make four bots: one for each state of evals and the cloud.
 */
export const transportProjects = (): NamedProject[] =>
  acceptedTransports().flatMap(transports => {
    const some = transports.length === 1 ? KINDS : transports.join() < [...transports].reverse().join() ? ONE : OTHER;
    return some.map(({ name, config }) => ({
      name: [...transports, name].join('-'),
      config: { ...config, transports },
    }));
  });

const KINDS: readonly NamedProject[] = [CASCADE, REALTIME].flatMap(({ mode, ...bot }) =>
  ['evals-cloud', 'evals', 'cloud', 'neither'].map(name => ({
    name: `${mode}-${name}`,
    config: { ...bot, mode, enable_eval: name.includes('evals'), deploy_to_cloud: name.includes('cloud') },
  })),
);
const [ONE, OTHER] = [/^cascade-evals-cloud|^realtime-cloud/, /^cascade-evals$|^realtime-neither/].map(some =>
  KINDS.filter(({ name }) => some.test(name)),
) as [NamedProject[], NamedProject[]];

const SWITCHES = ['recording', 'transcription', 'journal', 'video_input', 'video_output', 'enable_observability'];
const ALL: RawConfig = {
  ...Object.fromEntries([...SWITCHES, 'enable_noisecancel', 'enable_eval'].map(key => [key, true])),
  ci: 'github',
};
const AVATAR: RawConfig = { video_service: 'simli_video' };

/** The features of a bot in addition to talking. */
export const FEATURES: Readonly<Record<string, RawConfig>> = {
  ...Object.fromEntries([...SWITCHES, 'enable_noisecancel'].map(key => [key, { [key]: true }])),
  avatar: AVATAR,
  'all-features': ALL,
  'all-features-and-avatar': { ...ALL, ...AVATAR },
};

/** One bot for each service, each transport or pair of them, each feature, each client, each hostile name. */
export function projectMatrix(): ScaffoldConfig[] {
  const withoutSharedKeys = serviceIds('tts').map((tts_service, at) => ({
    ...CASCADE,
    stt_service: services.stt[at % services.stt.length]?.id,
    llm_service: services.llm[at % services.llm.length]?.id,
    tts_service,
    enable_eval: true,
  }));
  const seeing = services.realtime.filter(({ sees }) => sees).map(({ id }) => ({ ...REALTIME, realtime_service: id }));
  const withFeatures = Object.values(FEATURES).flatMap(on => [CASCADE, ...seeing].map(bot => ({ ...bot, ...on })));
  const named = HOSTILE_NAMES.map(project_name => ({ ...CASCADE, project_name, enable_eval: true }));
  const projects = [...serviceProjects(), ...transportProjects()].map(({ config }) => config);
  const configs = [...projects, ...withoutSharedKeys, ...withFeatures, ...named].map(flags => resolveFlags(flags));
  return [...configs, ...clientMatrix()];
}
