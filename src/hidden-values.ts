import { unique } from './std.ts';
import { isRandom, isUuid } from './text.ts';

// Values that must not be printed. Others may quote them, in any of the usual encodings.

/** Shorter values stay: too many words contain them, and the gap would give them away. */
const LEAST = 4;
/** The shortest value to hide in a log, and wherever it is part of a longer word. */
const LEAST_PART = 8;
/** Text of botcli itself has words and names, too. Only values that can't be one are hidden there. */
const LEAST_UNLIKE_NAMES = 12;
const LEAST_UNLIKE_ANYTHING = 16;
/** What others quote of a long value, such as its beginning, is hidden in pieces of this length. */
const PIECE = 12;
const LEAST_TO_QUOTE = 24;
/** A longer value is hidden in pieces of at least this length. */
const LONGEST_PIECE = 400;

/** Also as it's written in JSON, such as in that of a service account. */
const LINE_BREAK = /[\r\n]|\\[rn]/;

/** Where a value is hidden: everywhere, in what others say, or only in their errors. */
type Reach = 'everywhere' | 'others' | 'errors';

interface Part {
  text: string;
  reach: Reach;
  pattern: RegExp;
}

export type HiddenValues = ReturnType<typeof createHiddenValues>;

/** Remembers values, and hides them in texts. */
export function createHiddenValues() {
  const parts = new Map<string, Part>();
  const names = new Set<string>();
  const pieces = new Set<string>();
  let sorted: Part[] | undefined;
  const isName = ({ text }: Part) => [...names].some(name => name.includes(text));
  const shown = () => {
    sorted ??= [...parts.values()]
      .sort((one, other) => other.text.length - one.text.length)
      .map(part => (part.reach === 'everywhere' && isName(part) ? { ...part, reach: 'others' } : part));
    return sorted;
  };
  const hideIn = (text: string, reaches: readonly Reach[]) =>
    shown().reduce((rest, { reach, pattern }) => (reaches.includes(reach) ? rest.replace(pattern, '…') : rest), text);
  const isPiece = (text: string) => pieces.has(text) && ![...names].some(name => name.includes(text));
  const hideQuoted = (text: string) =>
    pieces.size === 0 ? text : text.replace(RUN, run => withoutPieces(run, isPiece));
  return {
    /** From now on, these values are hidden. */
    hide(values: readonly string[]): void {
      for (const text of values.flatMap(partsOf)) {
        const reach = parts.has(text) ? undefined : reachOf(text);
        if (!reach) continue;
        parts.set(text, { text, reach, pattern: patternOf(text) });
        if (reach === 'everywhere') for (const piece of quotable(text)) pieces.add(piece);
      }
      sorted = undefined;
    },
    /** These are names, which botcli goes on printing although a value is the same or a part. */
    allow(more: readonly string[]): void {
      const size = names.size;
      for (const name of more) names.add(name);
      if (names.size > size) sorted = undefined;
    },
    /** A text of botcli. */
    inOwn: (text: string): string => hideIn(text, ['everywhere']),
    /** A line of a log. */
    inLog: (text: string): string => hideQuoted(hideIn(text, ['everywhere', 'others'])),
    /** What somebody else says about a request. */
    inError: (text: string): string => hideQuoted(hideIn(text, ['everywhere', 'others', 'errors'])),
  };
}

