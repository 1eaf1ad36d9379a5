/** A key of a secret set, and its value. Lists of these, not objects: `__proto__` is a legal key. */
export interface Secret {
  key: string;
  value: string;
}

/** What was read, in order, and every problem with it. No problem quotes what was read: it may be a secret. */
export interface SecretsRead {
  secrets: Secret[];
  problems: string[];
}

export const KEY = /^[A-Za-z0-9_-]{1,64}$/;
export const KEY_CHARACTERS = '1 to 64 letters, digits, underscores, or hyphens';
export const KEY_RULE = `a key must be ${KEY_CHARACTERS}`;

export const isKey = (text: string): boolean => KEY.test(text);

/**
 * How a problem names a key: not at all, unless it's in capitals with an underscore, as in `API_KEY`. Anything else may be
 * a piece of a value that went astray, such as a line of a key file.
 */
export const nameKey = (key: string): string => (/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(key) ? ` (${key})` : '');

/** Linux gives a process no environment variable longer than this, `KEY=` and the end included. In bytes. */
const LONGEST_VARIABLE = 128 * 1024;

/** Why a value can't be stored; nothing when it can. */
export function valueProblem({ key, value }: Secret): string | undefined {
  if (value === '') return 'the value is empty; to remove a key, use unset';
  if (value.includes('\0')) return "the value contains a NUL character, which an environment variable can't";
  if (Buffer.byteLength(`${key}=${value}`) >= LONGEST_VARIABLE) {
    return 'the value is too long: KEY=VALUE must be under 128 KiB to fit in an environment variable';
  }
  return undefined;
}
