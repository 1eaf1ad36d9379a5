import { UserError, usageError } from '../errors.ts';
import { onOneLine } from '../text.ts';
import type { Terminal } from './terminal.ts';

interface ConfirmationOptions {
  readonly skip?: boolean;
}

const INSTEAD = 'Pass --skip to skip the confirmation.';

/** Checks, before anything is sent, that a command can ask for confirmation or has `--skip`. */
export function checkCanAsk({ skip }: ConfirmationOptions, { cannotAskReason }: Terminal): void {
  if (skip || !cannotAskReason) return;
  throw usageError(`This command asks for confirmation. ${cannotAskReason}`, { reason: 'cannot-ask', hint: INSTEAD });
}

export async function confirm(question: string, { skip }: ConfirmationOptions, terminal: Terminal): Promise<void> {
  if (skip) return;
  terminal.progress.clear();
  if (await terminal.confirm(question, { instead: INSTEAD, isFresh: true })) return;
  throw new UserError('Cancelled. Nothing was changed.', { reason: 'declined' });
}

interface Consent {
  /** What is in the way: a sentence, and the places. */
  about: string;
  places: readonly string[];
  question: string;
  proceed: { value: string; label: string };
  /** What the answer that shows more is called, and what it shows. */
  show: { label: string; lines(): readonly string[] };
  instead: string;
}

/** Asks whether to go on. Enter alone leaves everything as it is, and throws a `UserError` with exit code 1. */
export async function askConsent(consent: Consent, terminal: Terminal): Promise<void> {
  const { about, places, question, proceed, show, instead } = consent;
  const { note, noteStyle } = terminal;
  note(`\n${noteStyle.yellow('!')} ${about}:`);
  for (const place of places) note(`  ${onOneLine(place)}`);
  note('');
  const leave = { value: 'leave', label: 'Leave everything as it is' };
  const ask = (...choices: { value: string; label: string }[]) =>
    terminal.choose(question, { choices, isJoined: true, instead });
  let answer = await ask(leave, { value: 'show', label: show.label }, proceed);
  if (answer === 'show') {
    for (const line of show.lines()) note(line);
    answer = await ask(leave, proceed);
  }
  if (answer === 'leave') throw new UserError('Left everything as it is. Nothing was written.', { reason: 'declined' });
}
