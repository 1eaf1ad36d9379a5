import type { ScaffoldConfig } from './config.ts';

/** The directory that `botcli init quickstart` makes. */
export const QUICKSTART_DIRECTORY = 'botcli-quickstart';

/** The fixed bot of `botcli init quickstart`: one key, and you talk. It's resolved, so nothing has to resolve it. */
export const quickstart: ScaffoldConfig = {
  project_name: QUICKSTART_DIRECTORY,
  bot_type: 'web',
  transports: ['rtc_local', 'rtc_hosted'],
  mode: 'cascade',
  stt_service: 'openai_stt',
  llm_service: 'openai_llm',
  tts_service: 'openai_tts',
  realtime_service: null,
  video_service: null,
  generate_client: false,
  client_framework: null,
  client_server: null,
  daily_pstn_mode: null,
  twilio_daily_sip_mode: null,
  video_input: false,
  video_output: false,
  recording: false,
  transcription: false,
  deploy_to_cloud: true,
  enable_noisecancel: false,
  enable_observability: false,
  enable_eval: false,
};
