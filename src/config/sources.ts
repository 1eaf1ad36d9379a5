import { didYouMean } from '../nearest.ts';
import { excerpt } from '../printable.ts';
import { type ConfigKey, findOption, type RawConfig, scaffoldOptions } from './options.ts';

/** Where a configuration comes from. */
export interface ConfigSources {
  /** The parsed JSON of `--config`, whatever it holds. */
  file?: unknown;
  /** Why the file could not be read, as it goes behind its name. */
  fileProblem?: string;
  /** What the file is called in messages. */
  fileName?: string;
  /** The options that were typed. */
  flags: RawConfig;
  /** The name of the target directory, which is the project's when no other is given. */
  directoryName: string;
}

/** Something wrong with a configuration. */
export interface ConfigProblem {
  /** What it's about, as its reader wrote it: `--stt`, or `"stt_service" in bot.json`. */
  name: string;
  message: string;
}

/** The options that were given: each value, and what it's called in messages. */
export type Given = Map<ConfigKey, { value: unknown; name: string }>;

/** Keys of the file that say nothing: a schema's address, and what a dry run derives. */
const IGNORED_KEYS = ['$schema', 'generate_client'];

/** Every key that a file may have: an option's own, or its flag's name. */
const fileKeys = new Map(
  scaffoldOptions.flatMap(({ key, flag }): [string, ConfigKey][] => [
    [key, key],
    [flag.replaceAll('-', '_'), key],
  ]),
);

/** What an option is called in messages when it was not given. */
export const flagOf = (key: ConfigKey): string => `--${findOption(key).flag}`;

/** Merges the sources: a typed flag beats the file. A `null` in the file is a value that was not given. */
export function mergeSources(sources: ConfigSources): { given: Given; problems: ConfigProblem[] } {
  const { file, fileProblem, fileName = 'the config file', flags, directoryName } = sources;
  const given: Given = new Map();
  const problems: ConfigProblem[] = fileProblem ? [{ name: fileName, message: fileProblem }] : [];
  for (const [word, value] of entriesOf(file, fileName, problems)) {
    const key = fileKeys.get(word);
    const name = `"${excerpt(word)}" in ${fileName}`;
    if (!key) problems.push({ name, message: unknownKey(word) });
    else if (given.has(key)) problems.push({ name, message: `says again what ${given.get(key)?.name} says` });
    else given.set(key, { value, name });
  }
  for (const { key } of scaffoldOptions) {
    if (flags[key] !== undefined) given.set(key, { value: flags[key], name: flagOf(key) });
  }
  if (!given.has('project_name')) {
    given.set('project_name', { value: directoryName || 'bot', name: "--name (left out, it's the directory's name)" });
  }
  return { given, problems };
}

function entriesOf(file: unknown, fileName: string, problems: ConfigProblem[]): [string, unknown][] {
  if (file === undefined) return [];
  if (typeof file === 'object' && file !== null && !Array.isArray(file)) {
    return Object.entries(file).filter(([key, value]) => value !== null && !IGNORED_KEYS.includes(key));
  }
  const kind = Array.isArray(file) ? 'a list' : file === null ? 'null' : `a ${typeof file}`;
  problems.push({ name: fileName, message: `holds ${kind}; it must hold one JSON object, { "transports": … }` });
  return [];
}

function unknownKey(word: string): string {
  const meant = didYouMean(word, [...fileKeys.keys()], key => `"${key}"`);
  return meant ? `is no known key. ${meant}` : 'is no known key';
}
