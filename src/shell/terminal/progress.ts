import type { WriteStream } from 'node:tty';

/** A line on stderr that says what goes on, and changes while it does. Where no terminal is, there is none. */
export interface Progress {
  show(text: string): void;
  /** Takes the line away. Anything else that is written goes after this. */
  clear(): void;
}

const CLEAR_LINE = '\r\u001b[2K';

/** The line on this stream, which is asked for at the first line, cut at the width that the stream has. */
export function createProgress(open: () => WriteStream | undefined): Progress {
  let isShown = false;
  return {
    show(text) {
      const stream = open();
      if (!stream) return;
      isShown = true;
      stream.write(CLEAR_LINE + text.slice(0, (stream.columns || 80) - 1));
    },
    clear() {
      if (isShown) open()?.write(CLEAR_LINE);
      isShown = false;
    },
  };
}
