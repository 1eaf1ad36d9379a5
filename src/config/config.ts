import {
  type BotType,
  botTypeOf,
  COMPANIONS,
  findTransport,
  languageName,
  recommendedFirst,
  SERVICE_KINDS,
  services,
  speaks,
  transports,
} from '../catalog/index.ts';
import { type UserError, usageError } from '../errors.ts';
import { isObject, unique } from '../std.ts';
import {
  alternatives,
  DAMAGED,
  didYouMean,
  excerpt,
  firstOf,
  isDamaged,
  listed,
  nearest,
  printable,
  textOf,
} from '../text.ts';
import {
  type ConfigKey,
  type ConfigValues,
  defaults,
  findOption,
  inIds,
  nameOf,
  plain,
  type RawConfig,
  removableKeys,
  type ScaffoldConfig,
  type ScaffoldOption,
  scaffoldOptions,
  shortName,
  valueNamed,
  withServer,
} from './options.ts';

export type { ScaffoldConfig } from './options.ts';

interface ConfigProblem {
  /** The option as the user wrote it: `--stt`, or `"stt_service" in bot.json`. */
  name: string;
  message: string;
}

/** The options that were given: each value, and its name in messages. */
type Given = Map<ConfigKey, { value: unknown; name: string }>;

interface ConfigSources {
  /** The parsed JSON of `--config`: any value. */
  file?: unknown;
  /** Why the file could not be read, worded to follow its name. */
  fileProblem?: string;
  fileName?: string;
  /** The options that were typed. */
  flags: RawConfig;
  /** The name of the target directory: the default project name. */
  directoryName: string;
}

/**
 * Resolves a configuration: a flag, else the file, else the default. Pure: it reads and writes nothing.
 *
 * @throws {UserError} Exit code 2, with every problem of the configuration at once.
 */
export function resolveConfig(sources: ConfigSources): ScaffoldConfig {
  const { given, problems: unreadable } = mergeSources(sources);
  const { values, invalid, problems: misshapen } = validateValues(given);
  const ids = resolveTransports(values);
  const draft = draftOf(given, values, invalid, ids);
  // An unread file may contain anything, so no option is reported as missing.
  const broken = sources.fileProblem ? [] : rules.flatMap(rule => rule(draft));
  const problems = [...unreadable, ...misshapen, ...broken];
  if (problems.length > 0) throw configError(problems);
  return complete(values, ids);
}

/** The transports of a configuration without duplicates. Each generic id is replaced by the id for its call direction. */
function resolveTransports(values: ConfigValues): string[] {
  const resolve = (id: string) =>
    transports.find(row => row.generic === id && row.modeKey && row.direction === values[row.modeKey])?.id ?? id;
  return unique((values.transports ?? []).map(resolve));
}

/** Applies defaults to valid values, and derives the other values from them. */
function complete(values: ConfigValues, ids: string[]): ScaffoldConfig {
  const { bot_type: botType, client_framework: chosen = 'none' } = values;
  const framework = chosen === 'none' ? null : chosen;
  const rows = ids.map(findTransport);
  const isTelephony = rows.some(row => botTypeOf(row) === 'telephony');
  // The direction of the transport that a call mode belongs to.
  const callMode = (key: ConfigKey) => rows.find(({ modeKey }) => modeKey === key)?.direction ?? null;
  const config = {
    // Defaults come first because they set the order of the keys.
    ...defaults,
    ...values,
    bot_type: botType ?? (isTelephony ? 'telephony' : 'web'),
    transports: ids,
    generate_client: framework !== null,
    client_framework: framework,
    client_server: framework && (values.client_server ?? 'bundler'),
    daily_pstn_mode: callMode('daily_pstn_mode'),
    twilio_daily_sip_mode: callMode('twilio_daily_sip_mode'),
    video_output: values.video_output === true || values.video_service !== undefined,
  };
  // The rules have checked the values that can't be null.
  return config as ScaffoldConfig;
}

