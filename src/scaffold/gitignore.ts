/** A .gitignore with every pattern of ours in it: what is there stays as it is, missing patterns are added below. */
export function mergeIgnored(existing: string | undefined, ours: string): string {
  if (existing === undefined || existing.trim() === '') return ours;
  const lineEnd = existing.includes('\r\n') ? '\r\n' : '\n';
  const known = new Set(existing.split(/\r?\n/).map(line => line.trim()));
  const missing = ours.split('\n').filter(line => line !== '' && !line.startsWith('#') && !known.has(line));
  if (missing.length === 0) return existing;
  const start = existing.endsWith('\n') ? existing : existing + lineEnd;
  return `${start}${['', '# Added for the voice bot', ...missing].join(lineEnd)}${lineEnd}`;
}
