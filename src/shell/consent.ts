import { UserError } from '../errors.ts';
import { onOneLine } from '../printable.ts';
import type { Terminal } from './terminal.ts';

/** A question about files that are in the way. */
interface Consent {
  /** What is in the way: a sentence, and the places. */
  about: string;
  places: readonly string[];
  question: string;
  proceed: { value: string; label: string };
  /** What the answer that shows more is called, and what it shows. */
  show: { label: string; lines(): readonly string[] };
  /** What to do if botcli can't ask. */
  instead: string;
}

/**
 * Asks whether to go on. Enter alone leaves everything as it is.
 *
 * @throws {UserError} Exit code 1: the user declined, so nothing is written.
 */
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
