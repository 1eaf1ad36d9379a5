export const SERVICE_KINDS = ['stt', 'llm', 'tts', 'realtime', 'video'] as const;
export type ServiceKind = (typeof SERVICE_KINDS)[number];

/** A Python module, and the names imported from it; without names, the module itself is imported. */
export interface PythonImport {
  module: string;
  names?: readonly string[];
}

/**
 * A keyword argument of a service's constructor, or a field of its `Settings`: read from a variable, written as Python,
 * an object created for it, or set by the bot's language.
 */
export type Argument = VariableArgument | CodeArgument | ObjectArgument | LanguageArgument;

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
  /** Where its provider issues it, for a variable of a transport; a service has `keys`. */
  issuer?: string;
  /** Its value in English, where the library has none, and the page on which the provider documents it. */
  documented?: { value: string; page: string };
  /** The pinned release's own value in English, where people should see it. Level 1 of `test:bots` compares it. */
  usual?: string;
  /** The Python type to convert the text to, if the parameter doesn't take text. */
  convert?: 'int';
  /**
   * Its value by language, where the library's own speaks only English: by code, by code without the region, or `*` for
   * every language but English. `<locale>` is the language with a region. In a language without a value, the variable is
   * required.
   */
  inLanguages?: Readonly<Record<string, string>>;
}

/** An argument that is the same in every bot. */
interface CodeArgument {
  name: string;
  /** Python. It may use the names that the row imports, and the bot's `SYSTEM_INSTRUCTION`. */
  code: string;
}

/** An argument that is an object, created with its own arguments. */
interface ObjectArgument {
  name: string;
  /** Its class, which the row imports. */
  className: string;
  args: readonly Argument[];
  /** For an argument that only bots with a language have: the imports that it needs. */
  inLanguage?: readonly Required<PythonImport>[];
}

/** An argument that tells the service the bot's language. */
interface LanguageArgument {
  name: string;
  /**
   * Python, for a bot with a language: `<language>` is the framework's member, `<code>` its code, `<base>` the code without
   * a region, `<locale>` the code with one, and `<name>` its English name.
   */
  inLanguage: string;
  /** True if the library's default is right for English. */
  notInEnglish?: true;
  /** Python for a bot without one. By default, the argument is omitted. */
  code?: string;
  /** What the Python needs, in addition to the framework's `Language`. */
  imports?: readonly Required<PythonImport>[];
}

