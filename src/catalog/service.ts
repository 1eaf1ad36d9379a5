export const SERVICE_KINDS = ['stt', 'llm', 'tts', 'realtime', 'video'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** A Python module, and the names imported from it; without names, the module itself is imported. */
export interface PythonImport {
  module: string;
  names?: readonly string[];
}

/**
 * A keyword argument of a service's constructor, or a field of its `Settings`: read from a variable, written as Python,
 * or an object created for it.
 */
export type Argument = VariableArgument | CodeArgument | ObjectArgument;

/** An argument whose value comes from an environment variable. */
export interface VariableArgument {
  /** The name of the Python parameter. */
  name: string;
  /** The environment variable with its value. */
  env: string;
  /** True if the service can't work without it. If not, and unset, the argument is omitted and the library's default applies. */
  required: boolean;
  /** What the value is, for `.env.example`: "API key", "model". */
  description: string;
  /** The Python type to convert the text to, if the parameter doesn't take text. */
  convert?: 'int';
}

/** An argument that is the same in every bot. */
export interface CodeArgument {
  name: string;
  /** Python. It may use the names that the row imports, and the bot's `SYSTEM_INSTRUCTION`. */
  code: string;
}

/** An argument that is an object, created with its own arguments. */
export interface ObjectArgument {
  name: string;
  /** Its class, which the row imports. */
  className: string;
  args: readonly Argument[];
}

/** One AI service of the framework: everything in a generated project about it comes from this row. */
export interface ServiceRow {
  /** `<provider>_<kind>`, as in flags and configuration files. */
  id: string;
  /** The provider's own name for it, for people to read. */
  label: string;
  /** The Python module, and the class in it. */
  module: string;
  className: string;
  /** The extras of pipecat-ai that it needs. */
  extras: readonly string[];
  /** Requirements in addition to those of its extras. */
  packages?: readonly string[];
  /** Arguments of the constructor. */
  args?: readonly Argument[];
  /** Fields of `<className>.Settings`; the system instruction of language models is not listed. */
  settings?: readonly Argument[];
  /** Where the arguments' code and classes are imported from. */
  imports?: readonly Required<PythonImport>[];
  /** True if the system instruction is among the arguments, since the class ignores the one in its `Settings`. */
  ownInstruction?: true;
  /** True for a speech-to-speech service that reports when the person speaks; for the others, the bot detects it. */
  ownTurns?: true;
  /** True for a speech-to-speech service that doesn't read the context: it gets the opening as typed text. */
  ignoresContext?: true;
  /** True for a speech-to-speech service that reconnects only when its `reset_conversation()` is called. */
  resets?: true;
  /** How it words an error that no retry fixes, as a regular expression, if not with the usual words. */
  finalErrors?: string;
  /** True for a speech-to-speech service that accepts pictures from a camera. */
  sees?: true;
  /** Variables that the provider's own library reads, not the bot. */
  ambient?: readonly VariableArgument[];
  /** The constructor's parameter that takes the bot's `aiohttp.ClientSession`. */
  session?: string;
  /**
   * The only sample rate that it accepts or produces, in Hz, if it would mistake a phone's 8000 Hz for it: with such a
   * service, the pipeline keeps its own rate.
   */
  onlyRate?: 16_000 | 24_000;
  /** The size of a video avatar's picture, in pixels. */
  picture?: readonly [width: number, height: number];
  /** The oldest Python that its packages run on, if newer than the framework's own 3.11. */
  python?: '3.12';
  /**
   * Python that creates one, for services that load a model when they're created, and would otherwise download it when
   * the first person calls. The cloud image runs it once.
   */
  preload?: string;
  /** What is different in the cloud: a sentence of Markdown, for the README. */
  inCloud?: string;
  /** Where its provider issues keys, for `.env.example`: only an address that the provider itself names. */
  keys?: string;
  /** A practitioner's first choice, offered first. */
  recommended?: true;
}

/** An argument that the service can't work without. */
export const needs = (name: string, env: string, description: string): VariableArgument => ({
  name,
  env,
  description,
  required: true,
});

/** An argument with a default in the library. */
export const takes = (name: string, env: string, description = capitalize(name)): VariableArgument => ({
  name,
  env,
  description,
  required: false,
});

/** An argument that is the same in every bot. */
export const code = (name: string, expression: string): CodeArgument => ({ name, code: expression });

/** An argument that is an object of a class. */
export const object = (name: string, className: string, ...args: Argument[]): ObjectArgument => ({
  name,
  className,
  args,
});

/** The `api_key` of a provider. */
export const apiKey = (env: string): VariableArgument => needs('api_key', env, 'API key');

/**
 * The credentials of Google Cloud: a file or, where there is none, its contents. By default, the library uses the machine's
 * credentials, if it finds any.
 */
const googleCredentials: readonly VariableArgument[] = [
  takes(
    'credentials_path',
    'GOOGLE_APPLICATION_CREDENTIALS',
    'Path of the service account file, such as google-credentials.json, which git and the image ignore',
  ),
  takes('credentials', 'GOOGLE_CREDENTIALS_JSON', 'Contents of that file, for the cloud'),
];

/** What all services of Google Cloud have in common: the credentials, and how to pass them in the cloud. */
export const googleCloud = (...args: Argument[]): Pick<ServiceRow, 'args' | 'inCloud'> => ({
  args: [...googleCredentials, ...args],
  inCloud:
    "Git and the image ignore Google's service account file if its name is one in `server/.dockerignore`, such as\n" +
    '`google-credentials.json`. For the cloud, put its contents into `.env`, in single quotes, as `GOOGLE_CREDENTIALS_JSON`.',
});

const awsToken = takes('', 'AWS_SESSION_TOKEN', 'Session token, for temporary credentials');

/** The keys that some services of AWS read from the environment, and nowhere else. */
export const awsKeys: readonly VariableArgument[] = [
  needs('', 'AWS_ACCESS_KEY_ID', 'Access key ID'),
  needs('', 'AWS_SECRET_ACCESS_KEY', 'Secret access key'),
  awsToken,
];

/** What services of AWS have in common that also find the credentials of a profile or a role. */
export const awsCredentials: Pick<ServiceRow, 'ambient' | 'inCloud'> = {
  ambient: [
    takes('', 'AWS_ACCESS_KEY_ID', 'Access key ID (default: the credentials of your AWS profile or role)'),
    takes('', 'AWS_SECRET_ACCESS_KEY', 'Secret access key (default: the same)'),
    awsToken,
    takes('', 'AWS_PROFILE', 'Profile of the AWS command line (default: its default profile)'),
  ],
  inCloud:
    "On your machine, the bot uses your AWS profile. The cloud doesn't have it: before you upload `.env`, set\n" +
    '`AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY` there.',
};

/** The arguments whose values come from variables, including those of objects. */
export function variablesIn(args: readonly Argument[]): VariableArgument[] {
  return args.flatMap(argument => {
    if ('env' in argument) return [argument];
    return 'args' in argument ? variablesIn(argument.args) : [];
  });
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
