import {
  type BotType,
  findTransport,
  LANGUAGES,
  languageName,
  languageOption,
  type ServiceKind,
  services,
  transportIds,
  transports,
} from '../catalog/index.ts';
import { unique } from '../std.ts';

/** A value of an option, with the name people see for it. */
export interface OptionChoice<Value extends string = string> {
  value: Value;
  /** Its real name, if the value alone doesn't show it. */
  name?: string;
  /** What the wizard calls it. Default: its name. */
  label?: string;
  /** More about it, for the wizard. */
  hint?: string;
  /** Other names that are taken for it, in any case. */
  names?: readonly string[];
  /** Words that people use for it: what starts with one of them means this value. */
  aka?: readonly string[];
}

interface OptionRow {
  key: string;
  /** The long flag without its dashes. With underscores, it is also accepted as a key of the config file. */
  flag: string;
  short?: string;
  /** A `list` may be repeated. A `boolean` has both forms, `--x` and `--no-x`. */
  kind: 'text' | 'list' | 'boolean';
  placeholder?: string;
  /** The allowed values; omitted for free text. */
  values?: readonly string[];
  /** The same values with their names. */
  choices?: readonly OptionChoice[];
  /** The usual spelling of a value that was given; undefined if it isn't a value. */
  canonical?: (value: string) => string | undefined;
  /** The value that a word means which isn't one. By default, one with that name or a similar id. */
  meant?: (word: string) => string | undefined;
  /** What a value is, with examples, if there are too many values to list. */
  example?: string;
  /** Whether the ids alone don't say what they mean, so names are shown with them. */
  isNeutral?: true;
  /** Whether a text is never null in a resolved configuration: it is required, or derived from other options. */
  isAlwaysSet?: true;
  /** Whether `none` means that it isn't wanted: in a new project the same as nothing, and in an existing one it goes. */
  isRemovable?: true;
  default?: boolean;
  /** What applies to a new project if it isn't given, in words. */
  byDefault?: string;
  group: string;
  help: string;
}

/** A name without its explanation: `Daily` from `Daily, hosted WebRTC`. */
export const shortName = (name: string): string => name.replace(/,.*/, '');

/** A name in a sentence, where its comma would end a part: `Daily (hosted WebRTC)`. */
export const nameInSentence = (name: string): string => name.replace(/, (.*)/, ' ($1)');

/** A name without case, spaces and punctuation, for comparing. */
export const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The kind that ends a service's id. */
const KIND = /_(?:stt|llm|tts|realtime|video)$/;

/**
 * The value that a word names: an id in any case, an id without its kind, a display name, or another name from its row.
 * Undefined if none does, or several do.
 */
export function valueNamed(word: string, choices: readonly OptionChoice[] = []): string | undefined {
  const typed = plain(word);
  if (typed === '') return undefined;
  // The first kind of name that fits decides.
  const kinds: ((choice: OptionChoice) => readonly string[])[] = [
    ({ value }) => [value],
    ({ value }) => [value.replace(KIND, '')],
    ({ name = '' }) => [name],
    ({ name = '' }) => [shortName(name)],
    ({ names = [] }) => names,
  ];
  for (const namesOf of kinds) {
    const [found, ...more] = choices.filter(choice => namesOf(choice).some(name => plain(name) === typed));
    if (found) return more.length === 0 ? found.value : undefined;
  }
  return undefined;
}

/** The ids of the transports. One without a direction has the names that both directions share. */
const transportChoices = [...transportIds('web'), ...transportIds('telephony')].map((value): OptionChoice => {
  const row = transports.find(({ id, generic = id }) => generic === value);
  if (row) return { ...row, value, name: row.label.replace(`, ${row.direction}`, '') };
  const { label, direction, names = [] } = findTransport(value);
  return { value, name: label, names: names.map(name => `${name}-${direction}`) };
});

/** What people call a transport, with or without a direction. */
export const transportName = (id: string): string => transportChoices.find(({ value }) => value === id)?.name ?? id;

