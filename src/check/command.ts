import type { ProviderAccess } from '../network/ask-provider.ts';
import { defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { inShell } from '../shells.ts';
import { breakLines, isCopyable, onOneLine, wrapProse } from '../text.ts';
import type { Facts } from './checks/facts.ts';
import type { Finding, GroupResult } from './checks/finding.ts';
import { checkKeys } from './checks/keys.ts';
import { checkMachine } from './checks/machine.ts';
import { checkProject } from './checks/project.ts';
import type { checkPlatform } from './cloud.ts';
import { gatherFacts, readFacts } from './gather.ts';
import { type Machine, thisMachine } from './this-machine.ts';

/** What the command needs from the program. */
interface CheckSurroundings {
  askPlatform: Parameters<typeof checkPlatform>[1];
  /** Default: the machine that botcli runs on. */
  machine?: (terminal: Terminal) => Machine;
  /** Default: the providers' own addresses. */
  providers?: ProviderAccess;
}

export const checkCommand = ({ askPlatform, machine = thisMachine, providers }: CheckSurroundings) =>
  defineCommand({
    description:
      'Run it before you start the bot, and when something does not work. It looks at the project, this machine, and ' +
      'the keys that the code reads. It writes nothing, runs no code of the project, and never prints a value.\n' +
      'It exits with 1 if it finds an error. Warnings do not change the exit code.',
    arguments: [
      { name: 'directory', isPath: true, help: "The project's directory, or one in it (default: the current one)" },
    ],
    options: [
      { flag: 'keys', kind: 'switch', help: 'Try each key with one request to its provider that costs nothing' },
      { flag: 'cloud', kind: 'switch', help: 'Check what a deploy needs: login, secret set, keys, region' },
      {
        flag: 'organization',
        short: 'o',
        kind: 'text',
        placeholder: 'name',
        help: 'Organization for --cloud (default: the one selected with botcli cloud organizations select)',
      },
      { flag: 'json', kind: 'switch', help: 'Print the findings as JSON' },
      {
        flag: 'debug',
        kind: 'switch',
        help: 'Show the stack trace of an unexpected error, and the requests of --cloud',
      },
    ],
    examples: [
      { line: 'botcli check', description: 'check the project in this directory, offline' },
      { line: 'botcli check my-bot --keys', description: 'also ask each provider whether it accepts its key' },
      { line: 'botcli check --cloud', description: 'before a deploy' },
      { line: 'botcli check --json', description: 'for a program' },
    ],
    async run({ positionals: { directory = '.' }, options }, terminal) {
      const files = readFacts(directory, terminal, { isDeploying: options.cloud === true });
      const facts = await gatherFacts(files, machine(terminal), terminal);
      const results = offlineResults(facts, terminal);
      const add = (result: GroupResult) => results.push(namedAsRun(result, terminal));
      if (options.keys) add(await (await import('./providers.ts')).tryProviders(facts, terminal, providers));
      if (options.cloud) add(await (await import('./cloud.ts')).checkPlatform(facts, askPlatform, options, terminal));
      const ok = results.every(({ findings }) => findings.every(({ level }) => level !== 'error'));
      if (options.json) terminal.printJson({ ok, ...findingsIn(results) });
      else reportFindings(results, terminal);
      return ok ? undefined : 1;
    },
  });

/** The groups that need no network, with their commands as the user runs them. */
export const offlineResults = (facts: Facts, terminal: Terminal): GroupResult[] =>
  [checkProject(facts), checkMachine(facts), checkKeys(facts)].map(result => namedAsRun(result, terminal));

const namedAsRun = (result: GroupResult, { asRun, env }: Terminal): GroupResult => ({
  ...result,
  findings: result.findings.map(({ hint, fix, ...finding }) => ({
    ...finding,
    ...(hint && { hint: asRun(hint) }),
    ...(fix && 'url' in fix && { fix }),
    ...(fix && 'command' in fix && isCopyable(fix.command) && { fix: { command: asRun(inShell(fix.command, env)) } }),
  })),
});

const TITLES: Readonly<Record<GroupResult['group'], string>> = {
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
