import { findTransport, type PythonImport } from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { renderImports } from '../../formats/python/import-statements.ts';
import { featuresOf } from '../features.ts';
import { dueIn } from '../planned-file.ts';
import type { ChosenService } from '../variables/environment.ts';
import { type botParts, partsOf } from './parts.ts';
import { serviceImports, serviceNeeds } from './service-call.ts';

/** An import of `bot.py`; without a condition, every bot has it. The imports of optional parts are in their rows. */
type Row = PythonImport & { when?: (typeof botParts)[number]['when'] };

const UNIVERSAL = 'pipecat.processors.aggregators.llm_response_universal';

const standard: readonly Row[] = [
  { module: 'asyncio', when: ['greetsClients'] },
  { module: 'os', when: ['readsEnv'] },
  { module: 'sys' },
  { module: 'collections.abc', names: ['Awaitable', 'Callable'], when: ['botSpeaksFirst'] },
  { module: 'contextlib', names: ['suppress'], when: ['greetsClients'] },
];

const packages: readonly Row[] = [
  { module: 'aiohttp', when: ['usesSession'] },
  { module: 'loguru', names: ['logger'] },
  { module: 'pipecat.audio.vad.silero', names: ['SileroVADAnalyzer'], when: ['hasPhone'] },
  { module: 'pipecat.evals.transport', names: ['EvalTransportParams'], when: ['hasEvals'] },
  { module: 'pipecat.pipeline.pipeline', names: ['Pipeline'] },
  { module: 'pipecat.pipeline.worker', names: ['PipelineParams', 'PipelineWorker'] },
  { module: 'pipecat.processors.aggregators.llm_context', names: ['LLMContext'] },
  { module: UNIVERSAL, names: ['LLMContextAggregatorPair'] },
  { module: UNIVERSAL, names: ['LLMUserAggregatorParams'], when: ['hasPhone'] },
  {
    module: UNIVERSAL,
    names: ['AssistantTurnStoppedMessage', 'UserTurnMessageAddedMessage'],
    when: ['hasTranscription'],
  },
  { module: 'pipecat.runner.types', names: ['RunnerArguments'] },
  { module: 'pipecat.runner.types', names: ['WebSocketRunnerArguments'], when: ['hasStreamEnv'] },
  { module: 'pipecat.runner.utils', names: ['parse_telephony_websocket'], when: ['hasStreamEnv'] },
  { module: 'pipecat.runner.utils', names: ['create_transport'] },
  { module: 'pipecat.transports.base_transport', names: ['BaseTransport'] },
  { module: 'pipecat.transports.base_transport', names: ['VideoInSourceParams'], when: ['hasVideoInput'] },
  { module: 'pipecat.workers.runner', names: ['WorkerRunner'] },
];

/** The project's own modules. */
const own: readonly Row[] = [
  { module: 'env', names: ['load_env', 'missing_env'] },
  { module: 'env', names: ['optional_env'], when: ['hasOptionalEnv'] },
  { module: 'env', names: ['transport_env'], when: ['needsTransportEnv'] },
  { module: 'guard', names: ['CallGuard'], when: ['guardsCalls'] },
  { module: 'guard', names: ['CallGuard'], when: ['guardsSessions', 'hasPhone'] },
  { module: 'guard', names: ['SessionGuard'], when: ['guardsSessions'] },
  { module: 'journal', names: ['keep_journal'], when: ['hasJournal'] },
  { module: 'picture', names: ['Picture'], when: ['hasPicture'] },
  { module: 'recording', names: ['Recorder'], when: ['hasRecording'] },
  { module: 'shutdown', names: ['run_session'] },
  { module: 'typed_text', names: ['TypedText'], when: ['handsOverText'] },
];

/** The import statements of `bot.py`, block by block. */
export function botImports(config: ScaffoldConfig, services: readonly ChosenService[]): string {
  const bot = { ...featuresOf(config), ...serviceNeeds(services) };
  const parts = partsOf(bot);
  const blocks: PythonImport[][] = [
    [...dueIn(bot, standard), ...parts.flatMap(part => part.standard ?? [])],
    [
      ...dueIn(bot, packages),
      // What opens a conversation.
      { module: 'pipecat.frames.frames', names: [bot.ignoresContext ? 'InputTextRawFrame' : 'LLMRunFrame'] },
      ...parts.flatMap(part => part.packages ?? []),
      ...serviceImports(services),
      ...config.transports.map(findTransport).map(({ module, className }) => ({ module, names: [className] })),
    ],
    dueIn(bot, own),
  ];
  return blocks.map(renderImports).filter(Boolean).join('\n\n');
}
