const codes = (text: string): readonly string[] => text.trim().split(/\s+/);

/**
 * The languages of services, as the framework's codes. A list is either the release's own, which the checks compare, or
 * the provider's, from its documentation.
 */
export const lists = {
  /** AssemblyAI, speech-to-text. */
  assemblyai: codes(`
  af ar ca da de en es et fa fi fr gl he hi it ja ko mr nl nn no pt ro ru sv tr ur vi xh-ZA yue zh zu
`),
  /** Async, text-to-speech. */
  async: codes('ar de en es fr he hi hy it ja nl pt ro ru tr zh'),
  /** Deepgram Aura. */
  aura: codes('de en es fr it ja nl'),
  /** Azure Speech. */
  azure: codes(`
  af af-ZA am am-ET ar ar-AE ar-BH ar-DZ ar-EG ar-IQ ar-JO ar-KW ar-LB ar-LY ar-MA ar-OM ar-QA ar-SA ar-SY ar-TN
  ar-YE as as-IN az az-AZ bg bg-BG bn bn-BD bn-IN bs bs-BA ca ca-ES cs cs-CZ cy cy-GB da da-DK de de-AT de-CH
  de-DE el el-GR en en-AU en-CA en-GB en-HK en-IE en-IN en-KE en-NG en-NZ en-PH en-SG en-TZ en-US en-ZA es es-AR
  es-BO es-CL es-CO es-CR es-CU es-DO es-EC es-ES es-GQ es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV
  es-US es-UY es-VE et et-EE eu eu-ES fa fa-IR fi fi-FI fil fil-PH fr fr-BE fr-CA fr-CH fr-FR ga ga-IE gl gl-ES gu
  gu-IN he he-IL hi hi-IN hr hr-HR hu hu-HU hy hy-AM id id-ID is is-IS it it-IT iu-Cans-CA iu-Latn-CA ja ja-JP jv
  jv-ID ka ka-GE kk kk-KZ km km-KH kn kn-IN ko ko-KR lo lo-LA lt lt-LT lv lv-LV mk mk-MK ml ml-IN mn mn-MN mr
  mr-IN ms ms-MY mt mt-MT my my-MM nb nb-NO ne ne-NP nl nl-BE nl-NL no or or-IN pa pa-IN pl pl-PL ps ps-AF pt
  pt-BR pt-PT ro ro-RO ru ru-RU si si-LK sk sk-SK sl sl-SI so so-SO sq sq-AL sr sr-Latn sr-Latn-RS sr-RS su su-ID
  sv sv-SE sw sw-KE sw-TZ ta ta-IN ta-LK ta-MY ta-SG te te-IN th th-TH tr tr-TR uk uk-UA ur ur-IN ur-PK uz uz-UZ
  vi vi-VN wuu wuu-CN yue yue-CN zh zh-CN zh-CN-guangxi zh-CN-henan zh-CN-liaoning zh-CN-shaanxi zh-CN-shandong
  zh-CN-sichuan zh-HK zh-TW zu zu-ZA
`),
  /** CAMB.AI, text-to-speech. */
  camb: codes(`
  af ar bg bn ca cs da de de-DE el en en-AU en-GB en-US es es-ES es-MX eu fa fi fr fr-CA fr-FR gl gu he hi hr hu
  id it ja kn ko ml mr ms nl no pa pl pt pt-BR pt-PT ro ru sk sl sr sv sw ta te th tl tr uk ur vi zh zh-CN zh-TW
`),
  /** NVIDIA Canary. */
  canary: codes(`
  ar de de-DE en en-GB en-US es es-ES es-US fr fr-FR hi hi-IN it it-IT ja ja-JP ko ko-KR pt pt-BR ru ru-RU
`),
  /** Cartesia, text-to-speech. */
  cartesia: codes(`
  ar bg bg-BG bn bn-IN cs cs-CZ da da-DK de de-AT de-DE el el-GR en en-AU en-CA en-GB en-IE en-IN en-NZ en-SG
  en-US en-ZA es es-AR es-CL es-CO es-DO es-ES es-MX es-PA es-PE es-PR es-US fi fi-FI fil fil-PH fr fr-BE fr-CA
  fr-FR gu gu-IN he he-IL hi hi-IN hr hr-HR hu hu-HU id id-ID it it-IT ja ja-JP ka ka-GE kn kn-IN ko ko-KR ml
  ml-IN mr mr-IN ms ms-MY nb nb-NO nl nl-BE nl-NL no or or-IN pa pa-IN pl pl-PL pt pt-BR pt-PT ro ro-RO ru ru-RU
  sk sk-SK sv sv-SE ta ta-IN te te-IN th th-TH tl tr tr-TR uk uk-UA ur ur-IN vi vi-VN zh zh-CN
`),
  /** ElevenLabs Flash 2.5. */
  elevenFlash: codes(`
  ar bg cs da de el en es fi fil fr hi hr hu id it ja ko ms nl no pl pt ro ru sk sv ta tr uk vi zh
`),
  /** ElevenLabs Eleven 4. */
  elevenV4: codes(`
  af ar as ast az be bg bn bs ca ceb cs cy da de el en es et fa fi fil fr ga gl gu ha he hi hr hu hy id is it ja
  jv ka kk kn ko ky lb ln lt lv mi mk ml mn mr ms mt my ne nl no ny oc or pa pl ps pt ro ru sd sk sl so sr sv sw
  ta te tg th tr uk ur uz vi yue zh
`),
  /** fal Wizper. */
  fal: codes(`
  af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha he hi hr ht hu hy id is
  it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si
  sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh
`),
  /** Deepgram Flux, speech-to-text. */
  flux: codes('de en es fr hi it ja nl pt ru'),
  /** Google Gemini, text-to-speech. */
  gemini: codes(`
  af af-ZA am am-ET ar ar-001 ar-EG az az-AZ be be-BY bg bg-BG bn bn-BD ca ca-ES ceb ceb-PH cs cs-CZ da da-DK de
  de-DE el el-GR en en-AU en-GB en-IN en-US es es-419 es-ES es-MX et et-EE eu eu-ES fa fa-IR fi fi-FI fil fil-PH
  fr fr-CA fr-FR gl gl-ES gu gu-IN he he-IL hi hi-IN hr hr-HR ht ht-HT hu hu-HU hy hy-AM id id-ID is is-IS it
  it-IT ja ja-JP jv jv-JV ka ka-GE kn kn-IN ko ko-KR kok kok-IN la la-VA lb lb-LU lo lo-LA lt lt-LT lv lv-LV mai
  mai-IN mg mg-MG mk mk-MK ml ml-IN mn mn-MN mr mr-IN ms ms-MY my my-MM nb nb-NO ne ne-NP nl nl-NL nn nn-NO no or
  or-IN pa pa-IN pl pl-PL ps ps-AF pt pt-BR pt-PT ro ro-RO ru ru-RU sd sd-IN si si-LK sk sk-SK sl sl-SI sq sq-AL
  sr sr-RS sv sv-SE sw sw-KE ta ta-IN te te-IN th th-TH tr tr-TR uk uk-UA ur ur-PK vi vi-VN zh zh-CN zh-TW
`),
  /** Google Gemini Live. */
  geminiLive: codes(`
  ar bn-IN cmn cmn-CN de de-DE en en-AU en-GB en-IN en-US es es-ES es-US fr fr-CA fr-FR gu gu-IN hi hi-IN id id-ID
  it it-IT ja ja-JP kn kn-IN ko ko-KR ml ml-IN mr mr-IN nl nl-NL pl pl-PL pt-BR ru ru-RU ta ta-IN te te-IN th
  th-TH tr tr-TR vi vi-VN zh zh-CN
`),
  /** Gladia. */
  gladia: codes(`
  af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id
  is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt mymr ne nl nn no oc pa pl ps pt ro ru sa sd
  si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo zh
`),
  /** Google Cloud, speech-to-text. */
  googleStt: codes(`
  af af-ZA am am-ET ar ar-AE ar-BH ar-DZ ar-EG ar-IQ ar-JO ar-KW ar-LB ar-MA ar-OM ar-QA ar-SA ar-SY ar-TN ar-YE
  az az-AZ bg bg-BG bn bn-BD bn-IN bs bs-BA ca ca-ES cs cs-CZ da da-DK de de-AT de-CH de-DE el el-GR en en-AU
  en-CA en-GB en-GH en-HK en-IE en-IN en-KE en-NG en-NZ en-PH en-SG en-TZ en-US en-ZA es es-AR es-BO es-CL es-CO
  es-CR es-DO es-EC es-ES es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-UY es-VE et et-EE eu
  eu-ES fa fa-IR fi fi-FI fil fil-PH fr fr-BE fr-CA fr-CH fr-FR gl gl-ES gu gu-IN he he-IL hi hi-IN hr hr-HR hu
  hu-HU hy hy-AM id id-ID is is-IS it it-CH it-IT ja ja-JP jv jv-ID ka ka-GE kk kk-KZ km km-KH kn kn-IN ko ko-KR
  lo lo-LA lt lt-LT lv lv-LV mk mk-MK ml ml-IN mn mn-MN mr mr-IN ms ms-MY my my-MM nb nb-NO ne ne-NP nl nl-BE
  nl-NL no pa pa-IN pl pl-PL pt pt-BR pt-PT ro ro-RO ru ru-RU si si-LK sk sk-SK sl sl-SI sq sq-AL sr sr-RS su
  su-ID sv sv-SE sw sw-KE sw-TZ ta ta-IN ta-LK ta-MY ta-SG te te-IN th th-TH tr tr-TR uk uk-UA ur ur-IN ur-PK uz
  uz-UZ vi vi-VN xh-ZA yue yue-CN zh zh-CN zh-HK zh-TW zu zu-ZA
`),
  /** Google Cloud, text-to-speech. */
  googleTts: codes(`
  ar bg bg-BG bn bn-IN cs cs-CZ da da-DK de de-DE el el-GR en en-AU en-GB en-IN en-US es es-ES es-US et et-EE fi
  fi-FI fr fr-CA fr-FR gu gu-IN he he-IL hi hi-IN hr hr-HR hu hu-HU id id-ID it it-IT ja ja-JP kn kn-IN ko ko-KR
  lt lt-LT lv lv-LV ml ml-IN mr mr-IN nb nb-NO nl nl-BE nl-NL no pl pl-PL pt pt-BR ro ro-RO ru ru-RU sk sk-SK sl
  sl-SI sr sr-RS sv sv-SE sw sw-KE ta ta-IN te te-IN th th-TH tr tr-TR uk uk-UA ur ur-IN vi vi-VN zh zh-CN
`),
  /** Gradium. */
  gradium: codes('de en es fr pt'),
  /** Cartesia, speech-to-text: https://docs.cartesia.ai. */
  inkWhisper: codes(`
  af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id
  is it ja jw ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd
  si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh
`),
  /** Inworld, text-to-speech. */
  inworld: codes('ar de en es fr he hi it ja ko nl pl pt ru zh'),
  /** Kokoro. */
  kokoro: codes(`
  cmn en en-GB en-US es fr fr-BE fr-CA fr-CH fr-FR hi it ja pt pt-BR yue zh zh-CN zh-HK zh-TW
`),
  /** NVIDIA Magpie: https://docs.nvidia.com/nim/speech/latest/tts */
  magpie: codes('de-DE en-US es-US fr-FR hi-IN it-IT ja-JP ko-KR pt-BR vi-VN zh-CN'),
  /** Meta. */
  meta: codes('ar bn de en es fr he hi id it ja kn ko mr ms nl pl pt ta te th tl tr vi zh'),
  /** MiniMax. */
  minimax: codes(`
  af ar bg ca cs da de el en es fa fi fil fr he hi hr hu id it ja ko ms nb nl nn pl pt ro ru sk sl sv ta th tr uk
  vi yue zh
`),
  /** Moonshine. */
  moonshine: codes('ar de en es fil fil-PH ja ko tl uk vi zh'),
  /** NVIDIA Nemotron Speech on SageMaker. */
  nemotron: codes('de-DE en-GB en-US es-ES es-US fr-FR hi-IN it-IT ja-JP ko-KR pt-BR ru-RU'),
  /** Neuphonic. */
  neuphonic: codes('ar de en es fr hi nl pt ru zh'),
  /** Deepgram Nova 3: https://developers.deepgram.com/docs/models-languages-overview. */
  nova3: codes(`
  ar be bg bn bs ca cs da da-DK de de-CH el en en-AU en-GB en-IN en-NZ en-US es es-419 et fa fi fr fr-CA gu gu-IN
  he hi hr hu id it ja kn ko ko-KR lt lv mk mr ms ne nl nl-BE no pa pa-IN pl pt pt-BR pt-PT ro ru sk sl sr sv
  sv-SE ta te th th-TH tl tr uk ur vi zh zh-CN zh-HK zh-TW
`),
  /** Pocket TTS. */
  pocket: codes('de en es fr it pt'),
  /** AWS Polly. */
  polly: codes(`
  ar ar-AE ca cs cy cy-GB da de de-AT de-CH en en-AU en-GB en-IE en-IN en-NZ en-SG en-US en-ZA es es-MX es-US fi
  fr fr-BE fr-CA hi is it ja ko nb nb-NO nl nl-BE no pl pt pt-BR pt-PT ro ru sv tr yue yue-CN zh
`),
  /** Rime. */
  rime: codes('ar de en es fr hi it ja pt'),
  /** Sarvam, speech-to-text. */
  sarvamStt: codes(`
  as as-IN bn bn-IN brx brx-IN doi doi-IN en en-IN gu gu-IN hi hi-IN kn kn-IN kok kok-IN ks ks-IN mai mai-IN ml
  ml-IN mni mni-IN mr mr-IN ne ne-IN or or-IN pa pa-IN sa sa-IN sat sat-IN sd sd-IN ta ta-IN te te-IN ur ur-IN
`),
  /** Sarvam, text-to-speech. */
  sarvamTts: codes(`
  bn bn-IN en en-IN gu gu-IN hi hi-IN kn kn-IN ml ml-IN mr mr-IN or or-IN pa pa-IN ta ta-IN te te-IN
`),
  /** ElevenLabs, speech-to-text. */
  scribe: codes(`
  af am ar as ast az be bg bn bs ca ceb cs cy da de el en es et fa ff fi fil fr ga gl gu ha he hi hr hu hy id ig
  is it ja jv ka kea kk km kn ko ku ky lb lg ln lo lt luo lv mi mk ml mn mr ms mt my ne nl no nso ny oc or pa pl
  ps pt ro ru sd sk sl sn so sr sv sw ta te tg th tr uk umb ur uz vi wo xh-ZA yue zh zu
`),
  /** Smallest AI, speech-to-text. */
  smallestStt: codes(`
  bg bn cs da de en es et fi fr gu hi hu it kn lt lv ml mr mt nl or pa pl pt ro ru sk sv ta te uk
`),
  /** Smallest AI, text-to-speech. */
  smallestTts: codes(`
  ar bn de el en es fi fr gu hi id it ja kn ko ml mr ms nl no or pa pl pt ru sv ta te tr vi zh
`),
  /** Soniox, speech-to-text. */
  sonioxStt: codes(`
  af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr gl gu he hi hr hu id it ja kk kn ko lt lv mk ml mr
  ms nb nl no pa pl pt ro ru sk sl sq sr sv sw ta te th tl tr uk ur vi zh
`),
  /** Soniox, text-to-speech. */
  sonioxTts: codes(`
  af ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr gl gu he hi hr hu id is it ja kk kn ko lt lv mk ml
  mr ms nb nl no pa pl pt ro ru sk sl sq sr su sv sw ta te th tl tr uk ur uz vi zh
`),
  /** Speechify. */
  speechify: codes('de en es fr it pt'),
  /** Speechmatics, speech-to-text. */
  speechmatics: codes(`
  ar ba be bg bn ca cmn cs cy da de el en en-AU en-GB en-US eo es et eu fa fi fil fr ga gl he hi hr hu id it ja ko
  lt lv mn mr ms mt nl no pl pt ro ru sk sl sv sw ta th tl tr ug uk ur vi yue
`),
  /** Together AI, text-to-speech. */
  together: codes('en es fr hi it ja pt zh zh-HK'),
  /** AWS Transcribe. */
  transcribe: codes(`
  af af-ZA am am-ET ar ar-AE ar-SA be be-BY bg bg-BG bn bn-IN bs bs-BA ca ca-ES ckb-IQ ckb-IR cs cs-CZ cy cy-GB da
  da-DK de de-CH de-DE el el-GR en en-AB en-AU en-GB en-IE en-IN en-NZ en-US en-WL en-ZA es es-ES es-MX es-US et
  et-EE eu eu-ES fa fa-AF fa-IR fi fi-FI fil fil-PH fr fr-CA fr-FR gl gl-ES gu gu-IN he he-IL hi hi-IN hr hr-HR ht
  ht-HT hu hu-HU hy hy-AM id id-ID is is-IS it it-IT ja ja-JP jv jv-ID ka ka-GE kab kab-DZ kk kk-KZ km km-KH kn
  kn-IN ko ko-KR lg lt lt-LT lv lv-LV mk mk-MK ml ml-IN mr mr-IN ms ms-MY my my-MM nb nb-NO ne ne-NP nl nl-NL no
  or or-IN pa pa-IN pl pl-PL ps ps-AF pt pt-BR pt-PT ro ro-RO ru ru-RU si si-LK sk sk-SK sl sl-SI so so-SO sq
  sq-AL sr sr-RS su su-ID sv sv-SE sw sw-BI sw-KE sw-RW sw-TZ sw-UG ta ta-IN te te-IN th th-TH tl tr tr-TR uk
  uk-UA uz uz-UZ vi vi-VN yue zh zh-CN zh-HK zh-TW zu zu-ZA
`),
  /** Whisper on your machine. */
  whisper: codes(`
  ar bn cs da de el en es fa fi fr hi hu id it ja ko nl pl pt ro ru sk sv th tr uk ur vi zh
`),
  /** OpenAI, and Whisper at other providers. */
  whisperApi: codes(`
  af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms
  ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh
`),
  /** Mistral Voxtral, speech-to-text. */
  voxtral: codes('ar de en es fr hi it ja ko nl pt ru zh'),
  /** xAI, speech-to-text. */
  xaiStt: codes('ar bn de en es fr hi id it ja ko pt ru tr vi zh'),
  /** xAI, text-to-speech. */
  xaiTts: codes(`
  ar ar-AE ar-EG ar-SA bn de en es es-ES es-MX fr hi id it ja ko pt pt-BR pt-PT ru tr vi zh
`),
  /** Zoom Scribe. */
  zoom: codes(`
  ar ar-AE ar-SA bn bn-IN ca ca-ES cs cs-CZ da da-DK de de-DE el el-GR en en-US es es-ES et et-EE fa fa-IR fi
  fi-FI fil fil-PH fr fr-FR he he-IL hi hi-IN hu hu-HU id id-ID it it-IT ja ja-JP ko ko-KR ms ms-MY nl nl-NL pl
  pl-PL pt pt-BR pt-PT ro ro-RO ru ru-RU sv sv-SE ta ta-IN te te-IN th th-TH tl tr tr-TR uk uk-UA vi vi-VN yue zh
  zh-CN zh-HK
`),
};

