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
const row = (id: string, label: string, className: string, more: Partial<ServiceRow>): ServiceRow =>
  service(id, label, className, { settings: [model(`${id.toUpperCase()}_MODEL`), language], ...more });

/** Speech-to-text services, in the order of their labels. */
export const stt: readonly ServiceRow[] = [
  row('assemblyai_stt', 'AssemblyAI', 'AssemblyAISTTService', {
    socket: '_websocket',
    languages: lists.assemblyai,
    settings: [usually('universal-3-6-pro', model('ASSEMBLYAI_STT_MODEL')), spoken('language_codes', '[<language>]')],
    keys: 'https://www.assemblyai.com/dashboard',
    recommended: 4,
  }),
  row('assemblyai_sync_stt', 'AssemblyAI Sync', 'AssemblyAISyncSTTService', {
    module: 'assemblyai.stt',
    answersEach: true,
    languages: lists.assemblyai,
    session: 'aiohttp_session',
  }),
  row('aws_transcribe_stt', 'AWS Transcribe', 'AWSTranscribeSTTService', {
    module: 'aws.stt',
    languages: lists.transcribe,
    args: [takes('region', 'AWS_REGION')],
    settings: [language],
    ...awsCredentials,
  }),
  row('azure_stt', 'Azure Speech', 'AzureSTTService', {
    languages: lists.azure,
    args: [apiKey('AZURE_SPEECH_API_KEY'), needs('region', 'AZURE_SPEECH_REGION', 'Region')],
    settings: [language],
  }),
  row('cartesia_stt', 'Cartesia', 'CartesiaSTTService', { socket: '_websocket', languages: lists.inkWhisper }),
  row('cartesia_turns_stt', 'Cartesia Turns', 'CartesiaTurnsSTTService', {
    socket: '_websocket',
    languages: ['en'],
    settings: [model('CARTESIA_TURNS_STT_MODEL')],
  }),
  row('deepgram_stt', 'Deepgram', 'DeepgramSTTService', {
    aka: ['nova'],
    socket: '_connection._websocket',
    languages: lists.nova3,
    settings: [usually('nova-3-general', model('DEEPGRAM_STT_MODEL')), language],
    keys: 'https://console.deepgram.com',
    recommended: 2,
  }),
  row('deepgram_flux_stt', 'Deepgram Flux', 'DeepgramFluxSTTService', {
    socket: '_websocket',
    languages: lists.flux,
    settings: [usually('flux-general-en', model('DEEPGRAM_FLUX_STT_MODEL', { '*': 'flux-general-multi' })), fluxHints],
    keys: 'https://console.deepgram.com',
    recommended: 3,
  }),
  row('deepgram_flux_sagemaker_stt', 'Deepgram Flux on SageMaker', 'DeepgramFluxSageMakerSTTService', {
    languages: lists.flux,
    args: deepgramEndpoint('DEEPGRAM_FLUX_SAGEMAKER_STT'),
    settings: [model('DEEPGRAM_FLUX_SAGEMAKER_STT_MODEL', { '*': 'flux-general-multi' }), fluxHints],
    ...sageMaker('deepgram'),
  }),
  row('deepgram_sagemaker_stt', 'Deepgram on SageMaker', 'DeepgramSageMakerSTTService', {
    languages: lists.nova3,
    args: deepgramEndpoint('DEEPGRAM_SAGEMAKER_STT'),
    ...sageMaker('deepgram'),
  }),
  row('elevenlabs_stt', 'ElevenLabs', 'ElevenLabsSTTService', {
    answersEach: true,
    languages: lists.scribe,
    session: 'aiohttp_session',
  }),
  row('elevenlabs_realtime_stt', 'ElevenLabs Realtime', 'ElevenLabsRealtimeSTTService', {
    module: 'elevenlabs.stt',
    socket: '_websocket',
    languages: lists.scribe,
  }),
  row('fal_stt', 'fal Wizper', 'FalSTTService', {
    answersEach: true,
    languages: lists.fal,
    args: [apiKey('FAL_KEY')],
    settings: [language],
    session: 'aiohttp_session',
  }),
  row('funasr_stt', 'FunASR on this machine', 'FunASRSTTService', {
    args: [],
    onlyRate: 16_000,
    answersEach: true,
    languages: ['en', 'ja', 'ko', 'yue', 'zh'],
    settings: [takes('model', 'FUNASR_STT_MODEL'), language],
    packages: ['torch>=2.5,<3'],
    preload: 'FunASRSTTService()',
  }),
  row('gladia_stt', 'Gladia', 'GladiaSTTService', {
    socket: '_websocket',
    languages: lists.gladia,
    args: [apiKey('GLADIA_API_KEY'), takes('region', 'GLADIA_REGION', 'Region: us-west or eu-west')],
    settings: [
      model('GLADIA_STT_MODEL'),
      spoken('language_config', 'LanguageConfig(languages=["<base>"])', {
        imports: [{ module: 'pipecat.services.gladia.config', names: ['LanguageConfig'] }],
      }),
    ],
  }),
  row('google_stt', 'Google Cloud Speech-to-Text', 'GoogleSTTService', {
    languages: lists.googleStt,
    ...googleCloud(takes('location', 'GOOGLE_STT_LOCATION')),
    settings: [model('GOOGLE_STT_MODEL'), spoken('languages', '[<language>]')],
  }),
  row('gemini_stt', 'Google Gemini', 'GeminiSTTService', {
    module: 'google.gemini_live.stt',
    socket: '_session._ws',
    languages: lists.googleStt,
    args: [apiKey('GOOGLE_API_KEY')],
    settings: [model('GEMINI_STT_MODEL'), spoken('languages', '[<language>]')],
  }),
  row('gradium_stt', 'Gradium', 'GradiumSTTService', { socket: '_websocket', languages: lists.gradium }),
  row('groq_stt', 'Groq', 'GroqSTTService', { answersEach: true, languages: lists.whisperApi }),
  row('meta_stt', 'Meta Muse Voice', 'MetaSTTService', { socket: '_websocket', languages: lists.meta }),
  row('mistral_stt', 'Mistral', 'MistralSTTService', {
    socket: '_connection._websocket',
    languages: ['ar', 'de', 'en', 'es', 'fr', 'hi', 'it', 'ja', 'ko', 'nl', 'pt', 'ru', 'zh'],
    settings: [model('MISTRAL_STT_MODEL')],
  }),
  row('moonshine_stt', 'Moonshine on this machine', 'MoonshineSTTService', {
    args: [],
    onlyRate: 16_000,
    answersEach: true,
    languages: lists.moonshine,
    settings: [takes('model', 'MOONSHINE_STT_MODEL'), language],
    preload: 'MoonshineSTTService()',
    local: { model: '`small-streaming`', download: 0.2, memory: 0.5 },
    patience: 30,
  }),
  row('nvidia_segmented_stt', 'NVIDIA Canary', 'NvidiaSegmentedSTTService', {
    module: 'nvidia.stt',
    answersEach: true,
    languages: lists.canary,
    settings: [language],
  }),
  row('nvidia_stt', 'NVIDIA Nemotron Speech', 'NvidiaSTTService', {
    languages: ['en', 'en-US'],
    settings: [language],
  }),
  row('nvidia_sagemaker_stt', 'NVIDIA Nemotron Speech on SageMaker', 'NvidiaSageMakerSTTService', {
    languages: lists.nemotron,
    args: [needs('endpoint_name', 'SAGEMAKER_ASR_ENDPOINT_NAME', 'Endpoint'), takes('region', 'AWS_REGION')],
    settings: [model('NVIDIA_SAGEMAKER_STT_MODEL', {}), language],
    ...sageMaker('aws'),
  }),
  row('openai_stt', 'OpenAI', 'OpenAISTTService', {
    aka: ['gpt'],
    answersEach: true,
    languages: lists.whisperApi,
    ambient: [compatibleServer],
    settings: [usually('gpt-transcribe', model('OPENAI_STT_MODEL')), language],
    keys: 'https://platform.openai.com/api-keys',
    recommended: 1,
  }),
  row('openai_realtime_stt', 'OpenAI Realtime', 'OpenAIRealtimeSTTService', {
    module: 'openai.stt',
    socket: '_websocket',
    languages: lists.whisperApi,
  }),
  row('sarvam_stt', 'Sarvam', 'SarvamSTTService', {
    socket: '_socket_client._websocket',
    languages: lists.sarvamStt,
    settings: [takes('model', 'SARVAM_STT_MODEL'), language],
  }),
  row('sarvam_realtime_stt', 'Sarvam Realtime', 'SarvamRealtimeSTTService', {
    module: 'sarvam.stt',
    socket: '_websocket',
    languages: lists.sarvamStt,
    settings: [takes('model', 'SARVAM_REALTIME_STT_MODEL'), language],
  }),
  row('smallest_stt', 'Smallest AI', 'SmallestSTTService', { socket: '_websocket', languages: lists.smallestStt }),
  row('soniox_stt', 'Soniox', 'SonioxSTTService', { socket: '_websocket', languages: lists.sonioxStt }),
  row('speechmatics_stt', 'Speechmatics', 'SpeechmaticsSTTService', {
    languages: lists.speechmatics,
    settings: [language],
  }),
  row('together_stt', 'Together AI', 'TogetherSTTService', {
    onlyRate: 16_000,
    socket: '_websocket',
    languages: lists.whisperApi,
  }),
  row('whisper_mlx_stt', 'Whisper MLX on Apple silicon', 'WhisperSTTServiceMLX', {
    args: [],
    onlyRate: 16_000,
    module: 'whisper.stt',
    answersEach: true,
    languages: lists.whisper,
    extras: ['mlx-whisper', 'whisper'],
    settings: [takes('model', 'WHISPER_STT_MODEL'), language],
    inCloud:
      "Whisper MLX needs Apple silicon, which the cloud doesn't have: deploy with another speech-to-text service.",
  }),
  row('whisper_stt', 'Whisper on this machine', 'WhisperSTTService', {
    args: [],
    onlyRate: 16_000,
    answersEach: true,
    languages: lists.whisper,
    settings: [model('WHISPER_STT_MODEL', { '*': 'medium' }), language],
    preload: 'WhisperSTTService()',
    local: { model: '`distil-medium.en`, or `medium` if the bot has another language', download: 1.5, memory: 3 },
    patience: 30,
  }),
  row('xai_stt', 'xAI', 'XAISTTService', { socket: '_websocket', languages: lists.xaiStt }),
  row('zoom_ai_stt', 'Zoom Scribe', 'ZoomAISTTService', {
    module: 'zoom_ai.stt',
    socket: '_websocket',
    languages: lists.zoom,
    args: [apiKey('ZOOM_AI_API_KEY')],
    settings: [language],
  }),
];
