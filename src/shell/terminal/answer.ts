import type { Key } from 'node:readline';
import { isCancel } from '@clack/core';
import { usageError } from '../../errors.ts';
import { DAMAGED, isDamaged } from '../../text.ts';
import { dropInput, QUIT, watchInterruption } from '../interruption.ts';
import {
  Cancelled,
  type ChoiceQuestion,
  type Question,
  type SomeQuestion,
  type TextQuestion,
  WentBack,
} from './question.ts';
import type { Style, Symbols } from './style.ts';

/** Line feeds and vertical cursor moves: everything in a prompt's output that changes the row. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: cursor moves are control sequences.
const ROW_CHANGE = /\n|\u001b\[(\d*)([AB])/g;

/** Draws questions and remembers the height of each, so that a question can be erased and asked again. */
export class Screen {
  readonly stream: NodeJS.WriteStream;
  readonly #output: NodeJS.WriteStream;
  readonly #isPlain: boolean;
  /** The height of each question, and the terminal's width when it was drawn. */
  readonly #frames: { rows: number; columns: number }[] = [];
  #row = 0;

  /** @param isPlain Whether the cursor can't be moved, so that nothing can be erased. */
  constructor(output: NodeJS.WriteStream, isPlain = false) {
    const write = (text: string) => {
      this.#follow(text);
      return output.write(text);
    };
    this.#output = output;
    this.#isPlain = isPlain;
    // A terminal may not know its size, and report 0.
    this.stream = Object.create(output, {
      write: { value: write },
      columns: { get: () => output.columns || 80 },
      rows: { get: () => output.rows || 24 },
    });
  }

  begin(): void {
    this.#row = 0;
  }

  end(): void {
    this.#frames.push({ rows: this.#row, columns: this.#output.columns });
  }

  /** Erases the last questions. If the width has changed, their height is unknown, so they stay. */
  takeBack(count: number): void {
    const frames = this.#frames.splice(-count);
    if (this.#isPlain || frames.some(({ columns }) => columns !== this.#output.columns)) return;
    const rows = frames.reduce((sum, frame) => sum + frame.rows, 0);
    this.#output.write(`${rows > 0 ? `\u001b[${rows}A` : ''}\r\u001b[J`);
  }

  #follow(text: string): void {
    for (const [, count = '', direction] of text.matchAll(ROW_CHANGE)) {
      const rows = Number(count || 1);
      this.#row += direction === 'A' ? -rows : rows;
    }
  }
}

export interface Place {
  input: NodeJS.ReadStream;
  screen: Screen;
  style: Style;
  symbols: Symbols;
}

/** What asks each kind of question, at a place. */
export interface Questions {
  confirm(message: string, details: Question & { initial?: boolean }, place: Place): Promise<boolean>;
  ask(message: string, details: TextQuestion, place: Place): Promise<string>;
  /** A line of hidden text, whose length is hidden too. */
  askHidden(message: string, details: TextQuestion, place: Place): Promise<string>;
  choose(message: string, details: ChoiceQuestion, place: Place): Promise<string>;
  /** Asks for any number of choices and returns their values, in order. */
  chooseSome(message: string, details: SomeQuestion, place: Place): Promise<string[]>;
}

export interface Common {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

const ENDINGS = ['end', 'close', 'error'];

/**
 * Shows a prompt and returns the answer. Throws `Cancelled` for Ctrl-C, Ctrl-D, Ctrl-\, a signal, or a closed terminal,
 * and `WentBack` for Esc. Ctrl-Z does nothing.
 */
export async function answer<Answer>(
  { input, screen }: Place,
  show: (common: Common) => Promise<Answer | symbol | undefined>,
): Promise<Answer> {
  const interruption = watchInterruption(undefined, [QUIT]);
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort();
  let wentBack = false;
  // Node's readline wouldn't read on, so that the program would end once it's in the foreground again.
  const goOn = () => {
    process.emit('SIGCONT', 'SIGCONT');
    input.resume();
  };
  const onKey = (_: unknown, { ctrl, name, sequence }: Key) => {
    wentBack = name === 'escape';
    if (ctrl && name === 'z') process.off('SIGTSTP', goOn).once('SIGTSTP', goOn);
    // While a prompt is shown, the terminal sends no signal for Ctrl-\.
    if ((ctrl && name === 'd') || sequence === '\x1c') cancel();
  };
  interruption.signal.addEventListener('abort', cancel);
  for (const ending of ENDINGS) input.on(ending, cancel);
  input.on('keypress', onKey);
  screen.begin();
  try {
    const given = await show({ input, output: screen.stream, signal: cancellation.signal });
    if (!isCancel(given)) return given as Answer;
    throw wentBack && !cancellation.signal.aborted ? new WentBack() : new Cancelled();
  } finally {
    screen.end();
    input.off('keypress', onKey);
    process.off('SIGTSTP', goOn);
    // After Ctrl-Z, readline takes it for paused, and leaves it open.
    input.pause();
    for (const ending of ENDINGS) input.off(ending, cancel);
    interruption.ignore();
  }
}

/**
 * A line of text in UTF-8. If several lines were pasted, the first one counts; if only one may be, as of a key file,
 * none does. The rest is dropped: it must answer neither the next question nor the shell.
 */
export async function answerLine(
  place: Place,
  details: TextQuestion & { isOnly?: boolean },
  show: (common: Common & { validate(answer?: string): string | undefined }) => Promise<string | symbol | undefined>,
): Promise<string> {
  const { suggestion = '', isOnly, instead } = details;
  const paste = watchPaste(place.input);
  let problem: string | undefined;
  const validate = (line = '') => {
    if (isOnly && paste.isLonger) return undefined;
    if (!paste.isRepeated) problem = problemOf(line || suggestion, details);
    return problem;
  };
  const given = await answer<string>(place, common => show({ ...common, validate })).finally(paste.end);
  if (paste.isLonger) await dropInput(place.input);
  if (paste.isLonger && isOnly) throw usageError('The answer had more than one line', { hint: instead });
  return given || suggestion;
}

export const charactersOf = (length: number): string =>
  length === 0 ? 'skipped' : `${length} character${length === 1 ? '' : 's'}`;

const problemOf = (line: string, { validate, instead }: TextQuestion) =>
  isDamaged(line) ? `The answer ${DAMAGED}. ${instead}` : validate?.(line);

/** Detects input after the end of a line that arrives faster than a person can type. */
function watchPaste(input: Place['input']) {
  let isSubmitted = false;
  const paste = {
    isLonger: false,
    /** This key arrived at once with an earlier line. */
    isRepeated: false,
    end: () => void input.off('keypress', onKey),
  };
  function onKey(_: unknown, { name }: Key) {
    // All keys of a paste arrive at once; typing is slower.
    paste.isRepeated = isSubmitted;
    if (name === 'enter' || isSubmitted) paste.isLonger = true;
    if (name !== 'return') return;
    isSubmitted = true;
    setImmediate(() => {
      isSubmitted = false;
    });
  }
  input.on('keypress', onKey);
  return paste;
}
