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
