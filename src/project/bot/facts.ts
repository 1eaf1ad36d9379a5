import {
  findService,
  findTransport,
  NO_CREDIT,
  type PythonImport,
  REFUSED,
  type ServiceKind,
  UNREACHABLE,
} from '../../catalog/index.ts';
import type { ScaffoldConfig } from '../../config/config.ts';
import { renderCall, renderImports, renderList, renderTable } from '../../formats/python/render.ts';
import { dueIn, type Features, featuresOf } from '../features.ts';
import { py } from '../quote.ts';
import {
  type ChosenService,
  chosenServices,
  requiredByServices,
  requiredByTransport,
  requiredInCalls,
} from '../variables/environment.ts';
import { instructionsOf, sentencesOf } from './sentences.ts';
import { renderService, serviceImports, serviceNeeds } from './service-call.ts';

/** The indent of an entry in the table of transports. */
const ENTRY = 12;

/** The size that `picture.py` draws. */
export const OWN_PICTURE = [1024, 768] as const;

/** What `bot.py` and its parts read in addition to the features: Python that is ready to paste, and rows of it. */
export function botFactsOf(config: ScaffoldConfig) {
  const features = featuresOf(config);
  const services = chosenServices(config);
  const needs = serviceNeeds(services);
  const byTransport = [...requiredByTransport(config)].map(([key, names]) => [py(key), names.map(py)] as const);
  return {
    ...needs,
    imports: botImports(config, services),
    ...instructionsOf(config),
    ...sentencesOf(config),
    requiredEnv: renderList('REQUIRED_ENV', requiredByServices(config).map(py)),
    transportEnv: renderTable('TRANSPORT_ENV', byTransport),
    callEnv: renderList('CALL_ENV', requiredInCalls(config).map(py)),
    /** The templates of its optional parts. */
    parts: partsOf({ ...features, ...needs }).map(({ template }) => template),
    callKey: config.transports.map(findTransport).find(row => row.callKey)?.callKey ?? '',
    serviceStatements: services.map(service => renderService(service, features.hasMediaStream)),
    stages: stagesOf(config),
    phoneRates: phoneRates(services),
    handlerCall: handlerCall(features),
    incomingCalls: incomingCalls(features),
    phoneCalls: phoneCalls(features),
    guardStatement: guardStatement(features, services),
    ...guardFacts(features, services),
    finalErrors: finalErrorLines(services, features.isCascade),
    transportEntries: transportEntries(config),
  };
}

/**
 * The rates of the pipeline that are 8000 Hz in a phone call. It takes sound at its own rate if speech-to-text needs that.
 * It always sends a phone's rate: the phone provider's serializer would convert the sound in pieces, 60 ms later.
 */
function phoneRates(services: readonly ChosenService[]): string[] {
  const hearsPhones = services.some(({ kind, row }) => kind === 'stt' && row.onlyRate === undefined);
  return [...(hearsPhones ? ['audio_in_sample_rate'] : []), 'audio_out_sample_rate'];
}

/** A stage of the pipeline, and what a first-time reader should know about it. */
export interface Stage {
  code: string;
  comment: string;
  /** False when the bot doesn't have it. */
  isThere?: boolean;
}

function stagesOf(config: ScaffoldConfig): Stage[] {
  const features = featuresOf(config);
  const { guardsSessions, hasPicture, hasRecording, hasVideoInput, hasVideoOutput, isCascade, looksEverySecond } =
    features;
  const stages: Stage[] = [
    { code: 'transport.input()', comment: `Receives the person's audio${hasVideoInput ? ' and video' : ''}` },
    { code: 'stt', comment: 'Transcribes what they say', isThere: config.stt_service !== null },
    {
      code: `TypedText(${features.sendsTextFrame ? '' : 'llm'})`,
      comment: 'Hands what they type to the model',
      isThere: features.handsOverText,
    },
    { code: 'user_aggregator', comment: "Adds the person's turn to the context" },
    { code: 'guard', comment: 'Watches the model, in case it fails', isThere: guardsSessions },
    { code: 'llm', comment: isCascade ? 'Writes the reply' : 'Hears the person and speaks the reply' },
    {
      code: 'FunctionFilter(is_no_picture, filter_system_frames=True)',
      comment: 'Stops camera pictures',
      isThere: looksEverySecond,
    },
    { code: 'tts', comment: 'Turns the reply into speech', isThere: config.tts_service !== null },
    { code: 'video', comment: 'Turns the speech into a talking avatar', isThere: config.video_service !== null },
    { code: 'Picture()', comment: 'Shows who is speaking', isThere: hasPicture },
    { code: 'transport.output()', comment: `Sends the bot's audio${hasVideoOutput ? ' and video' : ''} to the person` },
    { code: 'Recorder()', comment: 'Records both sides', isThere: hasRecording },
    { code: 'assistant_aggregator', comment: 'Adds what the bot really said, so it comes last' },
  ];
  return stages.filter(({ isThere = true }) => isThere);
}

