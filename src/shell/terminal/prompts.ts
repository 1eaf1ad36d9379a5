import { usageError } from '../../errors.ts';
import type { ChoiceQuestion, Question, SomeQuestion, TextQuestion, YesNoQuestion } from './question.ts';
import { Screen } from './screen.ts';

/**
 * Questions to a person, drawn on stderr so that stdout stays the result.
 *
 * Without anyone to ask, each throws a `UserError` with exit code 2 that says what to do instead. Ctrl-C, Ctrl-D and a
 * terminal that goes away throw `Cancelled` with exit code 130, Esc its kind `WentBack`; the terminal is then as it was.
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
    const { outliveTerminal, ...questions } = await import('./clack.ts');
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
