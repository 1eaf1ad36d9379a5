import { createTwoFilesPatch } from 'diff';
import { UserError } from '../errors.ts';
import { printable } from '../printable.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Difference } from '../writing/plan.ts';

const LEAVE = { value: 'leave', label: 'Leave everything as it is' };
const SHOW = { value: 'show', label: 'Show the differences' };

/**
 * Asks whether to overwrite existing files that differ. Enter alone leaves them.
 *
 * @throws {UserError} Exit code 1: the user declined, so nothing is written.
 */
export async function askToOverwrite(differences: readonly Difference[], terminal: Terminal): Promise<void> {
  const { note, noteStyle } = terminal;
  const one = differences.length === 1;
  note(`\n${noteStyle.yellow('!')} ${one ? 'A file already exists' : 'Files already exist'} with different content:`);
  for (const { name } of differences) note(`  ${printable(name)}`);
  note('');
  const overwrite = {
    value: 'overwrite',
    label: one ? 'Overwrite this file' : `Overwrite these ${differences.length} files`,
  };
  const ask = (...choices: { value: string; label: string }[]) =>
    terminal.choose(one ? 'What should happen to it?' : 'What should happen to them?', {
      choices,
      isJoined: true,
      instead: 'Pass --force to overwrite the files that differ.',
    });
  let answer = await ask(LEAVE, SHOW, overwrite);
  if (answer === 'show') {
    for (const difference of differences) note(renderDifference(difference, terminal));
    answer = await ask(LEAVE, overwrite);
  }
  if (answer === 'leave') throw new UserError('Left everything as it is. Nothing was written.', { reason: 'declined' });
}

/** The changes to a file, as a line diff. */
function renderDifference({ name, old, contents }: Difference, { noteStyle }: Terminal): string {
  const [before, after] = [old, contents].map(bytes => bytes.toString('utf8')) as [string, string];
  const patch = createTwoFilesPatch(name, name, before, after, 'existing', 'new', { context: 2 });
  const paint = (line: string) => {
    if (line.startsWith('+')) return noteStyle.green(line);
    return line.startsWith('-') ? noteStyle.red(line) : line;
  };
  const lines = patch.slice(patch.indexOf('---')).split('\n');
  return lines.map(line => paint(printable(line.replaceAll('\t', '    ')))).join('\n');
}
