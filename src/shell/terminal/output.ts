import { getSystemErrorMap } from 'node:util';

type OnError = (error: NodeJS.ErrnoException) => void;

/** Writes a line to a stream. Should that fail, it's told later, if at all. */
export function writeLine(stream: NodeJS.WriteStream, text: string, onError?: OnError): void {
  outliveReader(stream, onError).write(`${text}\n`);
}

/** A reader that leaves earlyOptions (`| head`) is no failure of ours: Node would otherwise throw EPIPE later on. */
export function outliveReader(stream: NodeJS.WriteStream, onError: OnError = ignore): NodeJS.WriteStream {
  return stream.listeners('error').includes(onError) ? stream : stream.on('error', onError);
}

const ignore = () => {};

/** Tells, once, that results can't be written for another reason than that nobody reads them: a full disk is no success. */
export function createLossReport(output: NodeJS.WriteStream, report: (text: string) => void): OnError {
  let isReported = false;
  return ({ code, errno = 0, message }) => {
    // A terminal that takes nothing was closed.
    if (isReported || code === 'EPIPE' || output.isTTY) return;
    isReported = true;
    const why = getSystemErrorMap().get(errno)?.[1] ?? message;
    report(`error: Can't write to stdout: ${why}. The output is incomplete.`);
  };
}
