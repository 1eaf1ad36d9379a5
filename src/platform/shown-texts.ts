import { shortened } from '../text.ts';

/** The longest reason to show, in characters. */
const LONGEST_REASON = 300;

/** Statuses, and regions as the platform names its own. */
const EXPECTED = /^(?:ready|pending|failed|unknown|[a-z]{2}-[a-z]{4,9}(?:-\d)?)$/;

/** The platform's codes of errors. No secret looks like one. */
const ERROR_CODE = /^(?:[A-Z]{2,12}(?:_[A-Z]{2,12}){0,4}|PCC-\d{4}|PCC-[A-Z]{2,12}(?:-[A-Z]{2,12}){0,4})$/;

/**
 * What may be shown of the platform's texts. Services sometimes answer with what they were sent, in any encoding. So
 * once a value was sent, only names that were known before are shown, and codes.
 */
export function createShownTexts(tokens: readonly string[]) {
  // Every token begins like this, and explanations say so.
  const parts = tokens.map(token => token.replace(/^pcc_pat_/, '').toUpperCase());
  const known = new Set<string>();
  let hasSentValues = false;
  const quotesToken = (text: string): boolean => {
    const upper = text.toUpperCase();
    return parts.some(part => upper.includes(part));
  };
  return {
    quotesToken,
    /** A value is about to be sent. */
    sendsValue(): void {
      hasSentValues = true;
    },
    /** Names that aren't secret, even if a value is the same. */
    allow(names: readonly (string | undefined)[]): void {
      for (const name of names) if (name !== undefined) known.add(name);
    },
    /** A name such as a region or a status; undefined if it may be secret. */
    name(text: string): string | undefined {
      if (!hasSentValues) known.add(text);
      return known.has(text) || EXPECTED.test(text) ? text : undefined;
    },
    /** A reason in the platform's words, without what `hide` takes away; undefined if it may be secret. */
    reason(text: string, hide: (text: string) => string = same): string | undefined {
      return hasSentValues || quotesToken(text) ? undefined : shortened(hide(text), LONGEST_REASON);
    },
  };
}

const same = (text: string): string => text;

/** The code of an error, if it looks like one of the platform's. */
export const shownCode = (code: unknown): string | undefined =>
  typeof code === 'string' && ERROR_CODE.test(code) ? code : undefined;
