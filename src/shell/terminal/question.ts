import { UserError } from '../../errors.ts';

export interface Question {
  /** What to do if prompts aren't possible: a sentence that names the option or argument. */
  instead: string;
  /** Whether it is one of several questions, joined by a line on the left. */
  isJoined?: boolean;
  /** Whether it follows some work, so that keys pressed before it appears aren't meant for it. */
  isFresh?: boolean;
}

export interface TextQuestion extends Question {
  /** What Enter alone means. It's shown as a suggestion, which typing replaces. */
  suggestion?: string;
  /** Why an answer is invalid; undefined if it is valid. */
  validate?(answer: string): string | undefined;
  /** What a hidden answer shows of its length: dots while it's typed, and then how many characters of it count. */
  countedLength?(answer: string): number;
}

export interface Choice {
  value: string;
  label: string;
  /** The name in options: shown dimmed after the label if there is room, and searchable. */
  id?: string;
  hint?: string;
  /** Another name, which is searched but not shown. */
  alias?: string;
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

/** The details of a question with one of several answers. A long list can be searched by typing. */
export interface ChoiceQuestion extends Question {
  choices: readonly Choice[];
  initial?: string;
}

export interface SomeQuestion extends Question {
  choices: readonly Choice[];
  initial?: readonly string[];
  /** Why these values can't be chosen together; undefined if they can. */
  validate?(values: readonly string[]): string | undefined;
}

export class Cancelled extends UserError {
  constructor() {
    super('Cancelled. Nothing was changed.', { exitCode: 130, reason: 'interrupted' });
  }
}

/** A question was cancelled with Esc. A caller may catch this to return to the previous question. */
export class WentBack extends Cancelled {}
