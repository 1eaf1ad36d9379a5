import { statSync } from 'node:fs';
import type { WriteStream } from 'node:tty';
import { getSystemErrorMap } from 'node:util';
import { asRunIn } from '../about.ts';
import { hasCode, UserError, usageError } from '../errors.ts';
import { createHiddenValues, type HiddenValues } from '../hidden-values.ts';
import type { Environment } from '../shells.ts';
import { isDamaged, onOneLine, printable, printableJson, wrapProse } from '../text.ts';
import type { Place, Questions } from './terminal/answer.ts';
import type { Question } from './terminal/question.ts';
import { createMarkedStyle, createStyle, type Style, symbolsFor, toTerminalText } from './terminal/style.ts';

export type { Style } from './terminal/style.ts';

type OpenEditor = typeof import('./terminal/editor.ts').openEditor;

/** The questions, without their place. */
type Prompts = {
  [Name in keyof Questions]: (question: string, details: Parameters<Questions[Name]>[1]) => ReturnType<Questions[Name]>;
} & {
  openEditor(details: Parameters<OpenEditor>[1]): Promise<ReturnType<OpenEditor>>;
  /** Erases the last questions from the screen, answered or not. */
  takeBack(count: number): void;
};

/** All input and output. Results go to stdout, everything else to stderr. Tests pass their own object. */
export interface Terminal extends Prompts {
  readonly env: Environment;
  /** What isn't printed, whatever prints it. */
  readonly hidden: HiddenValues;
  /** The absolute path of the working directory. Throws a `UserError` if it can't be determined. */
  readonly cwd: string;
  /** Whether prompts are possible: stdin and stdout are terminals, and `CI` is not set. */
  readonly interactive: boolean;
  /** Why prompts aren't possible, as a message; absent if they are. */
  readonly cannotAskReason?: string | undefined;
  /** Whether stdin is a terminal, where reading could wait forever. */
  readonly inputIsTerminal: boolean;
  readonly columns?: number | undefined;
  readonly style: Style;
  readonly noteStyle: Style;
  /** Prints lines of the result to stdout, without control characters. A terminal wraps those that begin with ✓. */
  print(text: string): void;
  printExact(text: string): void;
  /** Prints a result for programs to stdout: a JSON object with keys in snake case. */
  printJson(result: object): void;
  /** Prints lines as `print`, or unchanged, for programs. The promise, if any, ends once stdout takes more. */
  printPaced(text: string, isExact?: boolean): Promise<void> | undefined;
  /** Aborted once stdout can't be written: its reader has left, or a disk is full. Only a write notices. */
  readonly readerLeft: AbortSignal;
  /** Gives up on what nobody reads from stdout, so that the program can exit. */
  dropUnread(): void;
  /** A message, in which commands of botcli are named as the user runs them. */
  asRun(message: string): string;
  /** Prints lines to stderr, without control characters, wrapped in a terminal, and as `asRun`. */
  note(text: string): void;
  inputBytes(): AsyncIterable<Uint8Array>;
  /** Gives up on the rest of stdin, so that the program can exit. */
  dropInput(): void;
  /** A line on stderr that shows progress. It appears only in a terminal. */
  readonly progress: {
    show(text: string): void;
    /** Removes the line. Call this before writing anything else. */
    clear(): void;
  };
  /** Waits, in milliseconds. Throws the reason of `signal` as soon as that is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** As https://no-color.org and https://force-color.org say; else, if it's a terminal that knows colors. */
function takesColor(isTerminal: boolean, env: Terminal['env']): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

/** The streams of a process, or of a stand-in for one. */
type Streams = Pick<NodeJS.Process, 'env' | 'cwd' | 'stdin' | 'stdout' | 'stderr'>;

interface TerminalSettings {
  /** Called if printed text could not be written, perhaps after everything else is done. */
  onLoss?(): void;
  /** The names of the program's commands, for `asRun`. */
  commands?: readonly string[];
  /** Replaces waiting. Default: wait for the given time. */
  sleep?: Terminal['sleep'];
}

/** The terminal on these streams. Node takes time to open one when it's first accessed; most commands need only one. */
export function createTerminal(streams: Streams, settings: TerminalSettings = {}): Terminal {
  const { env } = streams;
  const cannotAskReason = () => {
    // Node takes long to open stdin unless it's a terminal.
    if (!streams.stdout.isTTY || !streams.stdin.isTTY) return "botcli can't ask, because this isn't a terminal";
    return isSet(env.CI) ? "botcli can't ask, because CI is set" : undefined;
  };
  const questions = () => ({
    input: streams.stdin,
    // If stderr goes to a file, the user would never see a prompt there.
    output: outliveReader(streams.stderr.isTTY ? streams.stderr : streams.stdout),
    style: createStyle(takesColor(true, env)),
    symbols: symbolsFor(env),
    isPlain: env.TERM === 'dumb' || isSet(env.ACCESSIBLE),
  });
  const asRun = asRunIn(env, settings.commands ?? []);
  const hidden = createHiddenValues();
  const note = (text: string) => {
    writePaced(streams.stderr, toTerminalText(wrapProse(hidden.inOwn(asRun(text)), columnsOf(streams.stderr))));
  };
  const readerLeft = new AbortController();
  let isSilent = false;
  const onPrintError = ({ code, errno = 0, message }: NodeJS.ErrnoException) => {
    // A terminal that was closed sends a signal, too.
    if (streams.stdout.isTTY) return;
    readerLeft.abort();
    // A reader that stopped early, as in `| head`, isn't reported; others once, such as a full disk.
    if (isSilent || code === 'EPIPE') return;
    isSilent = true;
    note(`error: Can't write to stdout: ${getSystemErrorMap().get(errno)?.[1] ?? message}. The output is incomplete.`);
    settings.onLoss?.();
  };
  const printExact = (text: string) => void writePaced(streams.stdout, hidden.inOwn(text), onPrintError);
  const progress = createProgress(() =>
    streams.stderr.isTTY && env.TERM !== 'dumb' ? outliveReader(streams.stderr) : undefined,
  );
  return {
    ...createPrompts(() => cannotAskReason() ?? questions()),
    env,
    hidden,
    asRun,
    get cwd() {
      return findWorkingDirectory(streams.cwd);
    },
    get interactive() {
      return cannotAskReason() === undefined;
    },
    get cannotAskReason() {
      return cannotAskReason();
    },
    get inputIsTerminal() {
      return Boolean(streams.stdin.isTTY);
    },
    get columns() {
      return columnsOf(streams.stdout);
    },
    get style() {
      return createMarkedStyle(takesColor(streams.stdout.isTTY, env));
    },
    get noteStyle() {
      return createMarkedStyle(takesColor(streams.stderr.isTTY, env));
    },
    print: text => printExact(toTerminalText(text.replace(DONE, line => wrapProse(line, columnsOf(streams.stdout))))),
    printExact,
    printJson: result => printExact(printableJson(result)),
    printPaced: (text, isExact) => {
      const safe = hidden.inOwn(text);
      return writePaced(streams.stdout, isExact ? safe : toTerminalText(safe), onPrintError);
    },
    readerLeft: readerLeft.signal,
    dropUnread: () => {
      isSilent = true;
      dropUnread(streams.stdout);
    },
    note,
    inputBytes: () => streams.stdin,
    dropInput: () => void streams.stdin.destroy(),
    progress: { show: text => progress.show(hidden.inOwn(text)), clear: progress.clear },
    sleep: settings.sleep ?? sleepFor,
  };
}

interface PromptStreams extends Omit<Place, 'screen'> {
  output: NodeJS.WriteStream;
  /** Whether questions are plain lines, for terminals that can't move the cursor and for screen readers. */
  isPlain: boolean;
}

/**
 * Creates prompts on stderr, with streams that are opened by the first question. If `open` returns a text, nobody can
 * be asked, and each prompt throws a `UserError` with it. Ctrl-C, Ctrl-D and a closed terminal throw `Cancelled`, and
 * Esc its subclass `WentBack`. The terminal's mode is always restored.
 */
function createPrompts(open: () => PromptStreams | string): Prompts {
  let place: Place | undefined;
  const asking =
    <Details extends Question, Answer>(
      pick: (questions: Questions) => (message: string, details: Details, place: Place) => Promise<Answer>,
    ) =>
    async (question: string, details: Details): Promise<Answer> => {
      const streams = open();
      if (typeof streams === 'string')
        throw usageError(`${streams}: ${question}`, { hint: details.instead, reason: 'cannot-ask' });
      const { input, output, style, symbols, isPlain } = streams;
      const { dropInput, outliveTerminal } = await import('./interruption.ts');
      const { Screen } = await import('./terminal/answer.ts');
      const ask = pick((await (isPlain ? import('./terminal/plain.ts') : import('./terminal/clack.ts'))).questions);
      place ??= { input: outliveTerminal(input), screen: new Screen(output, isPlain), style, symbols };
      if (details.isFresh) await dropInput(place.input);
      return ask(printable(question), details, place);
    };
  return {
    confirm: asking(({ confirm }) => confirm),
    ask: asking(({ ask }) => ask),
    askHidden: asking(({ askHidden }) => askHidden),
    choose: asking(({ choose }) => choose),
    chooseSome: asking(({ chooseSome }) => chooseSome),
    openEditor: async details => {
      const streams = open();
      if (typeof streams === 'string') throw usageError(streams, { reason: 'cannot-ask' });
      const { outliveTerminal } = await import('./interruption.ts');
      const { openEditor } = await import('./terminal/editor.ts');
      return openEditor({ ...streams, input: outliveTerminal(streams.input) }, details);
    },
    takeBack: count => place?.screen.takeBack(count),
  };
}

/** A line that says what was done. Other lines of results may be code, tables or commands. */
const DONE = /^[\ufdd0-\ufddd]?✓ .*/gm;

/** The width of a terminal, which may not know it, and report 0. */
const columnsOf = (stream: WriteStream) => (stream.isTTY ? stream.columns || 80 : undefined);

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false'].includes(value);

async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  const { setTimeout: sleep } = await import('node:timers/promises');
  await sleep(ms, undefined, { signal }).catch(() => {});
  signal?.throwIfAborted();
}

