import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { styleText } from 'node:util';
import { createProgress, type Progress } from './terminal/progress.ts';
import { createPrompts, type PromptStreams, type Prompts } from './terminal/prompts.ts';

export type { Progress } from './terminal/progress.ts';

type Paint = (text: string) => string;

/** Colours of one stream; each returns its text unchanged where the stream takes no colour. */
export interface Style {
  bold: Paint;
  dim: Paint;
  red: Paint;
  green: Paint;
  yellow: Paint;
  cyan: Paint;
}

/**
 * The one way in and out of the program. Results go to stdout, everything else to stderr.
 * Tests pass an object of their own.
 */
export interface Terminal extends Prompts {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The working directory, absolute. */
  readonly cwd: string;
  /** True when a person can be asked: stdin and stdout are terminals, and `CI` is not set. */
  readonly interactive: boolean;
  /** True when stdin is a terminal, from which nothing may come for ever. */
  readonly inputIsTerminal: boolean;
  /** The width of stdout, where that is a terminal. */
  readonly columns?: number;
  /** Colours of stdout. */
  readonly style: Style;
  /** Colours of stderr. */
  readonly noteStyle: Style;
  /** Writes a line (or lines) of result to stdout. */
  print(text: string): void;
  /** Writes a line (or lines) for the person to stderr. */
  note(text: string): void;
  /** What comes from stdin, as it is. */
  inputBytes(): AsyncIterable<Uint8Array>;
  /** The line that says what goes on. */
  readonly progress: Progress;
}

const COLOURS = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan'] as const;

/** The colours to use: all, or none when `enabled` is false. */
export function createStyle(enabled: boolean): Style {
  // By itself `styleText` would go by stdout alone.
  const paint = (name: (typeof COLOURS)[number], text: string) => styleText(name, text, { validateStream: false });
  const paints = COLOURS.map(name => [name, (text: string) => (enabled ? paint(name, text) : text)]);
  return Object.fromEntries(paints) as Style;
}

/**
 * Whether a stream takes colour: never with `NO_COLOR` or `TERM=dumb`, always with `FORCE_COLOR` (but `0`), else on a
 * terminal. The conventions are those of https://no-color.org and https://force-color.org.
 */
export function takesColour(isTerminal: boolean, env: Terminal['env']): boolean {
  if (env.NO_COLOR) return false;
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0';
  return isTerminal && env.TERM !== 'dumb';
}

/** What a program reads and writes: a process, or what stands for one. */
export type Streams = Pick<NodeJS.Process, 'env' | 'cwd' | 'stdin' | 'stdout' | 'stderr'>;

/** Whether stdin (0), stdout (1) or stderr (2) is a terminal. */
type Terminals = (descriptor: 0 | 1 | 2) => boolean;

/** As it was at the start: a terminal may go away. */
const stdinWasTerminal = isatty(0);

/** The terminal of this process. */
export const processTerminal = (): Terminal => createTerminal(process, isatty);

/** The terminal on these streams. One is opened when it's used: most commands use one of the three. */
export function createTerminal(streams: Streams, isTerminal: Terminals): Terminal {
  const { env } = streams;
  const [inputIsTerminal, outputIsTerminal, noteIsTerminal] = [isTerminal(0), isTerminal(1), isTerminal(2)];
  const interactive = inputIsTerminal && outputIsTerminal && !isSet(env.CI);
  // With stderr in a file, a question there would never be seen.
  const questions = () => openQuestions(streams.stdin, noteIsTerminal ? streams.stderr : streams.stdout, env);
  return {
    ...createPrompts(interactive ? questions() : undefined),
    env,
    cwd: streams.cwd(),
    interactive,
    inputIsTerminal,
    get columns() {
      return outputIsTerminal ? streams.stdout.columns : undefined;
    },
    style: createStyle(takesColour(outputIsTerminal, env)),
    noteStyle: createStyle(takesColour(noteIsTerminal, env)),
    print: text => write(streams.stdout, text),
    note: text => write(streams.stderr, text),
    inputBytes: () => streams.stdin,
    progress: createProgress(noteIsTerminal && env.TERM !== 'dumb' ? outliveReader(streams.stderr) : undefined),
  };
}

function write(stream: NodeJS.WriteStream, text: string): void {
  outliveReader(stream).write(`${text}\n`);
}

/** A reader that leaves early (`| head`) is no failure of ours: Node would otherwise throw EPIPE later on. */
function outliveReader(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.listeners('error').includes(ignore) ? stream : stream.on('error', ignore);
}

const ignore = () => {};

function openQuestions(input: typeof process.stdin, output: NodeJS.WriteStream, env: Terminal['env']): PromptStreams {
  outliveTerminal(input);
  return { input, output: outliveReader(output), colour: takesColour(true, env) };
}

/** A terminal that has gone away takes no mode. Trying would be an error event, which Node's readline throws. */
function outliveTerminal(input: typeof process.stdin): void {
  const setRawMode = input.setRawMode.bind(input);
  input.setRawMode = mode => (isatty(input.fd) ? setRawMode(mode) : input);
}

/**
 * Lets the process end in order, with its exit code, after its terminal went away. Node puts terminals back as they were
 * when it ends, and aborts where that fails; descriptors that are closed it passes over.
 */
export function leaveLostTerminal(): void {
  if (stdinWasTerminal && !isatty(0)) for (const descriptor of [0, 1, 2]) closeSync(descriptor);
}

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false'].includes(value);
