import { defaults, type ScaffoldConfig } from './options.ts';

/** The word that `botcli init` takes instead of a directory, for the preset bot. */
export const QUICKSTART = 'quickstart';

/** The directory that `botcli init quickstart` creates. */
export const QUICKSTART_DIRECTORY = 'botcli-quickstart';

/** The services of a bot that needs no account: all of them run on this computer, and so does its transport. */
export const ON_THIS_COMPUTER = {
  bot_type: 'web',
  transports: ['rtc_local'],
  mode: 'cascade',
  stt_service: 'moonshine_stt',
  llm_service: 'ollama_llm',
  tts_service: 'kokoro_tts',
} as const;

/** The preset bot of `botcli init quickstart`, which needs one API key. It is already resolved. */
export const quickstart: ScaffoldConfig = {
  ...defaults,
  project_name: QUICKSTART_DIRECTORY,
  bot_type: 'web',
  transports: ['rtc_local', 'rtc_hosted'],
  mode: 'cascade',
  stt_service: 'openai_stt',
  llm_service: 'openai_llm',
  tts_service: 'openai_tts',
  enable_eval: true,
  journal: true,
};
