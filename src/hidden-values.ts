import { unique } from './unique.ts';

// Values that must not be printed. Others may quote them, in any of the usual encodings.

/** Shorter values stay: too many words contain them, and the gap would give them away. */
const LEAST = 4;
/** The shortest value to hide in a log, and wherever it is part of a longer word. */
const LEAST_PART = 8;
/** Text of botcli itself has words and names, too. Only values that can't be one are hidden there. */
const LEAST_UNLIKE_NAMES = 12;
const LEAST_UNLIKE_ANYTHING = 16;
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
  return {
    /** From now on, these values are hidden. */
    hide(values: readonly string[]): void {
      for (const text of values.flatMap(partsOf)) {
        const reach = parts.has(text) ? undefined : reachOf(text);
        if (reach) parts.set(text, { text, reach, pattern: patternOf(text) });
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
    inLog: (text: string): string => hideIn(text, ['everywhere', 'others']),
    /** What somebody else says about a request. */
    inError: (text: string): string => hideIn(text, ['everywhere', 'others', 'errors']),
  };
}

/** A value, and its lines: each may be printed alone. */
function partsOf(value: string): string[] {
  const all = [value, ...[value, ...value.split(LINE_BREAK)].map(part => part.trim())];
  return unique(all.flatMap(part => (part.length > LONGEST_PIECE ? piecesOf(part) : [part])));
}

/** The pieces of a long value. The last one may be nearly twice as long. */
function piecesOf(text: string): string[] {
  const most = Math.floor(text.length / LONGEST_PIECE) - 1;
  const starts = Array.from({ length: most + 1 }, (_, at) => at * LONGEST_PIECE);
  return starts.map((start, at) => text.slice(start, at === most ? undefined : start + LONGEST_PIECE));
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
  return new RegExp([plain, ...base64Of(text), hex, hex.toUpperCase()].join('|'), 'gu');
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
    const core = code.slice([0, 2, 3][offset], end);
    return core.replaceAll('/', '(?:[/_]|%2[fF])').replaceAll('+', '(?:[+-]|%2[bB])');
  });
}