/** A voice for each language, where the library's default voice speaks English. `<locale>` is the language with a region. */
export const voices = {
  /** Deepgram Aura: https://developers.deepgram.com/docs/tts-models */
  aura: {
    de: 'aura-2-aurelia-de',
    es: 'aura-2-celeste-es',
    fr: 'aura-2-agathe-fr',
    it: 'aura-2-cinzia-it',
    ja: 'aura-2-ama-ja',
    nl: 'aura-2-beatrix-nl',
  },
  /** Azure: https://learn.microsoft.com/azure/ai-services/speech-service/language-support */
  azure: {
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
  },
  /** Google's Chirp 3: https://cloud.google.com/text-to-speech/docs/chirp3-hd */
  chirp: {
    '*': '<locale>-Chirp3-HD-Charon',
    ar: 'ar-XA-Chirp3-HD-Charon',
    no: 'nb-NO-Chirp3-HD-Charon',
    zh: 'cmn-CN-Chirp3-HD-Charon',
  },
  /** Kokoro: https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md */
  kokoro: {
    es: 'ef_dora',
    fr: 'ff_siwis',
    hi: 'hf_alpha',
    it: 'if_sara',
    ja: 'jf_alpha',
    pt: 'pf_dora',
    zh: 'zf_xiaobei',
  },
  /** AWS Nova Sonic: https://docs.aws.amazon.com/nova/latest/nova2-userguide/sonic-language-support.html */
  nova: { de: 'lennart', es: 'carlos', fr: 'florian', hi: 'arjun', it: 'lorenzo', pt: 'leo' },
  /** Piper: https://huggingface.co/rhasspy/piper-voices */
  piper: {
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
  },
};
