import { findService, findTransport, isEnglish } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { remembered } from '../std.ts';
import { chosenServices, judgeOf } from './variables.ts';

/** What a configuration turns on or off in the files of a project: the plain booleans that templates test. */
export const featuresOf = remembered((config: ScaffoldConfig) => {
  const { client_framework, client_server, language, realtime_service, video_input, video_output } = config;
  const isCascade = config.mode === 'cascade';
  const hasAvatar = config.video_service !== null;
  const hasVideo = video_input || video_output;
  const models = chosenServices(config).map(({ row }) => row);
  const speaker = realtime_service === null ? undefined : findService('realtime', realtime_service);
  const rows = config.transports.map(findTransport);
  const browsers = rows.filter(row => row.family === 'web');
  const hasWeb = browsers.length > 0;
  const hasLocal = browsers.some(row => row.isPeerToPeer);
  const hasHosted = browsers.some(row => !row.isPeerToPeer);
  // Nobody types on a phone, but evals do.
  const typed = config.enable_eval || hasWeb ? speaker?.typed : undefined;
  // A call flow starts the bot in a room, once for each call.
  const flow = rows.find(row => row.family === 'flow');
  const streams = rows.filter(row => row.family === 'stream');
  const hasMediaStream = streams.length > 0;
  const hasStreamEnv = streams.some(row => row.ambient.some(({ required }) => required));
  const hasCallServer = flow?.serverReads !== undefined;
  const isDialIn = flow?.direction === 'dial-in';
  const placesCalls = flow?.direction === 'dial-out';
  const hasPhone = hasMediaStream || flow !== undefined;
  const greetsClients = flow !== undefined || config.enable_eval || hasWeb;
  const checksWhereItRuns = config.enable_noisecancel || config.enable_observability;
  return {
    isCascade,
    /** A language was chosen, so the bot is told to speak it. */
    hasLanguage: language !== null,
    /** It speaks English, like the questions of the starter evals. */
    speaksEnglish: language === null || isEnglish(language),
    /** People and evals can type to the bot. */
    takesText: isCascade || typed !== undefined,
    /** The bot hands what they type to its speech-to-speech service, which wouldn't answer it in the context. */
    handsOverText: typed !== undefined && typed !== 'context',
    sendsTextFrame: typed === 'frame',
    sendsTextMessage: typed === 'message',
    sendsTextItem: typed === 'item',
    /** The bot detects when the person speaks. Some speech-to-speech services do that instead. */
    detectsTurns: !speaker?.ownTurns,
    /** The service doesn't read the context, so the bot sends it the opening as text. */
    ignoresContext: speaker?.ignoresContext === true,

    /** Some models are downloaded when a service is created. */
    loadsModels: models.some(row => row.preload),
    hasLocalModels: models.some(row => row.local),

    hasVideo,
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

    isTelephony: config.bot_type === 'telephony',
    hasWeb,
    hasLocal,
    hasHosted,
    /** Browsers have two transports to choose from. */
    choosesTransport: hasLocal && hasHosted,
    /** SmallWebRTC is the only way to reach the bot. */
    isLocalOnly: rows.every(row => row.isPeerToPeer),

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
    calleeSpeaksFirst: placesCalls && isCascade,
    /** In a call that the bot places, it speaks first: a speech-to-speech service waits for that signal. */
    botSpeaksFirst: placesCalls && !isCascade,
    /** The bot greets browsers and evals when they report that they're ready. */
    greetsClients,
    /** Some of the people who connect report that they're ready, and some never do: those on a phone that called. */
    awaitsSomeClients: (hasMediaStream || isDialIn) && greetsClients,
    /** People can be on the phone with the bot. */
    hasPhone,
    /** In a call, the bot says what is wrong when a service fails. */
    guardsCalls: hasPhone && isCascade,
    /** The bot reconnects its speech-to-speech service, or ends the session. */
    guardsSessions: !isCascade,

    hasRecording: config.recording,
    hasTranscription: config.transcription,
    hasNoiseFilter: config.enable_noisecancel,
    hasObservability: config.enable_observability,
    /** Noise cancellation works only in the cloud, observability only on your own machine. */
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

    hasClient: config.generate_client,
    isReact: client_framework === 'component',
    isVanilla: client_framework === 'vanilla',
    isVite: client_server === 'bundler',
    isNext: client_server === 'fullstack',
  };
});

export type Features = ReturnType<typeof featuresOf>;

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