/** How `run_bot` hands a call to the code of its flow. */
function handlerCall({ takesPstnCalls, botSpeaksFirst }: Features): string {
  const args = ['transport', ...(takesPstnCalls ? [] : ['call']), 'runner', ...(botSpeaksFirst ? ['begin'] : [])];
  return `handle_call(${args.join(', ')})`;
}

/** The condition under which somebody calls the bot. */
function incomingCalls({ hasMediaStream, takesPstnCalls, takesSipCalls }: Features): string {
  const calls = [...(hasMediaStream ? ['line'] : []), ...(takesPstnCalls || takesSipCalls ? ['call'] : [])];
  return calls.join(' or ');
}

/** The condition under which somebody is on the phone with the bot. */
const phoneCalls = ({ hasMediaStream, hasCallFlow }: Features): string =>
  [...(hasMediaStream ? ['line'] : []), ...(hasCallFlow ? ['call'] : [])].join(' or ');

/** Adds the guard of a speech-to-speech session, which in a call does more. */
function guardStatement(features: Features, services: readonly ChosenService[]): string {
  const resets = services.some(({ row }) => row.resets);
  const args = ['llm', ...(resets ? ['reconnect=llm.reset_conversation'] : [])].join(', ');
  if (!features.hasPhone) return `guard = SessionGuard(${args})`;
  return `guard = (CallGuard if ${phoneCalls(features)} else SessionGuard)(${args})`;
}

/** How the guard learns that the service that hears the caller works when it says nothing. */
function guardFacts({ hasPhone }: Features, services: readonly ChosenService[]) {
  const row = services.find(({ kind }) => kind === 'stt' || kind === 'realtime')?.row;
  const patienceOf = (wanted: ServiceKind) => services.find(({ kind }) => kind === wanted)?.row.patience;
  const typed = row?.typed;
  return {
    /** How many seconds it waits for an answer of each service. */
    sttPatience: patienceOf('stt') ?? 12,
    llmPatience: patienceOf('llm') ?? 15,
    ttsPatience: patienceOf('tts') ?? 8,
    /** Each utterance is a request to it. */
    asksStt: row?.answersEach === true,
    /** The attributes that lead to the connection that the guard pings; empty if there is none. */
    socket: row?.socket ?? '',
    hasSocket: row?.socket !== undefined,
    pingsStt: !row?.answersEach && row?.socket !== undefined,
    /** It neither gets requests nor answers pings, so only words show that it works. */
    countsTurns: !row?.answersEach && row?.socket === undefined,
    sttClass: row?.answersEach ? 'SegmentedSTTService' : 'FrameProcessor',
    pingsInCalls: hasPhone && row?.socket !== undefined,
    /** The guard can ask a speech-to-speech service for a reply, in the way in which it takes typed text. */
    asksToRepeat: typed !== undefined,
    asksCallersToRepeat: hasPhone && typed !== undefined,
    asksByFrame: typed === 'frame',
    asksInContext: typed === 'context',
    asksByMessage: typed === 'message' || typed === 'item',
  };
}

/** The expression as the first argument of a Python call, line by line. */
function finalErrorLines(services: readonly ChosenService[], isCascade: boolean): string[] {
  const own = services.flatMap(({ row }) => row.finalErrors ?? []);
  const parts = [REFUSED, NO_CREDIT, ...(isCascade ? [UNREACHABLE] : []), ...own];
  return parts.map((part, at) => (at < parts.length - 1 ? `r"${part}|"` : `r"${part}",`));
}

/** The entries of the bot's table of transports, indented as they are there. */
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

/** An eval has neither a camera nor a screen, and its audio is clean. */
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

