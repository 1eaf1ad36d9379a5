import { updateLine } from '../config/command.ts';
import { findOption, typedChoices } from '../config/options.ts';
import { UserError } from '../errors.ts';
import { excerpt } from '../printable.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { UpdateInvocation } from './options.ts';
import type { Run } from './run.ts';

/** What people put work into, so that it goes only if they say so. */
const PRECIOUS = [
  ['client_framework', 'web client'],
  ['video_service', 'avatar'],
] as const;

/** An update with new choices, and its command line. */
interface Request extends Pick<Run, 'project' | 'config'>, Pick<UpdateInvocation, 'options'> {
  directory: string;
}

/**
 * Asks before an update removes a client or an avatar that no option names.
 *
 * @throws {UserError} Exit code 1: the user declined, or botcli can't ask. The hint has the options that say so.
 */
export async function confirmLosses(
  { project, config, directory, options }: Request,
  terminal: Terminal,
): Promise<void> {
  const { choices: before } = project.state;
  const typed = typedChoices(options);
  const lost = PRECIOUS.filter(([key]) => isChosen(before[key]) && !isChosen(config[key]) && typed[key] !== 'none');
  if (lost.length === 0) return;
  const what = lost.map(([key, name]) => `${name} (${excerpt(String(before[key]))})`).join(' and its ');
  const none = Object.fromEntries(lost.map(([key]) => [findOption(key).flag, 'none']));
  const line = updateLine(directory, { ...options, ...none }, terminal.env);
  const instead = `If that is what you want, say so: ${line}`;
  if (options.json || options['dry-run'] || !terminal.interactive) {
    throw new UserError(`With these choices, the bot would lose its ${what}. Nothing was changed.`, {
      reason: 'cannot-ask',
      hint: instead,
      facts: { dropped_choices: Object.fromEntries(lost.map(([key]) => [key, before[key]])), update_command: line },
    });
  }
  if (await terminal.confirm(`With these choices, the bot loses its ${what}. Go on?`, { instead })) return;
  throw new UserError('Declined. Nothing was changed.', { reason: 'declined' });
}

const isChosen = (value: unknown): boolean => typeof value === 'string' && value !== 'none';
