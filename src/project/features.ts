import { findService, findTransport } from '../catalog/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';

/** What a configuration switches on or off in the files of a bot: the plain booleans that templates test. */
export function featuresOf(config: ScaffoldConfig) {
  const isCascade = config.mode === 'cascade';
  const hasAvatar = config.video_service !== null;
  const speaker = config.realtime_service === null ? undefined : findService('realtime', config.realtime_service);
  const hasVideo = config.video_input || config.video_output;
  const rows = config.transports.map(findTransport);
  const hasStreams = rows.some(row => row.family === 'stream');
  const flow = rows.find(row => row.family === 'flow');
  const takesCalls = hasStreams || flow?.direction === 'dial-in';
  const meetsClients = flow !== undefined || config.enable_eval || rows.some(row => row.family === 'web');
  const asksWhereItRuns = config.enable_noisecancel || config.enable_observability;
  return {
    isCascade,
    hasAvatar,
    /** The bot finds out itself when the person speaks; some speech-to-speech services tell it. */
    findsTurns: !speaker?.ownTurns,
    /** What begins a conversation is said to the service as text. */
    ignoresContext: speaker?.ignoresContext === true,
    /** A picture of the bot's own, where no avatar gives one. */
    hasPicture: config.video_output && !hasAvatar,
    /** Language models ask for a picture when they want one; speech-to-speech services see one every second. */
    looksOnDemand: config.video_input && isCascade,
    seesAllTheTime: config.video_input && !isCascade,
    hasVideo,
    hasVideoBothWays: config.video_input && config.video_output,
    hasVideoInput: config.video_input,
    hasRecording: config.recording,
    hasTranscription: config.transcription,
    hasNoiseFilter: config.enable_noisecancel,
    hasObservability: config.enable_observability,
    /** Some of it is for one's own machine only, some for the cloud only. */
    asksWhereItRuns,
    /** It does something that its README explains. */
    doesMore: hasVideo || asksWhereItRuns || config.recording || config.transcription,
    hasEvals: config.enable_eval,
    hasCloud: config.deploy_to_cloud,
    hasLocal: config.transports.includes('rtc_local'),
    hasHosted: config.transports.includes('rtc_hosted'),
    /** SmallWebRTC is the only way to the bot. */
    isLocalOnly: rows.every(row => row.id === 'rtc_local'),
    hasWeb: rows.some(row => row.family === 'web'),
    isTelephony: config.bot_type === 'telephony',
    /** Calls come as the media stream of a phone provider. */
    hasStreams,
    /** A request starts the bot in a room, for one call. */
    hasFlow: flow !== undefined,
    answersPhone: flow?.id === 'rtc_hosted_pstn_dialin',
    answersSip: flow?.id === 'tel_a_rtc_sip_dialin',
    dialsPhone: flow?.id === 'rtc_hosted_pstn_dialout',
    dialsOut: flow?.direction === 'dial-out',
    /** A cascade lets whom it calls speak first; speech-to-speech services wait to be told to begin. */
    awaitsHello: flow?.direction === 'dial-out' && isCascade,
    opensCalls: flow?.direction === 'dial-out' && !isCascade,
    /** Calls come to the bot: it greets who calls. */
    takesCalls,
    /** Whoever isn't on a phone tells when they're ready, and is greeted then. */
    meetsClients,
    /** A server of the project's own starts the bot for each call. */
    hasCallServer: flow?.serverReads !== undefined,
    /** Nothing but that server starts the bot: no browser, and no phone provider. */
    waitsForCallServer: flow?.serverReads !== undefined && !hasStreams,
    hasClient: config.generate_client,
    isReact: config.client_framework === 'component',
    isVanilla: config.client_framework === 'vanilla',
    isVite: config.client_server === 'bundler',
    isNext: config.client_server === 'fullstack',
    /** The page of the client shows what the bot shows. */
    hasVideoOutput: config.video_output,
    /** There are two ways to the bot, and the person takes one. */
    choosesTransport: config.transports.includes('rtc_local') && config.transports.includes('rtc_hosted'),
  };
}

export type Features = ReturnType<typeof featuresOf>;
