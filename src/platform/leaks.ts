import { fold, readings } from './encodings.ts';

/** A text that shares this many characters with a secret leaks it. A shorter secret leaks only as a whole word. */
const SHARED = 6;
/** Shorter values, such as `1` or `en`, aren't secret: they occur in ordinary text. */
const SHORTEST_SECRET = 3;
/** The longest reason to show. */
const LONGEST_REASON = 300;

/** Names that are shown even if a value is the same: statuses, and the regions of the platform. */
const EXPECTED = /^(?:ready|pending|failed|unknown|[a-z]{2}-[a-z]{4,9}(?:-\d)?)$/;

/**
 * The secrets of a command, which are never shown. The platform's texts may quote them, because some services answer
 * with what they were sent.
 */
export class Leaks {
  /** Folded, like the words. */
  private readonly secrets = new Set<string>();
  /** Secrets too short to recognize in other words. */
  private readonly words = new Set<string>();
  /** Words that are shown anyway, such as names that were typed. */
  private readonly known = new Set<string>();
  /** Folded. */
  private readonly token: string;
  private hasValues = false;

  constructor(token: string) {
    // Every token begins like this, and explanations say so.
    this.token = fold(token.replace(/^pcc_pat_/, ''));
    this.secrets.add(this.token);
  }

  /** Whether a text contains the whole token, as it is. Fast enough for every text of a long list. */
  quotesToken(text: string): boolean {
    return fold(text).includes(this.token);
  }

  /** Hides values that are about to be sent. */
  hide(values: readonly string[]): void {
    this.hasValues ||= values.length > 0;
    for (const value of values) {
      const form = fold(value);
      if (form.length >= SHARED) this.secrets.add(form);
      else if (wordIn(form).length >= SHORTEST_SECRET) this.words.add(wordIn(form));
    }
  }

  /** Allows words that aren't secret, even if a value contains them. */
  allow(words: readonly (string | undefined)[]): void {
    for (const word of words) if (word !== undefined) this.known.add(word);
  }

  /** A name such as a region or a status. Undefined if it contains a secret, or may do so in an unknown encoding. */
  name(text: string): string | undefined {
    if (this.known.has(text) || EXPECTED.test(text)) return text;
    const start = text.slice(0, LONGEST_REASON);
    if (this.quotedIn(start)) return undefined;
    if (this.hasValues) return this.masked(start) === start ? start : undefined;
    // What was said before a value was sent can't be that value.
    this.known.add(text);
    return start;
  }

  /**
   * A reason. Undefined if it contains a secret. There are more encodings than anyone can list, so once values were
   * sent, only words and small numbers are shown.
   */
  reason(text: string): string | undefined {
    const start = text.slice(0, LONGEST_REASON);
    if (this.quotedIn(start)) return undefined;
    const whole = start === text ? text : `${start}…`;
    if (!this.hasValues) return whole;
    return whole
      .replace(SPELLED, '… ')
      .replace(/\S+/g, word => this.masked(word))
      .replace(/(?:… )+…/g, '…')
      .trimEnd();
  }

  /** Whether a text contains a secret, or part of one, in any form that requests and logs use. */
  private quotedIn(text: string): boolean {
    const rest = text
      .split(/\s+/)
      .filter(word => !this.known.has(wordIn(word)))
      .join(' ');
    const forms = readings(rest);
    if (!forms) return true;
    const folded = [...forms].map(fold);
    return folded.some(form => this.words.has(form)) || sharePiece(folded, this.secrets);
  }

  private masked(word: string): string {
    const inner = wordIn(word);
    const isShown = this.known.has(inner) || (isPlain(inner) && !this.words.has(fold(inner)));
    return isShown ? word : '…';
  }
}

/** Several single characters or small numbers, as some languages print bytes: `[104 117]` or `'h', 'u'`. */
const SPELLED = /(?<!\S)(?:[^\p{L}\p{N}\s]*(?:\p{L}|\p{N}{1,3})[^\p{L}\p{N}\s]*(?:\s+|$)){2,}/gu;

/** A word without the punctuation around it. */
const wordIn = (text: string): string => text.replace(/^["'`([{<]+/, '').replace(/["'`)\]}>.,:;!?]+$/, '');

/** Whether a word is an English word, an identifier such as `secretValue`, or a number of up to three digits. */
const isPlain = (word: string): boolean =>
  /^(?:[A-Z]?[a-z]{0,20}(?:[A-Z][a-z]+){0,4}(?:'[a-z]{1,2})?|[a-z]+(?:[-/][a-z]+){1,3}|[A-Z]{2,8}|\d{1,3})$/.test(word);

const BUCKETS = 2 ** 16;

/** Which of 65,536 buckets the characters after a position belong to. */
function bucketAt(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + SHARED; next += 1) hash = Math.imul(hash, 31) + text.charCodeAt(next);
  return hash & (BUCKETS - 1);
}

/** Whether one of these texts has a piece in common with one of the secrets. Takes time for their sizes, not more. */
function sharePiece(texts: readonly string[], secrets: Iterable<string>): boolean {
  const pieces = new Set<string>();
  const buckets = new Uint8Array(BUCKETS);
  for (const text of texts) {
    for (let at = 0; at + SHARED <= text.length; at += 1) {
      pieces.add(text.slice(at, at + SHARED));
      buckets[bucketAt(text, at)] = 1;
    }
  }
  if (pieces.size === 0) return false;
  for (const secret of secrets) {
    for (let at = 0; at + SHARED <= secret.length; at += 1) {
      if (buckets[bucketAt(secret, at)] && pieces.has(secret.slice(at, at + SHARED))) return true;
    }
  }
  return false;
}
