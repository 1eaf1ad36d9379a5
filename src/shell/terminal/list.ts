import type { Place } from './answer.ts';
import { layOut, windowOf } from './choices.ts';
import type { Choice } from './question.ts';

/** How many lines of a list are visible at once. */
const LINES_SHOWN = 18;
const MATCHES_SHOWN = 10;
/** The lines around a list: its question, its keys and the lines that join questions. */
const AROUND_LIST = 7;
/** The width of what is drawn before a choice: the line on the left, and the marks. */
const MARGIN = 9;

/** The lines of the choices that fit, with a mark before each. The label of the active one stands out. */
export function listOf(
  choices: readonly Choice[],
  active: number,
  { screen: { stream }, style, symbols }: Place,
  mark: (isActive: boolean, choice?: Choice) => string,
  isDense = false,
): string[] {
  const rows = layOut(choices, { columns: stream.columns - MARGIN, isDense, style });
  const most = Math.max(Math.min(isDense ? MATCHES_SHOWN : LINES_SHOWN, stream.rows - AROUND_LIST), 3);
  const { shown, from, above, below } = windowOf(rows, active, most);
  const lines = shown.flatMap(([first, ...more], at) => {
    const isActive = from + at === active;
    return [
      mark(isActive, choices[from + at]) + (isActive ? style.cyan(first) : first),
      ...more.map(line => `  ${line}`),
    ];
  });
  const notice = (count: number, where: string) =>
    count > 0 ? [style.dim(`${symbols.more} ${count} more ${where}`)] : [];
  return [...notice(above, 'above'), ...lines, ...notice(below, 'below')];
}
