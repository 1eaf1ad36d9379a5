import { breakLines } from '../lines.ts';
import type { ScaffoldConfig } from './config.ts';
import { type ScaffoldOption, scaffoldOptions } from './options.ts';

/** A word as a POSIX shell takes it literally. */
export const shellWord = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** A path in the same way, which no command takes for an option. */
export const shellPath = (path: string): string => shellWord(path.startsWith('-') ? `./${path}` : path);

/**
 * The command line that makes a project with this configuration, all choices as flags, nothing that is a default.
 *
 * @param directory Where to, as the shell is to read it.
 */
export function commandOf(config: ScaffoldConfig, directory = '.'): string {
  return ['npx generator-botcli init', shellWord(directory), ...optionsOf(config)].join(' ');
}

/** What a command for a person goes by. */
interface CommandTarget {
  directory: string;
  /** The directory's name, which is the project's when the command gives none. */
  directoryName: string;
  /** The width to break the command for. */
  columns?: number;
}

/** The same command with the program's own name, broken into lines that a shell joins again. */
export function commandLines(
  config: ScaffoldConfig,
  { directory, directoryName, columns = 80 }: CommandTarget,
): string[] {
  // The name goes without saying, unless the directory could be another one when the command is used again.
  const isNamed = directory !== '.' && config.project_name === directoryName;
  const options = optionsOf(config).filter(option => !(isNamed && option.startsWith('--name')));
  const words = ['botcli init', shellPath(directory), ...options];
  // Behind each line but the last stands a backslash.
  const lines = breakLines(words, columns - ' \\'.length, '', '  ');
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}

/** Each option that is no default, with its value, as a shell reads it. */
function optionsOf(config: ScaffoldConfig): string[] {
  return scaffoldOptions.flatMap(({ key, flag, short, default: preset }: ScaffoldOption) => {
    const value = config[key];
    // A call mode says what the directional transport says already, and a video avatar implies its output.
    if (value === null || key.endsWith('_mode') || (key === 'video_output' && config.video_service)) return [];
    if (key === 'bot_type') return [];
    if (Array.isArray(value)) return value.map(one => `${short ? `-${short}` : `--${flag}`} ${shellWord(one)}`);
    if (typeof value === 'boolean') return value === preset ? [] : [value ? `--${flag}` : `--no-${flag}`];
    // A name that begins with a dash would be taken for an option.
    return [value.startsWith('-') ? shellWord(`--${flag}=${value}`) : `--${flag} ${shellWord(value)}`];
  });
}
