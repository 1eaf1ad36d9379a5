import { diffArrays } from 'diff';
import { decodeUtf8 } from '../formats/utf8.ts';
import type { Lines, Versions } from './lines.ts';

/** A larger file isn't merged by lines. */
const MOST_BYTES = 512 * 1024;

const BYTE_ORDER_MARK = '\uFEFF';

/** A text without what editors add to it, and what they added. */
export interface Text {
  lines: Lines;
  hasMark: boolean;
  /** The ends of the lines, such as `\r\n`; the last one is empty if the file doesn't end with a line end. */
  ends: Lines;
}

/** Reads a text, or says why it can't be read as one. */
export function readText(contents: Buffer): Text | string {
  if (contents.length > MOST_BYTES) return "It's larger than 512 KB.";
  const text = decodeUtf8(contents, { keepsMark: true });
  if (text === undefined) return "It isn't a UTF-8 text file.";
  if (text.includes('\0')) return "It isn't a UTF-8 text file (it contains NUL bytes).";
  const hasMark = text.startsWith(BYTE_ORDER_MARK);
  const rows = text.slice(hasMark ? 1 : 0).match(/[^\n]*\n|[^\n]+/g) ?? [];
  const ends = rows.map(row => /\r?\n$/.exec(row)?.[0] ?? '');
  return { lines: rows.map((row, at) => row.slice(0, row.length - (ends[at] ?? '').length)), hasMark, ends };
}

/** Writes lines as the user's editor would: with its line ends, byte order mark, and with or without the last line end. */
export function writeText(lines: Lines, { user, base, botcli }: Versions<Text>): Buffer {
  const lineEnd = mainEnd(user);
  const ends = endsFor(lines, user, lineEnd);
  const isClosed = isEnded(user) === isEnded(base) ? isEnded(botcli) : isEnded(user);
  const text = lines
    .map((line, at) => line + (at < lines.length - 1 || isClosed ? (ends[at] ?? lineEnd) : ''))
    .join('');
  return Buffer.from((user.hasMark ? BYTE_ORDER_MARK : '') + text);
}

/** The line end that most lines have; `\n` if there is none. */
function mainEnd({ ends }: Text): string {
  const count = (end: string) => ends.filter(one => one === end).length;
  return count('\r\n') > count('\n') ? '\r\n' : '\n';
}

const isEnded = ({ ends }: Text): boolean => ends.at(-1) !== '';

/** The ends of lines: those that the user's file has, where it mixes them. */
function endsFor(lines: Lines, user: Text, lineEnd: string): string[] {
  if (user.ends.every(end => end === lineEnd || end === '')) return [];
  let at = 0;
  return diffArrays([...user.lines], [...lines]).flatMap(({ added, removed, count }) => {
    if (added) return Array<string>(count).fill(lineEnd);
    at += count;
    return removed ? [] : user.ends.slice(at - count, at).map(end => end || lineEnd);
  });
}
