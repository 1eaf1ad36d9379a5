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
  /** All of stdin, as UTF-8. */
  readInput(): Promise<string>;
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

/** Which of this process's streams were terminals at its start. One may go away. */
const [STDIN_IS_TERMINAL, STDOUT_IS_TERMINAL, STDERR_IS_TERMINAL] = [isatty(0), isatty(1), isatty(2)];

/** The terminal of this process. A stream is opened when it's used: most commands use one of the three. */
export function processTerminal(): Terminal {
  const { env } = process;
  const interactive = STDIN_IS_TERMINAL && STDOUT_IS_TERMINAL && !isSet(env.CI);
  return {
    ...createPrompts(interactive ? questionStreams() : undefined),
    env,
    cwd: process.cwd(),
    interactive,
    inputIsTerminal: STDIN_IS_TERMINAL,
    get columns() {
      return STDOUT_IS_TERMINAL ? process.stdout.columns : undefined;
    },
    style: createStyle(takesColour(STDOUT_IS_TERMINAL, env)),
    noteStyle: createStyle(takesColour(STDERR_IS_TERMINAL, env)),
    print: text => write(process.stdout, text),
    note: text => write(process.stderr, text),
    readInput: async () => (await import('node:stream/consumers')).text(process.stdin),
    inputBytes: () => process.stdin,
    progress: createProgress(STDERR_IS_TERMINAL && env.TERM !== 'dumb' ? outliveReader(process.stderr) : undefined),
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

/** Where a person is asked: with stderr in a file, a question there would never be seen. */
function questionStreams(): PromptStreams {
  outliveTerminal(process.stdin);
  const output = outliveReader(STDERR_IS_TERMINAL ? process.stderr : process.stdout);
  return { input: process.stdin, output, colour: takesColour(true, process.env) };
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
  if (STDIN_IS_TERMINAL && !isatty(0)) for (const descriptor of [0, 1, 2]) closeSync(descriptor);
}

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false'].includes(value);