/** The size of what the bot shows; pictures of any other size would be stretched to it. */
function pictureSize({ video_service }: ScaffoldConfig): readonly [width: number, height: number] {
  const avatar = video_service === null ? undefined : findService('video', video_service);
  return avatar?.picture ?? OWN_PICTURE;
}

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
function botImports(config: ScaffoldConfig, services: readonly ChosenService[]): string {
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

/** The facts that decide which functions and imports `bot.py` has. */
type BotTraits = Features & ReturnType<typeof serviceNeeds>;

/** Top-level code of `bot.py` that only some bots have. */
interface BotPart {
  /** Its template, next to `bot.py.ejs`. */
  template: string;
  when: readonly (keyof BotTraits)[];
  /** The modules of the standard library that it needs, itself or where it's used. */
  standard?: readonly PythonImport[];
  /** The same for packages. */
  packages?: readonly PythonImport[];
}

/** The optional parts of `bot.py`, in their order there. */
export const botParts: readonly BotPart[] = [
  {
    template: 'bot-parts/runs-locally.py.ejs',
    when: ['checksWhereItRuns'],
    standard: [{ module: 'os' }],
  },
  {
    template: 'bot-parts/noise-filter.py.ejs',
    when: ['hasNoiseFilter'],
    packages: [{ module: 'pipecat.audio.filters.base_audio_filter', names: ['BaseAudioFilter'] }],
  },
  {
    template: 'bot-parts/traces.py.ejs',
    when: ['hasObservability'],
    standard: [{ module: 'os' }, { module: 'functools', names: ['cache'] }],
    packages: [
      { module: 'opentelemetry.exporter.otlp.proto.http.trace_exporter', names: ['OTLPSpanExporter'] },
      { module: 'pipecat.utils.tracing.setup', names: ['setup_tracing'] },
    ],
  },
  {
    template: 'bot-parts/free-port.py.ejs',
    when: ['hasObservability'],
    standard: [{ module: 'socket' }, { module: 'contextlib', names: ['suppress'] }],
    packages: [{ module: 'pipecat_whisker', names: ['WhiskerServer'] }],
  },
  {
    template: 'bot-parts/load-aggregators.py.ejs',
    when: ['detectsTurns'],
    standard: [{ module: 'asyncio' }],
    packages: [
      { module: 'pipecat.audio.vad.silero', names: ['SileroVADAnalyzer'] },
      { module: 'pipecat.processors.aggregators.llm_response_universal', names: ['LLMUserAggregatorParams'] },
    ],
  },
  {
    template: 'bot-parts/look.py.ejs',
    when: ['looksOnDemand'],
    packages: [
      { module: 'pipecat.adapters.llm.schemas.direct_function', names: ['tool_options'] },
      { module: 'pipecat.frames.frames', names: ['UserImageRequestFrame'] },
      { module: 'pipecat.processors.frame_processor', names: ['FrameDirection'] },
      { module: 'pipecat.services.llm_service', names: ['FunctionCallParams'] },
    ],
  },
  {
    template: 'bot-parts/is-no-picture.py.ejs',
    when: ['looksEverySecond'],
    packages: [
      { module: 'pipecat.frames.frames', names: ['Frame', 'InputImageRawFrame'] },
      { module: 'pipecat.processors.filters.function_filter', names: ['FunctionFilter'] },
    ],
  },
  {
    template: 'bot-parts/requested-call.py.ejs',
    when: ['hasCallFlow'],
    packages: [{ module: 'pipecat.transports.daily.transport', names: ['DailyTransport'] }],
  },
  { template: 'bot-parts/call-env.py.ejs', when: ['checksCalls'] },
  { template: 'bot-parts/pstn-dial-in.py.ejs', when: ['takesPstnCalls'] },
  {
    template: 'bot-parts/sip-dial-in.py.ejs',
    when: ['takesSipCalls'],
    standard: [{ module: 'asyncio' }, { module: 'os' }],
    packages: [
      { module: 'twilio.base.exceptions', names: ['TwilioException'] },
      { module: 'twilio.rest', names: ['Client'] },
      { module: 'twilio.twiml.voice_response', names: ['Dial', 'VoiceResponse'] },
    ],
  },
  { template: 'bot-parts/dial-out.py.ejs', when: ['placesCalls'], standard: [{ module: 'asyncio' }] },
];

const partsOf = (bot: BotTraits): BotPart[] => dueIn(bot, botParts);
