import { findService, findTransport, isEnglish } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { remembered } from '../std.ts';
import { chosenServices, judgeOf } from './variables/environment.ts';

/** What a configuration turns on or off in the files of a project: the plain booleans that templates test. */
export const featuresOf = remembered((config: ScaffoldConfig) => ({
  ...conversationOf(config),
  ...modelsOf(config),
  ...videoOf(config),
  ...waysOf(config),
  ...callsOf(config),
  ...extrasOf(config),
  ...clientOf(config),
}));

export type Features = ReturnType<typeof featuresOf>;

/** How the bot hears, thinks and speaks. */
function conversationOf({ enable_eval, language, mode, realtime_service, transports }: ScaffoldConfig) {
  const speaker = realtime_service === null ? undefined : findService('realtime', realtime_service);
  // Nobody types on a phone, but evals do.
  const isTypedTo = enable_eval || transports.some(id => findTransport(id).family === 'web');
  const typed = isTypedTo ? speaker?.typed : undefined;
  return {
    isCascade: mode === 'cascade',
    /** A language was chosen, so the bot is told to speak it. */
    hasLanguage: language !== null,
    /** It speaks English, like the questions of the starter evals. */
    speaksEnglish: language === null || isEnglish(language),
    /** People and evals can type to the bot. */
    takesText: mode === 'cascade' || typed !== undefined,
    /** The bot hands what they type to its speech-to-speech service, which wouldn't answer it in the context. */
    handsOverText: typed !== undefined && typed !== 'context',
    sendsTextFrame: typed === 'frame',
    sendsTextMessage: typed === 'message',
    sendsTextItem: typed === 'item',
    /** The bot detects when the person speaks. Some speech-to-speech services do that instead. */
    detectsTurns: !speaker?.ownTurns,
    /** The service doesn't read the context, so the bot sends it the opening as text. */
    ignoresContext: speaker?.ignoresContext === true,
  };
}

/** What the bot sees and shows. */
function videoOf({ mode, video_input, video_output, video_service }: ScaffoldConfig) {
  const isCascade = mode === 'cascade';
  const hasAvatar = video_service !== null;
  return {
    hasVideo: video_input || video_output,
    hasVideoBothWays: video_input && video_output,
    hasVideoInput: video_input,
    hasVideoOutput: video_output,
    hasAvatar,
    /** The bot draws its own picture, because no avatar provides one. */
    hasPicture: video_output && !hasAvatar,
    /** The language model asks for a picture from the camera when it wants one. */
    looksOnDemand: video_input && isCascade,
    /** The speech-to-speech service gets a picture from the camera every second. */
    looksEverySecond: video_input && !isCascade,
  };
}

/** What runs on this computer. */
function modelsOf(config: ScaffoldConfig) {
  const rows = chosenServices(config).map(({ row }) => row);
  return {
    /** Some models are downloaded when a service is created. */
    loadsModels: rows.some(row => row.preload),
    hasLocalModels: rows.some(row => row.local),
  };
}

/** How people reach the bot. */
function waysOf({ bot_type, transports }: ScaffoldConfig) {
  const rows = transports.map(findTransport);
  const browsers = rows.filter(row => row.family === 'web');
  const hasLocal = browsers.some(row => row.isPeerToPeer);
  const hasHosted = browsers.some(row => !row.isPeerToPeer);
  return {
    isTelephony: bot_type === 'telephony',
    hasWeb: browsers.length > 0,
    hasLocal,
    hasHosted,
    /** Browsers have two transports to choose from. */
    choosesTransport: hasLocal && hasHosted,
    /** SmallWebRTC is the only way to reach the bot. */
    isLocalOnly: rows.every(row => row.isPeerToPeer),
  };
}

