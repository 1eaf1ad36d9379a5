import { exampleTransport } from '../catalog/index.ts';
import { isObject, unique } from '../std.ts';
import { alternatives, DAMAGED, didYouMean, excerpt, isDamaged, nearest, printable, textOf } from '../text.ts';
import { plain, shortName, valueNamed } from './names.ts';
import {
  type ConfigKey,
  type ConfigValues,
  findOption,
  inIds,
  type RawConfig,
  removableKeys,
  type ScaffoldOption,
  scaffoldOptions,
  withServer,
} from './options.ts';

export interface ConfigSources {
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

export interface ConfigProblem {
  /** The option as the user wrote it: `--stt`, or `"stt_service" in bot.json`. */
  name: string;
  message: string;
}

/** The options that were given: each value, and its name in messages. */
export type Given = Map<ConfigKey, { value: unknown; name: string }>;

/** Keys of the file that have no effect: the schema's address, a value that a dry run derives, the record of a project. */
const IGNORED_KEYS = ['$schema', 'generate_client', 'botcli'];

/** The problem of a key that no option has. */
export const UNKNOWN_KEY = "isn't a known key";

/** Every key that a file may have: an option's key, or its flag with underscores. */
const fileKeys = new Map(
  scaffoldOptions.flatMap(({ key, flag }): [string, ConfigKey][] => [
    [key, key],
    [flag.replaceAll('-', '_'), key],
  ]),
);

/** An option's name in messages when it was not given. */
export const flagOf = (key: ConfigKey): string => `--${findOption(key).flag}`;

/** Merges the sources. A flag overrides the file, and a `null` in the file means that the value was not given. */
export function mergeSources(sources: ConfigSources): { given: Given; problems: ConfigProblem[] } {
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
export function validateValues(given: Given): {
  values: ConfigValues;
  problems: ConfigProblem[];
  invalid: Set<ConfigKey>;
} {
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
  return { values, problems, invalid };
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
function showValue({ names = {} }: ScaffoldOption, id: string): string {
  const name = shortName(names[id] ?? '');
  return plain(id).includes(plain(name)) ? id : `${id} (${name})`;
}

/** What a disallowed value probably means: a mistyped id, or a real name. Undefined when nothing matches. */
function meantBy(word: string, option: ScaffoldOption): string | undefined {
  const meant = idsMeant(word, option);
  if (meant.length > 0) return alternatives(meant.map(id => showValue(option, id)));
  // The word may name a value of a related option.
  const others = scaffoldOptions.flatMap((other: ScaffoldOption) => {
    const id = other.group === option.group ? valueNamed(word, other) : undefined;
    return id === undefined ? [] : [`--${other.flag} ${showValue(other, id)}`];
  });
  return others.length === 1 ? others[0] : undefined;
}

function idsMeant(word: string, option: ScaffoldOption): readonly string[] {
  const { values = [], names = {}, otherNames = {} } = option;
  const meant = () => (option.meant ? option.meant(word) : (valueNamed(word, option) ?? alias(word, option)));
  const one = values.includes(word) ? word : meant();
  if (one !== undefined) return [one];
  const part = plain(word);
  const nameOf = (id: string) => shortName(names[id] ?? id);
  const holding = part.length < 3 ? [] : values.filter(id => plain(`${names[id] ?? ''} ${id}`).includes(part));
  // One id for each name: ids with a direction come after the one without.
  const several = holding.filter((id, at) => holding.findIndex(other => nameOf(other) === nameOf(id)) === at);
  if (several.length > 0) return several.length > MOST_MEANT ? [] : several;
  if (option.meant) return [];
  // It may be nearly an id, or nearly a name.
  const ids = new Map(
    values.flatMap(value => [nameOf(value), ...(otherNames[value] ?? [])].map(name => [name, value])),
  );
  const id = nearest(word, values) ?? ids.get(nearest(word, [...ids.keys()]) ?? '');
  return id === undefined ? [] : [id];
}

/** The value that people call by the first words of this one: `gpt-4o` and `gpt4` begin with `gpt`. The longest name wins. */
function alias(word: string, { aka = {}, otherNames = {} }: ScaffoldOption): string | undefined {
  const typed = word.toLowerCase();
  const begins = (name: string) => typed.startsWith(name) && !/^[a-z]/.test(typed.slice(name.length));
  const meant = [...Object.entries(aka), ...Object.entries(otherNames)].flatMap(([id, names]) =>
    names.filter(begins).map(name => ({ id, name })),
  );
  return meant.sort((one, other) => other.name.length - one.name.length)[0]?.id;
}
