import { UserError } from '../../errors.ts';

/**
 * A .gitignore that contains all our patterns: existing lines stay unchanged, missing patterns are added at the end.
 *
 * @throws {UserError} Its encoding, such as UTF-16, would garble our lines.
 */
export function mergeIgnored(existing: string | undefined, ours: string): string {
  if (existing === undefined || existing.trim() === '') return ours;
  if (existing.includes('\0')) throw wideCharacters();
  const lineEnd = existing.includes('\r\n') ? '\r\n' : '\n';
  const known = new Set(existing.split(/\r?\n/).map(line => line.trim()));
  const patterns = ours.split('\n').filter(line => line !== '' && !line.startsWith('#'));
  const isMissing = (pattern: string) => !known.has(pattern);
  // The last matching pattern wins, so an exception must come after the pattern that it's an exception to.
  const isOverruled = (pattern: string, at: number) => pattern.startsWith('!') && patterns.slice(0, at).some(isMissing);
  const missing = patterns.filter((pattern, at) => isMissing(pattern) || isOverruled(pattern, at));
  if (missing.length === 0) return existing;
  const start = existing.endsWith('\n') ? existing : existing + lineEnd;
  return `${start}${['', '# Added for the voice bot', ...missing].join(lineEnd)}${lineEnd}`;
}

const wideCharacters = () =>
  new UserError(".gitignore isn't a UTF-8 text file (it contains NUL bytes). Nothing was written.", {
    reason: 'conflict',
    hint: "Save it as UTF-8, or move it away: git can't read it as it is.",
  });
