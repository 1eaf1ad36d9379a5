import { usageError } from '../../errors.ts';
import { printable } from '../../text.ts';
import type { Place } from './answer.ts';
import type { Question } from './question.ts';

type Editor = import('./editor.ts').Editor;
type OpenEditor = typeof import('./editor.ts').openEditor;
type Questions = typeof import('./clack.ts') | typeof import('./plain.ts');
type Ask<Details, Answer> = (message: string, details: Details, place: Place) => Promise<Answer>;

interface PromptStreams extends Omit<Place, 'screen'> {
  output: NodeJS.WriteStream;
  /** Whether questions are plain lines, for terminals that can't move the cursor and for screen readers. */
  isPlain: boolean;
}

/**
 * Creates prompts on stderr, with streams that are opened by the first question. If `open` returns a text, nobody can
 * be asked, and each prompt throws a `UserError` with it. Ctrl-C, Ctrl-D and a closed terminal throw `Cancelled`, and
 * Esc its subclass `WentBack`. The terminal's mode is always restored.
 */
export function createPrompts(open: () => PromptStreams | string) {
  let place: Place | undefined;
  const asking =
    <Details extends Question, Answer>(pick: (questions: Questions) => Ask<Details, Answer>) =>
    async (question: string, details: Details): Promise<Answer> => {
      const streams = open();
      if (typeof streams === 'string')
        throw usageError(`${streams}: ${question}`, { hint: details.instead, reason: 'cannot-ask' });
      const { input, output, style, symbols, isPlain } = streams;
      const { dropInput, outliveTerminal } = await import('../interruption.ts');
      const { Screen } = await import('./answer.ts');
      const ask = pick(await (isPlain ? import('./plain.ts') : import('./clack.ts')));
      place ??= { input: outliveTerminal(input), screen: new Screen(output, isPlain), style, symbols };
      if (details.isFresh) await dropInput(place.input);
      return ask(printable(question), details, place);
    };
  return {
    confirm: asking(({ askConfirmation }) => askConfirmation),
    ask: asking(({ askText }) => askText),
    /** A line of hidden text, whose length is hidden too. */
    askHidden: asking(({ askHiddenText }) => askHiddenText),
    choose: asking(({ askChoice }) => askChoice),
    /** Asks for any number of choices and returns their values, in order. */
    chooseSome: asking(({ askSome }) => askSome),
    openEditor: async (details: Parameters<OpenEditor>[1]): Promise<Editor> => {
      const streams = open();
      if (typeof streams === 'string') throw usageError(streams, { reason: 'cannot-ask' });
      const { outliveTerminal } = await import('../interruption.ts');
      const editor = await import('./editor.ts');
      return editor.openEditor({ ...streams, input: outliveTerminal(streams.input) }, details);
    },
    /** Erases the last questions from the screen, answered or not. */
    takeBack: (count: number) => place?.screen.takeBack(count),
  };
}
