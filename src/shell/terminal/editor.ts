import { clearScreenDown, createInterface, cursorTo, type Key, moveCursor } from 'node:readline';
import type { Style } from './style.ts';

interface Editor {
  /** The next message, or what is pasted at once; undefined once there are no more. Throws the reason of `signal`. */
  next(signal: AbortSignal): Promise<string | undefined>;
  above(print: () => void): void;
  close(): void;
}

interface Streams {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  style: Style;
  /** Whether the terminal can't move the cursor, or a screen reader reads it. */
  isPlain: boolean;
}

/** Terminals mark what is pasted, if they are asked to. */
const MARK_PASTED = '\u001b[?2004h';
const LEAVE_PASTED = '\u001b[?2004l';
const MOST_REMEMBERED = 500;

/**
 * Opens an editor, in which the terminal's usual keys work. Arrow up brings back earlier lines. Ctrl-C ends the input,
 * as Ctrl-D does, if `onInterrupt` returns false.
 */
export function openEditor(
  { input, output, style, isPlain }: Streams,
  { prompt, onInterrupt, onEnd }: { prompt: string; onInterrupt: () => boolean; onEnd: () => void },
): Editor {
  const settings = { terminal: true, historySize: MOST_REMEMBERED, removeHistoryDuplicates: true, prompt: '' };
  const lines = createInterface({ input, output, ...settings });
  const typed: string[] = [];
  let block: string[] = [];
  let isPasting = false;
  let isOver = false;
  /** Called once there is a message, or there won't be one. */
  let wake: (() => void) | undefined;
  const onKey = (_: unknown, { name }: Key) => {
    if (name === 'paste-start') isPasting = true;
    if (name === 'paste-end') isPasting = false;
  };
  input.on('keypress', onKey);
  if (!isPlain) output.write(MARK_PASTED);
  lines.on('line', line => {
    block.push(line);
    if (isPasting) return;
    typed.push(block.join('\n'));
    block = [];
    wake?.();
  });
  lines.on('SIGINT', () => {
    if (!onInterrupt()) lines.close();
  });
  lines.once('close', () => {
    isOver = true;
    input.off('keypress', onKey);
    if (!isPlain) output.write(LEAVE_PASTED);
    // What comes next begins on a line of its own.
    if (wake) output.write('\n');
    wake?.();
    onEnd();
  });
  const show = () => {
    lines.setPrompt(wake ? style.bold(prompt) : '');
    lines.prompt(true);
  };
  return {
    async next(signal) {
      signal.throwIfAborted();
      if (typed.length === 0 && !isOver) {
        let onAbort = () => {};
        await new Promise<void>(resolve => {
          wake = resolve;
          onAbort = resolve;
          signal.addEventListener('abort', onAbort, { once: true });
          show();
        });
        // One signal lasts for all messages.
        signal.removeEventListener('abort', onAbort);
        wake = undefined;
        lines.setPrompt('');
      }
      signal.throwIfAborted();
      return typed.shift();
    },
    above(print) {
      if (isOver) return print();
      if (isPlain && wake) output.write('\n');
      if (!isPlain) {
        moveCursor(output, 0, -lines.getCursorPos().rows);
        cursorTo(output, 0);
        clearScreenDown(output);
      }
      print();
      if (wake || lines.line !== '') show();
    },
    close: () => lines.close(),
  };
}