/** How calls reach the bot, or the bot reaches phones. A call flow starts the bot in a room, once for each call. */
function callsOf({ enable_eval, mode, transports }: ScaffoldConfig) {
  const rows = transports.map(findTransport);
  const flow = rows.find(row => row.family === 'flow');
  const hasCallServer = flow?.serverReads !== undefined;
  const hasMediaStream = rows.some(row => row.family === 'stream');
  const hasStreamEnv = rows.some(row => row.family === 'stream' && row.ambient.some(({ required }) => required));
  const isDialIn = flow?.direction === 'dial-in';
  const placesCalls = flow?.direction === 'dial-out';
  const hasPhone = hasMediaStream || flow !== undefined;
  // A phone never reports that it's ready.
  const greetsCallers = hasMediaStream || isDialIn;
  const greetsClients = flow !== undefined || enable_eval || rows.some(row => row.family === 'web');
  return {
    /** A phone provider streams the sound of its calls to the bot. */
    hasMediaStream,
    hasCallFlow: flow !== undefined,
    /** The project's own server starts the bot for each call. */
    hasCallServer,
    /** Only that server starts the bot's calls: no phone provider does. */
    waitsForCallServer: hasCallServer && !hasMediaStream,
    takesPstnCalls: isDialIn && flow?.network === 'pstn',
    takesSipCalls: isDialIn && flow?.network === 'sip',
    placesCalls,
    /** A phone provider that streams needs variables. */
    hasStreamEnv,
    /** Calls need variables that other sessions don't. */
    checksCalls: hasStreamEnv || flow?.reads !== undefined,
    /** Some transport needs variables. */
    needsTransportEnv: rows.some(row => [...row.ambient, ...(row.reads ?? [])].some(({ required }) => required)),
    /** It calls phone numbers. Otherwise, it calls SIP addresses. */
    placesPstnCalls: placesCalls && flow?.network === 'pstn',
    /** In a call that the bot places, it waits until the person has spoken. */
    calleeSpeaksFirst: placesCalls && mode === 'cascade',
    /** In a call that the bot places, it speaks first: a speech-to-speech service waits for that signal. */
    botSpeaksFirst: placesCalls && mode === 'realtime',
    /** The bot greets browsers and evals when they report that they're ready. */
    greetsClients,
    /** Some of the people who connect report that they're ready, and some never do. */
    awaitsSomeClients: greetsCallers && greetsClients,
    /** People can be on the phone with the bot. */
    hasPhone,
    /** In a call, the bot says what is wrong when a service fails. */
    guardsCalls: hasPhone && mode === 'cascade',
    /** The bot reconnects its speech-to-speech service, or ends the session. */
    guardsSessions: mode === 'realtime',
  };
}

/** What else was chosen. */
function extrasOf(config: ScaffoldConfig) {
  /** Noise cancellation works only in the cloud, observability only on your own machine. */
  const checksWhereItRuns = config.enable_noisecancel || config.enable_observability;
  const hasVideo = config.video_input || config.video_output;
  return {
    hasRecording: config.recording,
    hasTranscription: config.transcription,
    hasNoiseFilter: config.enable_noisecancel,
    hasObservability: config.enable_observability,
    checksWhereItRuns,
    /** The README has a section about features. */
    hasExtras: hasVideo || checksWhereItRuns || config.recording || config.transcription || config.journal,
    hasJournal: config.journal,
    hasEvals: config.enable_eval,
    /** A language model judges the evals. */
    hasJudge: judgeOf(config) !== undefined,
    hasCloud: config.deploy_to_cloud,
    /** GitHub tests it, and deploys it. */
    hasWorkflow: config.ci !== null,
  };
}

function clientOf({ client_framework, client_server, generate_client }: ScaffoldConfig) {
  return {
    hasClient: generate_client,
    isReact: client_framework === 'component',
    isVanilla: client_framework === 'vanilla',
    isVite: client_server === 'bundler',
    isNext: client_server === 'fullstack',
  };
}

/** A file of a generated project. */
export interface PlannedFile {
  /** Below the generator's `templates/`. */
  template: string;
  /** Below the project's directory. */
  destination: string;
  /** Which bots or clients it is for: those that have all of these features. */
  when: readonly (keyof Features)[];
  /** What it is, for the README. */
  note: string;
}

/** Those of the files, or of other things with a condition, that are for these features. */
export const dueIn = <Name extends string, Row extends { when?: readonly Name[] }>(
  features: Readonly<Record<Name, boolean>>,
  rows: readonly Row[],
): Row[] => rows.filter(({ when = [] }) => when.every(name => features[name]));