/** An option's name in messages when it was not given. */
const flagOf = (key: ConfigKey): string => `--${findOption(key).flag}`;

const LIST = 'botcli init --list-options';

function configError(problems: readonly ConfigProblem[]): UserError {
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  // With more, the input probably isn't a configuration.
  const shown = firstOf(problems.map(({ name, message }) => `${name} ${message}`));
  const isLost = problems.some(({ message }) => message === UNKNOWN_KEY);
  return usageError(`${count} with this configuration; nothing was written:`, {
    reason: 'invalid-configuration',
    problems: shown,
    // A problem may have named the list already. The quickstart's configuration has every key.
    hint: [
      ...(isLost ? ['All keys: botcli init quickstart --dry-run.'] : []),
      ...(shown.some(line => line.includes(LIST)) ? [] : [`All values: ${LIST}.`]),
      'All options: botcli init --help.',
    ].join(' '),
  });
}

/** Keys of the file that have no effect: the schema's address, a value that a dry run derives, the record of a project. */
const IGNORED_KEYS = ['$schema', 'generate_client', 'botcli'];

/** The problem of a key that no option has. */
const UNKNOWN_KEY = "isn't a known key";

/** Every key that a file may have: an option's key, or its flag with underscores. */
const fileKeys = new Map(
  scaffoldOptions.flatMap(({ key, flag }): [string, ConfigKey][] => [
    [key, key],
    [flag.replaceAll('-', '_'), key],
  ]),
);

/** Merges the sources. A flag overrides the file, and a `null` in the file means that the value was not given. */
function mergeSources(sources: ConfigSources): { given: Given; problems: ConfigProblem[] } {
  const { file, fileProblem, fileName = 'the config file', directoryName } = sources;
  const flags = withServer(sources.flags);
  const given: Given = new Map();
  const problems: ConfigProblem[] = fileProblem ? [{ name: fileName, message: fileProblem }] : [];
  for (const [word, value] of entriesOf(file, fileName, problems)) {
    const key = fileKeys.get(word);
    const name = `"${excerpt(word)}" in ${fileName}`;
    const meant = key ? undefined : didYouMean(word, [...fileKeys.keys()], known => `"${fileKeys.get(known)}"`);
    if (!key) problems.push({ name, message: meant ? `${UNKNOWN_KEY}. ${meant}` : UNKNOWN_KEY });
    else if (given.has(key)) problems.push({ name, message: `repeats ${given.get(key)?.name}` });
    else given.set(key, { value: inIds(key, value), name });
  }
  for (const { key } of scaffoldOptions) {
    if (flags[key] !== undefined) given.set(key, { value: inIds(key, flags[key]), name: flagOf(key) });
  }
  // What isn't wanted is the same as what isn't given, once a flag has overridden the file.
  for (const key of removableKeys) if (given.get(key)?.value === 'none') given.delete(key);
  if (!given.has('project_name')) {
    // Names of directories come decomposed from macOS.
    const value = directoryName.normalize('NFC') || 'bot';
    given.set('project_name', { value, name: "--name (default: the directory's name)" });
  }
  return { given, problems };
}

function entriesOf(file: unknown, fileName: string, problems: ConfigProblem[]): [string, unknown][] {
  if (file === undefined) return [];
  if (isObject(file)) {
    return Object.entries(withServer(file)).filter(([key, value]) => value !== null && !IGNORED_KEYS.includes(key));
  }
  const kind = Array.isArray(file) ? 'a list' : file === null ? 'null' : `a ${typeof file}`;
  problems.push({ name: fileName, message: `contains ${kind}; it must contain one JSON object, { "transports": … }` });
  return [];
}

const MOST_NAME_CHARACTERS = 100;
/** A longer list of allowed values is not shown. */
const MOST_VALUES_SHOWN = 12;
/** With a suggestion, a longer list of allowed values is not shown. */
const MOST_VALUES_WITH_SUGGESTION = 4;

