import { apiKey, awsCredentials, code, compatibleServer, googleCloud, needs, takes, usually } from './arguments.ts';
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

/** What most providers need: their key, and the model if it's set. The variables have the provider's name. */
const keyed = (provider: string, usual?: string): Pick<ServiceRow, 'args' | 'settings'> => {
  const model = takes('model', `${provider}_MODEL`);
  return { args: [apiKey(`${provider}_API_KEY`)], settings: [usual ? usually(usual, model) : model] };
};

/** Language models, in the order of their labels. */
export const llm: readonly ServiceRow[] = [
  {
    id: 'anthropic_llm',
    label: 'Anthropic Claude',
    names: ['claude'],
    aka: ['sonnet', 'opus', 'haiku'],
    className: 'AnthropicLLMService',
    ...keyed('ANTHROPIC', 'claude-sonnet-4-6'),
    keys: 'https://platform.claude.com',
    recommended: 2,
  },
  {
    id: 'aws_bedrock_llm',
    label: 'AWS Bedrock',
    module: 'aws.llm',
    className: 'AWSBedrockLLMService',
    args: [takes('aws_region', 'AWS_REGION', 'Region')],
    settings: [takes('model', 'AWS_BEDROCK_MODEL')],
    ...awsCredentials,
  },
  {
    id: 'azure_llm',
    label: 'Azure OpenAI',
    className: 'AzureLLMService',
    args: [
      needs('endpoint', 'AZURE_CHATGPT_ENDPOINT', 'Endpoint, ending in /openai/v1'),
      apiKey('AZURE_CHATGPT_API_KEY'),
    ],
    settings: [needs('model', 'AZURE_CHATGPT_MODEL', 'Deployment')],
  },
  { id: 'baseten_llm', label: 'Baseten', className: 'BasetenLLMService', ...keyed('BASETEN') },
  { id: 'cerebras_llm', label: 'Cerebras', className: 'CerebrasLLMService', ...keyed('CEREBRAS') },
  { id: 'crusoe_llm', label: 'Crusoe', className: 'CrusoeLLMService', ...keyed('CRUSOE') },
  { id: 'deepseek_llm', label: 'DeepSeek', className: 'DeepSeekLLMService', ...keyed('DEEPSEEK') },
  { id: 'fireworks_llm', label: 'Fireworks AI', className: 'FireworksLLMService', ...keyed('FIREWORKS') },
  {
    id: 'google_gemini_llm',
    label: 'Google Gemini',
    names: ['gemini'],
    module: 'google.llm',
    className: 'GoogleLLMService',
    ...keyed('GOOGLE', 'gemini-3.6-flash'),
    keys: 'https://aistudio.google.com/app/apikey',
    recommended: 3,
  },
  {
    id: 'google_vertex_llm',
    label: 'Google Vertex AI',
    className: 'GoogleVertexLLMService',
    ...googleCloud(needs('project_id', 'GOOGLE_PROJECT_ID', 'Project'), takes('location', 'GOOGLE_LOCATION')),
    settings: [takes('model', 'GOOGLE_MODEL')],
  },
  {
    id: 'groq_llm',
    label: 'Groq',
    className: 'GroqLLMService',
    ...keyed('GROQ', 'openai/gpt-oss-120b'),
    keys: 'https://console.groq.com/keys',
    recommended: 4,
  },
  { id: 'inception_llm', label: 'Inception', className: 'InceptionLLMService', ...keyed('INCEPTION') },
  { id: 'mistral_llm', label: 'Mistral', className: 'MistralLLMService', ...keyed('MISTRAL') },
  { id: 'nebius_llm', label: 'Nebius', className: 'NebiusLLMService', ...keyed('NEBIUS') },
  { id: 'novita_llm', label: 'Novita AI', className: 'NovitaLLMService', ...keyed('NOVITA') },
  {
    id: 'nvidia_omni_llm',
    label: 'NVIDIA Nemotron Omni',
    className: 'NvidiaOmniLLMService',
    args: [apiKey('NVIDIA_API_KEY'), code('audio_input', 'False')],
    settings: [takes('model', 'NVIDIA_MODEL')],
  },
  { id: 'nvidia_llm', label: 'NVIDIA NIM', className: 'NvidiaLLMService', ...keyed('NVIDIA') },
  {
    id: 'ollama_llm',
    label: 'Ollama on this machine',
    className: 'OLLamaLLMService',
    args: [takes('base_url', OLLAMA.addressEnv, 'Address of the server, ending in /v1')],
    settings: [{ ...takes('model', OLLAMA.modelEnv), documented: { value: OLLAMA.model, page: OLLAMA.library } }],
    local: { model: '`llama3.2` (3B)', download: 2, memory: 3.5, pull: `ollama pull ${OLLAMA.model}` },
    patience: 60,
    inCloud:
      "The cloud doesn't run Ollama: there, set `OLLAMA_BASE_URL` to the address of a server that the bot can reach.",
  },
  {
    id: 'openai_llm',
    label: 'OpenAI',
    aka: ['gpt', 'chatgpt'],
    className: 'OpenAILLMService',
    ...keyed('OPENAI', 'gpt-4.1'),
    ambient: [compatibleServer],
    keys: 'https://platform.openai.com/api-keys',
    recommended: 1,
  },
  { id: 'openai_responses_llm', label: 'OpenAI Responses', className: 'OpenAIResponsesLLMService', ...keyed('OPENAI') },
  { id: 'openrouter_llm', label: 'OpenRouter', className: 'OpenRouterLLMService', ...keyed('OPENROUTER') },
  { id: 'perplexity_llm', label: 'Perplexity', className: 'PerplexityAgentHttpLLMService', ...keyed('PERPLEXITY') },
  { id: 'qwen_llm', label: 'Qwen', className: 'QwenLLMService', ...keyed('QWEN') },
  { id: 'sambanova_llm', label: 'SambaNova', className: 'SambaNovaLLMService', ...keyed('SAMBANOVA') },
  {
    id: 'sarvam_llm',
    label: 'Sarvam',
    className: 'SarvamLLMService',
    args: [apiKey('SARVAM_API_KEY')],
    settings: [takes('model', 'SARVAM_LLM_MODEL')],
  },
  {
    id: 'smallest_llm',
    label: 'Smallest AI',
    className: 'SmallestLLMService',
    args: [apiKey('SMALLEST_API_KEY')],
    settings: [takes('model', 'SMALLEST_LLM_MODEL')],
  },
  { id: 'together_llm', label: 'Together AI', className: 'TogetherLLMService', ...keyed('TOGETHER') },
  {
    id: 'xai_llm',
    label: 'xAI Grok',
    names: ['grok'],
    className: 'GrokLLMService',
    ...keyed('XAI'),
  },
];
