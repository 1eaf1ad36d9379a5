import { shellPath } from '../../shells.ts';
import type { Detail } from './finding.ts';

/** A command with the project's directory as its argument, unless that is the current one. */
export const inDirectory = (command: string, directory: string): string =>
  directory === '.' ? command : `${command} ${shellPath(directory)}`;

/** A command as the fix, unless a name in it could be anything else, such as an option. */
export const fixBy = (command: string, ...names: (string | undefined)[]): Pick<Detail, 'fix'> =>
  names.every(name => name === undefined || /^[A-Za-z0-9][\w.-]{0,127}$/.test(name)) ? { fix: { command } } : {};