/** The transports as help lists them: recommended ones first, those with two directions only once. */
export function listTransports(): string {
  const ids = transports.map(({ id, generic }) => generic ?? id);
  const first = transports.filter(({ recommended }) => recommended).map(({ id }) => id);
  return unique([...first, ...ids])
    .map(id => `${id} (${shortName(transportName(id))})`)
    .join(', ');
}

/** The fields of a row that has these values. */
const oneOf = <const Value extends string>(...choices: readonly OptionChoice<Value>[]) => ({
  values: choices.map(({ value }) => value),
  choices,
});

/** An option whose value is a text. */
const text = <const Key extends string, const Flag extends string, const More extends Partial<OptionRow>>(
  key: Key,
  flag: Flag,
  placeholder: string,
  group: string,
  help: string,
  more: More,
) => ({ key, flag, kind: 'text' as const, placeholder, ...more, group, help });

const service = <const Kind extends ServiceKind>(kind: Kind, help: string) =>
  text(`${kind}_service` as const, kind, 'service', 'AI services', help, {
    ...oneOf(...services[kind].map(({ id, label, ...row }) => ({ ...row, value: id, name: label }))),
  });

const feature = <const Key extends string, const Flag extends string>(
  key: Key,
  flag: Flag,
  help: string,
  isOn = false,
) => ({ key, flag, kind: 'boolean', default: isOn, group: 'Features', help }) as const;

const callMode = <const Key extends string, const Flag extends string>(key: Key, flag: Flag) => {
  const generic = transports.find(({ modeKey }) => modeKey === key)?.generic;
  return text(key, flag, 'direction', 'Calls', `dial-in or dial-out; required by transport ${generic}`, {
    ...oneOf({ value: 'dial-in', label: 'People call the bot' }, { value: 'dial-out', label: 'The bot calls people' }),
  });
};

