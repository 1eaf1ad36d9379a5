import { callSetups } from '../catalog/call-setup.ts';
import {
  findService,
  findTransport,
  JUDGE_KEY,
  type ServiceKind,
  type ServiceRow,
  type TransportRow,
  variablesIn,
} from '../catalog/index.ts';
import { commandOf } from '../config/command.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { unique } from '../unique.ts';
import { botImports } from './bot-imports.ts';
import { clientUrlOf } from './client-facts.ts';
import {
  type ChosenService,
  chosenServices,
  KIND_LABELS,
  requiredByCallServer,
  requiredByServices,
  requiredByTransports,
  SERVER_HEADING,
  variableGroups,
} from './environment.ts';
import { type Features, featuresOf } from './features.ts';
import { projectTree } from './files.ts';
import { slugOf } from './names.ts';
import { renderCall, renderList } from './python/calls.ts';
import { py } from './quote.ts';
import { PIPECAT_RELEASE, PIPECATCLOUD_REQUIREMENT, WHISKER_REQUIREMENT } from './release.ts';
import { optionalEnv, renderService, usesSession } from './service-call.ts';
import { renderSteps } from './setup-steps.ts';
import { readmeFooter } from './stamp.ts';

/** The indent of an entry in the table of transports. */
const ENTRY = 12;

/** The size that `picture.py` draws. */
const OWN_PICTURE = [1024, 768] as const;

/** The kinds of service that answer. */
const THINKS: readonly ServiceKind[] = ['llm', 'realtime'];

const FRAMEWORK_EXTRAS = ['runner', 'silero'];

/** What templates read: prepared rows and plain booleans, nothing that they'd have to work out. */
export function factsOf(config: ScaffoldConfig, version: string) {
  const features = featuresOf(config);
  const services = chosenServices(config);
  const rates = phoneRates(services);
  const rows = config.transports.map(findTransport);
  const dependencies = dependenciesOf(config, services);
  const development = developmentDependencies(config);
  const slug = slugOf(config.project_name, [...dependencies, ...development]);
  return {
    name: config.project_name,
    slug,
    services: services.map(({ kind, row }) => ({ kind: KIND_LABELS[kind], label: row.label, id: row.id })),
    transports: rows.map(({ id, label }) => ({ id, label })),
    calls: services.map(renderService),
    transportEntries: transportEntries(config),
    stages: stagesOf(config),
    imports: botImports(config, services),
    requiredEnv: renderList('REQUIRED_ENV', [...requiredByServices(config), ...requiredByTransports(config)].map(py)),
    serverRequiredEnv: renderList('REQUIRED_ENV', requiredByCallServer(config).map(py)),
    phoneRates: rates,
    setsPhoneRate: features.hasStreams && rates.length > 0,
    incomingCalls: incomingCalls(features),
    callKey: rows.find(row => row.callKey)?.callKey ?? '',
    phones: rows.flatMap(row => phoneSection(row, slug)),
    hasOptionalEnv: optionalEnv(services).isUsed,
    convertsEnv: optionalEnv(services).converts,
    preloads: services.flatMap(({ row }) => (row.preload ? [preloadCommand(row, row.preload)] : [])),
    cloudHints: unique(services.flatMap(({ row }) => row.inCloud ?? [])),
    usesSession: usesSession(services),
    ownPicture: OWN_PICTURE.join(', '),
    variableGroups: variableGroups(config),
    serverHeading: SERVER_HEADING,
    python: services.some(({ row }) => row.python) ? '3.12' : '3.11',
    dependencies,
    developmentDependencies: development,
    judgesWithOpenAI: services.some(
      ({ kind, row }) => THINKS.includes(kind) && variablesIn(row.args ?? []).some(({ env }) => env === JUDGE_KEY),
    ),
    ...features,
    clientUrl: clientUrlOf(config),
    tree: projectTree(features),
    command: commandOf(config),
    readmeFooter: readmeFooter(version),
  };
}

/** A phone's sound has 8000 Hz: what a bot's pipeline is to have, but for a service that takes or gives another rate. */
function phoneRates(services: readonly ChosenService[]): string[] {
  const takes = (kind: ServiceKind) => services.some(one => one.kind === kind && one.row.onlyRate === undefined);
  return [...(takes('stt') ? ['audio_in_sample_rate'] : []), ...(takes('tts') ? ['audio_out_sample_rate'] : [])];
}

