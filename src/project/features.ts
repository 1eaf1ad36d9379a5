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
  const browsers = rows.filter(row => row.family === 'web');
  const isDialIn = flow?.direction === 'dial-in';
  const isDialOut = flow?.direction === 'dial-out';
  const takesCalls = hasStreams || isDialIn;
  const meetsClients = flow !== undefined || config.enable_eval || browsers.length > 0;
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
    hasLocal: browsers.some(row => row.isPeerToPeer),
    hasHosted: browsers.some(row => !row.isPeerToPeer),
    hasWeb: browsers.length > 0,
    isTelephony: config.bot_type === 'telephony',
    /** Calls come as the media stream of a phone provider. */
    hasStreams,
    /** A request starts the bot in a room, for one call. */
    hasFlow: flow !== undefined,
    answersPhone: isDialIn && flow?.network === 'pstn',
    answersSip: isDialIn && flow?.network === 'sip',
    dialsPhone: isDialOut && flow?.network === 'pstn',
    dialsOut: isDialOut,
    /** A cascade lets whom it calls speak first; speech-to-speech services wait to be told to begin. */
    awaitsHello: isDialOut && isCascade,
    opensCalls: isDialOut && !isCascade,
    /** Calls come to the bot: it greets who calls. */
    takesCalls,
    /** Whoever isn't on a phone tells when they're ready, and is greeted then. */
    meetsClients,
    greets: takesCalls || meetsClients,
    /** A server of the project's own starts the bot for each call. */
    hasCallServer: flow?.serverReads !== undefined,
    hasClient: config.generate_client,
    isReact: config.client_framework === 'component',
    isVanilla: config.client_framework === 'vanilla',
    isVite: config.client_server === 'bundler',
    isNext: config.client_server === 'fullstack',
    /** The page of the client shows what the bot shows. */
    hasVideoOutput: config.video_output,
    /** There are two ways to the bot, and the person takes one. */
    choosesTransport: browsers.length > 1,
  };
}

export type Features = ReturnType<typeof featuresOf>;
