import { type confirm, isCancel } from '@clack/prompts';
import { watchInterruption } from '../interruption.ts';
import { Cancelled, WentBack } from './question.ts';
import type { Screen } from './screen.ts';

/** Where a question is asked. */
export interface Place {
  input: NodeJS.ReadStream;
  screen: Screen;
}

/** What every prompt of the library takes. */
export type Common = Pick<Parameters<typeof confirm>[0], 'input' | 'output' | 'signal' | 'withGuide'>;

interface Key {
  name?: string;
  ctrl?: boolean;
}

const ENDINGS = ['end', 'close', 'error'];

/**
 * Shows a prompt and gives its answer. Ctrl-D, a signal and the terminal's end cancel it as Ctrl-C does.
 *
 * @throws {Cancelled} It was cancellation; with Esc, `WentBack`.
 */
export async function answer<Answer>(
  { input, screen }: Place,
  isJoined: boolean,
  show: (common: Common) => Promise<Answer | symbol>,
): Promise<Answer> {
  const interruption = watchInterruption();
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort();
  let wentBack = false;
  const onKey = (_: unknown, { ctrl, name }: Key) => {
    wentBack = name === 'escape';
    if (ctrl && name === 'd') cancel();
  };
  interruption.signal.addEventListener('abort', cancel);
  for (const ending of ENDINGS) input.on(ending, cancel);
  input.on('keypress', onKey);
  screen.begin();
  try {
    const given = await show({ input, output: screen.stream, signal: cancellation.signal, withGuide: isJoined });
    if (!isCancel(given)) return given as Answer;
    throw wentBack && !cancellation.signal.aborted ? new WentBack() : new Cancelled();
  } finally {
    screen.end();
    input.off('keypress', onKey);
    for (const ending of ENDINGS) input.off(ending, cancel);
    interruption.ignore();
  }
}
