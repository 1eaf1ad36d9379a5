import { findTransport, type PythonImport } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { renderImports } from '../../formats/python/import-statements.ts';
import { featuresOf } from '../features.ts';
import type { ChosenService } from '../variables/environment.ts';
import { type BotTraits, partsOf } from './parts.ts';
import { serviceImports, serviceNeeds } from './service-call.ts';

/** An import of `bot.py`; without a condition, every bot has it. The imports of optional parts are in their rows. */
type Row = PythonImport & { when?: (bot: BotTraits) => boolean };

/** The bot, or the guard of its calls, detects speech. */
const hears = (bot: BotTraits): boolean => bot.detectsTurns || bot.hasPhone;

const UNIVERSAL = 'pipecat.processors.aggregators.llm_response_universal';

const standard: readonly Row[] = [
  { module: 'asyncio', when: bot => bot.greetsClients },
  { module: 'os', when: bot => bot.readsEnv },
  { module: 'sys' },
  { module: 'collections.abc', names: ['Awaitable', 'Callable'], when: bot => bot.botSpeaksFirst },
  { module: 'contextlib', names: ['suppress'], when: bot => bot.greetsClients },
];

const packages: readonly Row[] = [
  { module: 'aiohttp', when: bot => bot.usesSession },
  { module: 'loguru', names: ['logger'] },
  { module: 'pipecat.audio.vad.silero', names: ['SileroVADAnalyzer'], when: hears },
  { module: 'pipecat.evals.transport', names: ['EvalTransportParams'], when: bot => bot.hasEvals },
  { module: 'pipecat.frames.frames', names: ['LLMRunFrame'], when: bot => !bot.ignoresContext },
  { module: 'pipecat.frames.frames', names: ['InputTextRawFrame'], when: bot => bot.ignoresContext },
  { module: 'pipecat.pipeline.pipeline', names: ['Pipeline'] },
  { module: 'pipecat.pipeline.worker', names: ['PipelineParams', 'PipelineWorker'] },
  { module: 'pipecat.processors.aggregators.llm_context', names: ['LLMContext'] },
  { module: UNIVERSAL, names: ['LLMContextAggregatorPair'] },
  { module: UNIVERSAL, names: ['LLMUserAggregatorParams'], when: hears },
  {
    module: UNIVERSAL,
    names: ['AssistantTurnStoppedMessage', 'UserTurnMessageAddedMessage'],
    when: bot => bot.hasTranscription,
  },
  { module: 'pipecat.runner.types', names: ['RunnerArguments'] },
  { module: 'pipecat.runner.types', names: ['WebSocketRunnerArguments'], when: bot => bot.hasStreamEnv },
  { module: 'pipecat.runner.utils', names: ['parse_telephony_websocket'], when: bot => bot.hasStreamEnv },
  { module: 'pipecat.runner.utils', names: ['create_transport'] },
  { module: 'pipecat.transports.base_transport', names: ['BaseTransport'] },
  { module: 'pipecat.transports.base_transport', names: ['VideoInSourceParams'], when: bot => bot.hasVideoInput },
  { module: 'pipecat.workers.runner', names: ['WorkerRunner'] },
];

/** The project's own modules. */
const own: readonly Row[] = [
  { module: 'env', names: ['load_env', 'missing_env'] },
  { module: 'env', names: ['optional_env'], when: bot => bot.hasOptionalEnv },
  { module: 'env', names: ['transport_env'], when: bot => bot.needsTransportEnv },
  { module: 'guard', names: ['CallGuard'], when: bot => bot.guardsCalls },
  { module: 'guard', names: ['CallGuard'], when: bot => bot.guardsSessions && bot.hasPhone },
  { module: 'guard', names: ['SessionGuard'], when: bot => bot.guardsSessions },
  { module: 'picture', names: ['Picture'], when: bot => bot.hasPicture },
  { module: 'recording', names: ['Recorder'], when: bot => bot.hasRecording },
  { module: 'shutdown', names: ['run_session'] },
  { module: 'typed_text', names: ['TypedText'], when: bot => bot.handsOverText },
];

/** The import statements of `bot.py`, block by block. */
export function botImports(config: ScaffoldConfig, services: readonly ChosenService[]): string {
  const bot = { ...featuresOf(config), ...serviceNeeds(services) };
  const chosen = (rows: readonly Row[]) => rows.filter(row => row.when?.(bot) ?? true);
  const parts = partsOf(bot);
  const blocks: PythonImport[][] = [
    [...chosen(standard), ...parts.flatMap(part => part.standard ?? [])],
    [
      ...chosen(packages),
      ...parts.flatMap(part => part.packages ?? []),
      ...serviceImports(services),
      ...config.transports.map(findTransport).map(({ module, className }) => ({ module, names: [className] })),
    ],
    chosen(own),
  ];
  return blocks.map(renderImports).filter(Boolean).join('\n\n');
}
