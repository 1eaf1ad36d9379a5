// Services quote what they reject in many forms: as JSON, in HTML, in a URL, in Base64. Decoding a short text in every
// way is much faster than encoding every secret, which may be long.

/** The characters to compare: without case, and without what `printable` replaces. */
export const fold = (text: string): string =>
  text
    .toUpperCase()
    .normalize('NFKD')
    .replace(/[\s\p{C}\uFFFD]+/gu, '');

/** The most readings of a text. Ordinary texts of 300 characters have fewer than 100. */
const MOST_READINGS = 1000;
/** In characters. What decodes to less isn't worth reading. */
const SHORTEST = 4;

/**
 * A text as it is, and decoded in every way, also repeatedly. Undefined if there are too many ways, which doesn't
 * happen by chance.
 */
export function readings(text: string): ReadonlySet<string> | undefined {
  const found = new Set([text]);
  // This loop also visits the readings that it adds.
  for (const reading of found) {
    for (const decoded of DECODERS.flatMap(decode => decode(reading))) {
      if (decoded.length >= SHORTEST) found.add(decoded);
    }
    if (found.size > MOST_READINGS) return undefined;
  }
  return found;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

const DECODERS: readonly ((text: string) => string[])[] = [
  // HTML
  text => [
    text.replace(
      /&(?:(lt|gt|amp|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
      (_, name?: string, decimal?: string, hexadecimal = '') =>
        ENTITIES[name?.toLowerCase() ?? ''] ??
        character(decimal ? Number.parseInt(decimal, 10) : Number.parseInt(hexadecimal, 16)),
    ),
  ],
  // URLs, forms, and emails (quoted-printable)
  text => [text.replace(/(?:[%=][\da-f]{2})+/gi, bytesIn), text.replaceAll('+', ' ')],
  // JSON and programming languages
  text => [
    text.replace(/(?:\\[0-7]{3})+/g, octal => Buffer.from(octal.slice(1).split('\\').map(parseOctal)).toString()),
    text.replace(
      /\\(?:u\{([\da-fA-F]{1,6})\}|u([\da-fA-F]{4})|x([\da-fA-F]{2})|([bfnrtv])|(.))/g,
      (_, point?: string, unit?: string, byte?: string, control?: string, other?: string) =>
        control ? '' : (other ?? character(Number.parseInt(point ?? unit ?? byte ?? '', 16))),
    ),
  ],
  // Bytes, written in pairs of hexadecimal digits
  text =>
    (text.match(/(?:(?:\\x|0x)?[\da-f]{2}[\s:,-]?){4,}/gi) ?? []).flatMap(run =>
      [0, 1].map(start =>
        bytesIn(
          run
            .replace(/\\x|0x/gi, '')
            .replace(/[^\da-f]/gi, '')
            .slice(start),
        ),
      ),
    ),
  // Base64, in either alphabet. A quoted part may start anywhere.
  text =>
    (text.match(/[\w+/-]{6,}/g) ?? []).flatMap(run =>
      [0, 1, 2, 3].map(start => Buffer.from(run.slice(start), 'base64').toString()),
    ),
];

const parseOctal = (digits: string): number => Number.parseInt(digits, 8);

const character = (code: number): string => (code <= 0x10ffff ? String.fromCodePoint(code) : '');

const bytesIn = (text: string): string => Buffer.from(text.replace(/[^\da-f]/gi, ''), 'hex').toString();
