/** The text of some bytes without a byte order mark; undefined if they aren't UTF-8. */
export function decodeUtf8(bytes: Uint8Array, { keepsMark = false } = {}): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: keepsMark }).decode(bytes);
  } catch {
    return undefined;
  }
}