/** Every scaffold option, in the order of the resolved configuration. */
export const scaffoldOptions = [
  text('project_name', 'name', 'name', 'Project', 'Project name', {
    short: 'n',
    isAlwaysSet: true,
    byDefault: "the target directory's name",
  }),
  text('bot_type', 'bot-type', 'type', 'Project', 'web or telephony', {
    short: 'b',
    ...oneOf<BotType>(
      { value: 'web', label: 'In a browser', hint: 'or in an app', names: ['browser'], aka: ['app', 'mobile'] },
      {
        value: 'telephony',
        label: 'On the phone',
        hint: 'needs a phone provider',
        names: ['phone'],
        aka: ['call', 'voip'],
      },
    ),
    isAlwaysSet: true,
    byDefault: 'inferred from the transports',
  }),
  {
    key: 'transports',
    flag: 'transport',
    short: 't',
    kind: 'list',
    placeholder: 'id',
    ...oneOf(...transportChoices),
    isNeutral: true,
    group: 'Project',
    help: `How people reach the bot: ${listTransports()}`,
  },
  text(
    'mode',
    'mode',
    'mode',
    'AI services',
    'cascade (speech-to-text, language model, text-to-speech) or realtime (speech-to-speech)',
    {
      short: 'm',
      ...oneOf(
        {
          value: 'cascade',
          label: 'Three services',
          hint: 'listen, think, speak: most choice',
          aka: ['pipeline', 'stt', 'speech-to-text', 'text'],
        },
        {
          value: 'realtime',
          label: 'One speech-to-speech model',
          hint: 'fastest replies',
          names: ['speech-to-speech', 's2s'],
          aka: ['speech', 'sts', 'live', 'native'],
        },
      ),
      isAlwaysSet: true,
    },
  ),
  service('stt', 'Speech-to-text service (cascade), such as deepgram_stt'),
  service('llm', 'Language model (cascade), such as openai_llm'),
  service('tts', 'Text-to-speech service (cascade), such as cartesia_tts'),
  service('realtime', 'Speech-to-speech service (realtime), such as openai_realtime'),
  { ...service('video', 'Video avatar service (web bots only)'), isRemovable: true },
  text(
    'client_framework',
    'client-framework',
    'framework',
    'Web client',
    'component (React), vanilla (TypeScript) or none (web bots only)',
    {
      ...oneOf(
        { value: 'component', name: 'React' },
        {
          value: 'vanilla',
          name: 'TypeScript',
          names: ['vanilla-js', 'vanilla-ts', 'ts'],
          aka: ['html', 'javascript', 'js'],
        },
        { value: 'none', label: 'None', hint: 'the bot has a test page' },
      ),
      isNeutral: true,
      isRemovable: true,
    },
  ),
  text(
    'client_server',
    'client-server',
    'server',
    'Web client',
    'bundler (Vite) or fullstack (Next.js, component only)',
    {
      ...oneOf({ value: 'bundler', name: 'Vite' }, { value: 'fullstack', name: 'Next.js', names: ['next'] }),
      isNeutral: true,
      isRemovable: true,
    },
  ),
  callMode('daily_pstn_mode', 'daily-pstn-mode'),
  callMode('twilio_daily_sip_mode', 'twilio-daily-sip-mode'),
  feature('video_input', 'video-input', 'Video input (web bots only)'),
  feature('video_output', 'video-output', 'Video output (web bots only)'),
  feature('recording', 'recording', 'Record audio'),
  feature('transcription', 'transcription', 'Log the transcript'),
  feature('deploy_to_cloud', 'deploy-to-cloud', 'Cloud deployment files: container-file and cloud-deploy.toml', true),
  feature('enable_noisecancel', 'enable-noisecancel', 'Noise cancellation; requires cloud deployment'),
  feature('enable_observability', 'observability', 'Observability: a debugger, and traces'),
  feature('enable_eval', 'eval', 'Evals: an eval transport, starter scenarios and their runner'),
  feature('journal', 'journal', 'A file about each call: the words, the time and the cost, for botcli calls'),
  text('ci', 'ci', 'service', 'Features', 'github: a workflow that tests each push, and deploys from main', {
    ...oneOf({ value: 'github', name: 'GitHub Actions', names: ['github-actions'], aka: ['actions'] }),
    isRemovable: true,
  }),
  text('language', 'language', 'code', 'AI services', 'Language that the bot hears and speaks, such as de or pt-BR', {
    // Each name is looked up when it's read: loading them takes a while, and most commands show none.
    ...oneOf(
      ...LANGUAGES.map(value => ({
        value,
        get name() {
          return languageName(value);
        },
      })),
    ),
    ...languageOption,
    example: 'a BCP 47 code, such as de or pt-BR',
    isRemovable: true,
    byDefault: 'English',
  }),
] as const satisfies readonly OptionRow[];

/** An option's row, with its key, flag, kind and values as literal types. */
export type LiteralOption = (typeof scaffoldOptions)[number];

/** The key of a scaffold option, as the JSON configuration file has it. */
export type ConfigKey = LiteralOption['key'];

/** One scaffold option. Flags, generator options, configuration keys, help, JSON Schema and docs come from it. */
export interface ScaffoldOption extends OptionRow {
  key: ConfigKey;
}

type OptionValue<Row extends LiteralOption> = Row extends { kind: 'boolean' }
  ? boolean
  : Row extends { kind: 'list' }
    ? string[]
    : Row extends { values: readonly (infer Value)[] }
      ? Value
      : string;

/** Valid values, by key. An option that is absent was not given. */
export type ConfigValues = { [Row in LiteralOption as Row['key']]?: OptionValue<Row> };

const RUN = 'General';
const GETTING_STARTED_HELP = 'Also write GETTING_STARTED.md, for people who build with a coding agent';

