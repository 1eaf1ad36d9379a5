import type { RawConfig } from './options.ts';

/** The directory that `botcli init quickstart` makes. */
export const QUICKSTART_DIRECTORY = 'botcli-quickstart';

/** The fixed bot of `botcli init quickstart`: one key, and you talk. */
export const quickstart: RawConfig = {
  project_name: QUICKSTART_DIRECTORY,
  bot_type: 'web',
  transports: ['rtc_local', 'rtc_hosted'],
  mode: 'cascade',
  stt_service: 'openai_stt',
  llm_service: 'openai_llm',
  tts_service: 'openai_tts',
  deploy_to_cloud: true,
};