/** A value, its lines, and the password in an address: each may be printed alone. */
function partsOf(value: string): string[] {
  const password = value.match(/^\w+:\/\/[^/?#@\s]*:([^/?#@\s]+)@/)?.[1] ?? [];
  const all = [value, ...[value, ...value.split(LINE_BREAK)].map(part => part.trim())].concat(password);
  return unique(all.flatMap(part => (part.length > LONGEST_PIECE ? piecesOf(part) : [part])));
}

/** The pieces of a long value. The last one may be nearly twice as long. */
function piecesOf(text: string): string[] {
  const most = Math.floor(text.length / LONGEST_PIECE) - 1;
  const starts = Array.from({ length: most + 1 }, (_, at) => at * LONGEST_PIECE);
  return starts.map((start, at) => text.slice(start, at === most ? undefined : start + LONGEST_PIECE));
}

/** The beginnings that nearly all keys have which are for several products of a provider. */
const KEY = /^(?:sk|pk|rk)[-_][\w-]{16,}$/;

/** The words, and the values after them, that look like keys: in a command line, or in what a provider says. */
export function keysIn(words: readonly string[]): string[] {
  const values = words.flatMap(word => [word, ...[/^-+/, /^-./, /^.*?=/].map(start => word.replace(start, ''))]);
  const isKey = (word: string) =>
    !/[\\/]/.test(word) && !isUuid(word) && (KEY.test(word) || (word.match(/[A-Za-z0-9]+/g) ?? []).some(isRandom));
  // Messages cut what they quote, with and without a quotation mark.
  return unique(values)
    .filter(isKey)
    .flatMap(key => [key, key.slice(0, 100), key.slice(0, 99)]);
}

/** What may have pieces of a value. */
const RUN = new RegExp(`[\\w+/=.~-]{${PIECE},}`, 'g');

/** The pieces of a long value that can't be anything else, as it is and in Base64. */
function quotable(text: string): string[] {
  if (text.length < LEAST_TO_QUOTE || /^\w+:\/\//.test(text)) return [];
  return [text, ...base64Of(text)].flatMap(whole =>
    Array.from({ length: Math.max(0, whole.length - PIECE + 1) }, (_, at) => whole.slice(at, at + PIECE)).filter(
      isUnlikeWords,
    ),
  );
}

const isUnlikeWords = (piece: string): boolean =>
  /^[\w+/=.~-]+$/.test(piece) &&
  (/\d.*[A-Za-z]|[A-Za-z].*\d/.test(piece) || /[a-z][A-Z].*[a-z][A-Z]/.test(piece)) &&
  new Set(piece).size >= 6;

/** A run of characters, without the pieces in it. */
function withoutPieces(run: string, isPiece: (text: string) => boolean): string {
  const hidden = new Set<number>();
  for (let start = 0; start + PIECE <= run.length; start += 1) {
    const isHidden = isPiece(run.slice(start, start + PIECE));
    for (let at = start; isHidden && at < start + PIECE; at += 1) hidden.add(at);
  }
  return Array.from(run, (sign, at) => (hidden.has(at) ? '\0' : sign))
    .join('')
    .replaceAll(/\0+/g, '…');
}

/** An address without credentials, a path or a query. */
const HOST = /^[a-z]+:\/\/[^\s/@?#]*\/?$/i;

function reachOf(text: string): Reach | undefined {
  const isMixed = /\d/.test(text) && /\p{L}/u.test(text);
  const isUnlikeNames = text.length >= LEAST_UNLIKE_ANYTHING || (isMixed && text.length >= LEAST_UNLIKE_NAMES);
  if (text.length >= LEAST_PART) return isUnlikeNames && !HOST.test(text) ? 'everywhere' : 'others';
  // A short one is a secret rather than a word such as `true` if it's a PIN, or has signs or digits in it.
  const isOdd = isMixed || /^\d+$/.test(text) || /[^\p{L}\d\s_./:-]/u.test(text);
  return text.length >= LEAST && isOdd ? 'errors' : undefined;
}

function patternOf(text: string): RegExp {
  // Neighbors that match the same would take the square of a text's length, or worse.
  const plain = Array.from(text.replace(/[^\S\n]*\n\s*/g, '\n').replace(/\\+/g, '\\'), formsOf).join('');
  if (text.length < LEAST_PART) return new RegExp(`(?<![\\p{L}\\d_])${plain}(?![\\p{L}\\d_])`, 'gu');
  const hex = Buffer.from(text).toString('hex');
  return new RegExp([plain, ...base64Of(text).map(inUrls), hex, hex.toUpperCase()].join('|'), 'gu');
}

const ENTITIES: Readonly<Record<string, string>> = { '"': 'quot', '&': 'amp', "'": 'apos', '<': 'lt', '>': 'gt' };

/** A character as it's written in text, JSON, URLs, HTML, and code. */
function formsOf(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character;
  if (character === '\n') return String.raw`(?:(?:\\+[rn]|%0[aAdD]|&#1[03];|[\s\ufffd])+)`;
  const code = character.codePointAt(0) as number;
  const percent = Array.from(Buffer.from(character), byte => `%${anyCase(byte, 2)}`).join('');
  const units = Array.from(
    { length: character.length },
    (_, at) => String.raw`\\+u${anyCase(character.charCodeAt(at), 4)}`,
  );
  const forms = [
    ...(character === '\\' ? [String.raw`\\+`] : [String.raw`\\*${escaped(character)}`]),
    percent,
    units.join(''),
    ...(code < 256 ? [String.raw`\\+x${anyCase(code, 2)}`] : []),
    ...(ENTITIES[character] ? [`&${ENTITIES[character]};`] : []),
    `&#(?:${code}|[xX]${anyCase(code, 1)});`,
    ...(character === ' ' ? [String.raw`\+`] : []),
    // As texts are shown.
    ...(character === '\t' ? [' {4}', String.raw`\\+t`] : []),
    ...(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(character) ? [String.raw`\ufffd`] : []),
  ];
  return `(?:${forms.join('|')})`;
}

const anyCase = (number: number, digits: number): string =>
  number
    .toString(16)
    .padStart(digits, '0')
    .replace(/[a-f]/g, letter => `[${letter}${letter.toUpperCase()}]`);

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** A text in Base64, alone or anywhere in a longer text: without the characters that depend on its neighbors. */
function base64Of(text: string): string[] {
  const bytes = Buffer.from(text);
  return [0, 1, 2].map(offset => {
    const code = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const end = (offset + bytes.length) % 3 === 0 ? code.length : code.length - 1;
    return code.slice([0, 2, 3][offset], end);
  });
}

/** A text in Base64 as a pattern, also as it's written in addresses. */
const inUrls = (code: string): string => code.replaceAll('/', '(?:[/_]|%2[fF])').replaceAll('+', '(?:[+-]|%2[bB])');
