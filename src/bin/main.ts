import type { AskPlatform } from '../check/platform.ts';
import { UserError } from '../errors.ts';
import { onOneLine, printable } from '../printable.ts';
import { cloud } from '../secrets-cli/tree.ts';
import {
  faultError,
  type Group,
  type OutputSwitches,
  parseCommandLine,
  readOutputSwitches,
} from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { VERSION } from '../version.ts';

const CREATE = 'Did you mean botcli init my-bot?';
const UPDATE = 'Did you mean botcli update?';
const CHECK = 'Did you mean botcli check?';

/** Words that people try, from other tools. */
const INSTEAD = {
  quickstart: 'Did you mean botcli init quickstart?',
  ...Object.fromEntries(['create', 'new', 'scaffold', 'generate', 'start'].map(word => [word, CREATE])),
  ...Object.fromEntries(['add', 'change', 'edit', 'upgrade'].map(word => [word, UPDATE])),
  ...Object.fromEntries(['doctor', 'diagnose', 'validate', 'verify', 'test'].map(word => [word, CHECK])),
  ...cloud.instead,
  run: 'To start a bot, run `uv run bot.py` in server/.',
};

/** Asks the platform for `botcli check`, which doesn't know how to. */
const askPlatform: AskPlatform = async (...question) =>
  (await import('../secrets-cli/overview.ts')).lookUpSecrets(...question);

/** Each command is loaded on demand, so that no command reads the code of another. */
const botcli: Group = {
  name: 'botcli',
  summary: 'Create voice and video bots, and manage their secrets in the cloud.',
  examples: [
    { line: 'botcli init quickstart', description: 'a working bot that needs one API key' },
    { line: 'botcli init', description: 'a bot that you choose by answering questions' },
  ],
  instead: INSTEAD,
  children: [
    {
      name: 'init',
      summary: 'Create a voice bot, or guides that teach a coding agent to build one.',
      load: async () => (await import('../init/command.ts')).init,
    },
    {
      name: 'update',
      summary: 'Change the choices of a bot, and bring it up to date. Your edits stay.',
      load: async () => (await import('../update/command.ts')).update,
    },
    {
      name: 'guide',
      summary: 'Print a page about building bots: calls, flows, state, evals, and more.',
      load: async () => (await import('../guide/command.ts')).guide,
    },
    {
      name: 'check',
      summary: 'Find what would stop a bot: missing keys, tools, files, and more.',
      load: async () => (await import('../check/command.ts')).checkCommand({ askPlatform }),
    },
    cloud,
    {
      name: 'completion',
      summary: 'Print a script that completes commands, options, and values in your shell.',
      load: async () => (await import('../shell/completion.ts')).completionScript('botcli'),
    },
    {
      name: 'complete',
      summary: 'Print completions for the shell script.',
      hidden: true,
      load: async () => (await import('../shell/completion.ts')).completionAnswers(botcli),
    },
  ],
};

/** The commands, which messages call as the user runs botcli. */
export const COMMANDS: readonly string[] = botcli.children.flatMap(({ name, hidden }) => (hidden ? [] : [name]));

/**
 * Runs a command line. Returns the exit code: 0 success, 1 failed or declined, 2 wrong usage, 128 or more interrupted.
 */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const parsed = await parseCommandLine(botcli, argv, { columns: terminal.columns, style: terminal.style });
    switch (parsed.kind) {
      case 'help':
        terminal.print(parsed.text);
        return 0;
      case 'version':
        terminal.print(VERSION);
        return 0;
      case 'missing-command':
        terminal.note(parsed.text);
        return 2;
      case 'run':
        return (await parsed.command.run(parsed.invocation, terminal)) ?? 0;
      case 'faulty': {
        const { fault, command, invocation } = parsed;
        throw faultError(fault, await (invocation && command?.diagnose?.(invocation, terminal)));
      }
    }
  } catch (error) {
    reportError(error, readOutputSwitches(argv), terminal);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

function reportError(error: unknown, { json, debug }: OutputSwitches, terminal: Terminal): void {
  if (json) terminal.printJson({ error: errorFacts(error, debug, terminal) });
  else if (error instanceof UserError) reportUserError(error, terminal);
  else reportBug(error, debug, terminal);
}

function reportUserError({ message, problems, hint, reason }: UserError, { note, noteStyle }: Terminal): void {
  // To decide not to go on is no error.
  const isDecision = (reason === 'interrupted' || reason === 'declined') && problems.length === 0;
  note(isDecision ? noteStyle.dim(onOneLine(message)) : `${noteStyle.red('error:')} ${onOneLine(message)}`);
  for (const problem of problems) note(`  ${onOneLine(problem)}`);
  if (hint) note(noteStyle.dim(printable(hint)));
}

function reportBug(error: unknown, debug: boolean, { note, noteStyle }: Terminal): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  note(`${noteStyle.red('error:')} ${printable(message)}`);
  note(debug ? String(stack) : 'This is a bug in botcli. Run the same command with --debug to see where it happened.');
}

/** An error for programs. */
function errorFacts(error: unknown, debug: boolean, { asRun }: Terminal): object {
  if (!(error instanceof UserError)) {
    const stack = debug && error instanceof Error ? { stack: error.stack } : {};
    return { code: 'bug', message: String(error), ...stack };
  }
  const { reason, message, hint, problems, facts } = error;
  return {
    code: reason,
    message,
    ...(hint ? { hint: asRun(hint) } : {}),
    ...(problems.length > 0 ? { problems: problems.map(asRun) } : {}),
    ...facts,
  };
}
