import { type confirm, isCancel } from '@clack/prompts';
import { watchInterruption } from '../interruption.ts';
import { Left, WentBack } from './question.ts';
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
 * Shows a prompt and gives its answer. Ctrl-D, a signal and the terminal's end leave it as Ctrl-C does.
 *
 * @throws {Left} It was left; with Esc, `WentBack`.
 */
export async function answer<Answer>(
  { input, screen }: Place,
  isJoined: boolean,
  show: (common: Common) => Promise<Answer | symbol>,
): Promise<Answer> {
  const interruption = watchInterruption();
  const left = new AbortController();
  const leave = () => left.abort();
  let isBack = false;
  const onKey = (_: unknown, { ctrl, name }: Key) => {
    isBack = name === 'escape';
    if (ctrl && name === 'd') leave();
  };
  interruption.signal.addEventListener('abort', leave);
  for (const ending of ENDINGS) input.on(ending, leave);
  input.on('keypress', onKey);
  screen.begin();
  try {
    const given = await show({ input, output: screen.stream, signal: left.signal, withGuide: isJoined });
    if (!isCancel(given)) return given as Answer;
    throw isBack && !left.signal.aborted ? new WentBack() : new Left();
  } finally {
    screen.end();
    input.off('keypress', onKey);
    for (const ending of ENDINGS) input.off(ending, leave);
    interruption.ignore();
  }
}