/** What a generator takes in addition to a configuration: the directory, and what to do with existing files. */
export const runOptions = {
  directory: { flag: 'directory', kind: 'text', group: RUN, help: 'Target directory; use . for the current one' },
  overwriteGuide: { flag: 'overwrite-guide', kind: 'boolean', group: RUN, help: 'Overwrite existing guide files' },
  gettingStarted: { flag: 'getting-started', kind: 'boolean', group: RUN, help: GETTING_STARTED_HELP },
  force: {
    flag: 'force',
    kind: 'switch',
    group: RUN,
    help: 'Overwrite other existing files; changes in them are lost',
  },
} as const;

export const EXAMPLE_BOT = '-t rtc_local -m cascade --stt deepgram_stt --llm openai_llm --tts cartesia_tts';

/** The help text of a scaffold option, with what applies to a new project by default. */
export function describeOption({ help, default: preset, byDefault }: ScaffoldOption): string {
  if (byDefault) return `${help} (default: ${byDefault})`;
  return preset ? `${help} (on by default)` : help;
}

/** Values from the command line, a program or a file, before validation. An absent option was not given. */
export type RawConfig = Partial<Record<ConfigKey, unknown>>;

/** Optional texts, which `none` leaves out. */
export const removableKeys: readonly ConfigKey[] = scaffoldOptions.flatMap((option: ScaffoldOption) =>
  option.isRemovable ? [option.key] : [],
);

/** The scaffold options among those of a command line, each by its key. */
export const typedChoices = (options: Readonly<Record<string, unknown>>): RawConfig =>
  withServer(
    Object.fromEntries(
      scaffoldOptions.filter(({ flag }) => flag in options).map(({ key, flag }) => [key, inIds(key, options[flag])]),
    ),
  );

/** A web client called by its server, such as `nextjs`, means the framework that runs on it, too. */
export function withServer<Given extends RawConfig>(given: Given): Given {
  const { client_framework: framework, client_server: server = framework } = given;
  const isNext = [framework, server].every(word => inIds('client_server', word) === 'fullstack');
  return isNext ? { ...given, client_framework: 'component', client_server: 'fullstack' } : given;
}

/** A given value with each name replaced by the id that it means. What names nothing, or several values, stays. */
export function inIds(key: ConfigKey, value: unknown): unknown {
  const option = findOption(key);
  const idOf = (one: unknown) => {
    if (typeof one !== 'string') return one;
    if (one.toLowerCase() === 'none' && removableKeys.includes(key)) return 'none';
    return (!option.canonical && valueNamed(one, option.choices)) || one;
  };
  return Array.isArray(value) ? value.map(idOf) : idOf(value);
}

/** What people call a value of an option. */
export const nameOf = ({ choices = [] }: Pick<OptionRow, 'choices'>, id: string): string | undefined =>
  choices.find(({ value }) => value === id)?.name;

export function findOption(key: ConfigKey): ScaffoldOption {
  const row: ScaffoldOption | undefined = scaffoldOptions.find(option => option.key === key);
  if (!row) throw new Error(`Unknown option: ${key}`);
  return row;
}

type ResolvedValue<Row, Value> = Row extends { kind: 'text' }
  ? Row extends { isAlwaysSet: true }
    ? Value
    : Exclude<Value, 'none'> | null
  : Value;

type ResolvedValues = {
  [Row in LiteralOption as Row['key']]: ResolvedValue<Row, Required<ConfigValues>[Row['key']]>;
};

/** A resolved configuration: valid, with every default applied. Its keys are those of the JSON, in the same order. */
export interface ScaffoldConfig extends ResolvedValues {
  /** Whether there is a client framework. */
  generate_client: boolean;
}

/** Every key in order, with its default, or null if it has none. */
export const defaults = Object.fromEntries(
  scaffoldOptions.flatMap(({ key, default: preset }: ScaffoldOption) => {
    const before: [string, boolean][] = key === 'client_framework' ? [['generate_client', false]] : [];
    return [...before, [key, preset ?? null] as const];
  }),
) as { readonly [Key in keyof ScaffoldConfig]: ScaffoldConfig[Key] extends boolean ? boolean : null };
