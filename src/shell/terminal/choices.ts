import { styleText } from 'node:util';
import type { Choice } from './question.ts';

/** The width of what a prompt draws before a choice: the line on the left, its colors, and the mark. */
const MARGIN = 15;

/** A choice in the format of the prompt library. */
interface Option {
  value: string;
  label: string;
  hint?: string;
}

/** Formats choices for a terminal of this width. If lines are too long, ids are omitted first, then hints. */
export function renderChoices(choices: readonly Choice[], columns = 80): Option[] {
  const fits = (widthOf: (choice: Choice) => number) => choices.every(choice => widthOf(choice) <= columns - MARGIN);
  const withId = ({ label, id }: Choice) => label.length + (id ? id.length + 1 : 0);
  const hasIds = fits(withId);
  return choices.map(choice => {
    const { value, label, id, hint } = choice;
    const shown = hasIds && id ? `${label} ${styleText('dim', id, { validateStream: false })}` : label;
    const width = (hasIds ? withId(choice) : label.length) + (hint ? hint.length + 3 : 0);
    return { value, label: shown, ...(hint && width <= columns - MARGIN ? { hint } : {}) };
  });
}

/** Whether a search matches the choice with this value: its label, id or hint must contain each word. */
export function findChoice(search: string, choices: readonly Choice[], value: string): boolean {
  const choice = choices.find(one => one.value === value);
  const text = [choice?.label, choice?.id, choice?.hint].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every(word => text.includes(word));
}
