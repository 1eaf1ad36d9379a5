import { resolve } from 'node:path';
import { EXAMPLE_BOT, listOptions } from '../config/options.ts';
import { UserError } from '../errors.ts';
import { namespaceOf } from '../package-root.ts';
import { defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { decide, type Intent, mayAsk } from './intent.ts';
import { type FaultyInitInvocation, type InitInvocation, initArguments, initOptions } from './options.ts';

/** The command `botcli init`. */
export const init = defineCommand({
  description:
    'With scaffold options or --config, a bot is made in the directory (default: this one), and nothing is asked.\n' +
    'Without, you are asked at a terminal. Where nobody can be asked, a directory alone gets AGENTS.md, ' +
    'ASSISTANT.md and GETTING_STARTED.md for your coding agent.\n' +
    'The directory quickstart stands for a fixed bot, made in ./botcli-quickstart.',
  arguments: initArguments,
  options: initOptions,
  examples: [
    { line: 'botcli init quickstart', description: 'a bot that talks, with one key' },
    {
      line: `botcli init my-bot ${EXAMPLE_BOT}`,
      description: 'a bot of your choice',
    },
    { line: 'botcli init my-bot', description: 'questions at a terminal; elsewhere, guides for a coding agent' },
    {
      line: 'botcli init my-bot -t rtc_local -m realtime --realtime openai_realtime --dry-run',
      description: 'what options come to',
    },
  ],
  run: runInit,
  diagnose: diagnoseInit,
});

/** Resolves everything first, and only then loads what writes. */
async function runInit(invocation: InitInvocation, terminal: Terminal): Promise<void> {
  const { options } = invocation;
  const { json = false, force = false, 'overwrite-guide': overwriteGuide = false } = options;
  if (options['list-options']) return terminal.printJson(listOptions());
  const isAsking = mayAsk(invocation, terminal);
  const intent = isAsking
    ? await (await import('./questions.ts')).askIntent(invocation, terminal)
    : await decide(invocation, terminal);
  if (intent.kind === 'project' && intent.ignored.length > 0) {
    const flags = intent.ignored.map(flag => `--${flag}`).join(', ');
    terminal.note(`quickstart is a preset, so it ignores ${flags}.`);
    terminal.note('For a bot of your choice in a directory of that name: botcli init ./quickstart …');
  }
  if (options['dry-run'] && intent.kind === 'project') return terminal.printJson(intent.config);

  const { generate } = await import('../generation/index.ts');
  const { askToOverwrite } = isAsking ? await import('./conflicts.ts') : {};
  const report = await generate({
    ...generatorOf(intent, overwriteGuide),
    directory: resolve(terminal.cwd, intent.directory),
    force,
    ...(askToOverwrite && { consent: differences => askToOverwrite(differences, terminal) }),
  });
  const { reportRun } = await import('./report.ts');
  reportRun({ intent, report, isAsked: isAsking, json }, terminal);
}

/** What the configuration of a faulty line lacks. */
async function diagnoseInit(invocation: FaultyInitInvocation, terminal: Terminal): Promise<readonly string[]> {
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
    ? { namespace: namespaceOf('guide'), options: { ...guides, gettingStarted: intent.gettingStarted } }
    : { namespace: intent.namespace, options: { ...guides, scaffold: intent.config } };
}
