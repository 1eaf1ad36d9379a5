import { updateLine } from '../config/command.ts';
import { lostBetween } from '../config/losses.ts';
import { findOption, typedChoices } from '../config/options.ts';
import { UserError } from '../errors.ts';
import { excerpt, isCopyable, textOf } from '../printable.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { UpdateInvocation } from './options.ts';
import type { Run } from './plan.ts';

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
  const lost = lostBetween(before, config).filter(([key]) => typed[key] !== 'none');
  if (lost.length === 0) return;
  const what = lost.map(([key, name]) => `${name} (${excerpt(textOf(before[key]))})`).join(' and its ');
  const none = Object.fromEntries(lost.map(([key]) => [findOption(key).flag, 'none']));
  const line = updateLine(directory, { ...options, ...none }, terminal.env);
  const flags = Object.keys(none).map(flag => `--${flag} none`);
  const instead = `If that is what you want, ${isCopyable(line) ? `say so: ${line}` : `add ${flags.join(' ')}`}`;
  if (options.json || options['dry-run'] || !terminal.interactive) {
    throw new UserError(`With these choices, the bot would lose its ${what}. Nothing was changed.`, {
      reason: 'cannot-ask',
      hint: instead,
      facts: { dropped_choices: Object.fromEntries(lost.map(([key]) => [key, before[key]])), update_command: line },
    });
  }
  if (await terminal.confirm(`With these choices, the bot loses its ${what}. Go on?`, { instead, isFresh: true }))
    return;
  throw new UserError('Declined. Nothing was changed.', { reason: 'declined' });
}
