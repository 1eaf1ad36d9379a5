import { isUtf8 } from 'node:buffer';
import type { Finding } from '../../check/checks/finding.ts';
import { readFacts } from '../../check/gather.ts';
import { updateLine } from '../../config/command.ts';
import { allOf, attempt, type ExitCode, errorFacts, UserError, usageError } from '../../errors.ts';
import { DEBUG, defineCommand, type Invocation, type OptionSpec } from '../../shell/command-line.ts';
import { readInput, Unreadable } from '../../shell/input.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { amountIn } from '../../std.ts';
import { asLine, onOneLine } from '../../text.ts';
import { takesText } from '../evals.ts';
import { DEPLOYED, type WithDeployed, withProject } from '../prepare.ts';
import { type Stop, untilStopped } from '../surroundings.ts';
import { openTalk } from './session.ts';
import { createShow } from './show.ts';

const OPTIONS = [
  { flag: 'say', kind: 'list', placeholder: 'text', help: 'Say this, and end after the answer. Repeat it to say more' },
  { flag: 'file', kind: 'text', placeholder: 'file', help: 'Say each line of a file, or of stdin if it is -' },
  {
    flag: 'keep',
    kind: 'text',
    placeholder: 'name',
    help: 'Keep the conversation as server/evals/<name>.yaml in the end',
  },
  { flag: 'plain', kind: 'switch', help: "Keep the bot's words, rather than what its model says about them" },
  { flag: 'timeout', kind: 'text', placeholder: 'seconds', help: 'How long the bot may be silent (default: 30)' },
  DEPLOYED,
  { flag: 'restart', kind: 'boolean', help: 'Say everything again when you save a file (default: yes)' },
  { flag: 'voice', kind: 'switch', help: 'Let the text-to-speech work, too. Nothing is played' },
  { flag: 'details', kind: 'switch', help: 'Show how long each service took' },
  { flag: 'json', kind: 'switch', help: 'Print what happens as JSON, one object a line, and ask nothing' },
  DEBUG,
] as const satisfies readonly OptionSpec[];

type Options = Invocation<[], typeof OPTIONS>['options'];

type AddEvals = (directory: string, terminal: Terminal) => Promise<void>;

/** The command `botcli talk`. It gets from others what adds evals to a project, and what connects to deployed bots. */
export const talkCommand = (others: { addEvals: AddEvals; withDeployed: WithDeployed }) =>
  defineCommand({
    description:
      'It starts the bot on a free port, and stops it at the end. You type, and the bot answers in text, with its tools ' +
      'and times. When you save a file in server/, a fresh bot hears everything again, and what it does differently is ' +
      'marked. /help lists the commands.\n' +
      'With --say or --file, or without a terminal, it says each message after the answer to the one before, and exits ' +
      "with 1 if something went wrong or an answer didn't come.\n" +
      'With --deployed, it talks to the deployed bot, and restarts nothing. An answer is over once the bot has been quiet ' +
      'for a few seconds.',
    arguments: [
      { name: 'directory', isPath: true, help: "The project's directory, or one in it (default: the current one)" },
    ],
    options: OPTIONS,
    examples: [
      { line: 'botcli talk', description: 'talk with the bot of this directory' },
      { line: 'botcli talk my-bot --say "Are you open on Friday?"', description: 'ask it one question' },
      { line: 'botcli talk --file questions.txt --json', description: 'for a program' },
      { line: 'botcli talk --deployed', description: 'talk with the bot that people reach now' },
    ],
    diagnose: async ({ options }, terminal) => (await readValues(options, terminal)).problems,
    run: ({ positionals: { directory = '.' }, options }, terminal) => runTalk(directory, options, others, terminal),
  });

async function runTalk(
  directory: string,
  options: Options,
  { addEvals, withDeployed }: Parameters<typeof talkCommand>[0],
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  const since = Date.now();
  const { json = false, say = [], keep: keeps, deployed } = options;
  const programs = json ? createShow(terminal, true) : undefined;
  const endBadly = (why: string | undefined) =>
    programs?.end({ ok: false, notKept: keeps === undefined ? undefined : why });
  /** Reports to programs what would stop the bot. */
  const onErrors = (errors: readonly Finding[]) => {
    for (const { code, message, hint } of errors) programs?.problem(message, hint, code);
    endBadly(errors[0]?.message);
  };
  const read = () => readFacts(directory, terminal, { command: 'talk' });
  let isStopped = false;
  try {
    const { problems, file, patience } = await readValues(options, terminal);
    const errors: UserError[] = [];
    const found = attempt(read, errors);
    if (problems.length > 0 || !found) throw allOf([...problems, ...errors]);
    const isTyped = terminal.interactive && !json && options.say === undefined && file === undefined;
    if (!takesText(found)) await offerEvals(directory, isTyped && !deployed, addEvals, terminal);
    const files = takesText(found) ? found : read();
    return await untilStopped(terminal, async stop => {
      const script = isTyped ? undefined : await openScript(say, file, terminal);
      const wanted = { files, json, asks: isTyped, onErrors: programs && onErrors, deployed, withDeployed };
      try {
        return await withProject(wanted, stop, terminal, (facts, bot) => {
          const talk = { facts, bot, isTyped, options, patience, since };
          if (!script) return talkInTerminal(talk, stop, terminal);
          const show = programs ?? createShow(terminal, false);
          return openTalk({ ...talk, input: script, show }, stop, terminal).run();
        });
      } finally {
        script?.close();
      }
    });
  } catch (error) {
    isStopped = error instanceof UserError && error.reason === 'interrupted';
    if (!programs || !(error instanceof UserError)) throw error;
    // Each object has a line of its own.
    if (!isStopped) terminal.printExact(asLine({ event: 'error', ...errorFacts(error, false, terminal) }));
    endBadly(error.message);
    return error.exitCode;
  } finally {
    if (isStopped) terminal.dropUnread();
  }
}

