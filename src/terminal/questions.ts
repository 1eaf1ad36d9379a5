import { setTimeout as sleep } from 'node:timers/promises';
import { confirm, isCancel, password, text } from '@clack/prompts';
import { UserError, usageError } from '../errors.ts';
import type { PromptStreams, TextQuestion } from './prompts.ts';

/** How long the rest of a pasted text may take to arrive, in milliseconds. */
const PASTE_MS = 100;

export const askConfirmation = (message: string, streams: PromptStreams): Promise<boolean> =>
  answer<boolean>(streams, common => confirm({ message, initialValue: false, ...common }));

export function askText(message: string, details: TextQuestion, streams: PromptStreams): Promise<string> {
  const { initial, placeholder } = details;
  return answerLine(streams, details, common => text({ message, placeholder, initialValue: initial, ...common }));
}

export function askHiddenText(message: string, details: TextQuestion, streams: PromptStreams): Promise<string> {
  // A mask, one sign for each that is typed, would tell the length.
  return answerLine(streams, details, common =>
    password({ message: `${message} (stays invisible)`, mask: '', ...common }),
  );
}

type Common = Pick<Parameters<typeof confirm>[0], 'input' | 'output' | 'signal' | 'withGuide'>;
type Show<Answer> = (common: Common) => Promise<Answer | symbol>;
type ShowLine = (common: Common & { validate(answer?: string): string | undefined }) => Promise<string | symbol>;
interface Key {
  name?: string;
  ctrl?: boolean;
}

/** Shows a prompt, which ends with the terminal and with Ctrl-D, too. */
async function answer<Answer>({ input, output, colour }: PromptStreams, show: Show<Answer>): Promise<Answer> {
  const left = new AbortController();
  const leave = () => left.abort();
  const onKey = (_: unknown, { ctrl, name }: Key) => {
    if (ctrl && name === 'd') leave();
  };
  const endings = ['end', 'close', 'error'];
  for (const ending of endings) input.on(ending, leave);
  input.on('keypress', onKey);
  try {
    const given = await show({
      input,
      output: colour ? output : withoutColour(output),
      signal: left.signal,
      withGuide: false,
    });
    if (isCancel(given))
      throw new UserError('Interrupted. Nothing was changed.', { exitCode: 130, reason: 'interrupted' });
    return given as Answer;
  } finally {
    input.off('keypress', onKey);
    for (const ending of endings) input.off(ending, leave);
  }
}

/**
 * The answer, which must be one line. Of several lines pasted, the first would be taken and the others go to the shell,
 * which runs them: a key file, for instance.
 */
async function answerLine(
  streams: PromptStreams,
  { instead, validate }: TextQuestion,
  show: ShowLine,
): Promise<string> {
  const { input } = streams;
  let isSubmitted = false;
  let isLonger = false;
  const onKey = (_: unknown, { name }: Key) => {
    if (name === 'enter' || isSubmitted) isLonger = true;
    if (name !== 'return') return;
    // All keys of a paste come at once; a person is slower than that.
    isSubmitted = true;
    setImmediate(() => {
      isSubmitted = false;
    });
  };
  input.on('keypress', onKey);
  const validateLine = (line = '') => (isLonger ? undefined : validate?.(line));
  const given = await answer<string>(streams, common => show({ ...common, validate: validateLine })).finally(() =>
    input.off('keypress', onKey),
  );
  if (!isLonger) return given;
  input.setRawMode(true).resume();
  await sleep(PASTE_MS);
  input.pause().setRawMode(false);
  throw usageError('The answer had more than one line', { hint: instead });
}

/** The stream, less the colours of what is written to it. */
function withoutColour(output: NodeJS.WriteStream): NodeJS.WriteStream {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that's what a colour is.
  const write = (text: string) => output.write(text.replaceAll(/\u001b\[[\d;]*m/g, ''));
  return Object.create(output, { write: { value: write } });
}
