import { resolve } from 'node:path';
import { EXAMPLE_BOT, listTransports } from '../config/options.ts';
import { type ExitCode, hintOf, UserError } from '../errors.ts';
import { denseJson } from '../formats/json.ts';
import { exists } from '../paths/read.ts';
import { defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isCopyable } from '../text.ts';
import { decide, type InitInvocation, type Intent, initWords, mayAsk } from './intent.ts';

export const init = defineCommand({
  description:
    'With bot options or --config, botcli creates that bot in the directory (default: the current one) and asks nothing.\n' +
    "With neither, botcli asks questions. If it can't ask, because this isn't a terminal, it writes AGENTS.md, " +
    'ASSISTANT.md and GETTING_STARTED.md for your coding agent to the directory you name.\n' +
    'The directory name quickstart is special: it creates a preset bot in ./botcli-quickstart.',
  ...initWords,
  examples: [
    { line: 'botcli init quickstart', description: 'a working bot that needs one API key' },
    {
      line: `botcli init my-bot ${EXAMPLE_BOT}`,
      description: 'a bot with the services you choose',
    },
    { line: 'botcli init my-bot', description: 'questions in a terminal; otherwise, guides for a coding agent' },
    {
      line: 'botcli init my-bot -t rtc_local -m realtime --realtime openai_realtime --dry-run',
      description: 'print the configuration that these options give, and write nothing',
    },
  ],
  run: runInit,
  diagnose: diagnoseInit,
});

/** Resolves everything first, and only then loads the code that writes files. */
async function runInit(invocation: InitInvocation, terminal: Terminal): Promise<ExitCode | undefined> {
  const { options } = invocation;
  const { json = false, force = false, 'overwrite-guide': overwriteGuide = false } = options;
  if (options['list-options']) {
    const { listOptions } = await import('../project/handover/option-details.ts');
    const listed = listOptions(json);
    // A coding agent reads all of it, so it's short.
    if (json) terminal.print(denseJson(listed));
    else terminal.printJson(listed);
    // Programs read the ids; people need the names.
    if (!json && terminal.interactive)
      terminal.note(`Transports: ${listTransports()}.\n--json adds what all values mean, their keys and languages.`);
    return undefined;
  }
  const isAsking = mayAsk(invocation, terminal);
  const intent = isAsking
    ? await (await import('./questions.ts')).askIntent(invocation, terminal)
    : await decideHere(invocation, terminal);
  if (intent.kind === 'project' && intent.ignored.length > 0) {
    const flags = intent.ignored.map(flag => `--${flag}`).join(', ');
    terminal.note(`quickstart is a preset, so it ignores ${flags}.`);
    terminal.note('To choose a bot in a directory named quickstart: botcli init ./quickstart …');
  }
  if (intent.kind === 'change') {
    const { changeProject } = await import('../update/command.ts');
    await changeProject(intent.directory, intent.config, terminal);
    await noteRepeat(intent, terminal);
    return undefined;
  }
  if (options['dry-run'] && intent.kind === 'project') {
    const { config } = intent;
    if (!json) {
      terminal.printJson(config);
      return undefined;
    }
    const { listFiles } = await import('../project/files/files.ts');
    const { listVariables } = await import('../project/variables.ts');
    terminal.printJson({ config, files: listFiles(config), env: listVariables(config) });
    return undefined;
  }

  const [{ generate }, { removeRemains }, { runGenerator }] = await Promise.all([
    import('../writing/generate.ts'),
    import('../writing/scratch.ts'),
    import('../yeoman/run-generator.ts'),
  ]);
  const directory = resolve(terminal.cwd, intent.directory);
  removeRemains(directory, terminal.note);
  const guides = { overwriteGuide, refreshed: intent.refreshed };
  const run =
    intent.kind === 'guides'
      ? { generator: 'guide' as const, options: { ...guides, gettingStarted: intent.gettingStarted } }
      : { generator: intent.generator, options: { ...guides, scaffold: intent.config } };
  const report = await generate(signal => runGenerator({ ...run, directory }, signal), {
    directory,
    force,
    consent: intent.consent,
  }).catch(async (error: unknown) => {
    throw await sendToUpdate(error, intent.directory, options, terminal);
  });
  const { offerStart, reportRun } = await import('./report.ts');
  const asked = isAsking && intent.kind === 'project' && intent.generator === 'app' ? intent : undefined;
  const typed = await reportRun({ intent, report, asked: asked?.config, json }, terminal);
  await noteRepeat(intent, terminal);
  return asked && offerStart(asked, typed, terminal);
}

/** After questions: the command that needs none. */
async function noteRepeat({ repeat }: Pick<Intent, 'repeat'>, { note, noteStyle }: Terminal): Promise<void> {
  // A name may have characters that no line for copying can have.
  if (!repeat?.every(isCopyable)) return;
  const { repeatLines } = await import('../config/command.ts');
  note(noteStyle.dim(repeatLines(repeat).join('\n')));
}

/** Decides what to do; if that fails in a project, the error names the update. */
async function decideHere(invocation: InitInvocation, terminal: Terminal): Promise<Intent> {
  const { positionals, options } = invocation;
  return decide(invocation, terminal).catch(async (error: unknown) => {
    throw await sendToUpdate(error, positionals.directory ?? '.', options, terminal);
  });
}

/** Names `botcli update`, which keeps edits, in an error about options or files of a project. */
async function sendToUpdate(
  error: unknown,
  directory: string,
  options: InitInvocation['options'],
  { cwd, env }: Terminal,
): Promise<unknown> {
  if (!(error instanceof UserError) || !/^(?:conflict|usage|invalid-configuration)$/.test(error.reason)) return error;
  const { STATE_FILE } = await import('../project/files/state.ts');
  if (!exists(resolve(cwd, directory), STATE_FILE)) return error;
  const { updateLine } = await import('../config/command.ts');
  const line = updateLine(directory, options, env);
  return error.withMessage(error.message, {
    hint: hintOf(isCopyable(line) ? `${HAS_BOT} ${line}` : HAS_BOT_HERE, error.hint),
    facts: { update_command: line },
  });
}

const HAS_BOT = 'This directory has a bot. To change it and keep your edits:';
const HAS_BOT_HERE = 'This directory has a bot. botcli update changes it and keeps your edits.';

/** The problems of the configuration in a command line with errors. */
async function diagnoseInit(invocation: InitInvocation, terminal: Terminal): Promise<readonly string[]> {
  try {
    await decideHere(invocation, terminal);
    return [];
  } catch (error) {
    if (!(error instanceof UserError)) return [];
    const { update_command: line } = error.facts;
    return line === undefined ? error.problems : [`${HAS_BOT} ${line}`];
  }
}
