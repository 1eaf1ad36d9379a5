import { UserError } from '../errors.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../shell/terminal.ts';
import { explainConflict, linesOf } from './report.ts';
import type { Run } from './run.ts';

const LEAVE = { value: 'leave', label: 'Leave everything as it is' };
const SHOW = { value: 'show', label: 'Show the conflicts' };
const MARK = { value: 'markers', label: 'Write both versions, with conflict markers' };

/**
 * Asks what to do about conflicts. Enter alone leaves everything as it is.
 *
 * @throws {UserError} Exit code 1: the user left everything, so nothing is written.
 */
export async function askAboutConflicts(run: Run, terminal: Terminal): Promise<void> {
  const { conflicts } = run.plan;
  const { note, noteStyle } = terminal;
  const count = conflicts.length === 1 ? 'one place' : `${conflicts.length} places`;
  note(`\n${noteStyle.yellow('!')} You and botcli changed ${count} in different ways:`);
  for (const conflict of conflicts) note(`  ${printable(linesOf(conflict))}`);
  note('');
  const ask = (...choices: { value: string; label: string }[]) =>
    terminal.choose('What should happen?', { choices, isJoined: true, instead: 'Pass --conflicts markers.' });
  let answer = await ask(LEAVE, SHOW, MARK);
  if (answer === 'show') {
    for (const line of conflicts.flatMap(explainConflict)) note(`  ${printable(line)}`);
    answer = await ask(LEAVE, MARK);
  }
  if (answer === 'leave') throw new UserError('Left everything as it is. Nothing was written.', { reason: 'declined' });
}
