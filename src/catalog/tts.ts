import {
  apiKey,
  awsCredentials,
  compatibleServer,
  deepgramEndpoint,
  googleCloud,
  language,
  model,
  needs,
  sageMaker,
  service,
  spoken,
  takes,
  usually,
  voice,
} from './arguments.ts';
import { lists, voices } from './language-lists.ts';
import type { ServiceRow, VariableArgument } from './service.ts';

/** A `voice` that the library doesn't choose: in English, it is one that the provider documents on this page. */
const documentedVoice = (env: string, description: string, value: string, page: string): VariableArgument => ({
  ...needs('voice', env, description),
  documented: { value, page },
});

const CARTESIA_VOICE = documentedVoice(
  'CARTESIA_VOICE_ID',
  'Voice ID, from https://play.cartesia.ai/voices',
  'f786b574-daa5-4673-aa0c-cbe3e8534c02',
  'https://docs.cartesia.ai/get-started/realtime-text-to-speech-quickstart',
);
const ELEVENLABS_VOICE = documentedVoice(
  'ELEVENLABS_VOICE_ID',
  'Voice ID, from https://elevenlabs.io/voice-library',
  'JBFqnCBsd6RMkjVDRZzb',
  'https://elevenlabs.io/docs/overview/intro',
);
const KOKORO_VOICE = documentedVoice(
  'KOKORO_VOICE_ID',
  'Voice',
  'af_heart',
  'https://huggingface.co/hexgrad/Kokoro-82M/blob/main/VOICES.md',
);
const PIPER_VOICE = documentedVoice(
  'PIPER_VOICE_ID',
  'Voice',
  'en_US-ryan-high',
  'https://huggingface.co/rhasspy/piper-voices',
);

const row = (
  id: string,
  label: string,
  className: string,
  languages: ServiceRow['languages'],
  more: Partial<ServiceRow>,
): ServiceRow => service(id, label, className, { ...(languages && { languages }), ...more });

/** For a service that follows the language of the words that it gets. */
const ANY = undefined;