/** One AI service of the framework: everything in a generated project about it comes from this row. */
export interface ServiceRow {
  /** `<provider>_<kind>`, as in flags and configuration files. */
  id: string;
  /** The provider's own name for it, for people to read. */
  label: string;
  /** Its Python module, in `pipecat.services`. Default: its id, with dots. */
  module?: string;
  /** The class in it. */
  className: string;
  /**
   * The languages that it knows, as the framework's codes: a code without a region includes all regions. By default, it
   * follows the language of the words that it gets.
   */
  languages?: readonly string[];
  /** The extras of pipecat-ai that it needs. Default: the one with the name of its package there. */
  extras?: readonly string[];
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
  /**
   * True for speech-to-text that gets a request for each utterance: the end of the request is its answer, even to noise.
   * The others stream, and the framework passes on nothing when there are no words.
   */
  answersEach?: true;
  /**
   * Where a service that streams has its connection, if that answers pings: the attributes that lead to an object of the
   * `websockets` library. The first one is the framework's, the second one the provider's.
   */
  socket?: '_websocket' | '_socket' | '_connection._websocket' | '_session._ws' | '_socket_client._websocket';
  /** True for a speech-to-speech service that reports when the person speaks; for the others, the bot detects it. */
  ownTurns?: true;
  /** True for a speech-to-speech service that doesn't read the context: it gets the opening as typed text. */
  ignoresContext?: true;
  /**
   * How a speech-to-speech service gets what people type: it answers a new message in the `context`, it takes a `frame` of
   * text or an appended `message`, or it needs an `item` in OpenAI's API. By default, nobody can type to it.
   */
  typed?: 'context' | 'frame' | 'message' | 'item';
  /** True for a speech-to-speech service that reconnects only when its `reset_conversation()` is called. */
  resets?: true;
  /** How it words an error that no retry fixes, as a regular expression, if not with the usual words. */
  finalErrors?: string;
  /** True for a speech-to-speech service that accepts pictures from a camera. */
  sees?: true;
  /** Variables that the provider's own library reads, not the bot. */
  ambient?: readonly VariableArgument[];
  /** What its library looks for on the machine if no variable has its credentials. */
  credentials?: MachineCredentials;
  /** The constructor's parameter that takes the bot's `aiohttp.ClientSession`. */
  session?: string;
  /**
   * The only sample rate that it accepts or produces, in Hz, if it would mistake a phone's 8000 Hz for it. With such
   * speech-to-text, the pipeline keeps its own rate; such text-to-speech takes the rate as `sample_rate`.
   */
  onlyRate?: 16_000 | 24_000;
  /** The size of a video avatar's picture, in pixels. */
  picture?: readonly [width: number, height: number];
  /** The oldest Python that its packages run on, if newer than the framework's own 3.11. */
  python?: '3.12';
  /**
   * Python that creates one, for services that load a model when they're created, and would otherwise download it when
   * the first person calls. `download_models.py` runs it.
   */
  preload?: string;
  /** Its model, if that runs on this computer: `download` and `memory` are in GB; `pull` downloads what its class doesn't. */
  local?: { model: string; download: number; memory: number; pull?: string };
  /** How many seconds the guard of a phone call waits for its answer, if more than usual. */
  patience?: number;
  /** What is different in the cloud: a sentence of Markdown, for the README. */
  inCloud?: string;
  /** Where its provider issues keys, for `.env.example`: only an address that the provider itself names. */
  keys?: string;
  /** Other names, which are taken like its id, in any case. Its label, and its id without the kind, are taken anyway. */
  names?: readonly string[];
  /** The day on which its provider ended it, and the page that says so. It stays for the bots that have it. */
  ended?: { on: string; page: string };
  /** Words that people use for it, such as its models: a value that starts with one of them is answered with this service. */
  aka?: readonly string[];
  /** A practitioner's first choices are offered first, in this order. */
  recommended?: number;
}

// Regular expressions of Python and JavaScript, without case, for errors that no retry fixes. Many services report them
// only as text.

/** The service refuses the key. */
export const REFUSED = String.raw`\b40[123]\b|unauthori[sz]ed|forbidden|denied|credential|security token|api.?key`;

/** The account has no credit. */
export const NO_CREDIT = 'quota|credit|billing|payment';

/** A service without a connection of its own can't be reached. Others reconnect. */
export const UNREACHABLE = String.raw`connection error\.$|connection attempts failed|connect call failed|cannot connect|refused`;

type Place = Pick<ServiceRow, 'id' | 'module'>;

const placeOf = ({ id, module = id.replaceAll('_', '.') }: Place): string => module;

/** The Python module with a service's class. */
export const moduleOf = (row: Place): string => `pipecat.services.${placeOf(row)}`;

/** The extras of pipecat-ai that a service needs. */
export const extrasOf = ({ extras, ...row }: Place & Pick<ServiceRow, 'extras'>): readonly string[] =>
  extras ?? [placeOf(row).replace(/\..*/, '').replaceAll('_', '-')];

/** Everything that a service reads from the environment. */
export const variablesOf = ({ args = [], settings = [], ambient = [] }: ServiceRow): VariableArgument[] => [
  ...variablesIn([...args, ...settings]),
  ...ambient,
];

/** The arguments whose values come from variables, including those of objects. */
function variablesIn(args: readonly Argument[]): VariableArgument[] {
  return args.flatMap(argument => {
    if ('env' in argument) return [argument];
    return 'args' in argument ? variablesIn(argument.args) : [];
  });
}

/** Credentials that a provider's library looks for on the machine if the bot passes none. */
export interface MachineCredentials {
  /** Whose they are. */
  of: string;
  /** Where the library looks, in words. */
  where: string;
  /** Variables of which one is enough. */
  variables: readonly string[];
  /** Files of which one is enough, below the home directory, with `/`. */
  files: readonly string[];
  /** How to get them. */
  hint: string;
}
