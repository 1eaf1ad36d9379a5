import { UserError } from '../errors.ts';

/**
 * A .gitignore with every pattern of ours in it: what is there stays as it is, missing patterns are added below.
 *
 * @throws {UserError} It's in an encoding, such as UTF-16, in which our lines would be something else.
 */
export function mergeIgnored(existing: string | undefined, ours: string): string {
  if (existing === undefined || existing.trim() === '') return ours;
  if (existing.includes('\0')) throw wideCharacters();
  const lineEnd = existing.includes('\r\n') ? '\r\n' : '\n';
  const known = new Set(existing.split(/\r?\n/).map(line => line.trim()));
  const patterns = ours.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const isMissing = (pattern: string) => !known.has(pattern);
  // The last pattern that matches wins: an exception has to come behind what it is an exception from.
  const isOverruled = (pattern: string, at: number) => pattern.startsWith('!') && patterns.slice(0, at).some(isMissing);
  const missing = patterns.filter((pattern, at) => isMissing(pattern) || isOverruled(pattern, at));
  if (missing.length === 0) return existing;
  const start = existing.endsWith('\n') ? existing : existing + lineEnd;
  return `${start}${['', '# Added for the voice bot', ...missing].join(lineEnd)}${lineEnd}`;
}

const wideCharacters = () =>
  new UserError('.gitignore is no text in UTF-8: it holds zero bytes. Nothing was written.', {
    reason: 'conflict',
    hint: "Save it as UTF-8, or move it away: git can't read it as it is.",
  });