/** Text-to-speech services, in the order of their labels. */
export const tts: readonly ServiceRow[] = [
  row('asyncai_tts', 'Async', 'AsyncAITTSService', lists.async, {
    settings: [
      model('ASYNCAI_TTS_MODEL'),
      voice(needs('voice', 'ASYNCAI_VOICE_ID', 'Voice ID, from https://docs.async.com/list-voices-16699698e0')),
      language,
    ],
  }),
  row('aws_polly_tts', 'AWS Polly', 'AWSPollyTTSService', lists.polly, {
    module: 'aws.tts',
    args: [takes('region', 'AWS_REGION')],
    settings: [voice(takes('voice', 'AWS_VOICE_ID')), language],
    ...awsCredentials,
  }),
  row('azure_tts', 'Azure Speech', 'AzureTTSService', lists.azure, {
    args: [apiKey('AZURE_SPEECH_API_KEY'), needs('region', 'AZURE_SPEECH_REGION', 'Region')],
    settings: [voice(takes('voice', 'AZURE_SPEECH_VOICE_ID'), voices.azure), language],
  }),
  row('bland_tts', 'Bland', 'BlandTTSService', ANY, { settings: [voice(takes('voice', 'BLAND_VOICE_ID'))] }),
  row('camb_tts', 'CAMB.AI', 'CambTTSService', lists.camb, {
    settings: [
      model('CAMB_TTS_MODEL'),
      { ...takes('voice', 'CAMB_VOICE_ID', 'Voice, a number'), convert: 'int' },
      language,
    ],
  }),
  row('cartesia_tts', 'Cartesia', 'CartesiaTTSService', lists.cartesia, {
    aka: ['sonic'],
    settings: [usually('sonic-3.6', model('CARTESIA_TTS_MODEL')), voice(CARTESIA_VOICE), language],
    keys: 'https://play.cartesia.ai/keys',
    recommended: 2,
  }),
  row('deepgram_tts', 'Deepgram', 'DeepgramTTSService', lists.aura, {
    aka: ['aura'],
    settings: [voice(usually('aura-2-helena-en', takes('voice', 'DEEPGRAM_VOICE_ID')), voices.aura)],
    keys: 'https://console.deepgram.com',
    recommended: 4,
  }),
  row('deepgram_flux_tts', 'Deepgram Flux', 'DeepgramFluxTTSService', ['en'], {
    settings: [takes('voice', 'DEEPGRAM_VOICE_ID')],
  }),
  row('deepgram_flux_sagemaker_tts', 'Deepgram Flux on SageMaker', 'DeepgramFluxSageMakerTTSService', ['en'], {
    args: deepgramEndpoint('DEEPGRAM_FLUX_SAGEMAKER_TTS'),
    settings: [takes('voice', 'DEEPGRAM_FLUX_SAGEMAKER_TTS_VOICE_ID')],
    ...sageMaker('deepgram'),
  }),
  row('deepgram_sagemaker_tts', 'Deepgram on SageMaker', 'DeepgramSageMakerTTSService', lists.aura, {
    args: deepgramEndpoint('DEEPGRAM_SAGEMAKER_TTS'),
    settings: [voice(takes('voice', 'DEEPGRAM_SAGEMAKER_TTS_VOICE_ID'), voices.aura)],
    ...sageMaker('deepgram'),
  }),
  row('elevenlabs_tts', 'ElevenLabs', 'ElevenLabsTTSService', lists.elevenFlash, {
    aka: ['eleven'],
    settings: [usually('eleven_flash_v2_5', model('ELEVENLABS_TTS_MODEL')), voice(ELEVENLABS_VOICE), language],
    keys: 'https://elevenlabs.io/app/settings/api-keys',
    recommended: 3,
  }),
  row('elevenlabs_dialogue_tts', 'ElevenLabs Dialogue', 'ElevenLabsDialogueTTSService', lists.elevenV4, {
    settings: [model('ELEVENLABS_DIALOGUE_TTS_MODEL'), voice(ELEVENLABS_VOICE), language],
  }),
  row('fish_tts', 'Fish Audio', 'FishAudioTTSService', ANY, {
    settings: [model('FISH_TTS_MODEL'), takes('voice', 'FISH_VOICE_ID')],
  }),
  row('google_tts', 'Google Cloud Text-to-Speech', 'GoogleTTSService', lists.googleTts, {
    ...googleCloud(),
    settings: [voice(takes('voice', 'GOOGLE_VOICE_ID'), voices.chirp), language],
  }),
  row('google_http_tts', 'Google Cloud Text-to-Speech with SSML', 'GoogleHttpTTSService', lists.googleTts, {
    module: 'google.tts',
    ...googleCloud(),
    settings: [voice(takes('voice', 'GOOGLE_VOICE_ID'), voices.chirp), language],
  }),
  row('gemini_tts', 'Google Gemini', 'GeminiTTSService', lists.gemini, {
    onlyRate: 24_000,
    module: 'google.tts',
    ...googleCloud(),
    settings: [model('GEMINI_TTS_MODEL'), takes('voice', 'GOOGLE_VOICE_ID'), language],
  }),
  row('gradium_tts', 'Gradium', 'GradiumTTSService', lists.gradium, {
    settings: [model('GRADIUM_TTS_MODEL'), voice(takes('voice', 'GRADIUM_VOICE_ID'))],
  }),
  row('groq_tts', 'Groq', 'GroqTTSService', ['en'], {
    settings: [model('GROQ_TTS_MODEL'), takes('voice', 'GROQ_VOICE_ID')],
  }),
  row('hume_tts', 'Hume', 'HumeTTSService', ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'pt', 'ru'], {
    settings: [voice(needs('voice', 'HUME_VOICE_ID', 'Voice ID, from https://app.hume.ai/voices'))],
    ended: { on: '2026-11-13', page: 'https://dev.hume.ai/intro' },
  }),
  row('inworld_tts', 'Inworld', 'InworldTTSService', lists.inworld, {
    settings: [model('INWORLD_TTS_MODEL'), voice(takes('voice', 'INWORLD_VOICE_ID')), language],
  }),
  row('kokoro_tts', 'Kokoro on this machine', 'KokoroTTSService', lists.kokoro, {
    args: [],
    settings: [voice(KOKORO_VOICE, voices.kokoro), language],
    preload: 'KokoroTTSService(settings=KokoroTTSService.Settings(voice="af_heart"))',
    local: { model: 'Kokoro-82M', download: 0.35, memory: 1 },
    patience: 30,
  }),
  row('minimax_tts', 'MiniMax', 'MiniMaxHttpTTSService', lists.minimax, {
    args: [apiKey('MINIMAX_API_KEY'), needs('group_id', 'MINIMAX_GROUP_ID', 'Group')],
    settings: [
      model('MINIMAX_TTS_MODEL'),
      takes('voice', 'MINIMAX_VOICE_ID'),
      spoken('language_boost', 'language_to_minimax_language(<language>)', {
        imports: [{ module: 'pipecat.services.minimax.tts', names: ['language_to_minimax_language'] }],
      }),
    ],
    session: 'aiohttp_session',
  }),
  row('mistral_tts', 'Mistral', 'MistralTTSService', ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'nl', 'pt'], {
    settings: [
      model('MISTRAL_TTS_MODEL'),
      voice(
        needs('voice', 'MISTRAL_VOICE_ID', 'Voice ID, from https://docs.mistral.ai/studio/audio/text-to-speech/voices'),
      ),
    ],
  }),
  row('neuphonic_tts', 'Neuphonic', 'NeuphonicTTSService', lists.neuphonic, {
    settings: [takes('voice', 'NEUPHONIC_VOICE_ID'), language],
  }),
  row('nvidia_tts', 'NVIDIA Magpie', 'NvidiaTTSService', lists.magpie, {
    settings: [voice(takes('voice', 'NVIDIA_VOICE_ID')), language],
  }),
  row('nvidia_sagemaker_tts', 'NVIDIA Magpie on SageMaker', 'NvidiaSageMakerTTSService', lists.magpie, {
    args: [needs('endpoint_name', 'SAGEMAKER_MAGPIE_ENDPOINT_NAME', 'Endpoint'), takes('region', 'AWS_REGION')],
    settings: [voice(takes('voice', 'NVIDIA_SAGEMAKER_TTS_VOICE_ID')), language],
    ...sageMaker('aws'),
  }),
  row(
    'nvidia_sagemaker_http_tts',
    'NVIDIA Magpie on SageMaker over HTTP',
    'NvidiaSageMakerHTTPTTSService',
    lists.magpie,
    {
      module: 'nvidia.sagemaker.tts',
      args: [needs('endpoint_name', 'SAGEMAKER_MAGPIE_ENDPOINT_NAME', 'Endpoint'), takes('region', 'AWS_REGION')],
      settings: [voice(takes('voice', 'NVIDIA_SAGEMAKER_TTS_VOICE_ID')), language],
      ...sageMaker('aws'),
    },
  ),
  row('openai_tts', 'OpenAI', 'OpenAITTSService', lists.whisperApi, {
    aka: ['gpt'],
    onlyRate: 24_000,
    ambient: [compatibleServer],
    settings: [
      usually('gpt-4o-mini-tts', model('OPENAI_TTS_MODEL')),
      usually('alloy', takes('voice', 'OPENAI_VOICE_ID')),
      spoken('instructions', '"Speak <name>."'),
    ],
    keys: 'https://platform.openai.com/api-keys',
    recommended: 1,
  }),
  row('piper_tts', 'Piper on this machine', 'PiperTTSService', ANY, {
    args: [],
    settings: [voice(PIPER_VOICE, voices.piper)],
    preload: 'PiperTTSService(settings=PiperTTSService.Settings(voice="en_US-ryan-high"))',
    local: { model: '`en_US-ryan-high`, or another voice', download: 0.15, memory: 0.5 },
    patience: 30,
  }),
  row('piper_http_tts', 'Piper server', 'PiperHttpTTSService', ANY, {
    module: 'piper.tts',
    args: [needs('base_url', 'PIPER_BASE_URL', 'Address of the server')],
    settings: [voice(takes('voice', 'PIPER_VOICE_ID'))],
    session: 'aiohttp_session',
  }),
  row('pockettts_tts', 'Pocket TTS on this machine', 'PocketTTSService', lists.pocket, {
    args: [],
    module: 'pocket_tts.tts',
    settings: [takes('voice', 'POCKET_TTS_VOICE_ID'), language],
    preload: 'PocketTTSService()',
  }),
  row('resemble_tts', 'Resemble AI', 'ResembleAITTSService', ANY, {
    module: 'resembleai.tts',
    settings: [voice(needs('voice', 'RESEMBLE_VOICE_ID', 'Voice'))],
  }),
  row('rime_tts', 'Rime', 'RimeTTSService', lists.rime, {
    settings: [model('RIME_TTS_MODEL'), voice(needs('voice', 'RIME_VOICE_ID', 'Voice')), language],
  }),
  row('rime_v1_tts', 'Rime WebSocket v1', 'RimeV1TTSService', lists.rime, {
    module: 'rime.tts_v1',
    settings: [
      needs('model', 'RIME_MODEL', 'Model: coda or mistv3'),
      voice(needs('voice', 'RIME_VOICE_ID', 'Voice')),
      language,
    ],
  }),
  row('sarvam_tts', 'Sarvam', 'SarvamTTSService', lists.sarvamTts, {
    settings: [takes('model', 'SARVAM_TTS_MODEL'), takes('voice', 'SARVAM_VOICE_ID'), language],
  }),
  row('smallest_tts', 'Smallest AI', 'SmallestTTSService', lists.smallestTts, {
    settings: [model('SMALLEST_TTS_MODEL'), voice(takes('voice', 'SMALLEST_VOICE_ID')), language],
  }),
  row('soniox_tts', 'Soniox', 'SonioxTTSService', lists.sonioxTts, {
    settings: [model('SONIOX_TTS_MODEL'), takes('voice', 'SONIOX_VOICE_ID'), language],
  }),
  row('speechify_tts', 'Speechify', 'SpeechifyHttpTTSService', lists.speechify, {
    settings: [model('SPEECHIFY_TTS_MODEL'), takes('voice', 'SPEECHIFY_VOICE_ID'), language],
    session: 'aiohttp_session',
  }),
  row('speechmatics_tts', 'Speechmatics', 'SpeechmaticsTTSService', ['en'], {
    settings: [takes('voice', 'SPEECHMATICS_VOICE_ID')],
    session: 'aiohttp_session',
  }),
  row('together_tts', 'Together AI', 'TogetherTTSService', lists.together, {
    settings: [model('TOGETHER_TTS_MODEL'), voice(takes('voice', 'TOGETHER_VOICE_ID'), voices.kokoro), language],
  }),
  row('xai_tts', 'xAI', 'XAITTSService', lists.xaiTts, { settings: [takes('voice', 'XAI_VOICE_ID'), language] }),
];
