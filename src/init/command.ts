import { resolve } from 'node:path';
import { describeOption, EXAMPLE_BOT, listOptions, runOptions, scaffoldOptions } from '../config/options.ts';
import { UserError } from '../errors.ts';
import type { Difference } from '../generation/index.ts';
import type { Action } from '../shell/action.ts';
import type { CommandBody, Invocation, OptionSpec } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { decide, type Intent, mayAsk } from './intent.ts';

const RUN = 'This run';

const ownOptions: readonly OptionSpec[] = [
  {
    flag: 'config',
    short: 'c',
    kind: 'text',
    placeholder: 'file',
    group: RUN,
    help: 'JSON config file, or - for stdin; typed options win over it',
  },
  { flag: 'dry-run', kind: 'switch', group: RUN, help: 'Print the resolved configuration as JSON, write nothing' },
  { flag: 'list-options', kind: 'switch', group: RUN, help: 'Print every value that the options take as JSON' },
  runOptions.overwriteGuide,
  runOptions.force,
  { flag: 'json', kind: 'switch', group: RUN, help: 'Print what was done as JSON' },
  { flag: 'debug', kind: 'switch', group: RUN, help: 'Show where an unexpected error came from' },
];

/** The command `botcli init`. */
export const init: CommandBody<Action> = {
  description:
    'With scaffold options or --config, a bot is made in the directory (default: this one), and nothing is asked.\n' +
    'Without, you are asked at a terminal. Where nobody can be asked, a directory alone gets AGENTS.md, ' +
    'ASSISTANT.md and GETTING_STARTED.md for your coding agent.\n' +
    'The directory quickstart stands for a fixed bot, made in ./botcli-quickstart.',
  arguments: [{ name: 'directory', isPath: true, help: runOptions.directory.help }],
  options: [...scaffoldOptions.map(option => ({ ...option, help: describeOption(option) })), ...ownOptions],
  examples: [
    { line: 'botcli init quickstart', meaning: 'a bot that talks, with one key' },
    {
      line: `botcli init my-bot ${EXAMPLE_BOT}`,
      meaning: 'a bot of your choice',
    },
    { line: 'botcli init my-bot', meaning: 'questions at a terminal; elsewhere, guides for a coding agent' },
    {
      line: 'botcli init my-bot -t rtc_local -m realtime --realtime openai_realtime --dry-run',
      meaning: 'what options come to',
    },
  ],
  run: { run: runInit, diagnose: diagnoseInit },
};

/** Resolves everything first, and only then loads what writes. */
async function runInit(invocation: Invocation, terminal: Terminal): Promise<void> {
  const { options } = invocation;
  if (options['list-options']) return terminal.print(JSON.stringify(listOptions(), null, 2));
  const isAsking = mayAsk(invocation, terminal);
  const intent = await (isAsking ? askWhat(invocation, terminal) : decide(invocation, terminal));
  if (intent.kind === 'project' && intent.ignored.length > 0) {
    const flags = intent.ignored.map(flag => `--${flag}`).join(', ');
    terminal.note(`quickstart is a preset, so it ignores ${flags}.`);
    terminal.note('For a bot of your choice in a directory of that name: botcli init ./quickstart …');
  }
  if (options['dry-run'] && intent.kind === 'project') {
    return terminal.print(JSON.stringify(intent.config, null, 2));
  }

  const { generate } = await import('../generation/index.ts');
  const report = await generate({
    ...generatorOf(intent, options['overwrite-guide'] === true),
    directory: resolve(terminal.cwd, intent.directory),
    force: options.force === true,
    ...(isAsking ? { consent: differences => askWhether(differences, terminal) } : {}),
  });
  const { tellReport } = await import('./report.ts');
  tellReport({ intent, report, isAsked: isAsking, json: options.json === true }, terminal);
}

async function askWhat(invocation: Invocation, terminal: Terminal): Promise<Intent> {
  return (await import('./questions.ts')).askIntent(invocation, terminal);
}

async function askWhether(differences: readonly Difference[], terminal: Terminal): Promise<void> {
  await (await import('./conflicts.ts')).askToOverwrite(differences, terminal);
}

/** What the configuration of a faulty line lacks. */
async function diagnoseInit(invocation: Invocation, terminal: Terminal): Promise<readonly string[]> {
  try {
    await decide(invocation, terminal);
    return [];
  } catch (error) {
    return error instanceof UserError ? error.problems : [];
  }
}

function generatorOf(intent: Intent, overwriteGuide: boolean) {
  const guides = { overwriteGuide, refreshed: intent.refreshed };
  return intent.kind === 'guides'
    ? { namespace: 'botcli:guide', options: { ...guides, gettingStarted: intent.gettingStarted } }
    : { namespace: intent.namespace, options: { ...guides, scaffold: intent.config } };
}
