import { transports } from '../catalog/index.ts';
import type { RawConfig } from '../config/options.ts';
import type { Answers } from './step.ts';

/** The answers as flags give them, so that both are validated by the same rules. */
export function rawConfigOf(answers: Answers): RawConfig {
  const { transport, direction, more_transports: more = [], video_service: avatar, features = [] } = answers;
  const modeKey = transports.find(({ generic }) => generic !== undefined && generic === transport)?.modeKey;
  return {
    project_name: answers.project_name,
    bot_type: answers.bot_type,
    transports: [transport, ...more],
    ...(modeKey ? { [modeKey]: direction } : {}),
    mode: answers.mode,
    stt_service: answers.stt_service,
    llm_service: answers.llm_service,
    tts_service: answers.tts_service,
    realtime_service: answers.realtime_service,
    video_service: avatar === 'none' ? undefined : avatar,
    client_framework: answers.client_framework,
    client_server: answers.client_server,
    ...Object.fromEntries(features.map(key => [key, true])),
    deploy_to_cloud: answers.deploy_to_cloud,
    enable_noisecancel: answers.enable_noisecancel,
    enable_eval: answers.enable_eval,
  };
}
