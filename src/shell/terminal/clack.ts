import { setTimeout as sleep } from 'node:timers/promises';
import { autocomplete, confirm, multiselect, password, select, text } from '@clack/prompts';
import { DAMAGED, isDamaged } from '../../damaged.ts';
import { usageError } from '../../errors.ts';
import { answer, type Common, type Place } from './answer.ts';
import { findChoice, renderChoices } from './choices.ts';

export { outliveTerminal } from './lost-terminal.ts';

import type { ChoiceQuestion, SomeQuestion, TextQuestion, YesNoQuestion } from './question.ts';

/** How long the rest of a pasted text may take to arrive, in milliseconds. */
const PASTE_MS = 100;
/** The longest list without a search field. */
const MOST_CHOICES_AT_A_GLANCE = 9;
/** How many choices of a searchable list are visible at once. */
const CHOICES_SHOWN = 10;

export const askConfirmation = (
  message: string,
  { initial = false, isJoined = false }: YesNoQuestion,
  place: Place,
): Promise<boolean> =>
  answer<boolean>(place, isJoined, common => confirm({ message, initialValue: initial, ...common }));

export function askText(message: string, details: TextQuestion, place: Place): Promise<string> {
  const { initial } = details;
  return answerLine(place, details, common => text({ message, initialValue: initial, ...common }));
}

export function askHiddenText(message: string, details: TextQuestion, place: Place): Promise<string> {
  // A mask character for each keystroke would reveal the length.
  return answerLine(place, details, common => password({ message: `${message} (hidden)`, mask: '', ...common }));
}

export function askChoice(message: string, details: ChoiceQuestion, place: Place): Promise<string> {
  const { choices, initial, isJoined = false } = details;
  const options = renderChoices(choices, place.screen.stream.columns);
  const question = { message, options, initialValue: initial };
  if (choices.length <= MOST_CHOICES_AT_A_GLANCE) {
    return answer<string>(place, isJoined, common => select<string>({ ...question, ...common }));
  }
  return answer<string>(place, isJoined, common =>
    autocomplete<string>({
      ...question,
      maxItems: CHOICES_SHOWN,
      filter: (search, { value }) => findChoice(search, choices, value),
      // If the search finds nothing, Enter would return no value.
      validate: value => (value === undefined ? 'Choose one from the list' : undefined),
      ...common,
    }),
  );
}

export async function askSome(message: string, details: SomeQuestion, place: Place): Promise<string[]> {
  const { choices, initial = [], isJoined = false } = details;
  const options = renderChoices(choices, place.screen.stream.columns);
  const chosen = await answer<string[]>(place, isJoined, common =>
    multiselect<string>({ message, options, initialValues: [...initial], required: false, ...common }),
  );
  return choices.map(({ value }) => value).filter(value => chosen.includes(value));
}

type ShowLine = (common: Common & { validate(answer?: string): string | undefined }) => Promise<string | symbol>;

/**
 * The answer, which must be one line of UTF-8. If several lines were pasted, such as a key file, the prompt would take
 * the first line and the shell would run the others.
 */
async function answerLine(
  place: Place,
  { instead, validate, isJoined = false }: TextQuestion,
  show: ShowLine,
): Promise<string> {
  const { input } = place;
  const paste = watchPaste(input);
  const problemOf = (line: string) => (isDamaged(line) ? `The answer ${DAMAGED}. ${instead}` : validate?.(line));
  const validateLine = (line = '') => (paste.isLonger ? undefined : problemOf(line));
  const given = await answer<string>(place, isJoined, common => show({ ...common, validate: validateLine })).finally(
    paste.end,
  );
  if (!paste.isLonger) return given;
  input.setRawMode(true).resume();
  await sleep(PASTE_MS);
  input.pause().setRawMode(false);
  throw usageError('The answer had more than one line', { hint: instead });
}

/** Detects input after the end of a line that arrives faster than a person can type. */
function watchPaste(input: Place['input']) {
  let isSubmitted = false;
  const paste = { isLonger: false, end: () => void input.off('keypress', onKey) };
  function onKey(_: unknown, { name }: { name?: string }) {
    if (name === 'enter' || isSubmitted) paste.isLonger = true;
    if (name !== 'return') return;
    // All keys of a paste arrive at once; typing is slower.
    isSubmitted = true;
    setImmediate(() => {
      isSubmitted = false;
    });
  }
  input.on('keypress', onKey);
  return paste;
}
