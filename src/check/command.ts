import lt from 'semver/functions/lt.js';
import type { ProviderAccess } from '../network/ask-provider.ts';
import { readableName } from '../project/names.ts';
import { defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { inShell } from '../shells.ts';
import { isCopyable } from '../text.ts';
import type { Facts } from './checks/facts.ts';
import { runChecks } from './checks/finding.ts';
import { keyChecks } from './checks/keys.ts';
import { machineChecks, OLDEST_UV } from './checks/machine.ts';
import { projectChecks } from './checks/project.ts';
import type { checkPlatform } from './cloud.ts';
import { gatherFacts, readFacts } from './gather.ts';
import { findingsIn, type GroupResult, reportFindings } from './report.ts';
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
      const found = [...offlineResults(facts)];
      if (options.keys) found.push(await (await import('./providers.ts')).tryProviders(facts, terminal, providers));
      if (options.cloud) {
        const { checkPlatform } = await import('./cloud.ts');
        found.push(await checkPlatform(facts, askPlatform, options, terminal));
      }
      const results = found.map(result => namedAsRun(result, terminal));
      const ok = results.every(({ findings }) => findings.every(({ level }) => level !== 'error'));
      if (options.json) terminal.printJson({ ok, ...findingsIn(results) });
      else reportFindings(results, terminal);
      return ok ? undefined : 1;
    },
  });

/** What was found, with its commands as the user runs them. */
export const namedAsRun = (result: GroupResult, { asRun, env }: Terminal): GroupResult => ({
  ...result,
  findings: result.findings.map(({ hint, fix, ...finding }) => ({
    ...finding,
    ...(hint && { hint: asRun(hint) }),
    ...(fix && 'url' in fix && { fix }),
    ...(fix && 'command' in fix && isCopyable(fix.command) && { fix: { command: asRun(inShell(fix.command, env)) } }),
  })),
});

/** The groups that need no network. */
export const offlineResults = (facts: Facts): GroupResult[] => [
  { group: 'project', findings: runChecks('project', projectChecks, facts), passed: passedProject(facts) },
  {
    group: 'machine',
    findings: runChecks('machine', machineChecks, facts),
    passed: passedMachine(facts),
    isPartial: true,
  },
  { group: 'keys', findings: runChecks('keys', keyChecks, facts), passed: passedKeys(facts) },
];

// What to say about a group without findings.

const passedProject = ({ project: { config, state } }: Facts): string =>
  `${readableName(config.project_name)}, made by botcli ${state.version}, is complete`;

/** What is right about a machine, also if something else isn't. */
function passedMachine({ machine: { uv, ports } }: Facts): string {
  if (typeof uv !== 'string' || (uv !== '' && lt(uv, OLDEST_UV))) return '';
  const free = ports.filter(({ isFree }) => isFree).map(({ isSet, number }) => (isSet ? 'PORT' : number));
  const named = free.length === 1 ? `port ${free[0]} is free` : `ports ${free.join(', ')} are free`;
  const installed = ['uv', uv, 'is installed'].filter(Boolean).join(' ');
  return free.length > 0 ? `${installed}, ${named}` : installed;
}

/** Nothing can be said about code that wasn't read. */
function passedKeys({ requirements, refused, unread, place }: Facts): string {
  const { needed, untraced, started, unparsed } = requirements;
  if (unread.size > 0 || unparsed.length > 0 || [...refused.keys()].some(path => started.has(path))) return '';
  const [only, ...more] = needed;
  if (untraced.length > 0) {
    const set = more.length === 0 ? (only ?? 'nothing else') : `${needed.length} variables`;
    const verb = [more.length === 0 ? 'is' : 'are', untraced.length === 1 ? 'reads' : 'read'];
    const files = untraced.map(place).join(', ');
    return `${set} ${verb[0]} ${only ? 'set' : 'needed'}; ${files} ${verb[1]} others in a way that botcli can't follow`;
  }
  if (only === undefined) return 'the bot needs none';
  return more.length === 0 ? `${only} is set` : `all ${needed.length} variables that the bot needs are set`;
}
