import { orElse } from '../or-else.ts';

/** The text of some bytes without a byte order mark; undefined if they aren't UTF-8. */
export const decodeUtf8 = (bytes: Uint8Array, { keepsMark = false } = {}): string | undefined =>
  orElse(() => new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes), undefined);
