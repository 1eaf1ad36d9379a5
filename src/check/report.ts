import { onOneLine } from '../printable.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Finding, Group } from './checks/finding.ts';

/** The findings of a group, and the line to show if there are none. */
export interface GroupResult {
  group: Group;
  findings: readonly Finding[];
  /** Empty if there is nothing to say. */
  passed: string;
}

/** The name of each group in the report. */
const TITLES: Readonly<Record<Group, string>> = {
  project: 'Project',
  machine: 'This machine',
  keys: 'Keys',
  providers: 'Providers',
  cloud: 'Cloud',
};

/** Prints what was found: a line for each group that passed, and each finding with what to do. */
export function reportFindings(results: readonly GroupResult[], { print, style }: Terminal): void {
  const signs = { error: style.red('✗'), warning: style.yellow('!') };
  const lines = results.flatMap(({ group, findings, passed }) =>
    findings.length === 0
      ? passed === ''
        ? []
        : [`${style.green('✓')} ${TITLES[group]}: ${onOneLine(passed)}`]
      : findings.flatMap(({ level, message, hint, fix }) => [
          `${signs[level]} ${onOneLine(message)}`,
          ...(hint ?? '').split('\n').flatMap(line => (line ? `  ${line}` : [])),
          // The hint of an error may contain it already.
          ...(fix && 'command' in fix && !hint?.includes(fix.command)
            ? [`  Run: ${style.bold(onOneLine(fix.command))}`]
            : []),
        ]),
  );
  const count = countOf(results.flatMap(({ findings }) => findings));
  print([...lines, ...(count ? ['', count] : [])].join('\n'));
}

function countOf(findings: readonly Finding[]): string {
  const counts = (['error', 'warning'] as const).flatMap(level => {
    const number = findings.filter(finding => finding.level === level).length;
    return number === 0 ? [] : `${number} ${level}${number === 1 ? '' : 's'}`;
  });
  return counts.length === 0 ? '' : `${counts.join(', ')}.`;
}
