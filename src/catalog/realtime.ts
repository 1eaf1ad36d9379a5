import {
  apiKey,
  code,
  googleCloud,
  language,
  needs,
  object,
  service,
  spoken,
  takes,
  usually,
  voice,
} from './arguments.ts';
import { lists, voices } from './language-lists.ts';
import type { Argument, PythonImport, ServiceRow } from './service.ts';

/** An argument that only bots with a language have, and its imports. */
const inLanguage = (argument: ReturnType<typeof object>, module: string, ...names: string[]) => ({
  ...argument,
  inLanguage: [{ module, names }],
});

/** The properties of a session in OpenAI's protocol, with these arguments of its audio input. */
const openAiSession = (...input: Argument[]) =>
  object(
    'session_properties',
    'SessionProperties',
    object('audio', 'AudioConfiguration', object('input', 'AudioInput', ...input)),
  );

/** The import of the classes that they need, and these. */
const openAiEvents = (...names: string[]): Required<PythonImport> => ({
  module: 'pipecat.services.openai.realtime.events',
  names: ['AudioConfiguration', 'AudioInput', 'SessionProperties', ...names],
});

/** What Gemini Live has in common, whichever way it is reached. Its models' names differ. */
const geminiLive = (usualModel: string): Partial<ServiceRow> => ({
  socket: '_session._ws',
  languages: lists.geminiLive,
  settings: [
    usually(usualModel, takes('model', 'GOOGLE_MODEL')),
    usually('Charon', takes('voice', 'GOOGLE_VOICE_ID')),
    language,
  ],
  // It reconnects itself, and gives up with these words.
  finalErrors: 'max consecutive failures',
  sees: true,
  typed: 'frame',
});

