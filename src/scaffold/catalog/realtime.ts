import { apiKey, needs, type ServiceRow, takes } from './service.ts';

/** Speech-to-speech services. */
export const realtime: readonly ServiceRow[] = [
  {
    id: 'gemini_live_realtime',
    label: 'Google Gemini Live',
    module: 'pipecat.services.google.gemini_live.llm',
    className: 'GeminiLiveLLMService',
    extras: ['google'],
    args: [apiKey('GOOGLE_API_KEY')],
    settings: [takes('model', 'GOOGLE_MODEL'), takes('voice', 'GOOGLE_VOICE_ID')],
    recommended: true,
  },
  {
    id: 'gemini_vertex_live_realtime',
    label: 'Google Gemini Live on Vertex AI',
    module: 'pipecat.services.google.gemini_live.vertex.llm',
    className: 'GeminiLiveVertexLLMService',
    extras: ['google'],
    args: [
      takes('credentials_path', 'GOOGLE_APPLICATION_CREDENTIALS', 'Path of the service account file'),
      needs('project_id', 'GOOGLE_PROJECT_ID', 'Project'),
      needs('location', 'GOOGLE_LOCATION', 'Location'),
    ],
    settings: [takes('model', 'GOOGLE_MODEL'), takes('voice', 'GOOGLE_VOICE_ID')],
  },
  {
    id: 'openai_realtime',
    label: 'OpenAI Realtime',
    module: 'pipecat.services.openai.realtime.llm',
    className: 'OpenAIRealtimeLLMService',
    extras: ['openai'],
    args: [apiKey('OPENAI_API_KEY')],
    settings: [takes('model', 'OPENAI_MODEL')],
    recommended: true,
  },
];
