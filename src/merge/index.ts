import { diffArrays } from 'diff';
import { decodeUtf8 } from '../formats/bytes.ts';
import { findMarkers, type Labels, markConflict } from '../formats/markers.ts';
import { unique } from '../std.ts';
import {
  type Chunk,
  type Lines,
  mergeItems,
  mergeLines,
  once,
  outcomeOf,
  pairLines,
  SAME_LINES,
  type Versions,
} from './lines.ts';
import { settleValues } from './texts.ts';
import { CODE } from './units/code.ts';
import { DATA } from './units/data.ts';
import { mergeUnits } from './units/index.ts';
import { PYTHON } from './units/python.ts';
import { faultsInPython } from './units/python-faults.ts';

export { listPackages, listVariables, withoutPackages, withoutVariables } from './units/data.ts';

/** The three versions of a file. */
interface Sides {
  user: Buffer;
  /** If it isn't available and the kind of file has no guess, any difference is a conflict of the whole file. */
  base: Buffer | undefined;
  botcli: Buffer;
}

/** Lines about which the user has to decide. */
interface FileConflict {
  /** The first and the last line in the user's file, counted from 1; for an insertion, the last is the first minus 1. */
  lines: [first: number, last: number];
  yours: string;
  base: string;
  ours: string;
  reason: string;
  /** Whether it is one only because of another conflict of the file. */
  follows?: boolean;
}

interface Merged {
  /** The merge; where there is a conflict, the user's lines. */
  contents: Buffer;
  conflicts: FileConflict[];
  /** The merge with markers at each conflict. A file that isn't text has none. */
  marked: Buffer;
}

const NO_BASE = "The version that botcli wrote isn't available, so nobody can tell your changes from botcli's.";
const TOO_DIFFERENT = 'The versions have too little in common.';

/** Merges one file, by its kind and by lines. What can't be merged is a conflict, of the whole file if need be. */
export function mergeFile(path: string, { user, base, botcli }: Sides, labels: Labels): Merged {
  if (user.equals(botcli) || base?.equals(botcli)) return { contents: user, conflicts: [], marked: user };
  if (base?.equals(user)) return { contents: botcli, conflicts: [], marked: botcli };
  const texts = { user: readText(user), base: readText(base ?? Buffer.alloc(0)), botcli: readText(botcli) };
  if (!isReadable(texts)) return refuseBytes(user, texts);
  const kind = kindOf(path);
  const lines = { user: texts.user.lines, base: texts.base.lines, botcli: texts.botcli.lines };
  const known = base ? lines.base : kind.guessBase?.(lines);
  const chunks = known ? kind.merge({ ...lines, base: known }) : [whole(lines, NO_BASE)];
  return finish(chunks ?? [whole(lines, TOO_DIFFERENT)], texts, labels);
}

/** Whether a text is one of the user's own: hardly a line of botcli's is left. */
export function isRewritten(user: Buffer, base: Buffer): boolean {
  const linesOf = (text: Buffer) => unique(text.toString().split(/\r?\n/)).filter(line => line.trim() !== '');
  const [now, before] = [linesOf(user), linesOf(base)];
  return before.filter(line => now.includes(line)).length < before.length / 10;
}

/** The lines that still have conflict markers of ours, counted from 1. */
export function markersIn(contents: Buffer): number[] {
  const text = readText(contents);
  if (typeof text === 'string') return [];
  return findMarkers(text.lines).flatMap(({ line, isOurs }) => (isOurs ? line : []));
}

const isReadable = (texts: Versions<Text | string>): texts is Versions<Text> =>
  Object.values(texts).every(text => typeof text !== 'string');

/** A file that isn't text stays as the user has it. */
function refuseBytes(user: Buffer, texts: Versions<Text | string>): Merged {
  const [reason = ''] = Object.values(texts).filter(text => typeof text === 'string');
  return { contents: user, conflicts: [{ lines: [1, 0], yours: '', base: '', ours: '', reason }], marked: user };
}

const whole = (lines: Versions<Lines>, reason: string): Chunk => ({ ...lines, source: 'conflict', reason });

