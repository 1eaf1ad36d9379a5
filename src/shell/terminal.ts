import { setTimeout as sleep } from 'node:timers/promises';
import { styleText } from 'node:util';
import { createLossReport, outliveReader, writeLine } from './terminal/output.ts';
import { createProgress, type Progress } from './terminal/progress.ts';
import { createPrompts, type PromptStreams, type Prompts } from './terminal/prompts.ts';
import { findWorkingDirectory } from './terminal/working-directory.ts';

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
  /** The working directory, absolute. Where it can't be had, asking for it throws a `UserError`. */
  readonly cwd: string;
  /** True when a person can be asked: stdin and stdout are terminals, and `CI` is not set. */
  readonly interactive: boolean;
  /** Why nobody can be asked, in words; absent where a person can. */
  readonly cannotAskReason?: string | undefined;
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
  /** Writes a result for programs to stdout: one JSON object. Its keys are in snake case, as in the config file. */
  printJson(result: object): void;
  /** Writes a line (or lines) for the person to stderr. */
  note(text: string): void;
  /** What comes from stdin, as it is. */
  inputBytes(): AsyncIterable<Uint8Array>;
  /** The line that says what goes on. */
  readonly progress: Progress;
  /**
   * Waits, in milliseconds.
   *
   * @throws The reason of `signal`, as soon as it is aborted.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
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

/** What a program reads and writes: a process, or a stand-in for one. */
export type Streams = Pick<NodeJS.Process, 'env' | 'cwd' | 'stdin' | 'stdout' | 'stderr'>;

/** What a terminal does besides reading and writing. */
export interface TerminalSettings {
  /** Called when something that was printed could not be written, perhaps after all else is done. */
  onLoss?(): void;
  /** Waits. Default: for as long as it's told. */
  sleep?: Terminal['sleep'];
}

/** The terminal of this process. */
export const processTerminal = (settings?: TerminalSettings): Terminal => createTerminal(process, settings);

/**
 * The terminal on these streams. Node opens one at the first look, which takes time: so nothing is looked at before it's
 * needed, and most commands need one of the three.
 */
export function createTerminal(streams: Streams, settings: TerminalSettings = {}): Terminal {
  const { env } = streams;
  const cannotAskReason = () => {
    if (!streams.stdin.isTTY || !streams.stdout.isTTY) return "botcli can't ask, because this isn't a terminal";
    return isSet(env.CI) ? "botcli can't ask, because CI is set" : undefined;
  };
  // With stderr in a file, a question there would never be seen.
  const output = () => (streams.stderr.isTTY ? streams.stderr : streams.stdout);
  const questions = (): PromptStreams => ({
    input: streams.stdin,
    output: outliveReader(output()),
    colour: takesColour(true, env),
  });
  const note = (text: string) => writeLine(streams.stderr, text);
  const onPrintError = createLossReport(streams.stdout, text => {
    note(text);
    settings.onLoss?.();
  });
  const print = (text: string) => writeLine(streams.stdout, text, onPrintError);
  return {
    ...createPrompts(() => cannotAskReason() ?? questions()),
    env,
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
      return streams.stdout.columns;
    },
    get style() {
      return createStyle(takesColour(streams.stdout.isTTY, env));
    },
    get noteStyle() {
      return createStyle(takesColour(streams.stderr.isTTY, env));
    },
    print,
    printJson: result => print(JSON.stringify(result, null, 2)),
    note,
    inputBytes: () => streams.stdin,
    progress: createProgress(() =>
      streams.stderr.isTTY && env.TERM !== 'dumb' ? outliveReader(streams.stderr) : undefined,
    ),
    sleep: settings.sleep ?? sleepFor,
  };
}

const isSet = (value: string | undefined) => value !== undefined && !['', '0', 'false'].includes(value);

async function sleepFor(ms: number, signal?: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {});
  signal?.throwIfAborted();
}
