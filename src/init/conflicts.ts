import { createTwoFilesPatch } from 'diff';
import { askConsent } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { printable } from '../text.ts';
import type { ConflictError } from '../writing/plan.ts';

/**
 * Asks whether to overwrite existing files that differ.
 *
 * @throws {UserError} Exit code 1: the user declined, so nothing is written.
 */
export function askToOverwrite(differences: ConflictError['differences'], terminal: Terminal): Promise<void> {
  const one = differences.length === 1;
  const consent = {
    about: `${one ? 'A file already exists' : 'Files already exist'} with different content`,
    places: differences.map(({ name }) => name),
    question: one ? 'What should happen to it?' : 'What should happen to them?',
    proceed: { value: 'overwrite', label: one ? 'Overwrite this file' : `Overwrite these ${differences.length} files` },
    show: {
      label: 'Show the differences',
      lines: () => differences.map(difference => renderDifference(difference, terminal)),
    },
    instead: 'Pass --force to overwrite the files that differ.',
  };
  return askConsent(consent, terminal);
}

/** The changes to a file, as a line diff. */
function renderDifference(
  { name, old, contents }: ConflictError['differences'][number],
  { noteStyle }: Terminal,
): string {
  const [before, after] = [old, contents].map(bytes => bytes.toString('utf8')) as [string, string];
  const patch = createTwoFilesPatch(name, name, before, after, 'existing', 'new', { context: 2 });
  const paint = (line: string) => {
    if (line.startsWith('+')) return noteStyle.green(line);
    return line.startsWith('-') ? noteStyle.red(line) : line;
  };
  const lines = patch.slice(patch.indexOf('---')).split('\n');
  return lines.map(line => paint(printable(line.replaceAll('\t', '    ')))).join('\n');
}
