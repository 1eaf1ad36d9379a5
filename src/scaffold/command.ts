import type { ScaffoldConfig } from './config.ts';
import { scaffoldOptions } from './options.ts';

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
  const words = scaffoldOptions.flatMap(({ key, flag, short, kind, default: preset }) => {
    const value = config[key];
    // A call mode says what the directional transport says already, and a video avatar implies its output.
    if (value === null || key.endsWith('_mode') || (key === 'video_output' && config.video_service)) return [];
    if (key === 'bot_type') return [];
    if (kind === 'list') return (value as string[]).flatMap(one => [short ? `-${short}` : `--${flag}`, one]);
    if (kind === 'boolean') return value === preset ? [] : [value ? `--${flag}` : `--no-${flag}`];
    // A name that begins with a dash would be taken for an option.
    return String(value).startsWith('-') ? [`--${flag}=${value}`] : [`--${flag}`, String(value)];
  });
  return ['npx generator-botcli init', directory, ...words]
    .map((word, at) => (at === 0 ? word : shellWord(word)))
    .join(' ');
}
