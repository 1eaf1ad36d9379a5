/** A voice for each language, where the library's default voice speaks English. `<locale>` is the language with a region. */
type Voices = Readonly<Record<string, string>>;

/** Deepgram Aura: https://developers.deepgram.com/docs/tts-models */
export const AURA_VOICES: Voices = {
  de: 'aura-2-aurelia-de',
  es: 'aura-2-celeste-es',
  fr: 'aura-2-agathe-fr',
  it: 'aura-2-cinzia-it',
  ja: 'aura-2-ama-ja',
  nl: 'aura-2-beatrix-nl',
};

/** Azure: https://learn.microsoft.com/azure/ai-services/speech-service/language-support */
export const AZURE_VOICES: Voices = {
  ar: 'ar-AE-FatimaNeural',
  de: 'de-DE-KatjaNeural',
  es: 'es-ES-ElviraNeural',
  'es-MX': 'es-MX-DaliaNeural',
  fr: 'fr-FR-DeniseNeural',
  'fr-CA': 'fr-CA-SylvieNeural',
  hi: 'hi-IN-SwaraNeural',
  it: 'it-IT-ElsaNeural',
  ja: 'ja-JP-NanamiNeural',
  ko: 'ko-KR-SunHiNeural',
  nl: 'nl-NL-FennaNeural',
  pl: 'pl-PL-AgnieszkaNeural',
  pt: 'pt-PT-RaquelNeural',
  'pt-BR': 'pt-BR-FranciscaNeural',
  ru: 'ru-RU-SvetlanaNeural',
  sv: 'sv-SE-SofieNeural',
  tr: 'tr-TR-EmelNeural',
  zh: 'zh-CN-XiaoxiaoNeural',
};

/** Google's Chirp 3: https://cloud.google.com/text-to-speech/docs/chirp3-hd */
export const CHIRP_VOICES: Voices = {
  '*': '<locale>-Chirp3-HD-Charon',
  ar: 'ar-XA-Chirp3-HD-Charon',
  no: 'nb-NO-Chirp3-HD-Charon',
  zh: 'cmn-CN-Chirp3-HD-Charon',
};

/** Kokoro: https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md */
export const KOKORO_VOICES: Voices = {
  es: 'ef_dora',
  fr: 'ff_siwis',
  hi: 'hf_alpha',
  it: 'if_sara',
  ja: 'jf_alpha',
  pt: 'pf_dora',
  zh: 'zf_xiaobei',
};

/** AWS Nova Sonic: https://docs.aws.amazon.com/nova/latest/nova2-userguide/sonic-language-support.html */
export const NOVA_VOICES: Voices = {
  de: 'lennart',
  es: 'carlos',
  fr: 'florian',
  hi: 'arjun',
  it: 'lorenzo',
  pt: 'leo',
};

/** Piper: https://huggingface.co/rhasspy/piper-voices */
export const PIPER_VOICES: Voices = {
  de: 'de_DE-thorsten-medium',
  es: 'es_ES-davefx-medium',
  fr: 'fr_FR-siwis-medium',
  it: 'it_IT-paola-medium',
  nl: 'nl_NL-mls-medium',
  pl: 'pl_PL-darkman-medium',
  pt: 'pt_BR-faber-medium',
  ru: 'ru_RU-irina-medium',
  sv: 'sv_SE-nst-medium',
  tr: 'tr_TR-dfki-medium',
  uk: 'uk_UA-ukrainian_tts-medium',
  zh: 'zh_CN-huayan-medium',
};