function finish(chunks: readonly Chunk[], texts: Versions<Text>, labels: Labels): Merged {
  const write = (lines: Lines) => writeText(lines, texts);
  const contents = write(chunks.flatMap(outcomeOf));
  const conflicts = findConflicts(chunks, texts.user.lines);
  if (conflicts.length === 0) return { contents, conflicts, marked: contents };
  const marked = chunks.flatMap(chunk =>
    chunk.source === 'conflict' ? markConflict(chunk, labels) : outcomeOf(chunk),
  );
  return { contents, conflicts, marked: write(marked) };
}

function findConflicts(chunks: readonly Chunk[], user: Lines): FileConflict[] {
  if (chunks.every(({ source }) => source !== 'conflict')) return [];
  const placeOf = locate(
    chunks.flatMap(chunk => chunk.user),
    user,
  );
  const text = (lines: Lines) => lines.join('\n');
  let at = 0;
  return chunks.flatMap(chunk => {
    const start = at;
    at += chunk.user.length;
    if (chunk.source !== 'conflict') return [];
    const lines: [number, number] = [placeOf(start) + 1, at > start ? placeOf(at - 1) + 1 : placeOf(start)];
    const sides = { yours: text(chunk.user), base: text(chunk.base), ours: text(chunk.botcli) };
    return [{ lines, ...sides, reason: reasonOf(chunk), ...(chunk.follows && { follows: true }) }];
  });
}

const isBlank = (lines: Lines): boolean => lines.every(line => line.trim() === '');

/** Why a chunk is a conflict; more exactly, if one side has nothing left of its lines. */
function reasonOf({ user, base, botcli, reason = SAME_LINES }: Chunk): string {
  if (reason !== SAME_LINES || isBlank(base)) return reason;
  if (isBlank(user)) return 'You removed or moved these lines, and botcli changes them.';
  return isBlank(botcli) ? 'You changed these lines, and botcli removes them.' : reason;
}

/** Finds the places of lines in the user's file before its kind was merged. */
function locate(settled: Lines, user: Lines): (line: number) => number {
  const places: number[] = [];
  let at = 0;
  // With more differences, the places are a guess.
  for (const { added, removed, count } of diffArrays([...settled], [...user], { maxEditLength: 2000 }) ?? []) {
    for (let index = 0; index < count; index += 1) {
      if (!added) places.push(at);
      if (!removed) at += 1;
    }
  }
  return line => places[line] ?? (at || Math.min(line, user.length));
}

/** A larger file isn't merged by lines. */
const MOST_BYTES = 512 * 1024;

const BYTE_ORDER_MARK = '\uFEFF';

/** A text without what editors add to it, and what they added. */
interface Text {
  lines: Lines;
  hasMark: boolean;
  /** The ends of the lines, such as `\r\n`; the last one is empty if the file doesn't end with a line end. */
  ends: Lines;
}

