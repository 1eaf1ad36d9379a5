import { usageError } from '../../errors.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { didYouMean, excerpt } from '../../text.ts';

/** Where messages come from. */
export interface Input {
  /** The next one; undefined once there are no more. Throws the reason of `signal`. */
  next(signal: AbortSignal): Promise<string | undefined>;
  close(): void;
}

/** What a person can type instead of something to say. */
const COMMANDS = {
  again: 'say everything again to a fresh bot',
  back: 'the same, but without the last thing you said',
  keep: 'keep the conversation as a scenario of this name: /keep booking',
  help: 'show this',
  quit: 'end the conversation, as Ctrl-D does',
} as const;

type Name = keyof typeof COMMANDS;

/** What a typed line is: something to say, or a command. The help is what to print. */
type Line = { say: string } | { command: Name | 'unknown'; word: string; help: string };

const HELP = [
  ...Object.entries(COMMANDS).map(([name, help]) => `  /${name.padEnd(6)} ${help}`),
  '  //...   say a line that begins with /',
  'Ctrl-C interrupts the bot; twice, it ends saying everything again. While the bot is quiet, Ctrl-C ends the conversation.',
].join('\n');

const isCommand = (name: string): name is Name => Object.hasOwn(COMMANDS, name);

/** Reads a line that a person typed. */
export function readLine(typed: string): Line {
  if (typed.startsWith('//')) return { say: typed.slice(1) };
  if (!typed.startsWith('/')) return { say: typed };
  const [name = '', word = ''] = typed
    .slice(1)
    .trim()
    .split(/\s+(.*)/s);
  if (name === 'keep' && word === '') return { command: 'unknown', word, help: 'Give it a name: /keep booking' };
  if (isCommand(name) && (word === '' || name === 'keep')) return { command: name, word, help: HELP };
  const meant = didYouMean(name, Object.keys(COMMANDS), one => `/${one}`) ?? 'All commands: /help.';
  return {
    command: 'unknown',
    word,
    help: `${excerpt(typed)} isn't a command. ${meant} To say it, type /${excerpt(typed)}`,
  };
}

/** Where messages come from, unless somebody types them. */
interface Source {
  say?: readonly string[] | undefined;
  /** The contents of a file, or `-` for stdin. */
  file?: Uint8Array | '-' | undefined;
}

/** How long to wait for the first message of a pipe, in milliseconds: coding agents leave an empty one open. */
const FIRST_MS = 5000;

/**
 * The messages of a command line: those of `--say`, then the lines of a file or of stdin.
 *
 * @throws {UserError} Exit code 2: there are none.
 */
export async function openScript({ say = [], file }: Source, terminal: Terminal): Promise<Input> {
  const isPipe = file === undefined && say.length === 0;
  if (isPipe && terminal.inputIsTerminal) throw nothingToSay(terminal);
  const isStdin = file === '-' || isPipe;
  const more = isStdin ? linesOf(terminal.inputBytes()) : [new TextDecoder().decode(file)];
  const all = messagesIn(say, more);
  const first = all.next();
  const input = {
    async next(signal: AbortSignal) {
      const { done, value } = await orAborted(isFirst ? first : all.next(), signal);
      isFirst = false;
      return done ? undefined : value;
    },
    close: () => {
      if (isStdin) terminal.dropInput();
    },
  };
  let isFirst = true;
  const waiting = new AbortController();
  const tooLate = isPipe
    ? terminal.sleep(FIRST_MS, waiting.signal).then(
        () => true,
        () => false,
      )
    : new Promise<never>(() => {});
  const isThere = await Promise.race([first.then(({ done }) => !done), tooLate.then(() => false)]);
  waiting.abort(new Error('It is there'));
  if (isThere) return input;
  input.close();
  throw nothingToSay(terminal);
}

async function* messagesIn(
  say: readonly string[],
  more: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string> {
  yield* say.filter(text => text.trim() !== '');
  for await (const text of more) {
    for (const line of text.replace(/^\uFEFF/, '').split(/\r?\n/)) if (line.trim() !== '') yield line;
  }
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

const nothingToSay = ({ cannotAskReason }: Terminal) =>
  usageError(cannotAskReason ? `Nothing to say: ${cannotAskReason}` : 'Nothing to say', {
    reason: 'cannot-ask',
    hint: 'Pass a message with --say TEXT, or a file with a message on each line with --file FILE.\nFor stdin, pass --file -',
  });

/** The lines of a stream, as they come. */
async function* linesOf(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of bytes) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split(/\r?\n/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest;
}