/** Speech-to-speech services, in the order of their labels. */
export const realtime: readonly ServiceRow[] = [
  service('aws_nova_realtime', 'AWS Nova Sonic', 'AWSNovaSonicLLMService', {
    aka: ['nova', 'amazon'],
    module: 'aws.nova_sonic.llm',
    languages: ['de', 'en', 'es', 'fr', 'hi', 'it', 'pt'],
    extras: ['aws-nova-sonic'],
    args: [
      needs('secret_access_key', 'AWS_SECRET_ACCESS_KEY', 'Secret access key'),
      needs('access_key_id', 'AWS_ACCESS_KEY_ID', 'Access key ID'),
      takes('session_token', 'AWS_SESSION_TOKEN', 'Session token, for temporary credentials'),
      needs('region', 'AWS_REGION', 'Region'),
    ],
    settings: [voice(usually('matthew', takes('voice', 'AWS_VOICE_ID')), voices.nova)],
    python: '3.12',
    keys: 'https://console.aws.amazon.com/iam',
    recommended: 3,
    typed: 'message',
  }),
  service('azure_realtime', 'Azure OpenAI Realtime', 'AzureRealtimeLLMService', {
    module: 'azure.realtime.llm',
    socket: '_websocket',
    languages: lists.whisperApi,
    args: [
      needs('base_url', 'AZURE_REALTIME_BASE_URL', 'Address, ending in /openai/v1/realtime'),
      apiKey('AZURE_REALTIME_API_KEY'),
    ],
    settings: [
      needs('model', 'AZURE_REALTIME_MODEL', 'Deployment'),
      openAiSession(
        object(
          'transcription',
          'InputAudioTranscription',
          code('model', '"whisper-1"'),
          spoken('language', '"<base>"'),
        ),
      ),
    ],
    imports: [openAiEvents('InputAudioTranscription')],
    ownTurns: true,
    resets: true,
    sees: true,
    typed: 'item',
  }),
  service('azure_voice_live_realtime', 'Azure Voice Live', 'AzureVoiceLiveLLMService', {
    module: 'azure.voice_live.llm',
    socket: '_websocket',
    languages: lists.azure,
    args: [needs('endpoint', 'AZURE_VOICE_LIVE_ENDPOINT', 'Endpoint'), apiKey('AZURE_VOICE_LIVE_API_KEY')],
    settings: [
      takes('model', 'AZURE_VOICE_LIVE_MODEL'),
      // It replaces all session properties, so it has the library's, too.
      inLanguage(
        object(
          'session_properties',
          'SessionProperties',
          code('modalities', '["text", "audio"]'),
          object(
            'voice',
            'AzureStandardVoice',
            code('name', '"en-US-Ava:DragonHDLatestNeural"'),
            spoken('locale', '"<locale>"'),
          ),
          object('turn_detection', 'TurnDetection', code('type', '"azure_semantic_vad"')),
          object(
            'input_audio_transcription',
            'InputAudioTranscription',
            code('model', '"azure-speech"'),
            spoken('language', '"<locale>"'),
          ),
          object('input_audio_noise_reduction', 'InputAudioNoiseReduction'),
        ),
        'pipecat.services.azure.voice_live.events',
        'AzureStandardVoice',
        'InputAudioNoiseReduction',
        'InputAudioTranscription',
        'SessionProperties',
        'TurnDetection',
      ),
    ],
    ownTurns: true,
    resets: true,
    typed: 'context',
  }),
  service('gemini_live_realtime', 'Google Gemini Live', 'GeminiLiveLLMService', {
    names: ['gemini'],
    module: 'google.gemini_live.llm',
    args: [apiKey('GOOGLE_API_KEY')],
    ...geminiLive('models/gemini-3.8-live'),
    keys: 'https://aistudio.google.com/app/apikey',
    recommended: 2,
  }),
  service('gemini_vertex_live_realtime', 'Google Gemini Live on Vertex AI', 'GeminiLiveVertexLLMService', {
    module: 'google.gemini_live.vertex.llm',
    ...googleCloud(
      needs('project_id', 'GOOGLE_PROJECT_ID', 'Project'),
      needs('location', 'GOOGLE_LOCATION', 'Location'),
    ),
    ...geminiLive('google/gemini-3.8-live'),
  }),
  service('inworld_realtime', 'Inworld Realtime', 'InworldRealtimeLLMService', {
    module: 'inworld.realtime.llm',
    socket: '_websocket',
    args: [
      apiKey('INWORLD_API_KEY'),
      takes('llm_model', 'INWORLD_MODEL', 'Language model'),
      takes('voice', 'INWORLD_VOICE_ID'),
    ],
    ownTurns: true,
    resets: true,
    typed: 'context',
  }),
  service('openai_live_realtime', 'OpenAI Live', 'OpenAILiveLLMService', {
    module: 'openai.live.llm',
    socket: '_websocket',
    settings: [takes('model', 'OPENAI_MODEL'), takes('voice', 'OPENAI_VOICE_ID')],
    ownTurns: true,
    resets: true,
  }),
  service('openai_realtime', 'OpenAI Realtime', 'OpenAIRealtimeLLMService', {
    aka: ['gpt'],
    module: 'openai.realtime.llm',
    socket: '_websocket',
    languages: lists.whisperApi,
    settings: [
      usually('gpt-realtime-2.1', takes('model', 'OPENAI_MODEL')),
      openAiSession(
        object('transcription', 'InputAudioTranscription', spoken('language', '"<base>"')),
        code('turn_detection', 'SemanticTurnDetection()'),
      ),
    ],
    imports: [openAiEvents('InputAudioTranscription', 'SemanticTurnDetection')],
    ownTurns: true,
    resets: true,
    keys: 'https://platform.openai.com/api-keys',
    recommended: 1,
    sees: true,
    typed: 'item',
  }),
  service('ultravox_realtime', 'Ultravox', 'UltravoxRealtimeLLMService', {
    module: 'ultravox.llm',
    socket: '_socket',
    args: [
      object(
        'params',
        'OneShotInputParams',
        apiKey('ULTRAVOX_API_KEY'),
        code('system_prompt', 'SYSTEM_INSTRUCTION'),
        takes('model', 'ULTRAVOX_MODEL'),
        takes('voice', 'ULTRAVOX_VOICE_ID'),
        // By default, it speaks as soon as it's connected, even to an empty room.
        spoken('extra', '{"firstSpeakerSettings": {"user": {}}, "languageHint": "<code>"}', {
          code: '{"firstSpeakerSettings": {"user": {}}}',
        }),
      ),
    ],
    imports: [{ module: 'pipecat.services.ultravox.llm', names: ['OneShotInputParams'] }],
    ownInstruction: true,
    ignoresContext: true,
    typed: 'frame',
  }),
  service('xai_realtime', 'xAI Grok Realtime', 'GrokRealtimeLLMService', {
    module: 'xai.realtime.llm',
    socket: '_websocket',
    settings: [
      object(
        'session_properties',
        'SessionProperties',
        takes('voice', 'XAI_VOICE_ID'),
        inLanguage(
          object(
            'audio',
            'AudioConfiguration',
            object(
              'input',
              'AudioInput',
              object('transcription', 'InputAudioTranscription', spoken('language_hint', '"<code>"')),
            ),
          ),
          'pipecat.services.xai.realtime.events',
          'AudioConfiguration',
          'AudioInput',
          'InputAudioTranscription',
        ),
      ),
    ],
    imports: [{ module: 'pipecat.services.xai.realtime.events', names: ['SessionProperties'] }],
    ownTurns: true,
    resets: true,
    typed: 'message',
  }),
];
