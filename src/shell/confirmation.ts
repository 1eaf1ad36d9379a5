import { UserError, usageError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

/** The option of a command that asks for confirmation. */
interface ConfirmationOptions {
  readonly skip?: boolean;
}

const INSTEAD = 'Pass --skip to skip the confirmation.';

/** Checks, before anything is sent, that a command can ask for confirmation or has `--skip`. */
export function checkCanAsk({ skip }: ConfirmationOptions, { cannotAskReason }: Terminal): void {
  if (skip || !cannotAskReason) return;
  throw usageError(`This command asks for confirmation. ${cannotAskReason}`, { reason: 'cannot-ask', hint: INSTEAD });
}

/** Asks before making a change, unless `--skip` was passed. */
export async function confirm(question: string, { skip }: ConfirmationOptions, terminal: Terminal): Promise<void> {
  if (skip) return;
  terminal.progress.clear();
  if (await terminal.confirm(question, { instead: INSTEAD, isFresh: true })) return;
  throw new UserError('Cancelled. Nothing was changed.', { reason: 'declined' });
}
