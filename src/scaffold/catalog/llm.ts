import { apiKey, needs, type ServiceRow, takes } from './service.ts';

/** Language models. */
export const llm: readonly ServiceRow[] = [
  {
    id: 'anthropic_llm',
    label: 'Anthropic Claude',
    module: 'pipecat.services.anthropic.llm',
    className: 'AnthropicLLMService',
    extras: ['anthropic'],
    args: [apiKey('ANTHROPIC_API_KEY')],
    settings: [takes('model', 'ANTHROPIC_MODEL')],
    recommended: true,
  },
  {
    id: 'google_gemini_llm',
    label: 'Google Gemini',
    module: 'pipecat.services.google.llm',
    className: 'GoogleLLMService',
    extras: ['google'],
    args: [apiKey('GOOGLE_API_KEY')],
    settings: [takes('model', 'GOOGLE_MODEL')],
    recommended: true,
  },
  {
    id: 'google_vertex_llm',
    label: 'Google Vertex AI',
    module: 'pipecat.services.google.vertex.llm',
    className: 'GoogleVertexLLMService',
    extras: ['google'],
    args: [
      takes('credentials_path', 'GOOGLE_APPLICATION_CREDENTIALS', 'Path of the service account file'),
      needs('project_id', 'GOOGLE_PROJECT_ID', 'Project'),
      takes('location', 'GOOGLE_LOCATION', 'Location'),
    ],
    settings: [takes('model', 'GOOGLE_MODEL')],
  },
  {
    id: 'openai_llm',
    label: 'OpenAI',
    module: 'pipecat.services.openai.llm',
    className: 'OpenAILLMService',
    extras: ['openai'],
    args: [apiKey('OPENAI_API_KEY')],
    settings: [takes('model', 'OPENAI_MODEL')],
    recommended: true,
  },
  {
    id: 'openai_responses_llm',
    label: 'OpenAI Responses',
    module: 'pipecat.services.openai.responses.llm',
    className: 'OpenAIResponsesLLMService',
    extras: ['openai'],
    args: [apiKey('OPENAI_API_KEY')],
    settings: [takes('model', 'OPENAI_MODEL')],
  },
];