/** What a value becomes, or what is wrong with it, in words that follow the name of its option. */
type Verdict = { value: unknown } | { problems: string[] };

const refuse = (...problems: string[]): Verdict => ({ problems });

/** The one place of types and allowed values. */
function verdictOn(value: unknown, option: ScaffoldOption, isTyped: boolean): Verdict {
  const { key, kind, values, canonical } = option;
  const notAllowed = (one: unknown): string => `can't be ${shown(one)}. ${allowed(one, option, isTyped)}`;
  if (kind === 'boolean') {
    return typeof value === 'boolean' ? { value } : refuse(`must be true or false, not ${shown(value)}`);
  }
  if (kind === 'list') {
    const example = `["${exampleTransport('web')}"]`;
    if (!Array.isArray(value)) return refuse(`must be a list, such as ${example}, not ${shown(value)}`);
    if (value.length === 0) return refuse('is an empty list');
    const wrong = value.filter(item => !values?.includes(item));
    return wrong.length === 0 ? { value } : refuse(...unique(wrong.map(notAllowed)));
  }
  if (values && !canonical) return values.some(one => one === value) ? { value } : refuse(notAllowed(value));
  if (typeof value !== 'string') return refuse(`must be a string, not ${shown(value)}`);
  if (value === '') return refuse('is empty');
  if (key === 'project_name') return verdictOnName(value);
  const spelled = canonical?.(value);
  return spelled === undefined ? refuse(notAllowed(value)) : { value: spelled };
}

function verdictOnName(given: string): Verdict {
  const name = given.trim();
  if (name === '') return refuse('is empty');
  if (/^[\p{Default_Ignorable_Code_Point}\s]+$/u.test(name)) return refuse('has no visible characters');
  if (printable(given) !== given || /[\p{Zl}\p{Zp}\n]/u.test(given)) {
    return refuse(`${shown(given)} contains a line break, a control character or an invisible direction mark`);
  }
  if (isDamaged(name)) return refuse(`${shown(given)} ${DAMAGED}`);
  const { length } = [...name];
  if (length <= MOST_NAME_CHARACTERS) return { value: name };
  return refuse(`is ${length} characters long; the maximum is ${MOST_NAME_CHARACTERS}`);
}

const shown = (value: unknown): string => excerpt(printable(JSON.stringify(value) ?? String(value)));

/** Validates each value on its own. Returns the valid values, with defaults applied. */
function validateValues(given: Given) {
  const values: Record<string, unknown> = {};
  const problems: ConfigProblem[] = [];
  const invalid = new Set<ConfigKey>();
  for (const option of scaffoldOptions as readonly ScaffoldOption[]) {
    const { key, default: preset } = option;
    const { value, name = key } = given.get(key) ?? {};
    const verdict = value === undefined ? { value: preset } : verdictOn(value, option, name === flagOf(key));
    if ('problems' in verdict) {
      invalid.add(key);
      for (const message of verdict.problems) problems.push({ name, message });
    } else if (verdict.value !== undefined) values[key] = verdict.value;
  }
  return { values: values as ConfigValues, problems, invalid };
}

/** Why a value is invalid on its own; undefined when it is valid. */
export function problemOf(key: ConfigKey, value: unknown): string | undefined {
  const verdict = verdictOn(value, findOption(key), false);
  return 'problems' in verdict ? `It ${verdict.problems[0]}` : undefined;
}

