import { type Argument, findTransport, type ServiceKind } from './catalog/index.ts';
import { commandOf } from './command.ts';
import type { ScaffoldConfig } from './config.ts';
import {
  type ChosenService,
  chosenServices,
  KIND_LABELS,
  requiredByServices,
  requiredByTransports,
  unique,
  variableGroups,
} from './environment.ts';
import { projectTree } from './files.ts';
import { slugOf } from './names.ts';
import { type PythonImport, renderImports } from './python-imports.ts';
import { py } from './quote.ts';
import { PIPECAT_RELEASE, PIPECATCLOUD_REQUIREMENT } from './release.ts';
import { readmeFooter } from './stamp.ts';

const FRAMEWORK_EXTRAS = ['runner', 'silero'];

/** The imports of every bot. */
const BOT_IMPORTS: readonly PythonImport[] = [
  { module: 'dotenv', names: ['load_dotenv'] },
  { module: 'loguru', names: ['logger'] },
  { module: 'pipecat.audio.vad.silero', names: ['SileroVADAnalyzer'] },
  { module: 'pipecat.frames.frames', names: ['LLMRunFrame'] },
  { module: 'pipecat.pipeline.pipeline', names: ['Pipeline'] },
  { module: 'pipecat.pipeline.worker', names: ['PipelineParams', 'PipelineWorker'] },
  { module: 'pipecat.processors.aggregators.llm_context', names: ['LLMContext'] },
  {
    module: 'pipecat.processors.aggregators.llm_response_universal',
    names: ['LLMContextAggregatorPair', 'LLMUserAggregatorParams'],
  },
  { module: 'pipecat.runner.types', names: ['RunnerArguments'] },
  { module: 'pipecat.runner.utils', names: ['create_transport'] },
  { module: 'pipecat.transports.base_transport', names: ['BaseTransport'] },
  { module: 'pipecat.workers.runner', names: ['WorkerRunner'] },
];

/** The constructor call of a service, line by line. */
export interface ServiceCall {
  variable: ServiceKind;
  className: string;
  /** Keyword arguments, each a line of Python without its comma. */
  args: string[];
  /** The same for `Settings(…)`. */
  settings: string[];
}

/** An entry of the bot's table of transports. */
export interface TransportEntry {
  key: string;
  className: string;
  /** Keyword arguments, each a line of Python without its comma. */
  args: string[];
}

/** What templates read: prepared rows and plain booleans, nothing that they'd have to work out. */
export function factsOf(config: ScaffoldConfig, version: string) {
  const conditions = {
    hasCloud: config.deploy_to_cloud,
    hasEvals: config.enable_eval,
    isCascade: config.mode === 'cascade',
  };
  const services = chosenServices(config);
  const rows = config.transports.map(findTransport);
  const calls = services.map(serviceCall);
  const transports = transportEntries(config);
  const requiredEnv = requiredByServices(config);
  return {
    name: config.project_name,
    slug: slugOf(config.project_name),
    release: PIPECAT_RELEASE,
    services: services.map(({ kind, row }) => ({ kind: KIND_LABELS[kind], label: row.label, id: row.id })),
    transports: rows.map(({ id, label, runnerKey }) => ({ id, label, runnerKey })),
    calls,
    transportEntries: transports,
    stages: stagesOf(services),
    imports: renderImports(importsOf(config, services)),
    standardImports: renderImports(standardImports(calls)),
    requiredEnv,
    requiredAtStart: [...requiredEnv, ...requiredByTransports(config)],
    hasOptionalSettings: calls.some(call => [...call.args, ...call.settings].some(isOptional)),
    usesSession: services.some(({ row }) => row.session !== undefined),
    variableGroups: variableGroups(config),
    python: services.some(({ row }) => row.python) ? '3.12' : '3.11',
    dependencies: dependenciesOf(config, services),
    developmentDependencies: developmentDependencies(config),
    judgesWithOpenAI: services.some(({ kind, row }) => kind === 'llm' && row.args?.some(isOpenAIKey)),
    hasLocal: config.transports.includes('rtc_local'),
    hasHosted: config.transports.includes('rtc_hosted'),
    ...conditions,
    tree: projectTree(conditions),
    command: commandOf(config),
    readmeFooter: readmeFooter(version),
  };
}

export type Facts = ReturnType<typeof factsOf>;

const isOpenAIKey = ({ env }: Argument) => env === 'OPENAI_API_KEY';

const isOptional = (line: string) => line.startsWith('**');

function serviceCall({ kind, row }: ChosenService): ServiceCall {
  const args = argumentLines(row.args ?? []);
  if (row.session) args.push(`${row.session}=session`);
  const speaks = kind === 'llm' || kind === 'realtime';
  const settings = [...(speaks ? ['system_instruction=SYSTEM_INSTRUCTION'] : []), ...argumentLines(row.settings ?? [])];
  return { variable: kind, className: row.className, args, settings };
}

/** Required variables are read by name; an optional one is left out where it isn't set. */
const argumentLines = (args: readonly Argument[]): string[] =>
  args.map(({ name, env, required }) =>
    required ? `${name}=os.environ[${py(env)}]` : `**optional_env(${name}=${py(env)})`,
  );

function transportEntries(config: ScaffoldConfig): TransportEntry[] {
  const args = ['audio_in_enabled=True', 'audio_out_enabled=True'];
  const entries = config.transports
    .map(findTransport)
    .map(({ runnerKey: key, className }) => ({ key, className, args }));
  return config.enable_eval ? [...entries, { key: 'eval', className: 'EvalTransportParams', args }] : entries;
}

function stagesOf(services: readonly ChosenService[]): string[] {
  const stage = (kind: ServiceKind) => (services.some(service => service.kind === kind) ? [kind] : []);
  return [
    'transport.input()',
    ...stage('stt'),
    'user_aggregator',
    ...stage('llm'),
    ...stage('tts'),
    'transport.output()',
    'assistant_aggregator',
  ];
}

function standardImports(calls: readonly ServiceCall[]): PythonImport[] {
  const optional = calls.some(call => [...call.args, ...call.settings].some(isOptional));
  return [{ module: 'os' }, { module: 'sys' }, ...(optional ? [{ module: 'typing', names: ['Any'] }] : [])];
}

function importsOf(config: ScaffoldConfig, services: readonly ChosenService[]): PythonImport[] {
  return [
    ...BOT_IMPORTS,
    ...services.map(({ row }) => ({ module: row.module, names: [row.className] })),
    ...config.transports.map(findTransport).map(({ module, className }) => ({ module, names: [className] })),
    ...(services.some(({ row }) => row.session) ? [{ module: 'aiohttp' }] : []),
    ...(config.enable_eval ? [{ module: 'pipecat.evals.transport', names: ['EvalTransportParams'] }] : []),
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
    ...(config.deploy_to_cloud ? [PIPECATCLOUD_REQUIREMENT] : []),
  ];
}

function developmentDependencies(config: ScaffoldConfig): string[] {
  const evals = config.enable_eval ? [`pipecat-ai[evals]==${PIPECAT_RELEASE}`] : [];
  return [...evals, 'pyright>=1.1.409,<2', 'ruff>=0.15,<1'];
}
