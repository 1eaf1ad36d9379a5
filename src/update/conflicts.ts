import { printable } from '../printable.ts';
import { askConsent } from '../shell/consent.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Run } from './plan.ts';
import { explainConflict, linesOf } from './report.ts';

/**
 * Asks whether to write conflict markers.
 *
 * @throws {UserError} Exit code 1: the user left everything, so nothing is written.
 */
export function askAboutConflicts({ plan: { conflicts } }: Run, terminal: Terminal): Promise<void> {
  const count = conflicts.length === 1 ? 'one place' : `${conflicts.length} places`;
  const consent = {
    about: `You and botcli changed ${count} in different ways`,
    places: conflicts.map(linesOf),
    question: 'What should happen?',
    proceed: { value: 'markers', label: 'Write both versions, with conflict markers' },
    show: {
      label: 'Show the conflicts',
      lines: () => conflicts.flatMap(explainConflict).map(line => `  ${printable(line)}`),
    },
    instead: 'Pass --conflicts markers.',
  };
  return askConsent(consent, terminal);
}
