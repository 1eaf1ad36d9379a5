import { isUtf8 } from 'node:buffer';
import { orElse } from '../std.ts';

/** The text of some bytes without a byte order mark; undefined if they aren't UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array, { keepsMark = false } = {}): string | undefined =>
  orElse(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes), undefined);

/** The first line, from 0, that isn't UTF-8, or has a NUL byte. */
export function garbledLine(bytes: Buffer): number | undefined {
  if (isUtf8(bytes) && !bytes.includes(0)) return undefined;
  const lines = bytes.toString('latin1').split('\n');
  return lines.findIndex(line => line.includes('\0') || !isUtf8(Buffer.from(line, 'latin1')));
}

/** A text with `\n` for each `\r\n`: git on Windows may check files out with either. */
export const withLineFeeds = (contents: Buffer): Buffer =>
  contents.includes('\r\n') ? Buffer.from(contents.toString('latin1').replaceAll('\r\n', '\n'), 'latin1') : contents;

/** Whether two files differ only in their line ends, if at all. */
export const isSameText = (one: Buffer, other: Buffer): boolean => withLineFeeds(one).equals(withLineFeeds(other));

/** A text with the line ends that most lines of another one have. One that has some `\r\n` already is left alone. */
export function withLineEndsOf(model: Buffer | undefined, contents: Buffer): Buffer {
  if (contents.includes('\r\n')) return contents;
  const text = model?.toString('latin1') ?? '';
  const isWindows = text.split('\r\n').length - 1 > text.split(/(?<!\r)\n/).length - 1;
  return isWindows ? Buffer.from(contents.toString('latin1').replaceAll('\n', '\r\n'), 'latin1') : contents;
}
