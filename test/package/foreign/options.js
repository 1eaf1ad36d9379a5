/** What botcli's own command was given. */
export const generatorOptions = {
  transport: ['rtc_local', 'rtc_hosted'],
  mode: 'cascade',
  stt: 'openai_stt',
  llm: 'openai_llm',
  tts: 'openai_tts',
  clientFramework: 'component',
  clientServer: 'fullstack',
  eval: true,
};
