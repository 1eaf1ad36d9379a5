import { usageError } from '../../errors.ts';
import { printable } from '../../text.ts';
import type { Place, Questions } from './answer.ts';
import type { Question } from './question.ts';

type OpenEditor = typeof import('./editor.ts').openEditor;
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
      const ask = pick((await (isPlain ? import('./plain.ts') : import('./clack.ts'))).questions);
      place ??= { input: outliveTerminal(input), screen: new Screen(output, isPlain), style, symbols };
      if (details.isFresh) await dropInput(place.input);
      return ask(printable(question), details, place);
    };
  return {
    confirm: asking(({ confirm }) => confirm),
    ask: asking(({ ask }) => ask),
    askHidden: asking(({ askHidden }) => askHidden),
    choose: asking(({ choose }) => choose),
    chooseSome: asking(({ chooseSome }) => chooseSome),
    openEditor: async (details: Parameters<OpenEditor>[1]): Promise<ReturnType<OpenEditor>> => {
      const streams = open();
      if (typeof streams === 'string') throw usageError(streams, { reason: 'cannot-ask' });
      const { outliveTerminal } = await import('../interruption.ts');
      const { openEditor } = await import('./editor.ts');
      return openEditor({ ...streams, input: outliveTerminal(streams.input) }, details);
    },
    /** Erases the last questions from the screen, answered or not. */
    takeBack: (count: number) => place?.screen.takeBack(count),
  };
}