/** What to write instead of a value that isn't allowed. */
function allowed(value: unknown, option: ScaffoldOption, isTyped: boolean): string {
  const { values = [], kind, short, isNeutral, example } = option;
  const text = textOf(value);
  const parts = text
    .split(',')
    .map(part => excerpt(printable(part.trim())))
    .filter(Boolean);
  if (kind === 'list' && parts.length > 1 && parts.length <= MOST_VALUES_SHOWN) {
    const ids = parts.map(part => idsMeant(part, option)[0] ?? part);
    return isTyped
      ? `Pass each id separately: ${ids.map(id => `-${short} ${id}`).join(' ')}`
      : `List each id separately: ${JSON.stringify(ids)}`;
  }
  const meant = meantBy(text, option);
  if (meant && values.length > MOST_VALUES_WITH_SUGGESTION) return `Did you mean ${meant}?`;
  if (example) return `Use ${example}`;
  if (values.length > MOST_VALUES_SHOWN) return 'List the allowed values: botcli init --list-options';
  const all = values.map(id => (isNeutral ? showValue(option, id) : id));
  return `${meant ? `Did you mean ${meant}? ` : ''}Allowed: ${all.join(', ')}`;
}

/** A word that matches more values than this gets no suggestion. */
const MOST_MEANT = 3;

/** A value with its real name, unless its id contains that already: `tel_a (Twilio)`. */
function showValue(option: ScaffoldOption, id: string): string {
  const name = shortName(nameOf(option, id) ?? '');
  return plain(id).includes(plain(name)) ? id : `${id} (${name})`;
}

/** What a disallowed value probably means: a mistyped id, or a real name. Undefined when nothing matches. */
function meantBy(word: string, option: ScaffoldOption): string | undefined {
  const meant = idsMeant(word, option);
  if (meant.length > 0) return alternatives(meant.map(id => showValue(option, id)));
  // The word may name a value of a related option.
  const others = scaffoldOptions.flatMap((other: ScaffoldOption) => {
    const id = other.group === option.group ? valueNamed(word, other.choices) : undefined;
    return id === undefined ? [] : [`--${other.flag} ${showValue(other, id)}`];
  });
  return others.length === 1 ? others[0] : undefined;
}

function idsMeant(word: string, option: ScaffoldOption): readonly string[] {
  const { values = [], choices = [] } = option;
  const meant = () => (option.meant ? option.meant(word) : (valueNamed(word, choices) ?? alias(word, choices)));
  const one = values.includes(word) ? word : meant();
  if (one !== undefined) return [one];
  const part = plain(word);
  const shortOf = ({ value, name = value }: (typeof choices)[number]) => shortName(name);
  const holding =
    part.length < 3 ? [] : choices.filter(({ value, name = '' }) => plain(`${name} ${value}`).includes(part));
  // One id for each name: ids with a direction come after the one without.
  const several = holding.filter((one, at) => holding.findIndex(other => shortOf(other) === shortOf(one)) === at);
  if (several.length > 0) return several.length > MOST_MEANT ? [] : several.map(({ value }) => value);
  if (option.meant) return [];
  // It may be nearly an id, or nearly a name.
  const ids = new Map(
    choices.flatMap(choice => [shortOf(choice), ...(choice.names ?? [])].map(name => [name, choice.value])),
  );
  const id = nearest(word, values) ?? ids.get(nearest(word, [...ids.keys()]) ?? '');
  return id === undefined ? [] : [id];
}

/** The value that people call by the first words of this one: `gpt-4o` and `gpt4` begin with `gpt`. The longest name wins. */
function alias(word: string, choices: NonNullable<ScaffoldOption['choices']>): string | undefined {
  const typed = word.toLowerCase();
  const begins = (name: string) => typed.startsWith(name) && !/^[a-z]/.test(typed.slice(name.length));
  const meant = (['aka', 'names'] as const).flatMap(field =>
    choices.flatMap(choice => (choice[field] ?? []).filter(begins).map(name => ({ id: choice.value, name }))),
  );
  return meant.sort((one, other) => other.name.length - one.name.length)[0]?.id;
}

