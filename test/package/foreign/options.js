/** The same options as in the test's `botcli init`. */
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