/** Reads a text, or says why it can't be read as one. */
function readText(contents: Buffer): Text | string {
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
function writeText(lines: Lines, { user, base, botcli }: Versions<Text>): Buffer {
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

/** Merges a file such as .gitignore: each line is a pattern of its own, and none is added twice. */
function settlePatterns({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const isKnown = (line: string) => isPattern(line) && user.includes(line) && !base.includes(line);
  // The last pattern that matches wins, so the user's come last.
  const merged = mergeItems({ user, base, botcli: botcli.filter(line => !isKnown(line)) }, () => false);
  return merged ? { user: merged, base: merged, botcli: merged } : { user, base, botcli };
}

/** What a file such as .gitignore may have been: then all patterns of both sides stay. */
const guessPatterns = ({ user, botcli }: Omit<Versions<Lines>, 'base'>): Lines =>
  user.filter(line => botcli.includes(line));

const isPattern = (line: string): boolean => line !== '' && !line.startsWith('#');

/** Makes the three versions of a text in Markdown agree where the user has formatted it, or has written a section anew. */
const settleMarkdown = (versions: Versions<Lines>): Versions<Lines> => settleSections(followLook(versions, plainLine));

/**
 * Writes lines of the base and of botcli's version as the user has them: a line of which only the look differs isn't
 * changed.
 *
 * @param plain A line without its look.
 */
function followLook({ user, base, botcli }: Versions<Lines>, plain: (line: string) => string): Versions<Lines> {
  const pair = (lines: Lines) => pairLines(base.map(plain), lines.map(plain)) ?? [];
  const looks = new Map(
    pair(user).flatMap(([at, to]) => {
      const line = user[to] ?? '';
      return line !== base[at] && base[at]?.trim() !== '' ? [[at, line] as const] : [];
    }),
  );
  const written = new Map(pair(botcli).map(([at, to]) => [to, looks.get(at)]));
  return {
    user,
    base: base.map((line, at) => looks.get(at) ?? line),
    botcli: botcli.map((line, at) => written.get(at) ?? line),
  };
}

/** A line without the width of its table's columns, and the sign of its list. */
function plainLine(line: string): string {
  const [text = '', ...cells] = line.split('|');
  const row = cells.length === 0 ? text.trimEnd() : [text, ...cells].map(cell => cell.trim()).join('|');
  return row.replace(/^(\s*)[*+-]\s+/, '$1- ').replace(/-{3,}/g, '---');
}

/** A heading, with the lines up to the next one: lines `[start, end)`. */
interface Section {
  heading: string;
  start: number;
  end: number;
}

/** Leaves sections alone that the user has removed or rewritten: botcli's words about them are about something else. */
function settleSections({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const sections = { user: sectionsOf(user), base: sectionsOf(base), botcli: sectionsOf(botcli) };
  const result = [...botcli];
  const onlyOnes = once(base, line => line);
  for (const { heading, start, end } of [...sections.botcli.values()].reverse()) {
    const [mine, old] = [sections.user.get(heading), sections.base.get(heading)];
    if (!old) continue;
    const before = base.slice(old.start + 1, old.end);
    // Without its heading, the section may be anywhere.
    if (
      !isWrittenAnew(
        mine ? user.slice(mine.start + 1, mine.end) : user,
        before.filter(line => onlyOnes.has(line)),
      )
    )
      continue;
    result.splice(start + 1, end - start - 1, ...before);
  }
  return { user, base, botcli: result };
}

/** Whether no line with words is left of a text that had several. */
function isWrittenAnew(now: Lines, before: Lines): boolean {
  const hasWords = (line: string) => /\w\W+\w/.test(line);
  const old = new Set(before.filter(hasWords));
  return old.size > 2 && now.some(hasWords) && !now.some(line => old.has(line));
}

/** The sections with a heading that no other one has. */
function sectionsOf(lines: Lines): Map<string, Section> {
  const sections: Section[] = [];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const [mark] = /^(?:```|~~~)/.exec(line) ?? [];
    fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    if (fence !== undefined || !/^#{1,6} /.test(line)) continue;
    const last = sections.at(-1);
    if (last) last.end = at;
    sections.push({ heading: line, start: at, end: lines.length });
  }
  return once(sections, ({ heading }) => heading);
}

interface Kind {
  files: RegExp;
  /** Nothing if the versions have too little in common. */
  merge(versions: Versions<Lines>): readonly Chunk[] | undefined;
  /** What botcli may have written, if it isn't known and a guess does no harm. */
  guessBase?(versions: Omit<Versions<Lines>, 'base'>): Lines;
}

const KINDS: readonly Kind[] = [
  { files: /\.py$/, merge: versions => mergeUnits(PYTHON, settleValues(versions), faultsInPython) },
  ...[...CODE, ...DATA].map(([files, language]) => ({
    files,
    merge: (versions: Versions<Lines>) => mergeUnits(language, versions),
  })),
  {
    files: /(^|\/)\.\w+ignore$/,
    merge: versions => mergeLines(settlePatterns(versions)),
    guessBase: guessPatterns,
  },
  { files: /\.md$/, merge: versions => mergeLines(settleMarkdown(versions)) },
];

/** How a file is merged, from its path. Most are merged by lines. */
export const kindOf = (path: string): Omit<Kind, 'files'> =>
  KINDS.find(({ files }) => files.test(path)) ?? { merge: mergeLines };