async function talkInTerminal(
  manner: Omit<Parameters<typeof openTalk>[0], 'input' | 'show'>,
  stop: Stop,
  terminal: Terminal,
) {
  let talk: ReturnType<typeof openTalk> | undefined;
  const editor = await terminal.openEditor({
    prompt: 'you  ',
    onInterrupt: () => talk?.interrupt() ?? false,
    onEnd: () => talk?.leave(),
  });
  const above: Terminal = {
    ...terminal,
    print: text => editor.above(() => terminal.print(text)),
    note: text => editor.above(() => terminal.note(text)),
  };
  talk = openTalk({ ...manner, input: editor, show: createShow(above, false) }, stop, above);
  try {
    return await talk.run();
  } finally {
    editor.close();
  }
}

/**
 * Adds what a bot needs to have conversations in text.
 *
 * @throws {UserError} Exit code 2: the person doesn't want that, or can't be asked.
 */
async function offerEvals(directory: string, asks: boolean, addEvals: AddEvals, terminal: Terminal): Promise<void> {
  const line = updateLine(directory, { eval: true }, terminal.env);
  const missing = usageError("This bot can't be spoken to in text yet", { hint: `Add what it needs: ${line}` });
  if (!asks) throw missing;
  terminal.note("This bot can't be spoken to in text yet.");
  const question = `Add it now? That runs ${line}.`;
  if (!(await terminal.confirm(question, { instead: line, initial: true }))) throw missing;
  await addEvals(directory, terminal);
}

const MOST_SECONDS = 3600;

/** What the values of a line mean, and everything that is wrong with them. */
async function readValues({ timeout = '30', keep, file }: Options, terminal: Terminal) {
  const problems: string[] = [];
  const seconds = amountIn(timeout, MOST_SECONDS);
  const must = `It must be a number of seconds up to ${MOST_SECONDS}, such as 30 or 0.5`;
  if (seconds === undefined) problems.push(`--timeout is "${onOneLine(timeout)}". ${must}`);
  const problem = keep === undefined ? undefined : (await import('./keep.ts')).nameProblem(keep);
  if (problem !== undefined) problems.push(`--keep ${problem}`);
  /** The contents of a file, or `-` for stdin. */
  let contents: Uint8Array | '-' | undefined;
  try {
    // stdin is read line by line.
    if (file !== undefined) contents = file === '-' ? file : await readInput(file, terminal);
    if (contents instanceof Uint8Array && (!isUtf8(contents) || contents.includes(0)))
      throw new Unreadable("isn't a UTF-8 text file");
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    problems.push(`--file "${onOneLine(file ?? '')}" ${error.message}`);
  }
  return { patience: (seconds ?? 0) * 1000, file: contents, problems };
}

/** How long to wait for the first message of a pipe, in milliseconds: coding agents leave an empty one open. */
const FIRST_MS = 5000;

/**
 * The messages of a command line: those of `--say`, then the lines of a file or stdin.
 *
 * @throws {UserError} Exit code 2: there are none.
 */
async function openScript(say: readonly string[], file: Uint8Array | '-' | undefined, terminal: Terminal) {
  const nothing = usageError(['Nothing to say', terminal.cannotAskReason].filter(Boolean).join(': '), {
    reason: 'cannot-ask',
    hint: 'Pass a message with --say TEXT, or a file with a message on each line with --file FILE.\nFor stdin, pass --file -',
  });
  const isPipe = file === undefined && say.length === 0;
  if (isPipe && terminal.inputIsTerminal) throw nothing;
  const isStdin = file === '-' || isPipe;
  const chunks = isStdin ? terminal.inputBytes() : file instanceof Uint8Array ? [file] : [];
  const all = messagesIn(say, chunks);
  const close = () => {
    if (isStdin) terminal.dropInput();
  };
  const late = new AbortController();
  const timer = isPipe ? setTimeout(() => late.abort(nothing), FIRST_MS) : undefined;
  let next = all.next();
  try {
    if ((await orAborted(next, late.signal)).done) throw nothing;
  } catch (error) {
    close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
  return {
    async next(signal: AbortSignal) {
      const { done, value } = await orAborted(next, signal);
      next = all.next();
      // Closing the input ends it with an error, which nobody may be waiting for.
      next.catch(() => {});
      return done ? undefined : value;
    },
    close,
  };
}

/** The messages of `--say`, then each line of the input as soon as it arrives. Blank ones are left out. */
async function* messagesIn(say: readonly string[], chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
  const isMessage = (text: string) => text.trim() !== '';
  yield* say.filter(isMessage);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines.filter(isMessage);
  }
  if (isMessage(rest)) yield rest;
}

/** Waits for something, unless the signal is aborted, whose reason it then throws. */
function orAborted<Value>(awaited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    awaited.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
