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
