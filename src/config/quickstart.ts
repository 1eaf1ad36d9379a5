import { defaults, type ScaffoldConfig } from './resolved.ts';

/** What `botcli init` takes in place of a directory, for the fixed bot. */
export const QUICKSTART = 'quickstart';

/** The directory that `botcli init quickstart` makes. */
export const QUICKSTART_DIRECTORY = 'botcli-quickstart';

/** A similar bot as options: on one's own machine, with evals. */
export const ONE_KEY_BOT = '-t rtc_local -m cascade --stt openai_stt --llm openai_llm --tts openai_tts --eval';

/** The fixed bot of `botcli init quickstart`: one key, and you talk. It's resolved, so nothing has to resolve it. */
export const quickstart: ScaffoldConfig = {
  ...defaults,
  project_name: QUICKSTART_DIRECTORY,
  bot_type: 'web',
  transports: ['rtc_local', 'rtc_hosted'],
  mode: 'cascade',
  stt_service: 'openai_stt',
  llm_service: 'openai_llm',
  tts_service: 'openai_tts',
};
