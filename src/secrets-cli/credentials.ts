import { usageError } from '../errors.ts';

/** The content of an image pull secret. */
export interface PullContent {
  /** What is sent. */
  sent: string;
  /** The forms of it that must never be shown. */
  hidden: string[];
}

/** Whether a text is USERNAME:PASSWORD. A password may hold more colons. */
export const isPair = (text: string): boolean => text.indexOf(':') > 0 && text.indexOf(':') < text.length - 1;

/**
 * What to send for these credentials: standard base64 without line breaks, or just what was given.
 *
 * @throws {UserError} Exit code 2, quoting nothing.
 */
export function pullContent(credentials: string, isEncoded: boolean): PullContent {
  if (!isEncoded) {
    if (credentials === '') throw usageError('The credentials are empty');
    return { sent: credentials, hidden: [credentials, Buffer.from(credentials, 'base64').toString()] };
  }
  if (!isPair(credentials)) {
    throw usageError('The credentials have to be USERNAME:PASSWORD, both sides filled', {
      hint: 'Those that are base64 already go with --no-encode.',
    });
  }
  if (credentials.includes('\0')) throw usageError('The credentials hold a NUL character');
  const password = credentials.slice(credentials.indexOf(':') + 1);
  return { sent: Buffer.from(credentials).toString('base64'), hidden: [credentials, password] };
}
