import type { Prompt } from '@clack/core';
import { wrapTextWithPrefix } from '@clack/core';
import type { Place } from './answer.ts';

interface Canvas extends Pick<Place, 'style' | 'symbols'> {
  stream: NodeJS.WriteStream;
}

/** A question at one moment. */
interface Frame {
  state: Prompt<unknown>['state'];
  message: string;
  /** What is below the question: the choices, or the text so far. */
  body: readonly string[];
  /** How to answer, shown while the question waits. */
  keys?: string;
  error?: string;
  /** Whether a line on the left joins the question with the others. */
  isJoined: boolean;
}

/** Draws a question. No line is wider than the terminal, and a line on the left continues beside those that wrap. */
export function drawFrame(frame: Frame, canvas: Canvas): string {
  const { stream, style, symbols } = canvas;
  const { state, message, body, keys, error, isJoined } = frame;
  const isOver = state === 'submit' || state === 'cancel';
  const [mark, paint] = lookOf(state, canvas);
  const bar = (isOver ? style.dim : paint)(symbols.bar);
  const prefix = isJoined ? `${bar}  ` : '';
  const wrap = (text: string, first = prefix) => wrapTextWithPrefix(stream, text, prefix, first);
  const below = [...body, ...(error ? [style.yellow(error)] : []), ...(keys && !isOver ? [style.dim(keys)] : [])];
  const lines = [
    ...(isJoined ? [style.dim(symbols.bar)] : []),
    wrap(message, `${paint(mark)}  `),
    ...below.map(line => wrap(line)),
    ...(isJoined && !isOver ? [paint(symbols.end)] : []),
  ];
  // A bar before nothing would leave blanks at the end of the line.
  return lines.join('\n').replaceAll(`${bar}  \n`, `${bar}\n`);
}

/** The mark of a question in this state, and its color. */
function lookOf(state: Frame['state'], { symbols, style }: Canvas) {
  if (state === 'error') return [symbols.error, style.yellow] as const;
  if (state === 'submit') return [symbols.done, style.green] as const;
  return state === 'cancel' ? ([symbols.canceled, style.red] as const) : ([symbols.active, style.cyan] as const);
}