/** A configuration before it is resolved, and how rules report what is wrong with it. */
function draftOf(given: Given, values: ConfigValues, invalid: ReadonlySet<ConfigKey>, ids: readonly string[]) {
  /** An option as it was written; its flag if it wasn't given. */
  const nameIn = (key: ConfigKey) => given.get(key)?.name ?? flagOf(key);
  const problem = (key: ConfigKey, message: string): ConfigProblem => ({ name: nameIn(key), message });
  /** Whether a key was given, and is valid on its own. */
  const has = (key: ConfigKey) => given.has(key) && !invalid.has(key);
  return {
    given,
    /** Valid values only, with defaults applied. */
    values,
    invalid,
    /** Resolved transports: the directional ids. */
    ids,
    isTelephony: values.bot_type === 'telephony' || (values.bot_type === undefined && ids.some(isPhone)),
    nameIn,
    has,
    problem,
    /** A problem for each missing key. */
    missing: (keys: readonly ConfigKey[], why: string) =>
      keys.filter(key => !given.has(key)).map(key => problem(key, `is missing: ${why}`)),
    /** A problem for each key that was given but can't be used here. */
    unusable: (keys: readonly ConfigKey[], why: string) => keys.filter(has).map(key => problem(key, why)),
  };
}

type Draft = ReturnType<typeof draftOf>;

/** The row of a transport, or of the first direction of one without a direction. */
const rowOf = (id: string) => findTransport(transports.find(row => row.generic === id)?.id ?? id);

const isPhone = (id: string): boolean => botTypeOf(rowOf(id)) === 'telephony';

const CASCADE_KEYS: readonly ConfigKey[] = ['stt_service', 'llm_service', 'tts_service'];
const REALTIME_KEYS: readonly ConfigKey[] = ['realtime_service'];
const WEB_KEYS = ['video_service', 'client_framework', 'client_server', 'video_input', 'video_output'] as const;
const MODE_KEYS = unique(transports.flatMap(({ modeKey }) => modeKey ?? []));

/** A transport to name in a message: the recommended one of its bot type, else the first. */
function exampleTransport(botType: BotType): string | undefined {
  const rows = transports.filter(row => botTypeOf(row) === botType);
  return (rows.find(({ recommended }) => recommended) ?? rows[0])?.id;
}

