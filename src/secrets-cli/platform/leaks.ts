/** A text that shares this many characters with a secret leaks it. Shorter secrets must not appear at all. */
const SHARED = 6;

/**
 * Whether a text contains one of these secrets, or part of one, in any form that requests and logs use. Such a text is
 * never shown.
 */
export function quotes(text: string, secrets: readonly string[]): boolean {
  const pieces = new Set<string>();
  for (let at = 0; at + SHARED <= text.length; at += 1) pieces.add(text.slice(at, at + SHARED));
  return secrets.flatMap(formsOf).some(form => {
    if (form.length <= SHARED) return form !== '' && text.includes(form);
    for (let at = 0; at + SHARED <= form.length; at += 1) {
      if (pieces.has(form.slice(at, at + SHARED))) return true;
    }
    return false;
  });
}

function formsOf(secret: string): string[] {
  const base64 = Buffer.from(secret).toString('base64');
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    base64,
    base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', ''),
  ];
}
