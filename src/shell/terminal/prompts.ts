import { UserError, usageError } from '../../errors.ts';
import { Screen } from './screen.ts';

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

/**
 * Questions to a person, drawn on stderr so that stdout stays the result.
 *
 * Without anyone to ask, each throws a `UserError` with exit code 2 that says what to do instead. Ctrl-C, Ctrl-D and a
 * terminal that goes away throw `Left` with exit code 130, Esc its kind `WentBack`; the terminal is then as it was.
 */
export interface Prompts {
  /** Yes or no. */
  confirm(question: string, details: YesNoQuestion): Promise<boolean>;
  /** A line of text. */
  ask(question: string, details: TextQuestion): Promise<string>;
  /** A line of text that stays invisible, its length as well. */
  askHidden(question: string, details: TextQuestion): Promise<string>;
  /** The value of one choice. */
  choose(question: string, details: ChoiceQuestion): Promise<string>;
  /** The values of some choices, in their order. */
  chooseSome(question: string, details: SomeQuestion): Promise<string[]>;
  /** Takes the last questions off the screen, answered or not. */
  takeBack(count: number): void;
}

/** A question was left without an answer. */
export class Left extends UserError {
  constructor() {
    super('Interrupted. Nothing was changed.', { exitCode: 130, reason: 'interrupted' });
  }
}

/** It was left with Esc: back to the question before, for whoever catches it. */
export class WentBack extends Left {}

/** Where questions are asked. */
export interface PromptStreams {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Whether `output` takes colour. */
  colour: boolean;
}

/**
 * Questions asked on these streams, or refused where there is but a reason why nobody can be asked. They are asked for, and
 * what asks is loaded, with the first question.
 */
export function createPrompts(open: () => PromptStreams | string): Prompts {
  let place: { input: PromptStreams['input']; screen: Screen } | undefined;
  const asking = async (question: string, { instead }: Question) => {
    const streams = open();
    if (typeof streams === 'string') throw cannotAsk(streams, question, instead);
    const { outliveTerminal, ...questions } = await import('./questions.ts');
    place ??= { input: outliveTerminal(streams.input), screen: new Screen(streams.output, streams.colour) };
    return { place, ...questions };
  };
  return {
    async confirm(question, details) {
      const { place, askConfirmation } = await asking(question, details);
      return askConfirmation(question, details, place);
    },
    async ask(question, details) {
      const { place, askText } = await asking(question, details);
      return askText(question, details, place);
    },
    async askHidden(question, details) {
      const { place, askHiddenText } = await asking(question, details);
      return askHiddenText(question, details, place);
    },
    async choose(question, details) {
      const { place, askChoice } = await asking(question, details);
      return askChoice(question, details, place);
    },
    async chooseSome(question, details) {
      const { place, askSome } = await asking(question, details);
      return askSome(question, details, place);
    },
    takeBack: count => place?.screen.takeBack(count),
  };
}

const cannotAsk = (why: string, question: string, instead: string) =>
  usageError(`${why}: ${question}`, { hint: instead, reason: 'cannot-ask' });
