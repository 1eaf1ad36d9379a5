import { getSystemErrorMap } from 'node:util';

type OnError = (error: NodeJS.ErrnoException) => void;

/** Writes a line to a stream. A failure is reported later, if at all. */
export function writeLine(stream: NodeJS.WriteStream, text: string, onError?: OnError): void {
  outliveReader(stream, onError).write(`${text}\n`);
}

/** Writes lines to a stream. The promise, if there is one, is resolved once the stream can take more. */
export function writePaced(stream: NodeJS.WriteStream, text: string, onError?: OnError): Promise<void> | undefined {
  const reader = outliveReader(stream, onError);
  let hasRoom = true;
  const written = new Promise<void>(resolve => {
    hasRoom = reader.write(`${text}\n`, () => resolve());
  });
  return hasRoom ? undefined : written;
}

/**
 * Drops what a stream has not written, because nobody reads it. Otherwise, the process would wait for a reader before it
 * exits. Streams of a process ignore `destroy`.
 */
export function dropUnread(stream: NodeJS.WriteStream): void {
  if (stream.writableLength === 0) return;
  const { Socket } = process.getBuiltinModule('node:net');
  if (stream instanceof Socket) Socket.prototype._destroy.call(stream, null, () => {});
}

/** Ignores a reader that stops early, as in `| head`. Otherwise Node would throw EPIPE later. */
export function outliveReader(stream: NodeJS.WriteStream, onError: OnError = ignore): NodeJS.WriteStream {
  return stream.listeners('error').includes(onError) ? stream : stream.on('error', onError);
}

const ignore = () => {};

/** Reports, once, that results can't be written, such as on a full disk. A reader that stopped early isn't reported. */
export function createLossReport(output: NodeJS.WriteStream, report: (text: string) => void): OnError {
  let isReported = false;
  return ({ code, errno = 0, message }) => {
    // Errors on a terminal mean that it was closed.
    if (isReported || code === 'EPIPE' || output.isTTY) return;
    isReported = true;
    const why = getSystemErrorMap().get(errno)?.[1] ?? message;
    report(`error: Can't write to stdout: ${why}. The output is incomplete.`);
  };
}
