import { breakLines } from '../lines.ts';
import { type Environment, shellOf, shellPath, shellWord } from '../shells.ts';
import { VERSION } from '../version.ts';
import type { ScaffoldConfig } from './config.ts';
import { type ScaffoldOption, scaffoldOptions } from './options.ts';

/**
 * The program, as generated documents call it. They name the release that wrote them: it does what they say, and no
 * later one reads people's keys.
 */
export const PROGRAM = `npx botcli@${VERSION}`;

/**
 * The command that creates a project with this configuration: every choice as a flag, defaults omitted.
 *
 * @param directory The target directory, before quoting.
 */
export function commandOf(config: ScaffoldConfig, directory = '.'): string {
  return [`${PROGRAM} init`, shellWord(directory), ...optionsOf(config)].join(' ');
}

/** What a command for people depends on. */
interface CommandTarget {
  directory: string;
  /** The directory's name: the default project name. */
  directoryName: string;
  /** The width to break the command for. */
  columns?: number;
  /** The environment of the user's shell. */
  env?: Environment;
}

/** The same command with the program's own name, broken into lines that a shell joins again. */
export function commandLines(
  config: ScaffoldConfig,
  { directory, directoryName, columns = 80, env = {} }: CommandTarget,
): string[] {
  // The name can be omitted, unless the command may later run in a different directory.
  const isNamed = directory !== '.' && config.project_name === directoryName;
  const options = optionsOf(config, env).filter(option => !(isNamed && option.startsWith('--name')));
  const words = ['botcli init', shellPath(directory, env), ...options];
  if (!shellOf(env).continuesLines) return [words.join(' ')];
  // Each line except the last ends with a backslash.
  const lines = breakLines(words, columns - ' \\'.length, '', '  ');
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}

/** Each option that differs from its default, with its value, quoted for a shell. */
function optionsOf(config: ScaffoldConfig, env: Environment = {}): string[] {
  const quote = (word: string) => shellWord(word, env);
  return scaffoldOptions.flatMap(({ key, flag, short, default: preset }: ScaffoldOption) => {
    const value = config[key];
    // A directional transport already implies the call mode, and a video avatar implies video output.
    if (value === null || key.endsWith('_mode') || (key === 'video_output' && config.video_service)) return [];
    if (key === 'bot_type') return [];
    if (Array.isArray(value)) return value.map(one => `${short ? `-${short}` : `--${flag}`} ${quote(one)}`);
    if (typeof value === 'boolean') return value === preset ? [] : [value ? `--${flag}` : `--no-${flag}`];
    // A name that begins with a dash would be read as an option.
    return [value.startsWith('-') ? quote(`--${flag}=${value}`) : `--${flag} ${quote(value)}`];
  });
}
