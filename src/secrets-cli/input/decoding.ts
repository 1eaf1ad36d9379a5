import { decodeUtf8 } from '../../formats/utf8.ts';

/** A decoded text, and where it couldn't be decoded. */
interface Decoded {
  /** The text without a byte order mark. Bytes that aren't UTF-8 are replaced. */
  text: string;
  /** Why nothing can be read from it. */
  problem?: string;
  /** The numbers of the lines that aren't UTF-8, counted from 1. */
  broken: number[];
}

export function decodeText(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const problem = 'it is UTF-16; save it as UTF-8 (in PowerShell: Out-File -Encoding utf8)';
    return { text: '', problem, broken: [] };
  }
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text, broken: [] };
  // No multi-byte character contains a line feed byte, so lines can be split before they are decoded.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const isBroken = (line: string) => decodeUtf8(Buffer.from(line, 'latin1')) === undefined;
  const broken = lines.flatMap((line, at) => (isBroken(line) ? [at + 1] : []));
  return { text: new TextDecoder().decode(bytes), broken };
}

export const NOT_UTF8 = 'it is not UTF-8 text';

/** The text without spaces and tabs around it. Other white space may be part of a value. */
export function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let [start, end] = [0, text.length];
  while (end > 0 && isBlank(end - 1)) end -= 1;
  while (start < end && isBlank(start)) start += 1;
  return text.slice(start, end);
}
