import type { WriteStream } from 'node:tty';
import { onOneLine } from '../../printable.ts';

/** A line on stderr that shows progress. It appears only in a terminal. */
export interface Progress {
  show(text: string): void;
  /** Removes the line. Call this before writing anything else. */
  clear(): void;
}

const CLEAR_LINE = '\r\u001b[2K';

/** Creates the line on a stream that is opened on first use. Text is cut to the stream's width. */
export function createProgress(open: () => WriteStream | undefined): Progress {
  let isShown = false;
  return {
    show(text) {
      const stream = open();
      if (!stream) return;
      isShown = true;
      stream.write(CLEAR_LINE + onOneLine(text).slice(0, (stream.columns || 80) - 1));
    },
    clear() {
      if (isShown) open()?.write(CLEAR_LINE);
      isShown = false;
    },
  };
}
