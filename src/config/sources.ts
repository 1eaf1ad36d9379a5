import { isObject } from '../std.ts';
import { didYouMean, excerpt } from '../text.ts';
import { type ConfigKey, findOption, inIds, type RawConfig, scaffoldOptions, withServer } from './options.ts';

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
    if (!key) problems.push({ name, message: unknownKey(word) });
    else if (given.has(key)) problems.push({ name, message: `repeats ${given.get(key)?.name}` });
    else given.set(key, { value: inIds(key, value), name });
  }
  for (const { key } of scaffoldOptions) {
    if (flags[key] !== undefined) given.set(key, { value: inIds(key, flags[key]), name: flagOf(key) });
  }
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

function unknownKey(word: string): string {
  const meant = didYouMean(word, [...fileKeys.keys()], key => `"${fileKeys.get(key)}"`);
  return meant ? `${UNKNOWN_KEY}. ${meant}` : UNKNOWN_KEY;
}
