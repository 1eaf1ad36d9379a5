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
