import type { WriteStream } from 'node:tty';
import { onOneLine } from '../../printable.ts';

const CLEAR_LINE = '\r\u001b[2K';

/** Creates the line that shows progress, on a stream that is opened on first use. Text is cut to the stream's width. */
export function createProgress(open: () => WriteStream | undefined) {
  let isShown = false;
  return {
    show(text: string) {
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
