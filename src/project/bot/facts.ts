import {
  findService,
  findTransport,
  moduleOf,
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
import { type ChosenService, chosenServices, judgeOf, requiredBy } from '../variables.ts';
import { textsOf } from './sentences.ts';

/** The indent of an entry in the table of transports. */
const ENTRY = 12;

/** The size that `picture.py` draws. */
const OWN_PICTURE = [1024, 768] as const;

/** What `bot.py` and its parts read in addition to the features: Python that is ready to paste, and rows of it. */
export function botFactsOf(config: ScaffoldConfig) {
  const features = featuresOf(config);
  const services = chosenServices(config);
  const needs = serviceNeeds(services);
  const required = requiredBy(config);
  const byTransport = [...required.byTransport].map(([key, names]) => [py(key), names.map(py)] as const);
  return {
    ...needs,
    imports: botImports(config, { ...features, ...needs }, services),
    ...textsOf(config),
    requiredEnv: renderList('REQUIRED_ENV', required.services.map(py)),
    transportEnv: renderTable('TRANSPORT_ENV', byTransport),
    callEnv: renderList('CALL_ENV', required.botInCalls.map(py)),
    /** The templates of its optional parts. */
    parts: partsOf({ ...features, ...needs }).map(({ template }) => template),
    callKey: config.transports.map(findTransport).find(row => row.callKey)?.callKey ?? '',
    serviceStatements: services.map(service => renderService(service, features.hasMediaStream)),
    stages: stagesOf(config, features),
    phoneRates: phoneRates(services),
    handlerCall: handlerCall(features),
    /** The condition under which somebody calls the bot. */
    incomingCalls: lineOrCall(features.hasMediaStream, features.takesPstnCalls || features.takesSipCalls),
    phoneCalls: lineOrCall(features.hasMediaStream, features.hasCallFlow),
    guardStatement: guardStatement(features, services),
    ...guardFacts(features, services),
    finalErrors: finalErrorLines(services, features.isCascade),
    transportEntries: transportEntries(config, features),
    ownPicture: OWN_PICTURE.join(', '),
    modelImports: renderImports(serviceImports(services.filter(({ row }) => row.preload))),
    modelLoads: services.flatMap(({ row }) => row.preload ?? []),
    ...judgeFactsOf(config),
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

/** A stage of the pipeline: its code, what a first-time reader should know about it, and whether the bot has it. */
type Stage = readonly [code: string, comment: string, isThere: boolean];

function stagesOf({ stt_service, tts_service }: ScaffoldConfig, features: Features) {
  const { hasVideoInput, hasVideoOutput } = features;
  const typed = `TypedText(${features.sendsTextFrame ? '' : 'llm'})`;
  const stages: Stage[] = [
    ['transport.input()', `Receives the person's audio${hasVideoInput ? ' and video' : ''}`, true],
    ['stt', 'Transcribes what they say', stt_service !== null],
    [typed, 'Hands what they type to the model', features.handsOverText],
    ['user_aggregator', "Adds the person's turn to the context", true],
    ['guard', 'Watches the model, in case it fails', features.guardsSessions],
    ['llm', features.isCascade ? 'Writes the reply' : 'Hears the person and speaks the reply', true],
    ['FunctionFilter(is_no_picture, filter_system_frames=True)', 'Stops camera pictures', features.looksEverySecond],
    ['tts', 'Turns the reply into speech', tts_service !== null],
    ['video', 'Turns the speech into a talking avatar', features.hasAvatar],
    ['Picture()', 'Shows who is speaking', features.hasPicture],
    ['transport.output()', `Sends the bot's audio${hasVideoOutput ? ' and video' : ''} to the person`, true],
    ['Recorder()', 'Records both sides', features.hasRecording],
    ['assistant_aggregator', 'Adds what the bot really said, so it comes last', true],
  ];
  return stages.flatMap(([code, comment, isThere]) => (isThere ? [{ code, comment }] : []));
}

/** How `run_bot` hands a call to the code of its flow. */
const handlerCall = ({ takesPstnCalls, botSpeaksFirst }: Features): string =>
  `handle_call(transport, ${takesPstnCalls ? '' : 'call, '}runner${botSpeaksFirst ? ', begin' : ''})`;

/** The condition under which somebody is on the phone with the bot: over a stream, or in a call of its flow. */
const lineOrCall = (isStream: boolean, isFlow: boolean): string =>
  [...(isStream ? ['line'] : []), ...(isFlow ? ['call'] : [])].join(' or ');

/** Adds the guard of a speech-to-speech session, which in a call does more. */
function guardStatement(
  { hasPhone, hasMediaStream, hasCallFlow }: Features,
  services: readonly ChosenService[],
): string {
  const guard = hasPhone
    ? `(CallGuard if ${lineOrCall(hasMediaStream, hasCallFlow)} else SessionGuard)`
    : 'SessionGuard';
  const isReset = services.some(({ row }) => row.resets);
  return `guard = ${guard}(llm${isReset ? ', reconnect=llm.reset_conversation' : ''})`;
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
function transportEntries(config: ScaffoldConfig, features: Features): string[] {
  // A hosted transport and a call flow share the room service's entry.
  const classes = new Map(config.transports.map(findTransport).map(row => [row.runnerKey, row.className]));
  if (config.enable_eval) classes.set('eval', 'EvalTransportParams');
  return [...classes].map(([key, className]) => {
    const head = `${py(key)}: lambda: `;
    const sound = ['audio_in_enabled=True', 'audio_out_enabled=True'];
    // An eval has neither a camera nor a screen, and its audio is clean.
    const args = key === 'eval' ? sound : [...sound, ...mediaArguments(config, features)];
    return `${head}${renderCall(className, args, ENTRY, head.length + 1)}`;
  });
}

function mediaArguments({ video_service }: ScaffoldConfig, features: Features): string[] {
  const { hasNoiseFilter, hasVideoInput, hasVideoOutput, looksOnDemand, hasAvatar } = features;
  // Pictures of any other size would be stretched to it.
  const [width, height] = (video_service && findService('video', video_service).picture) || OWN_PICTURE;
  const camera = `VideoInSourceParams(${looksOnDemand ? 'on_request_only=True' : 'framerate=1'})`;
  return [
    ...(hasNoiseFilter ? ['audio_in_filter=noise_filter()'] : []),
    ...(hasVideoInput ? ['video_in_enabled=True', `video_in_sources={"camera": ${camera}}`] : []),
    ...(hasVideoOutput ? ['video_out_enabled=True'] : []),
    ...(hasAvatar ? ['video_out_is_live=True'] : []),
    ...(hasVideoOutput ? [`video_out_width=${width}`, `video_out_height=${height}`] : []),
  ];
}

/** The facts that decide which functions and imports `bot.py` has. */
type BotTraits = Features & ReturnType<typeof serviceNeeds>;

/** A line with imports of `bot.py`, and what bots have that need it. Optional parts list their own imports. */
type Row = readonly [line: string, ...when: (keyof BotTraits)[]];

const UNIVERSAL = 'from pipecat.processors.aggregators.llm_response_universal import';

const standard: readonly Row[] = [
  ['import asyncio', 'greetsClients'],
  ['import os', 'readsEnv'],
  ['import sys'],
  ['from collections.abc import Awaitable, Callable', 'botSpeaksFirst'],
  ['from contextlib import suppress', 'greetsClients'],
];

const packages: readonly Row[] = [
  ['import aiohttp', 'usesSession'],
  ['from loguru import logger'],
  ['from pipecat.audio.vad.silero import SileroVADAnalyzer', 'hasPhone'],
  ['from pipecat.evals.transport import EvalTransportParams', 'hasEvals'],
  ['from pipecat.pipeline.pipeline import Pipeline'],
  ['from pipecat.pipeline.worker import PipelineParams, PipelineWorker'],
  ['from pipecat.processors.aggregators.llm_context import LLMContext'],
  [`${UNIVERSAL} LLMContextAggregatorPair`],
  [`${UNIVERSAL} LLMUserAggregatorParams`, 'hasPhone'],
  [`${UNIVERSAL} AssistantTurnStoppedMessage, UserTurnMessageAddedMessage`, 'hasTranscription'],
  ['from pipecat.runner.types import RunnerArguments'],
  ['from pipecat.runner.types import WebSocketRunnerArguments', 'hasStreamEnv'],
  ['from pipecat.runner.utils import parse_telephony_websocket', 'hasStreamEnv'],
  ['from pipecat.runner.utils import create_transport'],
  ['from pipecat.transports.base_transport import BaseTransport'],
  ['from pipecat.transports.base_transport import VideoInSourceParams', 'hasVideoInput'],
  ['from pipecat.workers.runner import WorkerRunner'],
];

/** The project's own modules. */
const own: readonly Row[] = [
  ['from env import load_env, missing_env'],
  ['from env import optional_env', 'hasOptionalEnv'],
  ['from env import transport_env', 'needsTransportEnv'],
  ['from guard import CallGuard', 'guardsCalls'],
  ['from guard import CallGuard', 'guardsSessions', 'hasPhone'],
  ['from guard import SessionGuard', 'guardsSessions'],
  ['from journal import keep_journal', 'hasJournal'],
  ['from picture import Picture', 'hasPicture'],
  ['from recording import Recorder', 'hasRecording'],
  ['from shutdown import run_session'],
  ['from typed_text import TypedText', 'handsOverText'],
];

/** The modules of Python's standard library in these lines. */
const STANDARD = ['asyncio', 'collections.abc', 'contextlib', 'functools', 'os', 'socket', 'sys'];

function importOf(line: string): PythonImport {
  const [, module, names = ''] = /^(?:from (\S+) )?import (.*)$/.exec(line) ?? [];
  return module ? { module, names: names.split(', ') } : { module: names };
}

/** The import statements of `bot.py`, block by block. */
function botImports(config: ScaffoldConfig, bot: BotTraits, services: readonly ChosenService[]): string {
  const due = (rows: readonly Row[]) =>
    rows.flatMap(([line, ...when]) => (when.every(name => bot[name]) ? [importOf(line)] : []));
  const ofParts = partsOf(bot).flatMap(({ imports }) => imports.map(importOf));
  const blocks: PythonImport[][] = [
    [...due(standard), ...ofParts.filter(({ module }) => STANDARD.includes(module))],
    [
      ...due(packages),
      // What opens a conversation.
      { module: 'pipecat.frames.frames', names: [bot.ignoresContext ? 'InputTextRawFrame' : 'LLMRunFrame'] },
      ...ofParts.filter(({ module }) => !STANDARD.includes(module)),
      ...serviceImports(services),
      ...config.transports.map(findTransport).map(({ module, className }) => ({ module, names: [className] })),
    ],
    due(own),
  ];
  return blocks.map(renderImports).filter(Boolean).join('\n\n');
}

/** Top-level code of `bot.py` that only some bots have: its template, and the imports for it and its use. */
const part = (name: string, when: keyof BotTraits, ...imports: string[]) => ({
  template: `bot-parts/${name}.py.ejs`,
  when: [when],
  imports,
});

/** The optional parts of `bot.py`, in their order there. */
export const botParts = [
  part('runs-locally', 'checksWhereItRuns', 'import os'),
  part('noise-filter', 'hasNoiseFilter', 'from pipecat.audio.filters.base_audio_filter import BaseAudioFilter'),
  part(
    'traces',
    'hasObservability',
    'import os',
    'from functools import cache',
    'from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter',
    'from pipecat.utils.tracing.setup import setup_tracing',
  ),
  part(
    'free-port',
    'hasObservability',
    'import socket',
    'from contextlib import suppress',
    'from pipecat_whisker import WhiskerServer',
  ),
  part(
    'load-aggregators',
    'detectsTurns',
    'import asyncio',
    'from pipecat.audio.vad.silero import SileroVADAnalyzer',
    `${UNIVERSAL} LLMUserAggregatorParams`,
  ),
  part(
    'look',
    'looksOnDemand',
    'from pipecat.adapters.llm.schemas.direct_function import tool_options',
    'from pipecat.frames.frames import UserImageRequestFrame',
    'from pipecat.processors.frame_processor import FrameDirection',
    'from pipecat.services.llm_service import FunctionCallParams',
  ),
  part(
    'is-no-picture',
    'looksEverySecond',
    'from pipecat.frames.frames import Frame, InputImageRawFrame',
    'from pipecat.processors.filters.function_filter import FunctionFilter',
  ),
  part('requested-call', 'hasCallFlow', 'from pipecat.transports.daily.transport import DailyTransport'),
  part('call-env', 'checksCalls'),
  part('pstn-dial-in', 'takesPstnCalls'),
  part(
    'sip-dial-in',
    'takesSipCalls',
    'import asyncio',
    'import os',
    'from twilio.base.exceptions import TwilioException',
    'from twilio.rest import Client',
    'from twilio.twiml.voice_response import Dial, VoiceResponse',
  ),
  part('dial-out', 'placesCalls', 'import asyncio'),
];

const partsOf = (bot: BotTraits) => dueIn(bot, botParts);

/** The indent of a function's body. */
const BODY = 4;
const STEP = 4;

/**
 * The statement that constructs a service, at the indent of a function's body. With a phone on the line, the pipeline has
 * a phone's rate, so a voice with its own rate gets an argument.
 */
function renderService({ kind, row }: ChosenService, hasPhone: boolean): string {
  const takesInstruction = (kind === 'llm' || kind === 'realtime') && !row.ownInstruction;
  // A speech-to-speech service is also the language model.
  const variable = kind === 'realtime' ? 'llm' : kind;
  const first = takesInstruction ? ['system_instruction=SYSTEM_INSTRUCTION'] : [];
  const rate = hasPhone && kind === 'tts' && row.onlyRate;
  const args = rate ? [...row.args, { name: 'sample_rate', code: `${rate / 1000}_000` }] : row.args;
  return renderConstruction(`${variable} = `, { ...row, args }, first);
}

function renderConstruction(start: string, row: ChosenService['row'], first: readonly string[]): string {
  const inner = BODY + STEP;
  const args = renderArguments(row.args, inner);
  if (row.session) args.push(`${row.session}=session`);
  const settings = [...first, ...renderArguments(row.settings, inner + STEP)];
  if (settings.length > 0) {
    args.push(`settings=${renderCall(`${row.className}.Settings`, settings, inner, 'settings=,'.length)}`);
  }
  return `${start}${renderCall(row.className, args, BODY, start.length)}`;
}

/** Arguments as Python, for a call whose arguments have this indent. Those that may be omitted are together. */
function renderArguments(args: Arguments, indent: number): string[] {
  const omitted = args.flatMap(argument => ('env' in argument && isOmitted(argument) ? [argument] : []));
  return args.flatMap(argument => {
    if ('code' in argument) return [`${argument.name}=${argument.code}`];
    if ('args' in argument) return [`${argument.name}=${renderObject(argument, indent)}`];
    if (!isOmitted(argument)) return [renderVariable(argument)];
    const alike = omitted.filter(({ convert }) => convert === argument.convert);
    return argument === alike[0] ? [renderOmitted(alike, indent)] : [];
  });
}

type Arguments = ChosenService['row']['args'];

type Kind<Key extends string> = Extract<Arguments[number], Record<Key, unknown>>;

/** Whether an argument is omitted if its variable isn't set, so that the library's default applies. */
const isOmitted = ({ required, fallback }: Kind<'env'>): boolean => !required && fallback === undefined;

function renderOmitted(args: readonly Kind<'env'>[], indent: number): string {
  const convert = args[0]?.convert;
  const names = args.map(({ name, env }) => `${name}=${py(env)}`);
  const call = renderCall('**optional_env', [...(convert ? [convert] : []), ...names], indent, ','.length);
  const usual = args.flatMap(one => (one.usual === undefined ? [] : `${one.name}=${py(one.usual)}`)).join(', ');
  return usual ? `# Default: ${usual}\n${' '.repeat(indent)}${call}` : call;
}

const renderObject = ({ name, className, args }: Kind<'className'>, indent: number): string =>
  renderCall(className, renderArguments(args, indent + STEP), indent, `${name}=,`.length);

/** A required variable, or one with a default. */
function renderVariable({ name, env, convert, fallback }: Kind<'env'>): string {
  if (fallback !== undefined) return `${name}=os.getenv(${py(env)}) or ${py(fallback)}`;
  const read = `os.environ[${py(env)}]`;
  return `${name}=${convert ? `${convert}(${read})` : read}`;
}

/** The imports that the statements of services need. */
const serviceImports = (services: readonly ChosenService[]): PythonImport[] =>
  services.flatMap(({ row }) => [{ module: moduleOf(row), names: [row.className] }, ...row.imports]);

/** What the services of a bot need from its own code. */
function serviceNeeds(services: readonly ChosenService[]) {
  const code = services.map(service => renderService(service, false)).join('\n');
  return {
    /** A service takes a variable that isn't required. */
    hasOptionalEnv: code.includes('**optional_env'),
    /** A service takes a variable in another way. */
    readsEnv: code.includes('os.'),
    /** A service takes the bot's HTTP session. */
    usesSession: services.some(({ row }) => row.session !== undefined),
  };
}

/** What `evals/judge.py` reads: Python that is ready to paste. */
function judgeFactsOf(config: ScaffoldConfig) {
  const row = judgeOf(config);
  if (!row) return { judge: '', judgeImports: '', judgeClass: '', judgeCall: '' };
  const service = { kind: 'llm', row } as const;
  const { hasOptionalEnv, readsEnv } = serviceNeeds([service]);
  const blocks = [
    renderImports([...(readsEnv ? [{ module: 'os' }] : []), { module: 'typing', names: ['Any'] }]),
    renderImports(serviceImports([service])),
    ...(hasOptionalEnv ? [renderImports([{ module: 'env', names: ['optional_env'] }])] : []),
  ];
  return {
    judge: row.label,
    judgeImports: blocks.join('\n\n'),
    judgeClass: row.className,
    // Without the bot's instruction.
    judgeCall: renderConstruction('return ', row, []),
  };
}
