import { DAMAGED, isDamaged } from '../../damaged.ts';

/** Whether a text is USERNAME:PASSWORD. A password may contain more colons. */
const isPair = (text: string): boolean => text.indexOf(':') > 0 && text.indexOf(':') < text.length - 1;

const PAIR_RULE =
  'the credentials must be USERNAME:PASSWORD, with neither part empty; if they are already base64, pass --no-encode';

/** Why these credentials can't be sent; undefined if they can. The credentials aren't quoted. */
export function credentialsProblem(credentials: string, isEncoded: boolean): string | undefined {
  if (!isEncoded) return credentials === '' ? 'the credentials are empty' : undefined;
  if (!isPair(credentials)) return PAIR_RULE;
  return credentials.includes('\0') ? 'the credentials contain a NUL character' : undefined;
}

/** Why credentials that were typed can't be sent. stdin is checked before it is decoded. */
export function typedProblem(credentials: string, isEncoded: boolean): string | undefined {
  if (isDamaged(credentials)) return `the argument ${DAMAGED}; pass the credentials as - and pipe them in`;
  return credentialsProblem(credentials, isEncoded);
}

/** What registries can't read in base64, by how it shows. The last row is for anything else. */
const ENCODING_FAULTS: readonly [sign: RegExp, problem: string][] = [
  [/[\r\n]/, 'they contain line breaks; encode them with base64 -w0'],
  [/[-_]/, 'they use the alphabet of URLs, with - and _ instead of + and /'],
  [/[^A-Za-z0-9+/=]/, 'they contain characters that are not base64'],
  [/^[^=]*$/, 'they lack the = at the end'],
  [/./, 'they are not standard base64'],
];

/** Why a registry can't use these encoded credentials; undefined if it can. */
export function encodingProblem(encoded: string): string | undefined {
  const bytes = Buffer.from(encoded, 'base64');
  if (!isPair(bytes.toString('latin1'))) return "they aren't USERNAME:PASSWORD in base64";
  // Node decodes more than registries do.
  if (bytes.toString('base64') === encoded) return undefined;
  return ENCODING_FAULTS.find(([sign]) => sign.test(encoded))?.[1];
}

/** What to send for valid credentials: standard base64 without line breaks, or the credentials unchanged. */
export const pullContent = (credentials: string, isEncoded: boolean): string =>
  isEncoded ? Buffer.from(credentials).toString('base64') : credentials;
