import { styleText } from 'node:util';
import type { Choice } from './question.ts';

/** What a prompt draws beside a choice: the line at the left, and the mark. It counts the colours of the line, too. */
const MARGIN = 15;

/** A choice as a prompt of the library takes it. */
interface Option {
  value: string;
  label: string;
  hint?: string;
}

/** The choices for a terminal of this width. What would break their lines is left out: ids first, then hints. */
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

/** Whether a search finds the choice with this value: each word of it, in its label, its id or what is said of it. */
export function findChoice(search: string, choices: readonly Choice[], value: string): boolean {
  const choice = choices.find(one => one.value === value);
  const text = [choice?.label, choice?.id, choice?.hint].join(' ').toLowerCase();
  return search
    .toLowerCase()
    .trim()
    .split(/\s+/)
    .every(word => text.includes(word));
}