/** The rules between the values of a configuration. Each is independent of the others. */
const rules: readonly ((draft: Draft) => readonly ConfigProblem[])[] = [
  ({ missing }) => missing(['transports'], `say how people reach the bot, for example -t ${exampleTransport('web')}`),
  ({ missing }) => missing(['mode'], 'choose cascade or realtime'),

  // The services of the mode, and no others.
  ({ values: { mode }, missing, unusable }) => {
    if (mode === undefined) return [];
    const [own, others] = mode === 'cascade' ? [CASCADE_KEYS, REALTIME_KEYS] : [REALTIME_KEYS, CASCADE_KEYS];
    return [...missing(own, `mode ${mode} needs it`), ...unusable(others, `can't be used with mode ${mode}`)];
  },

  // A call mode and its transport.
  ({ values, missing }) =>
    MODE_KEYS.flatMap(key => {
      const generic = genericOf(key);
      const isWanted = values.transports?.includes(generic ?? '');
      return isWanted ? missing([key], `transport ${generic} needs it (dial-in or dial-out)`) : [];
    }),
  ({ values, invalid, ids, has, problem }) =>
    MODE_KEYS.flatMap(key => {
      if (!has(key) || invalid.has('transports')) return [];
      const directions = ids.map(rowOf).filter(row => row.modeKey === key);
      if (directions.length === 0) return [problem(key, `needs transport ${genericOf(key)}`)];
      return directions
        .filter(row => row.direction !== values[key])
        .map(row => problem(key, `is ${values[key]}, which contradicts transport ${row.id}`));
    }),

  // The first pair of transports that can't share a bot.
  ({ ids, problem }) => {
    const pairs = ids.flatMap((one, at) => ids.slice(at + 1).map(other => [one, other] as const));
    const pair = pairs.find(([one, other]) => !COMPANIONS[rowOf(one).family].includes(rowOf(other).family));
    const why = 'each starts it with a different kind of request. Create one bot for each';
    return pair ? [problem('transports', `${pair.join(' and ')} can't share a bot: ${why}`)] : [];
  },

  // Web and telephony.
  ({ values, ids, has, problem }) => {
    if (!has('transports')) return [];
    const telephony = ids.filter(isPhone);
    if (values.bot_type === 'telephony' && telephony.length === 0) {
      const example = exampleTransport('telephony');
      const why = `needs a telephony transport, such as ${example}, because this is a telephony bot`;
      return [problem('transports', why)];
    }
    if (values.bot_type !== 'web' || telephony.length === 0) return [];
    return [problem('bot_type', `is web, which contradicts ${telephony.join(' and ')} (telephony)`)];
  },
  ({ values, isTelephony, unusable }) => {
    const used = isTelephony ? WEB_KEYS.filter(key => values[key] !== false) : [];
    return unusable(used, 'is for web bots only, and this is a telephony bot');
  },

  // The client.
  ({ values: { client_framework: framework, client_server: server }, invalid, isTelephony, has, problem }) => {
    if (!has('client_server') || isTelephony || invalid.has('client_framework')) return [];
    if (framework === undefined) {
      return [problem('client_server', 'needs a client: add --client-framework component')];
    }
    const why = 'is fullstack, which needs client framework component; with vanilla, use bundler';
    return framework === 'vanilla' && server === 'fullstack' ? [problem('client_server', why)] : [];
  },

  // Features.
  ({ given, has, problem }) =>
    has('video_service') && given.get('video_output')?.value === false
      ? [problem('video_output', 'is off, but the video avatar needs it')]
      : [],
  // A language model gets images through a tool; a speech-to-speech service takes images itself, or can't see any.
  ({ values: { mode, realtime_service: id, video_input: input }, problem }) => {
    const service = services.realtime.find(row => row.id === id);
    if (mode !== 'realtime' || input !== true || !service || service.sees) return [];
    const seeing = services.realtime.filter(row => row.sees).map(row => row.id);
    return [
      problem('video_input', `has no effect with ${id}, which can't see images. These can: ${seeing.join(', ')}`),
    ];
  },
  ({ values, nameIn, problem }) => {
    if (!values.enable_noisecancel || values.deploy_to_cloud !== false) return [];
    // A flag that is off is `--no-…`.
    const off = nameIn('deploy_to_cloud').replace(/^--/, '--no-');
    return [problem('enable_noisecancel', `needs cloud deployment: remove ${off}`)];
  },

  // The services that don't know the bot's language, each with those that do.
  ({ values, problem }) => {
    const { language } = values;
    if (language === undefined) return [];
    return SERVICE_KINDS.flatMap(kind => {
      const key = `${kind}_service` as const;
      const row = services[kind].find(({ id }) => id === values[key]);
      if (!row || speaks(row, language)) return [];
      const others = services[kind].filter(one => speaks(one, language)).sort(recommendedFirst);
      const these = others.map(({ id }) => id);
      const instead = these.length > 0 ? `These do: ${listed(these, MOST_SERVICES)}` : 'No service of this kind does';
      const name = `${languageName(language)} (${language})`;
      return [problem(key, `can't be ${row.id}: it doesn't know ${name}. ${instead}`)];
    });
  },
];

/** The transport that needs a call mode, without a direction. */
const genericOf = (key: ConfigKey): string | undefined => transports.find(({ modeKey }) => modeKey === key)?.generic;

/** Services to name in a message: with more, it says how many there are. */
const MOST_SERVICES = 8;

/** What people put work into, and what they call it: it goes only if they say so. */
const PRECIOUS = [
  ['client_framework', 'web client'],
  ['video_service', 'avatar'],
] as const;

/** What of that a project had, and would lose with a new configuration. */
export function lostBetween(before: RawConfig, after: RawConfig) {
  const isChosen = (value: unknown) => typeof value === 'string' && value !== 'none';
  return PRECIOUS.filter(([key]) => isChosen(before[key]) && !isChosen(after[key]));
}
