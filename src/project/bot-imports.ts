import { findTransport, type PythonImport } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import type { ChosenService } from './environment.ts';
import { type Features, featuresOf } from './features.ts';
import { renderImports } from './python/imports.ts';
import { optionalEnv, serviceImports, usesSession } from './service-call.ts';

/** An import of `bot.py`, and what it's for; without a condition, every bot has it. */
type Row = PythonImport & { when?: (bot: Features & Uses) => boolean };

/** What a bot's services ask of it. */
interface Uses {
  /** A service takes a variable that may be left out. */
  optionalEnv: boolean;
  /** A service takes the bot's HTTP session. */
  session: boolean;
}

const UNIVERSAL = 'pipecat.processors.aggregators.llm_response_universal';

const standard: readonly Row[] = [
  { module: 'asyncio', when: bot => bot.hasRecording || bot.answersSip || bot.dialsOut },
  { module: 'os' },
  { module: 'socket', when: bot => bot.hasObservability },
  { module: 'sys' },
  { module: 'wave', when: bot => bot.hasRecording },
  { module: 'collections.abc', names: ['Awaitable', 'Callable'], when: bot => bot.opensCalls },
  { module: 'contextlib', names: ['suppress'], when: bot => bot.hasObservability },
  { module: 'datetime', names: ['datetime'], when: bot => bot.hasRecording },
  { module: 'pathlib', names: ['Path'], when: bot => bot.hasRecording },
  { module: 'typing', names: ['Any'], when: bot => bot.optionalEnv },
];

const packages: readonly Row[] = [
  { module: 'aiohttp', when: bot => bot.session },
  { module: 'dotenv', names: ['load_dotenv'] },
  { module: 'loguru', names: ['logger'] },
  { module: 'pipecat.adapters.llm.schemas.direct_function', names: ['tool_options'], when: bot => bot.looksOnDemand },
  { module: 'pipecat.audio.filters.base_audio_filter', names: ['BaseAudioFilter'], when: bot => bot.hasNoiseFilter },
  { module: 'pipecat.audio.vad.silero', names: ['SileroVADAnalyzer'], when: bot => bot.findsTurns },
  { module: 'pipecat.evals.transport', names: ['EvalTransportParams'], when: bot => bot.hasEvals },
  { module: 'pipecat.frames.frames', names: ['LLMRunFrame'], when: bot => bot.greets && !bot.ignoresContext },
  { module: 'pipecat.frames.frames', names: ['InputTextRawFrame'], when: bot => bot.greets && bot.ignoresContext },
  { module: 'pipecat.frames.frames', names: ['UserImageRequestFrame'], when: bot => bot.looksOnDemand },
  { module: 'pipecat.frames.frames', names: ['Frame', 'InputImageRawFrame'], when: bot => bot.seesAllTheTime },
  { module: 'pipecat.pipeline.pipeline', names: ['Pipeline'] },
  { module: 'pipecat.pipeline.worker', names: ['PipelineParams', 'PipelineWorker'] },
  { module: 'pipecat.processors.aggregators.llm_context', names: ['LLMContext'] },
  { module: UNIVERSAL, names: ['LLMContextAggregatorPair'] },
  { module: UNIVERSAL, names: ['LLMUserAggregatorParams'], when: bot => bot.findsTurns },
  {
    module: UNIVERSAL,
    names: ['AssistantTurnStoppedMessage', 'UserTurnMessageAddedMessage'],
    when: bot => bot.hasTranscription,
  },
  {
    module: 'pipecat.processors.audio.audio_buffer_processor',
    names: ['AudioBufferProcessor'],
    when: bot => bot.hasRecording,
  },
  {
    module: 'pipecat.processors.filters.function_filter',
    names: ['FunctionFilter'],
    when: bot => bot.seesAllTheTime,
  },
  { module: 'pipecat.processors.frame_processor', names: ['FrameDirection'], when: bot => bot.looksOnDemand },
  { module: 'pipecat.runner.types', names: ['RunnerArguments'] },
  { module: 'pipecat.runner.types', names: ['CallData'], when: bot => bot.hasStreams },
  { module: 'pipecat.runner.utils', names: ['create_transport'] },
  { module: 'pipecat.services.llm_service', names: ['FunctionCallParams'], when: bot => bot.looksOnDemand },
  { module: 'pipecat.transports.base_transport', names: ['BaseTransport'] },
  { module: 'pipecat.transports.base_transport', names: ['VideoInSourceParams'], when: bot => bot.hasVideoInput },
  { module: 'pipecat.transports.daily.transport', names: ['DailyTransport'], when: bot => bot.hasFlow },
  { module: 'pipecat.workers.runner', names: ['WorkerRunner'] },
  { module: 'twilio.base.exceptions', names: ['TwilioException'], when: bot => bot.answersSip },
  { module: 'twilio.rest', names: ['Client'], when: bot => bot.answersSip },
  { module: 'twilio.twiml.voice_response', names: ['Dial', 'VoiceResponse'], when: bot => bot.answersSip },
  { module: 'pipecat_whisker', names: ['WhiskerServer'], when: bot => bot.hasObservability },
];

/** Modules of the project's own. */
const own: readonly Row[] = [{ module: 'picture', names: ['Picture'], when: bot => bot.hasPicture }];

/** The import statements of `bot.py`, block by block. */
export function botImports(config: ScaffoldConfig, services: readonly ChosenService[]): string {
  const uses = {
    optionalEnv: optionalEnv(services).isUsed,
    session: usesSession(services),
  };
  const bot = { ...featuresOf(config), ...uses };
  const chosen = (rows: readonly Row[]) => rows.filter(row => row.when?.(bot) ?? true);
  const rows: PythonImport[] = [
    ...chosen(packages),
    ...serviceImports(services),
    ...config.transports.map(findTransport).map(({ module, className }) => ({ module, names: [className] })),
  ];
  return [chosen(standard), rows, chosen(own)].map(renderImports).filter(Boolean).join('\n\n');
}