type OnError = (error: NodeJS.ErrnoException) => void;

/** Writes lines to a stream. The promise, if there is one, is resolved once the stream can take more. */
function writePaced(stream: NodeJS.WriteStream, text: string, onError?: OnError): Promise<void> | undefined {
  const reader = outliveReader(stream, onError);
  let hasRoom = true;
  const written = new Promise<void>(resolve => {
    hasRoom = reader.write(`${text}\n`, () => resolve());
  });
  return hasRoom ? undefined : written;
}

/** Drops what nobody reads: the process would wait for a reader. Streams of a process ignore `destroy`. */
function dropUnread(stream: NodeJS.WriteStream): void {
  if (stream.writableLength === 0) return;
  const { Socket } = process.getBuiltinModule('node:net');
  if (stream instanceof Socket) Socket.prototype._destroy.call(stream, null, () => {});
}

/** Ignores a reader that stops early, as in `| head`. Otherwise Node would throw EPIPE later. */
function outliveReader(stream: NodeJS.WriteStream, onError: OnError = ignore): NodeJS.WriteStream {
  return stream.listeners('error').includes(onError) ? stream : stream.on('error', onError);
}

const ignore = () => {};

const CLEAR_LINE = '\r\u001b[2K';

/** The line that shows progress, on a stream that is opened on first use. Text is cut to the stream's width. */
function createProgress(open: () => WriteStream | undefined): Terminal['progress'] {
  let isShown = false;
  return {
    show(text: string) {
      const stream = open();
      if (!stream) return;
      isShown = true;
      stream.write(CLEAR_LINE + onOneLine(text).slice(0, (stream.columns || 80) - 1));
    },
    clear() {
      if (isShown) open()?.write(CLEAR_LINE);
      isShown = false;
    },
  };
}

/** The working directory's absolute path. Throws a `UserError` if it was deleted, or its name isn't UTF-8. */
function findWorkingDirectory(ask: () => string): string {
  try {
    const path = ask();
    if (isDamaged(path) && !isHere(path)) throw unusable('has a name that is not UTF-8');
    return path;
  } catch (error) {
    throw hasCode(error, ['ENOENT']) ? unusable('was deleted') : error;
  }
}

/** Whether a path is the working directory: not if its name isn't UTF-8, because decoding changed the bytes. */
function isHere(path: string): boolean {
  const [here, there] = ['.', path].map(one => statSync(one, { throwIfNoEntry: false }));
  return here?.ino === there?.ino && here?.dev === there?.dev;
}

const unusable = (why: string) =>
  new UserError(`The working directory ${why}. Nothing was done.`, {
    reason: 'no-directory',
    hint: 'Change to another directory, for example with cd ~, and run this again.',
  });
