import type { WithDeployed } from '../dev/prepare.ts';
import { errorFacts, UserError } from '../errors.ts';
import { keysIn } from '../hidden-values.ts';
import { cloud } from '../secrets-cli/tree.ts';
import { command, faultError, type Group, parseCommandLine, readOutputSwitches } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { breakLines, onOneLine, printable } from '../text.ts';
import { VERSION } from '../version.ts';

const CREATE = 'Did you mean botcli init my-bot?';
const UPDATE = 'Did you mean botcli update?';
const CHECK = 'Did you mean botcli check?';

/** Words that people try, from other tools. */
const INSTEAD = {
  quickstart: 'Did you mean botcli init quickstart?',
  ...Object.fromEntries(['create', 'new', 'scaffold', 'generate'].map(word => [word, CREATE])),
  ...Object.fromEntries(['add', 'change', 'edit', 'upgrade'].map(word => [word, UPDATE])),
  ...Object.fromEntries(['doctor', 'diagnose', 'validate', 'verify'].map(word => [word, CHECK])),
  deploy: 'Did you mean botcli cloud deploy?',
  ...Object.fromEntries(['chat', 'say', 'converse'].map(word => [word, 'Did you mean botcli talk?'])),
  ...Object.fromEntries(['run', 'start', 'serve'].map(word => [word, 'Did you mean botcli dev?'])),
};

/** `dev` doesn't know the platform. */
const withDeployed: WithDeployed = async (...request) =>
  (await import('../deploy/gate/deployed-bot.ts')).withDeployed(...request);

/** The commands, each loaded on demand, so that none reads the code of another. */
const load = {
  init: async () => (await import('../init/command.ts')).init,
  update: async () =>
    (await import('../update/command.ts')).updateCommand(async (...request) =>
      (await import('../dev/test-command.ts')).findTests(...request),
    ),
  dev: async () => (await import('../dev/command.ts')).dev,
  talk: async () =>
    (await import('../dev/talk/command.ts')).talkCommand({
      // `dev` doesn't know how to change a project.
      addEvals: async (...request) => (await import('../update/command.ts')).addEvals(...request),
      withDeployed,
    }),
  test: async () => (await import('../dev/test-command.ts')).testCommand(withDeployed),
  list: async () => (await import('../calls/command.ts')).list,
  show: async () => (await import('../calls/command.ts')).show,
  stats: async () => (await import('../calls/command.ts')).stats,
  open: async () => (await import('../calls/command.ts')).open,
  pin: async () => (await import('../dev/call-tests.ts')).pinCall,
  judge: async () => (await import('../dev/call-tests.ts')).judgeCall,
  clear: async () => (await import('../calls/command.ts')).clear,
  guide: async () => (await import('../guide/command.ts')).guide,
  check: async () =>
    (await import('../check/command.ts')).checkCommand({
      // `check` doesn't know how to ask the platform.
      askPlatform: async (...question) => (await import('../deploy/agent-session.ts')).lookUpDeploy(...question),
    }),
  completion: async () => (await import('../shell/completion.ts')).completionScript('botcli'),
  complete: async () => (await import('../shell/completion.ts')).completionAnswers(botcli),
};

export const botcli: Group = {
  name: 'botcli',
  summary: 'Create voice and video bots, run them, and deploy them to the cloud.',
  examples: [
    { line: 'botcli init quickstart', description: 'a working bot that needs one API key' },
    { line: 'botcli init', description: 'a bot that you choose by answering questions' },
  ],
  instead: INSTEAD,
  children: [
    command('init', 'Create a voice bot, or guides that teach a coding agent to build one.', load.init),
    command('update', 'Change the choices of a bot, and bring it up to date. Your edits stay.', load.update),
    command('dev', 'Install, start and open a bot. Restart it when you save a file.', load.dev),
    command('talk', 'Talk with a bot in text, and say it all again when you save a file.', load.talk),
    command('test', 'Start a bot, and run the test conversations in server/evals/.', load.test),
    {
      name: 'calls',
      summary: 'Show each call: what was said, where the time went, and what it cost.',
      description:
        'A bot writes down its calls in server/calls/, unless that is off. Without a command, this lists them.',
      otherwise: 'list',
      children: [
        command('list', 'List the calls.', load.list),
        command('show', 'Show what was said in a call, and where the time and the money went.', load.show),
        command('stats', 'Show how long answers usually take, part by part.', load.stats),
        command('open', 'Show a call in your browser, with the time of each part.', load.open),
        command('pin', 'Make a test conversation of a call.', load.pin),
        command('judge', 'Let a judge decide whether the bot did its job in a call.', load.judge),
        command('clear', 'Delete what is written down about calls.', load.clear),
      ],
    },
    command('guide', 'Print a page about building bots: calls, flows, state, evals, and more.', load.guide),
    command('check', 'Find what would stop a bot: missing keys, tools, files, and more.', load.check),
    cloud,
    command(
      'completion',
      'Print a script that completes commands, options, and values in your shell.',
      load.completion,
    ),
    { name: 'complete', summary: 'Print completions for the shell script.', hidden: true, load: load.complete },
  ],
};

/** The commands, which messages call as the user runs botcli. */
export const COMMANDS: readonly string[] = botcli.children.flatMap(({ name, hidden }) => (hidden ? [] : [name]));

/** Runs a command line. Returns the exit code: 0 success, 1 failed or declined, 2 wrong usage, from 128 interrupted. */
export async function main(argv: readonly string[], terminal: Terminal): Promise<number> {
  // Nothing that is printed repeats a key that was typed in the wrong place.
  terminal.hidden.hide(keysIn(argv));
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
    reportError(error, argv, terminal);
    return error instanceof UserError ? error.exitCode : 1;
  }
}

function reportError(error: unknown, argv: readonly string[], terminal: Terminal): void {
  const { json, debug } = readOutputSwitches(argv);
  if (json) terminal.printJson({ error: errorFacts(error, debug, terminal) });
  else if (error instanceof UserError) reportUserError(error, terminal);
  else reportBug(error, debug, terminal);
}

function reportUserError(
  { message, problems, hint, reason }: UserError,
  { note, noteStyle, columns = Infinity }: Terminal,
): void {
  // To decide not to go on is no error.
  const isDecision = (reason === 'interrupted' || reason === 'declined') && problems.length === 0;
  const lines = (text: string, first: string, others: string) =>
    breakLines(onOneLine(text).split(' '), columns, first, others).join('\n');
  note(isDecision ? noteStyle.dim(onOneLine(message)) : lines(message, `${noteStyle.red('error:')} `, ''));
  for (const problem of problems) note(lines(problem, '  ', '  '));
  if (hint) note(noteStyle.dim(printable(hint)));
}

function reportBug(error: unknown, debug: boolean, { note, noteStyle }: Terminal): void {
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  note(`${noteStyle.red('error:')} ${printable(message)}`);
  note(debug ? String(stack) : 'This is a bug in botcli. Run the same command with --debug to see where it happened.');
}
