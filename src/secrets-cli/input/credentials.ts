/** The content of an image pull secret. */
export interface PullContent {
  /** The text to send. */
  sent: string;
  /** Forms of the credentials that must never be shown. */
  hidden: string[];
}

/** Whether a text is USERNAME:PASSWORD. A password may contain more colons. */
export const isPair = (text: string): boolean => text.indexOf(':') > 0 && text.indexOf(':') < text.length - 1;

/** Why these credentials can't be sent; undefined if they can. The credentials aren't quoted. */
export function credentialsProblem(credentials: string, isEncoded: boolean): string | undefined {
  if (!isEncoded) return credentials === '' ? 'the credentials are empty' : undefined;
  if (!isPair(credentials)) {
    return 'the credentials must be USERNAME:PASSWORD, with neither part empty; if they are already base64, pass --no-encode';
  }
  return credentials.includes('\0') ? 'the credentials contain a NUL character' : undefined;
}

/**
 * What to send for valid credentials: standard base64 without line breaks, or the credentials unchanged.
 */
export function pullContent(credentials: string, isEncoded: boolean): PullContent {
  if (!isEncoded) return { sent: credentials, hidden: [credentials, Buffer.from(credentials, 'base64').toString()] };
  const password = credentials.slice(credentials.indexOf(':') + 1);
  return { sent: Buffer.from(credentials).toString('base64'), hidden: [credentials, password] };
}
