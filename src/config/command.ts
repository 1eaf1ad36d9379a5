import { PROGRAM, programIn } from '../about.ts';
import { type Environment, shellOf, shellPath, shellWord } from '../shells.ts';
import { breakLines } from '../text.ts';
import { problemOf, type ScaffoldConfig } from './config.ts';
import {
  type ConfigKey,
  nameOf,
  type RawConfig,
  removableKeys,
  type ScaffoldOption,
  scaffoldOptions,
  shortName,
  typedChoices,
} from './options.ts';

/** The command that creates a project with this configuration here: every choice as a flag, defaults omitted. */
export const commandOf = (config: ScaffoldConfig): string => [`${PROGRAM} init .`, ...optionsOf(config)].join(' ');

interface CommandTarget {
  directory: string;
  /** The directory's name: the default project name. */
  directoryName: string;
  /** The width to break the command for. */
  columns?: number;
  env?: Environment;
}

/** The same command as the user runs it, broken into lines that a shell joins again. */
export function commandLines(
  config: ScaffoldConfig,
  { directory, directoryName, columns = 80, env = {} }: CommandTarget,
): string[] {
  // The name can be omitted, unless the command may later run in a different directory.
  const isNamed = directory !== '.' && config.project_name === directoryName;
  const options = optionsOf(config, env).filter(option => !(isNamed && option.startsWith('--name')));
  const words = [`${programIn(env)} init`, shellPath(directory, env), ...options];
  if (!shellOf(env).continuesLines) return [words.join(' ')];
  // Each line except the last ends with a backslash.
  const lines = breakLines(words, columns - ' \\'.length, '', '  ');
  return lines.map((line, at) => (at < lines.length - 1 ? `${line} \\` : line));
}

/** The command that changes a project as these options of a command line say. Values that aren't allowed are left out. */
export function updateLine(directory: string, options: Readonly<Record<string, unknown>>, env: Environment): string {
  const { config } = options;
  const path = config === '-' ? config : shellPath(String(config), env);
  const file = typeof config === 'string' ? [`--config ${path}`] : [];
  const choices = Object.entries(typedChoices(options)) as [ConfigKey, unknown][];
  const removes = (key: ConfigKey, value: unknown) => value === 'none' && removableKeys.includes(key);
  const valid = choices.filter(([key, value]) => removes(key, value) || problemOf(key, value) === undefined);
  return updateOf(directory, [...optionWords(Object.fromEntries(valid), env), ...file], env);
}

/** The command that makes these changes to a bot. */
export function changeLine(directory: string, before: ScaffoldConfig, after: ScaffoldConfig, env: Environment): string {
  const isSame = (key: ConfigKey) => JSON.stringify(before[key]) === JSON.stringify(after[key]);
  const changed = scaffoldOptions.filter(({ key }) => !isImplied(key) && !isSame(key));
  const choices = changed.flatMap(({ key }) => {
    if (after[key] !== null) return [[key, after[key]]];
    // Services go with their mode, and the client's server with its framework.
    return key !== 'client_server' && removableKeys.includes(key) ? [[key, 'none']] : [];
  });
  return updateOf(directory, optionWords(Object.fromEntries(choices), env), env);
}

function updateOf(directory: string, options: readonly string[], env: Environment): string {
  const place = directory === '.' ? [] : [shellPath(directory, env)];
  return [`${programIn(env)} update`, ...place, ...options].join(' ');
}

/** What follows a report after questions: the command that needs none, and what its ids mean. */
export function repeatLines(command: readonly string[]): string[] {
  const words = command.join(' ').split(/[\s\\]+/);
  const neutral = scaffoldOptions.filter(({ isNeutral }: ScaffoldOption) => isNeutral);
  const names = neutral.flatMap((option: ScaffoldOption) =>
    words.flatMap((id, at) => {
      const name = nameOf(option, id);
      const isValue = [`-${option.short}`, `--${option.flag}`].includes(words[at - 1] ?? '');
      return name && isValue ? [`${id} is ${shortName(name)}`] : [];
    }),
  );
  const line = names.length > 0 ? [`(${names.join(', ')})`] : [];
  return ['', 'To repeat this without questions:', ...command, ...line];
}

/** Whether the transports imply a choice: the bot type and the call modes. */
const isImplied = (key: ConfigKey): boolean => key === 'bot_type' || key.endsWith('_mode');

/** Typed choices as options, in the order of the resolved configuration. */
function optionWords(choices: RawConfig, env: Environment): string[] {
  return scaffoldOptions.flatMap((option: ScaffoldOption) => {
    const value = choices[option.key];
    return value === undefined ? [] : [value].flat().map(one => optionWord(option, one as string | boolean, env));
  });
}

/** An option with its value. A text that begins with a dash would be read as an option. */
function optionWord({ flag, short, kind }: ScaffoldOption, value: string | boolean, env: Environment): string {
  if (typeof value === 'boolean') return value ? `--${flag}` : `--no-${flag}`;
  if (value.startsWith('-')) return shellWord(`--${flag}=${value}`, env);
  return `${kind === 'list' && short ? `-${short}` : `--${flag}`} ${shellWord(value, env)}`;
}

/** Each option that differs from its default, with its value, quoted for a shell. */
function optionsOf(config: ScaffoldConfig, env: Environment = {}): string[] {
  const chosen = scaffoldOptions.filter(({ key, default: preset }: ScaffoldOption) => {
    // A video avatar implies video output.
    const isOmitted = isImplied(key) || (key === 'video_output' && config.video_service);
    return config[key] !== null && config[key] !== preset && !isOmitted;
  });
  return optionWords(Object.fromEntries(chosen.map(({ key }) => [key, config[key]])), env);
}
