import type { Terminal } from '../shell/terminal.ts';
import { breakLines, onOneLine, wrapProse } from '../text.ts';
import type { Finding } from './checks/finding.ts';

/** The findings of a group, and the line to show if there are none. */
export interface GroupResult {
  group: Finding['group'];
  findings: readonly Finding[];
  /** Empty if there is nothing to say. */
  passed: string;
  /** Whether that is true and worth a line next to findings, too. */
  isPartial?: boolean;
}

const TITLES: Readonly<Record<Finding['group'], string>> = {
  project: 'Project',
  machine: 'This machine',
  keys: 'Keys',
  providers: 'Providers',
  cloud: 'Cloud',
};

/** Prints what was found: a line for each group that passed, and each finding with what to do. */
export function reportFindings(results: readonly GroupResult[], { print, style, columns }: Terminal): void {
  const width = columns ?? Infinity;
  const signs = { error: style.red('✗'), warning: style.yellow('!') };
  const lines = results.flatMap(({ group, findings, passed, isPartial }) => [
    ...(passed !== '' && (findings.length === 0 || isPartial)
      ? breakLines([`${TITLES[group]}:`, ...onOneLine(passed).split(' ')], width, `${style.green('✓')} `, '  ')
      : []),
    ...[...byCode(findings).values()].flatMap(alike => [
      ...alike.slice(0, MOST_ALIKE).flatMap(({ level, message, hint, fix }) => [
        ...breakLines(onOneLine(message).split(' '), width, `${signs[level]} `, '  '),
        ...(hint ?? '').split('\n').flatMap(line => (line ? wrapProse(`  ${line}`, columns) : [])),
        // The hint of an error may contain it already.
        ...(fix && 'command' in fix && !hint?.includes(fix.command)
          ? runLines(onOneLine(fix.command), width, style)
          : []),
      ]),
      ...(alike.length > MOST_ALIKE ? [`  and ${alike.length - MOST_ALIKE} more like these`] : []),
    ]),
  ]);
  const count = countOf(results.flatMap(({ findings }) => findings));
  print([...lines, ...(count ? ['', count] : [])].join('\n'));
}

/** A command to copy, which is never broken. If it's too long to follow `Run:`, it has a line of its own. */
const runLines = (command: string, width: number, { bold }: Terminal['style']): string[] =>
  `  Run: ${command}`.length > width ? ['  Run:', `    ${bold(command)}`] : [`  Run: ${bold(command)}`];

/** The findings for programs: at most 100 of a kind, in their order, and how many more there are. */
export function findingsIn(results: readonly GroupResult[]): { findings: Finding[]; more?: Record<string, number> } {
  const kinds = [...byCode(results.flatMap(({ findings }) => findings))];
  const shown = new Set(kinds.flatMap(([, alike]) => alike.slice(0, MOST_ALIKE)));
  const more = kinds.flatMap(([code, { length }]) => (length > MOST_ALIKE ? [[code, length - MOST_ALIKE]] : []));
  const findings = results.flatMap(result => result.findings.filter(one => shown.has(one)));
  return { findings, ...(more.length > 0 && { more: Object.fromEntries(more) }) };
}

/** How many findings of a kind are shown. A damaged file may have thousands. */
const MOST_ALIKE = 100;

/** The findings of each kind, in the order of the first of each. */
function byCode(findings: readonly Finding[]): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const alike = groups.get(finding.code) ?? [];
    alike.push(finding);
    groups.set(finding.code, alike);
  }
  return groups;
}

function countOf(findings: readonly Finding[]): string {
  const counts = (['error', 'warning'] as const).flatMap(level => {
    const number = findings.filter(finding => finding.level === level).length;
    return number === 0 ? [] : `${number} ${level}${number === 1 ? '' : 's'}`;
  });
  return counts.length === 0 ? '' : `${counts.join(', ')}.`;
}
