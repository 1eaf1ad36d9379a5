import { COMPANIONS, serviceIds, services, transports } from '../../src/catalog/index.ts';
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
const REACHED: readonly RawConfig[] = [
  { transports: ['rtc_local'] },
  { transports: ['rtc_hosted'] },
  { transports: ['rtc_hosted', 'rtc_local'] },
];
const SEEN: readonly RawConfig[] = [
  {},
  { video_input: true },
  { video_output: true },
  { video_service: 'simli_video', video_input: true },
];

/** Each client with each choice of transports and each kind of video, and for a speech-to-speech bot. */
export function clientMatrix(): ScaffoldConfig[] {
  return Object.values(CLIENTS).flatMap(client => {
    const cascades = REACHED.flatMap(reached => SEEN.map(seen => ({ ...CASCADE, ...reached, ...seen })));
    return [...cascades, REALTIME].map(bot => resolveFlags({ ...bot, ...client, project_name: 'My bot' }));
  });
}

/**
 * One bot for each service, each transport or pair of them with and without evals, each feature, each client, each
 * hostile name.
 */
export function projectMatrix(): ScaffoldConfig[] {
  const kinds = ['stt', 'llm', 'tts', 'video'] as const;
  const withServices = kinds.flatMap(kind => serviceIds(kind).map(id => ({ ...CASCADE, [`${kind}_service`]: id })));
  const switched = [true, false].flatMap(enable_eval =>
    [true, false].map(cloud => ({ enable_eval, deploy_to_cloud: cloud })),
  );
  const both = [CASCADE, REALTIME];
  const withOne = transports.flatMap(({ id }) =>
    both.flatMap(bot => switched.map(on => ({ ...bot, ...on, transports: [id] }))),
  );
  // Two orders and two modes make four bots for each pair: one for each state of the switches.
  const withTwo = acceptedTransports()
    .filter(ids => ids.length > 1)
    .flatMap(ids => {
      const first = ids[0] === [...ids].sort()[0] ? 0 : 1;
      return both.map((bot, at) => ({ ...bot, ...switched[2 * at + first], transports: ids }));
    });
  const withoutSharedKeys = serviceIds('tts').map((tts_service, at) => ({
    ...CASCADE,
    stt_service: services.stt[at % services.stt.length]?.id,
    llm_service: services.llm[at % services.llm.length]?.id,
    tts_service,
    enable_eval: true,
  }));
  const features = [
    'recording',
    'transcription',
    'journal',
    'video_input',
    'video_output',
    'enable_observability',
  ] as const;
  const switches: RawConfig[] = [
    ...features.map(key => ({ [key]: true })),
    { enable_noisecancel: true },
    { video_service: 'simli_video' },
    {
      ...Object.fromEntries(features.map(key => [key, true])),
      enable_noisecancel: true,
      enable_eval: true,
      ci: 'github',
    },
  ];
  const withRealtime = serviceIds('realtime').map(realtime_service => ({
    transports: ['rtc_local'],
    mode: 'realtime',
    realtime_service,
  }));
  const seeing = withRealtime.filter((_, at) => services.realtime[at]?.sees);
  const withFeatures = switches.flatMap(on => [CASCADE, ...seeing].map(bot => ({ ...bot, ...on })));
  const named = HOSTILE_NAMES.map(project_name => ({ ...CASCADE, project_name, enable_eval: true }));
  const configs = [
    ...withServices,
    ...withOne,
    ...withTwo,
    ...withoutSharedKeys,
    ...withRealtime,
    ...withFeatures,
    ...named,
  ].map(flags => resolveFlags(flags));
  return [...configs, ...clientMatrix()];
}
