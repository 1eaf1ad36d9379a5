import { findTransport, type ServiceKind, variablesIn } from './catalog/index.ts';
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
import { renderCall, renderList } from './python-call.ts';
import { type PythonImport, renderImports } from './python-imports.ts';
import { py } from './quote.ts';
import { PIPECAT_RELEASE, PIPECATCLOUD_REQUIREMENT } from './release.ts';
import { optionalEnv, renderService, serviceImports } from './service-call.ts';
import { readmeFooter } from './stamp.ts';

/** The indent of an entry in the table of transports. */
const ENTRY = 12;

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

/** What templates read: prepared rows and plain booleans, nothing that they'd have to work out. */
export function factsOf(config: ScaffoldConfig, version: string) {
  const conditions = {
    hasCloud: config.deploy_to_cloud,
    hasEvals: config.enable_eval,
    isCascade: config.mode === 'cascade',
  };
  const services = chosenServices(config);
  const rows = config.transports.map(findTransport);
  return {
    name: config.project_name,
    slug: slugOf(config.project_name),
    release: PIPECAT_RELEASE,
    services: services.map(({ kind, row }) => ({ kind: KIND_LABELS[kind], label: row.label, id: row.id })),
    transports: rows.map(({ id, label, runnerKey }) => ({ id, label, runnerKey })),
    calls: services.map(renderService),
    transportEntries: transportEntries(config),
    stages: stagesOf(services),
    imports: renderImports(importsOf(config, services)),
    standardImports: renderImports(standardImports(services)),
    requiredEnv: renderList('REQUIRED_ENV', [...requiredByServices(config), ...requiredByTransports(config)].map(py)),
    hasOptionalEnv: optionalEnv(services).isUsed,
    convertsEnv: optionalEnv(services).converts,
    usesSession: services.some(({ row }) => row.session !== undefined),
    variableGroups: variableGroups(config),
    python: services.some(({ row }) => row.python) ? '3.12' : '3.11',
    dependencies: dependenciesOf(config, services),
    developmentDependencies: developmentDependencies(config),
    judgesWithOpenAI: services.some(({ kind, row }) => kind === 'llm' && variablesIn(row.args ?? []).some(isOpenAIKey)),
    hasLocal: config.transports.includes('rtc_local'),
    hasHosted: config.transports.includes('rtc_hosted'),
    ...conditions,
    tree: projectTree(conditions),
    command: commandOf(config),
    readmeFooter: readmeFooter(version),
  };
}

export type Facts = ReturnType<typeof factsOf>;

const isOpenAIKey = ({ env }: { env: string }) => env === 'OPENAI_API_KEY';

/** The entries of the bot's table of transports, at the indent they have there. */
function transportEntries(config: ScaffoldConfig): string[] {
  const args = ['audio_in_enabled=True', 'audio_out_enabled=True'];
  const entries = config.transports.map(findTransport).map(row => ({ key: row.runnerKey, className: row.className }));
  if (config.enable_eval) entries.push({ key: 'eval', className: 'EvalTransportParams' });
  return entries.map(({ key, className }) => {
    const head = `${py(key)}: lambda: `;
    return `${head}${renderCall(className, args, ENTRY, head.length + 1)}`;
  });
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

const standardImports = (services: readonly ChosenService[]): PythonImport[] => [
  { module: 'os' },
  { module: 'sys' },
  ...(optionalEnv(services).isUsed ? [{ module: 'typing', names: ['Any'] }] : []),
];

function importsOf(config: ScaffoldConfig, services: readonly ChosenService[]): PythonImport[] {
  return [
    ...BOT_IMPORTS,
    ...serviceImports(services),
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
    ...services.flatMap(({ row }) => row.packages ?? []),
    ...(config.deploy_to_cloud ? [PIPECATCLOUD_REQUIREMENT] : []),
  ];
}

function developmentDependencies(config: ScaffoldConfig): string[] {
  const evals = config.enable_eval ? [`pipecat-ai[evals]==${PIPECAT_RELEASE}`] : [];
  return [...evals, 'pyright>=1.1.409,<2', 'ruff>=0.15,<1'];
}
