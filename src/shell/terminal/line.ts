import { usageError } from '../../errors.ts';
import { DAMAGED, isDamaged } from '../../text.ts';
import { answer, type Common, type Place } from './answer.ts';
import { dropInput } from './lost-terminal.ts';
import type { TextQuestion } from './question.ts';

type ShowLine = (
  common: Common & { validate(answer?: string): string | undefined },
) => Promise<string | symbol | undefined>;

/**
 * A line of text in UTF-8. If several lines were pasted, or Enter was pressed twice at once, the first one counts. The rest
 * is dropped: it must answer neither the next question nor the shell.
 */
export async function answerLine(place: Place, details: TextQuestion, show: ShowLine): Promise<string> {
  const { suggestion = '' } = details;
  const paste = watchPaste(place.input);
  let problem: string | undefined;
  const validate = (line = '') => {
    if (!paste.isRepeated) problem = problemOf(line || suggestion, details);
    return problem;
  };
  const given = await answer<string>(place, common => show({ ...common, validate })).finally(paste.end);
  if (paste.isLonger) await dropInput(place.input);
  return given || suggestion;
}

/** A line that must be the only one: of several, such as those of a key file, the first is no secret. */
export async function answerOnlyLine(place: Place, details: TextQuestion, show: ShowLine): Promise<string> {
  const paste = watchPaste(place.input);
  const validate = (line = '') => (paste.isLonger ? undefined : problemOf(line, details));
  const given = await answer<string>(place, common => show({ ...common, validate })).finally(paste.end);
  if (!paste.isLonger) return given;
  await dropInput(place.input);
  throw usageError('The answer had more than one line', { hint: details.instead });
}

/** The length of a hidden answer. */
export const charactersOf = (length: number): string =>
  length === 0 ? 'skipped' : `${length} character${length === 1 ? '' : 's'}`;

const problemOf = (line: string, { validate, instead }: TextQuestion) =>
  isDamaged(line) ? `The answer ${DAMAGED}. ${instead}` : validate?.(line);

/** Detects input after the end of a line that arrives faster than a person can type. */
function watchPaste(input: Place['input']) {
  let isSubmitted = false;
  const paste = {
    /** More arrived than one line. */
    isLonger: false,
    /** This key arrived at once with an earlier line. */
    isRepeated: false,
    end: () => void input.off('keypress', onKey),
  };
  function onKey(_: unknown, { name }: { name?: string }) {
    // All keys of a paste arrive at once; typing is slower.
    paste.isRepeated = isSubmitted;
    if (name === 'enter' || isSubmitted) paste.isLonger = true;
    if (name !== 'return') return;
    isSubmitted = true;
    setImmediate(() => {
      isSubmitted = false;
    });
  }
  input.on('keypress', onKey);
  return paste;
}
