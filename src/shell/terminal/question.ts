import { UserError } from '../../errors.ts';

/** What goes with a question. */
export interface Question {
  /** What to do where nobody can be asked: a sentence that names the option or argument. */
  instead: string;
  /** One of several questions, which a line at their left joins. */
  isJoined?: boolean;
}

/** What goes with a question that is answered by yes or no. */
export interface YesNoQuestion extends Question {
  /** What Enter alone stands for; left out, no. */
  initial?: boolean;
}

/** What goes with a question that is answered by a text. */
export interface TextQuestion extends Question {
  /** What is there already, to be kept or edited. */
  initial?: string;
  /** Why an answer won't do; nothing when it will. */
  validate?(answer: string): string | undefined;
}

/** One of the answers to choose from. */
export interface Choice {
  value: string;
  label: string;
  /** What programs call it: shown dimmed behind the label where there is room, and found by a search. */
  id?: string;
  /** More about it, shown while it's marked, where there is room. */
  hint?: string;
}

/** What goes with a question that has one of several answers. A long list is searched by typing. */
export interface ChoiceQuestion extends Question {
  choices: readonly Choice[];
  /** The value that is marked at first; left out, the first. */
  initial?: string;
}

/** What goes with a question that has any number of several answers. */
export interface SomeQuestion extends Question {
  choices: readonly Choice[];
  initial?: readonly string[];
}

/** A question was left without an answer. */
export class Cancelled extends UserError {
  constructor() {
    super('Interrupted. Nothing was changed.', { exitCode: 130, reason: 'interrupted' });
  }
}

/** It was left with Esc: back to the question before, for whoever catches it. */
export class WentBack extends Cancelled {}
