import type { ScaffoldConfig } from '../../src/config/config.ts';

/**
 * What `botcli init quickstart --dry-run` must print: every key in order, with its value, its default or null. It's
 * written out here once, independently of the sources.
 */
export const PRESET: ScaffoldConfig = {
  project_name: 'botcli-quickstart',
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
  enable_eval: true,
  journal: true,
  ci: null,
  language: null,
};
