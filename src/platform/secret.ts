/** A key of a secret set, and its value. Secrets are kept in lists, not objects, because `__proto__` is a legal key. */
export interface Secret {
  key: string;
  value: string;
  /** Its key and line, if a bot that reads the same file itself gets another value. */
  readOtherwise?: string;
}

const KEY = /^[A-Za-z0-9_-]{1,64}$/;
export const KEY_CHARACTERS = '1 to 64 letters, digits, underscores, or hyphens';
export const KEY_RULE = `a key must be ${KEY_CHARACTERS}`;

export const isKey = (text: string): boolean => KEY.test(text);

/**
 * The suffix that names a key in a problem. It is empty unless the key is in capitals with an underscore, as in
 * `API_KEY`: any other key may be part of a value, such as a line of a key file.
 */
export const nameKey = (key: string): string => (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(key) ? ` (${key})` : '');

/** A warning if bots read values in an env file otherwise. It has no value. */
export function warnAboutReading(secrets: readonly Secret[]): string[] {
  const places = secrets.flatMap(({ readOtherwise = [] }) => readOtherwise);
  if (places.length === 0) return [];
  return [
    `The platform gets these values as written: ${places.join(', ')}. A bot that reads the file itself gets others, because python-dotenv replaces \${…} and has other escapes.`,
  ];
}

/** A key in a file that has no value, and its line. */
export interface BlankLine {
  key: string;
  line: number;
}

/** A warning if a file has no values for some of its keys. */
export const warnAboutBlank = (blank: readonly BlankLine[]): string[] =>
  blank.length > 0
    ? [`Not set, because the file has no value: ${blank.map(({ key, line }) => `${key} (line ${line})`).join(', ')}`]
    : [];

/** The longest environment variable on Linux, including `KEY=` and the terminating NUL. In bytes. */
const LONGEST_VARIABLE = 128 * 1024;

/** Why a value can't be stored; undefined if it can. */
export function valueProblem({ key, value }: Secret): string | undefined {
  if (!value.isWellFormed()) return 'the value contains half of a surrogate pair, which is no character';
  if (value === '') return 'the value is empty; to remove a key, use unset';
  if (value.includes('\0')) return "the value contains a NUL character, which an environment variable can't";
  if (Buffer.byteLength(`${key}=${value}`) >= LONGEST_VARIABLE) {
    return 'the value is too long: KEY=VALUE must be under 128 KiB to fit in an environment variable';
  }
  return undefined;
}
