import {
  apiKey,
  awsCredentials,
  code,
  compatibleServer,
  googleCloud,
  needs,
  service,
  takes,
  usually,
} from './arguments.ts';
import type { ServiceRow } from './service.ts';

/** Ollama, which runs language models on this computer. Its library's own model is too old for tools. */
export const OLLAMA = {
  addressEnv: 'OLLAMA_BASE_URL',
  modelEnv: 'OLLAMA_MODEL',
  /** Where it listens, as the framework's class has it. */
  address: 'http://localhost:11434/v1',
  model: 'llama3.2',
  /** The page of its models. */
  library: 'https://ollama.com/library',
  install: 'https://ollama.com/download',
} as const;

/** Language models, in the order of their labels. */
export const llm: readonly ServiceRow[] = [
  service('anthropic_llm', 'Anthropic Claude', 'AnthropicLLMService', {
    names: ['claude'],
    aka: ['sonnet', 'opus', 'haiku'],
    settings: [usually('claude-sonnet-4-6', takes('model', 'ANTHROPIC_MODEL'))],
    keys: 'https://platform.claude.com',
    recommended: 2,
  }),
  service('aws_bedrock_llm', 'AWS Bedrock', 'AWSBedrockLLMService', {
    module: 'aws.llm',
    args: [takes('aws_region', 'AWS_REGION', 'Region')],
    settings: [takes('model', 'AWS_BEDROCK_MODEL')],
    ...awsCredentials,
  }),
  service('azure_llm', 'Azure OpenAI', 'AzureLLMService', {
    args: [
      needs('endpoint', 'AZURE_CHATGPT_ENDPOINT', 'Endpoint, ending in /openai/v1'),
      apiKey('AZURE_CHATGPT_API_KEY'),
    ],
    settings: [needs('model', 'AZURE_CHATGPT_MODEL', 'Deployment')],
  }),
  service('baseten_llm', 'Baseten', 'BasetenLLMService'),
  service('cerebras_llm', 'Cerebras', 'CerebrasLLMService'),
  service('crusoe_llm', 'Crusoe', 'CrusoeLLMService'),
  service('deepseek_llm', 'DeepSeek', 'DeepSeekLLMService'),
  service('fireworks_llm', 'Fireworks AI', 'FireworksLLMService'),
  service('google_gemini_llm', 'Google Gemini', 'GoogleLLMService', {
    names: ['gemini'],
    module: 'google.llm',
    settings: [usually('gemini-3.6-flash', takes('model', 'GOOGLE_MODEL'))],
    keys: 'https://aistudio.google.com/app/apikey',
    recommended: 3,
  }),
  service('google_vertex_llm', 'Google Vertex AI', 'GoogleVertexLLMService', {
    ...googleCloud(needs('project_id', 'GOOGLE_PROJECT_ID', 'Project'), takes('location', 'GOOGLE_LOCATION')),
  }),
  service('groq_llm', 'Groq', 'GroqLLMService', {
    settings: [usually('openai/gpt-oss-120b', takes('model', 'GROQ_MODEL'))],
    keys: 'https://console.groq.com/keys',
    recommended: 4,
  }),
  service('inception_llm', 'Inception', 'InceptionLLMService'),
  service('mistral_llm', 'Mistral', 'MistralLLMService'),
  service('nebius_llm', 'Nebius', 'NebiusLLMService'),
  service('novita_llm', 'Novita AI', 'NovitaLLMService'),
  service('nvidia_omni_llm', 'NVIDIA Nemotron Omni', 'NvidiaOmniLLMService', {
    args: [apiKey('NVIDIA_API_KEY'), code('audio_input', 'False')],
  }),
  service('nvidia_llm', 'NVIDIA NIM', 'NvidiaLLMService'),
  service('ollama_llm', 'Ollama on this machine', 'OLLamaLLMService', {
    args: [takes('base_url', OLLAMA.addressEnv, 'Address of the server, ending in /v1')],
    settings: [{ ...takes('model', OLLAMA.modelEnv), documented: { value: OLLAMA.model, page: OLLAMA.library } }],
    local: { model: '`llama3.2` (3B)', download: 2, memory: 3.5, pull: `ollama pull ${OLLAMA.model}` },
    patience: 60,
    inCloud:
      "The cloud doesn't run Ollama: there, set `OLLAMA_BASE_URL` to the address of a server that the bot can reach.",
  }),
  service('openai_llm', 'OpenAI', 'OpenAILLMService', {
    aka: ['gpt', 'chatgpt'],
    settings: [usually('gpt-4.1', takes('model', 'OPENAI_MODEL'))],
    ambient: [compatibleServer],
    keys: 'https://platform.openai.com/api-keys',
    recommended: 1,
  }),
  service('openai_responses_llm', 'OpenAI Responses', 'OpenAIResponsesLLMService'),
  service('openrouter_llm', 'OpenRouter', 'OpenRouterLLMService'),
  service('perplexity_llm', 'Perplexity', 'PerplexityAgentHttpLLMService'),
  service('qwen_llm', 'Qwen', 'QwenLLMService'),
  service('sambanova_llm', 'SambaNova', 'SambaNovaLLMService'),
  service('sarvam_llm', 'Sarvam', 'SarvamLLMService', { settings: [takes('model', 'SARVAM_LLM_MODEL')] }),
  service('smallest_llm', 'Smallest AI', 'SmallestLLMService', { settings: [takes('model', 'SMALLEST_LLM_MODEL')] }),
  service('together_llm', 'Together AI', 'TogetherLLMService'),
  service('xai_llm', 'xAI Grok', 'GrokLLMService', { names: ['grok'] }),
];
