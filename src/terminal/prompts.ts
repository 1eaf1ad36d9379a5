import { usageError } from '../errors.ts';

/** What goes with a question. */
export interface Question {
  /** What to do where nobody can be asked: a sentence that names the option or argument. */
  instead: string;
}

/** What goes with a question that is answered by a text. */
export interface TextQuestion extends Question {
  /** What is there already, to be kept or edited. */
  initial?: string;
  /** What is shown as long as nothing is typed. */
  placeholder?: string;
  /** Why an answer won't do; nothing when it will. */
  validate?(answer: string): string | undefined;
}

/**
 * Questions to a person, drawn on stderr so that stdout stays the result.
 *
 * Without anyone to ask, each throws a `UserError` with exit code 2 that says what to do instead. Esc, Ctrl-C, Ctrl-D and
 * a terminal that goes away throw one with exit code 130; the terminal is then as it was.
 */
export interface Prompts {
  /** Yes or no. Enter alone is no. */
  confirm(question: string, details: Question): Promise<boolean>;
  /** A line of text. */
  ask(question: string, details: TextQuestion): Promise<string>;
  /** A line of text that stays invisible, its length as well. */
  askHidden(question: string, details: TextQuestion): Promise<string>;
}

/** Where questions are asked. */
export interface PromptStreams {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  /** Whether `output` takes colour. */
  colour: boolean;
}

/** Questions asked on these streams, or refused where there are none. What asks is loaded with the first question. */
export function createPrompts(streams: PromptStreams | undefined): Prompts {
  const asking = async (question: string, { instead }: Question) => {
    if (!streams) throw cannotAsk(question, instead);
    return { streams, ...(await import('./questions.ts')) };
  };
  return {
    async confirm(question, details) {
      const { streams, askConfirmation } = await asking(question, details);
      return askConfirmation(question, streams);
    },
    async ask(question, details) {
      const { streams, askText } = await asking(question, details);
      return askText(question, details, streams);
    },
    async askHidden(question, details) {
      const { streams, askHiddenText } = await asking(question, details);
      return askHiddenText(question, details, streams);
    },
  };
}

const cannotAsk = (question: string, instead: string) =>
  usageError(`There is no terminal to ask on: ${question}`, { hint: instead, reason: 'cannot-ask' });