/** What its README says of a phone transport: nothing of one for browsers. */
function phoneSection({ id, label, family, runnerKey }: TransportRow, slug: string) {
  const setup = callSetups[id];
  if (!setup) return [];
  const names = { agent: slug, provider: label, runner: runnerKey };
  const [here, cloud] = [setup.here, setup.cloud].map(steps => renderSteps(steps, names));
  return [{ label, isFlow: family === 'flow', here, cloud }];
}

/** What tells `bot.py` that somebody calls it. */
function incomingCalls({ hasStreams, answersPhone, answersSip }: Features): string {
  return [...(hasStreams ? ['line'] : []), ...(answersPhone || answersSip ? ['call'] : [])].join(' or ');
}

/** A service's label, and the Python that loads its model. */
const preloadCommand = ({ label, module, className }: ServiceRow, preload: string) => ({
  label,
  python: `from ${module} import ${className}; ${preload}`,
});

export type Facts = ReturnType<typeof factsOf>;

/** The entries of the bot's table of transports, at the indent they have there. */
function transportEntries(config: ScaffoldConfig): string[] {
  const rows = config.transports.map(findTransport);
  // A hosted transport and a call flow share the room service's entry.
  const entries = [
    ...new Map(rows.map(row => [row.runnerKey, { key: row.runnerKey, className: row.className }])).values(),
  ];
  if (config.enable_eval) entries.push({ key: 'eval', className: 'EvalTransportParams' });
  return entries.map(({ key, className }) => {
    const head = `${py(key)}: lambda: `;
    return `${head}${renderCall(className, transportArguments(key, config), ENTRY, head.length + 1)}`;
  });
}

/** An eval has neither a camera nor a screen, and its sound is clean. */
function transportArguments(key: string, config: ScaffoldConfig): string[] {
  const sound = ['audio_in_enabled=True', 'audio_out_enabled=True'];
  if (key === 'eval') return sound;
  const { hasNoiseFilter, hasVideoInput, looksOnDemand, hasAvatar } = featuresOf(config);
  const [width, height] = pictureSize(config);
  const camera = `VideoInSourceParams(${looksOnDemand ? 'on_request_only=True' : 'framerate=1'})`;
  return [
    ...sound,
    ...(hasNoiseFilter ? ['audio_in_filter=noise_filter()'] : []),
    ...(hasVideoInput ? ['video_in_enabled=True', `video_in_sources={"camera": ${camera}}`] : []),
    ...(config.video_output ? ['video_out_enabled=True'] : []),
    ...(hasAvatar ? ['video_out_is_live=True'] : []),
    ...(config.video_output ? [`video_out_width=${width}`, `video_out_height=${height}`] : []),
  ];
}

/** What the bot shows comes at this size; another would be stretched to it. */
function pictureSize({ video_service }: ScaffoldConfig): readonly [width: number, height: number] {
  const avatar = video_service === null ? undefined : findService('video', video_service);
  return avatar?.picture ?? OWN_PICTURE;
}

function stagesOf(config: ScaffoldConfig): string[] {
  const { hasPicture, hasRecording, seesAllTheTime } = featuresOf(config);
  const stage = (name: string, isThere: unknown) => (isThere ? [name] : []);
  return [
    'transport.input()',
    ...stage('stt', config.stt_service),
    'user_aggregator',
    'llm',
    ...stage('FunctionFilter(is_no_picture, filter_system_frames=True)', seesAllTheTime),
    ...stage('tts', config.tts_service),
    ...stage('video', config.video_service),
    ...stage('Picture()', hasPicture),
    'transport.output()',
    ...stage('recorder', hasRecording),
    'assistant_aggregator',
  ];
}

function dependenciesOf(config: ScaffoldConfig, services: readonly ChosenService[]): string[] {
  const extras = unique([
    ...FRAMEWORK_EXTRAS,
    ...services.flatMap(({ row }) => row.extras),
    ...config.transports.flatMap(id => findTransport(id).extras),
  ]).sort();
  return [
    `pipecat-ai[${extras.join(',')}]==${PIPECAT_RELEASE}`,
    ...services.flatMap(({ row }) => row.packages ?? []),
    ...config.transports.flatMap(id => findTransport(id).packages ?? []),
    ...(config.deploy_to_cloud ? [PIPECATCLOUD_REQUIREMENT] : []),
    ...(config.enable_observability ? [WHISKER_REQUIREMENT] : []),
  ];
}

function developmentDependencies(config: ScaffoldConfig): string[] {
  const evals = config.enable_eval ? [`pipecat-ai[evals]==${PIPECAT_RELEASE}`] : [];
  return [...evals, 'pyright>=1.1.409,<2', 'ruff>=0.15,<1'];
}
