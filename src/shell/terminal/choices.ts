import { breakLines } from '../../text.ts';
import type { Choice } from './question.ts';
import type { Style } from './style.ts';

/** A choice in a list: its lines, without the marks before them. */
type ChoiceRow = readonly [first: string, ...more: string[]];

interface Layout {
  /** The width of a line, without the marks. */
  columns: number;
  /** Whether each choice must fit on one line, as in a long list. */
  isDense: boolean;
  style: Style;
}

const INDENT = '  ';

/**
 * Lays out choices, with their explanations. If lines are too long, ids are omitted first. Then the explanations go below
 * their choices; in a dense list, they are cut at a comma, or omitted.
 */
export function layOut(choices: readonly Choice[], { columns, isDense, style }: Layout): ChoiceRow[] {
  const withHint = (text: string, hint?: string) => text.length + (hint ? hint.length + 3 : 0);
  const withId = ({ label, id }: Choice) => (id ? `${label} ${id}` : label);
  const hasIds = choices.every(one => withHint(withId(one), isDense ? '' : one.hint) <= columns);
  return choices.map(choice => {
    const { label, id, hint } = choice;
    const shown = hasIds && id ? `${label} ${style.dim(id)}` : label;
    if (!hint) return [shown];
    const fits = (text: string) => withHint(hasIds ? withId(choice) : label, text) <= columns;
    const [start = ''] = hint.split(', ');
    const short = [hint, start].find(fits);
    if (short === hint || (isDense && short)) return [`${shown} ${style.dim(`(${short})`)}`];
    return isDense ? [shown] : [shown, ...breakLines(hint.split(' '), columns, INDENT).map(style.dim)];
  });
}

/** The rows around the active one that fit in a number of lines, and how many are above and below them. */
export function windowOf<Item extends readonly unknown[]>(rows: readonly Item[], active: number, most: number) {
  let [from, to] = [active, Math.min(active + 1, rows.length)];
  let room = most - (rows[active]?.length ?? 0);
  for (let isGrowing = true; isGrowing; ) {
    isGrowing = false;
    const [below, above] = [rows[to], rows[from - 1]];
    if (below && below.length <= room) {
      to += 1;
      room -= below.length;
      isGrowing = true;
    }
    if (above && above.length <= room) {
      from -= 1;
      room -= above.length;
      isGrowing = true;
    }
  }
  return { shown: rows.slice(from, to), from, above: from, below: rows.length - to };
}

/** Whether a search matches a choice: its label, id, hint or alias must contain each word. */
export function matches(search: string, { label, id, hint, alias }: Choice): boolean {
  const text = [label, id, hint, alias].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every(word => text.includes(word));
}

/** The choices in the order of a search: first those that are called so, then those of which a name starts so. */
export function rankFor<One extends Choice>(search: string, choices: readonly One[]): One[] {
  const typed = search.trim().toLowerCase();
  const distanceTo = ({ label, id = '', alias = '' }: One) => {
    const names = [id, label, alias].map(name => name.toLowerCase());
    if (names.includes(typed)) return 0;
    return names.some(name => name.startsWith(typed)) ? 1 : 2;
  };
  return typed === '' ? [...choices] : [...choices].sort((one, other) => distanceTo(one) - distanceTo(other));
}
