import { isCancel } from '@clack/core';
import { QUIT, watchInterruption } from '../interruption.ts';
import { Cancelled, WentBack } from './question.ts';
import type { Screen } from './screen.ts';
import type { Style, symbolsFor } from './style.ts';

export interface Place {
  input: NodeJS.ReadStream;
  screen: Screen;
  style: Style;
  symbols: ReturnType<typeof symbolsFor>;
}

/** What all prompts of the library take. */
export interface Common {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  signal: AbortSignal;
}

interface Key {
  name?: string;
  sequence?: string;
  ctrl?: boolean;
}

const ENDINGS = ['end', 'close', 'error'];

/**
 * Shows a prompt and returns the answer. Ctrl-D, Ctrl-\, a signal, or a closed terminal cancels it, like Ctrl-C. Ctrl-Z
 * does nothing.
 *
 * @throws {Cancelled} The prompt was cancelled; `WentBack` if Esc was pressed.
 */
export async function answer<Answer>(
  { input, screen }: Place,
  show: (common: Common) => Promise<Answer | symbol | undefined>,
): Promise<Answer> {
  const interruption = watchInterruption(undefined, [QUIT]);
  const cancellation = new AbortController();
  const cancel = () => cancellation.abort();
  let wentBack = false;
  // Node's readline wouldn't read on, so that the program would end once it's in the foreground again.
  const goOn = () => {
    process.emit('SIGCONT', 'SIGCONT');
    input.resume();
  };
  const onKey = (_: unknown, { ctrl, name, sequence }: Key) => {
    wentBack = name === 'escape';
    if (ctrl && name === 'z') process.off('SIGTSTP', goOn).once('SIGTSTP', goOn);
    // While a prompt is shown, the terminal sends no signal for Ctrl-\.
    if ((ctrl && name === 'd') || sequence === '\x1c') cancel();
  };
  interruption.signal.addEventListener('abort', cancel);
  for (const ending of ENDINGS) input.on(ending, cancel);
  input.on('keypress', onKey);
  screen.begin();
  try {
    const given = await show({ input, output: screen.stream, signal: cancellation.signal });
    if (!isCancel(given)) return given as Answer;
    throw wentBack && !cancellation.signal.aborted ? new WentBack() : new Cancelled();
  } finally {
    screen.end();
    input.off('keypress', onKey);
    process.off('SIGTSTP', goOn);
    // After Ctrl-Z, readline takes it for paused, and leaves it open.
    input.pause();
    for (const ending of ENDINGS) input.off(ending, cancel);
    interruption.ignore();
  }
}
