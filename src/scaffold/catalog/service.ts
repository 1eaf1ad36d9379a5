export const SERVICE_KINDS = ['stt', 'llm', 'tts', 'realtime', 'video'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** A keyword argument of a service's constructor, or a field of its `Settings`. */
export interface Argument {
  /** The name of the Python parameter. */
  name: string;
  /** The environment variable that gives its value. */
  env: string;
  /** True when the service can't work without it; else, unset, the argument is omitted and the library's default holds. */
  required: boolean;
  /** What the value is, for `.env.example`: "API key", "model". */
  meaning: string;
}

/** One AI service of the framework: everything that the generated project says of it is derived from this row. */
export interface ServiceRow {
  /** `<provider>_<kind>`: what flags and configuration files say. */
  id: string;
  /** The provider's own name for it, as people read it. */
  label: string;
  /** The Python module, and the class in it. */
  module: string;
  className: string;
  /** The extras of pipecat-ai that it needs. */
  extras: readonly string[];
  /** Arguments of the constructor. */
  args?: readonly Argument[];
  /** Fields of `<className>.Settings`; the system instruction of language models is not listed. */
  settings?: readonly Argument[];
  /** Variables that the provider's own library reads, not the bot. */
  ambient?: readonly Argument[];
  /** The constructor's parameter that takes the bot's `aiohttp.ClientSession`. */
  session?: string;
  /** The oldest Python that its packages run on, where that is newer than the framework's own 3.11. */
  python?: '3.12';
  /** A practitioner's first choice: offered first. */
  recommended?: true;
}

/** An argument that the service can't work without. */
export const needs = (name: string, env: string, meaning: string): Argument => ({ name, env, meaning, required: true });

/** An argument with a default in the library. */
export const takes = (name: string, env: string, meaning = capitalize(name)): Argument => ({
  name,
  env,
  meaning,
  required: false,
});

/** The `api_key` of a provider. */
export const apiKey = (env: string): Argument => needs('api_key', env, 'API key');

/** The credentials that Amazon's own library reads from the environment. */
export const awsCredentials: readonly Argument[] = [
  needs('', 'AWS_ACCESS_KEY_ID', 'Access key id'),
  needs('', 'AWS_SECRET_ACCESS_KEY', 'Secret access key'),
  takes('', 'AWS_SESSION_TOKEN', 'Session token, for temporary credentials'),
];

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
