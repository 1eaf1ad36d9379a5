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
} from './arguments.ts';
import { lists } from './language-lists.ts';
import type { ServiceRow } from './service.ts';

/** Flux has a model for English, and another one for several languages, which takes hints. */
const fluxHints = spoken('language_hints', '[<language>]', { notInEnglish: true });

/** By default, a service also takes a model, if it's set, and the bot's language. */
const row = (
  id: string,
  label: string,
  className: string,
  languages: readonly string[],
  more: Partial<ServiceRow> = {},
): ServiceRow =>
  service(id, label, className, { languages, settings: [model(`${id.toUpperCase()}_MODEL`), language], ...more });

/** Speech-to-text services, in the order of their labels. */
export const stt: readonly ServiceRow[] = [
  row('assemblyai_stt', 'AssemblyAI', 'AssemblyAISTTService', lists.assemblyai, {
    socket: '_websocket',
    settings: [usually('universal-3-6-pro', model('ASSEMBLYAI_STT_MODEL')), spoken('language_codes', '[<language>]')],
    keys: 'https://www.assemblyai.com/dashboard',
    recommended: 4,
  }),
  row('assemblyai_sync_stt', 'AssemblyAI Sync', 'AssemblyAISyncSTTService', lists.assemblyai, {
    module: 'assemblyai.stt',
    answersEach: true,
    session: 'aiohttp_session',
  }),
  row('aws_transcribe_stt', 'AWS Transcribe', 'AWSTranscribeSTTService', lists.transcribe, {
    module: 'aws.stt',
    args: [takes('region', 'AWS_REGION')],
    settings: [language],
    ...awsCredentials,
  }),
  row('azure_stt', 'Azure Speech', 'AzureSTTService', lists.azure, {
    args: [apiKey('AZURE_SPEECH_API_KEY'), needs('region', 'AZURE_SPEECH_REGION', 'Region')],
    settings: [language],
  }),
  row('cartesia_stt', 'Cartesia', 'CartesiaSTTService', lists.inkWhisper, { socket: '_websocket' }),
  row('cartesia_turns_stt', 'Cartesia Turns', 'CartesiaTurnsSTTService', ['en'], {
    socket: '_websocket',
    settings: [model('CARTESIA_TURNS_STT_MODEL')],
  }),
  row('deepgram_stt', 'Deepgram', 'DeepgramSTTService', lists.nova3, {
    aka: ['nova'],
    socket: '_connection._websocket',
    settings: [usually('nova-3-general', model('DEEPGRAM_STT_MODEL')), language],
    keys: 'https://console.deepgram.com',
    recommended: 2,
  }),
  row('deepgram_flux_stt', 'Deepgram Flux', 'DeepgramFluxSTTService', lists.flux, {
    socket: '_websocket',
    settings: [usually('flux-general-en', model('DEEPGRAM_FLUX_STT_MODEL', { '*': 'flux-general-multi' })), fluxHints],
    keys: 'https://console.deepgram.com',
    recommended: 3,
  }),
  row('deepgram_flux_sagemaker_stt', 'Deepgram Flux on SageMaker', 'DeepgramFluxSageMakerSTTService', lists.flux, {
    args: deepgramEndpoint('DEEPGRAM_FLUX_SAGEMAKER_STT'),
    settings: [model('DEEPGRAM_FLUX_SAGEMAKER_STT_MODEL', { '*': 'flux-general-multi' }), fluxHints],
    ...sageMaker('deepgram'),
  }),
  row('deepgram_sagemaker_stt', 'Deepgram on SageMaker', 'DeepgramSageMakerSTTService', lists.nova3, {
    args: deepgramEndpoint('DEEPGRAM_SAGEMAKER_STT'),
    ...sageMaker('deepgram'),
  }),
  row('elevenlabs_stt', 'ElevenLabs', 'ElevenLabsSTTService', lists.scribe, {
    answersEach: true,
    session: 'aiohttp_session',
  }),
  row('elevenlabs_realtime_stt', 'ElevenLabs Realtime', 'ElevenLabsRealtimeSTTService', lists.scribe, {
    module: 'elevenlabs.stt',
    socket: '_websocket',
  }),
  row('fal_stt', 'fal Wizper', 'FalSTTService', lists.fal, {
    answersEach: true,
    args: [apiKey('FAL_KEY')],
    settings: [language],
    session: 'aiohttp_session',
  }),
  row('funasr_stt', 'FunASR on this machine', 'FunASRSTTService', ['en', 'ja', 'ko', 'yue', 'zh'], {
    args: [],
    onlyRate: 16_000,
    answersEach: true,
    settings: [takes('model', 'FUNASR_STT_MODEL'), language],
    packages: ['torch>=2.5,<3'],
    preload: 'FunASRSTTService()',
  }),
  row('gladia_stt', 'Gladia', 'GladiaSTTService', lists.gladia, {
    socket: '_websocket',
    args: [apiKey('GLADIA_API_KEY'), takes('region', 'GLADIA_REGION', 'Region: us-west or eu-west')],
    settings: [
      model('GLADIA_STT_MODEL'),
      spoken('language_config', 'LanguageConfig(languages=["<base>"])', {
        imports: [{ module: 'pipecat.services.gladia.config', names: ['LanguageConfig'] }],
      }),
    ],
  }),
  row('google_stt', 'Google Cloud Speech-to-Text', 'GoogleSTTService', lists.googleStt, {
    ...googleCloud(takes('location', 'GOOGLE_STT_LOCATION')),
    settings: [model('GOOGLE_STT_MODEL'), spoken('languages', '[<language>]')],
  }),
  row('gemini_stt', 'Google Gemini', 'GeminiSTTService', lists.googleStt, {
    module: 'google.gemini_live.stt',
    socket: '_session._ws',
    args: [apiKey('GOOGLE_API_KEY')],
    settings: [model('GEMINI_STT_MODEL'), spoken('languages', '[<language>]')],
  }),
  row('gradium_stt', 'Gradium', 'GradiumSTTService', lists.gradium, { socket: '_websocket' }),
  row('groq_stt', 'Groq', 'GroqSTTService', lists.whisperApi, { answersEach: true }),
  row('meta_stt', 'Meta Muse Voice', 'MetaSTTService', lists.meta, { socket: '_websocket' }),
  row('mistral_stt', 'Mistral', 'MistralSTTService', lists.voxtral, {
    socket: '_connection._websocket',
    settings: [model('MISTRAL_STT_MODEL')],
  }),
  row('moonshine_stt', 'Moonshine on this machine', 'MoonshineSTTService', lists.moonshine, {
    args: [],
    onlyRate: 16_000,
    answersEach: true,
    settings: [takes('model', 'MOONSHINE_STT_MODEL'), language],
    preload: 'MoonshineSTTService()',
    local: { model: '`small-streaming`', download: 0.2, memory: 0.5 },
    patience: 30,
  }),
  row('nvidia_segmented_stt', 'NVIDIA Canary', 'NvidiaSegmentedSTTService', lists.canary, {
    module: 'nvidia.stt',
    answersEach: true,
    settings: [language],
  }),
  row('nvidia_stt', 'NVIDIA Nemotron Speech', 'NvidiaSTTService', ['en', 'en-US'], { settings: [language] }),
  row('nvidia_sagemaker_stt', 'NVIDIA Nemotron Speech on SageMaker', 'NvidiaSageMakerSTTService', lists.nemotron, {
    args: [needs('endpoint_name', 'SAGEMAKER_ASR_ENDPOINT_NAME', 'Endpoint'), takes('region', 'AWS_REGION')],
    settings: [model('NVIDIA_SAGEMAKER_STT_MODEL', {}), language],
    ...sageMaker('aws'),
  }),
  row('openai_stt', 'OpenAI', 'OpenAISTTService', lists.whisperApi, {
    aka: ['gpt'],
    answersEach: true,
    ambient: [compatibleServer],
    settings: [usually('gpt-transcribe', model('OPENAI_STT_MODEL')), language],
    keys: 'https://platform.openai.com/api-keys',
    recommended: 1,
  }),
  row('openai_realtime_stt', 'OpenAI Realtime', 'OpenAIRealtimeSTTService', lists.whisperApi, {
    module: 'openai.stt',
    socket: '_websocket',
  }),
  row('sarvam_stt', 'Sarvam', 'SarvamSTTService', lists.sarvamStt, {
    socket: '_socket_client._websocket',
    settings: [takes('model', 'SARVAM_STT_MODEL'), language],
  }),
  row('sarvam_realtime_stt', 'Sarvam Realtime', 'SarvamRealtimeSTTService', lists.sarvamStt, {
    module: 'sarvam.stt',
    socket: '_websocket',
    settings: [takes('model', 'SARVAM_REALTIME_STT_MODEL'), language],
  }),
  row('smallest_stt', 'Smallest AI', 'SmallestSTTService', lists.smallestStt, { socket: '_websocket' }),
  row('soniox_stt', 'Soniox', 'SonioxSTTService', lists.sonioxStt, { socket: '_websocket' }),
  row('speechmatics_stt', 'Speechmatics', 'SpeechmaticsSTTService', lists.speechmatics, { settings: [language] }),
  row('together_stt', 'Together AI', 'TogetherSTTService', lists.whisperApi, {
    onlyRate: 16_000,
    socket: '_websocket',
  }),
  row('whisper_mlx_stt', 'Whisper MLX on Apple silicon', 'WhisperSTTServiceMLX', lists.whisper, {
    args: [],
    onlyRate: 16_000,
    module: 'whisper.stt',
    answersEach: true,
    extras: ['mlx-whisper', 'whisper'],
    settings: [takes('model', 'WHISPER_STT_MODEL'), language],
    inCloud:
      "Whisper MLX needs Apple silicon, which the cloud doesn't have: deploy with another speech-to-text service.",
  }),
  row('whisper_stt', 'Whisper on this machine', 'WhisperSTTService', lists.whisper, {
    args: [],
    onlyRate: 16_000,
    answersEach: true,
    settings: [model('WHISPER_STT_MODEL', { '*': 'medium' }), language],
    preload: 'WhisperSTTService()',
    local: { model: '`distil-medium.en`, or `medium` if the bot has another language', download: 1.5, memory: 3 },
    patience: 30,
  }),
  row('xai_stt', 'xAI', 'XAISTTService', lists.xaiStt, { socket: '_websocket' }),
  row('zoom_ai_stt', 'Zoom Scribe', 'ZoomAISTTService', lists.zoom, {
    module: 'zoom_ai.stt',
    socket: '_websocket',
    args: [apiKey('ZOOM_AI_API_KEY')],
    settings: [language],
  }),
];
