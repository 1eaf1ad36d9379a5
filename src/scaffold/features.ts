import { findService, findTransport } from './catalog/index.ts';
import type { ScaffoldConfig } from './config.ts';

/** What a configuration switches on or off in the files of a bot: the plain booleans that templates test. */
export function featuresOf(config: ScaffoldConfig) {
  const isCascade = config.mode === 'cascade';
  const hasAvatar = config.video_service !== null;
  const speaker = config.realtime_service === null ? undefined : findService('realtime', config.realtime_service);
  const hasVideo = config.video_input || config.video_output;
  const asksWhereItRuns = config.enable_noisecancel || config.enable_observability;
  return {
    isCascade,
    hasAvatar,
    /** The bot finds out itself when the person speaks; some speech-to-speech services tell it. */
    findsTurns: !speaker?.ownTurns,
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
    hasLocal: config.transports.includes('rtc_local'),
    hasHosted: config.transports.includes('rtc_hosted'),
    hasClient: config.generate_client,
    isReact: config.client_framework === 'component',
    isVanilla: config.client_framework === 'vanilla',
    isVite: config.client_server === 'bundler',
    isNext: config.client_server === 'fullstack',
    /** The page of the client shows what the bot shows. */
    hasVideoOutput: config.video_output,
    /** There are two ways to the bot, and the person takes one. */
    choosesTransport: config.transports.includes('rtc_local') && config.transports.includes('rtc_hosted'),
    isTelephony: config.transports.some(id => findTransport(id).botType === 'telephony'),
  };
}

export type Features = ReturnType<typeof featuresOf>;
