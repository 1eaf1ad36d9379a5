import { type Chunk, outcomeOf } from './lines.ts';

const RETURNS = "With botcli's change, lines that you removed would be back, or some that you have would be gone.";
const MOVED = 'You moved these lines, and botcli removes them.';

/** Finds changes with lines that the merge doesn't have as often as the side that has changed how often they're there. */
export function checkCounts(chunks: readonly Chunk[]): Map<Chunk, string> {
  // Of a conflict, the merge has the lines of one side only.
  if (chunks.some(({ source }) => source === 'conflict')) return new Map();
  const count = (linesOf: (chunk: Chunk) => readonly string[]) => {
    const counts = new Map<string, number>();
    for (const line of chunks.flatMap(linesOf)) counts.set(line.trim(), (counts.get(line.trim()) ?? 0) + 1);
    return (line: string) => counts.get(line);
  };
  const user = count(chunk => chunk.user);
  const base = count(chunk => chunk.base);
  const botcli = count(chunk => chunk.botcli);
  const merged = count(outcomeOf);
  const isWrong = (text: string) => {
    const line = text.trim();
    if (!/\w/.test(line)) return false;
    if (user(line) === base(line)) return merged(line) !== botcli(line);
    return botcli(line) === base(line) && merged(line) !== user(line);
  };
  const wrong = chunks.filter(chunk => chunk.source === 'botcli' && [...chunk.base, ...chunk.botcli].some(isWrong));
  if (wrong.length > 0) return new Map(wrong.map(chunk => [chunk, RETURNS]));
  const moved = chunks.filter(({ source, user }) => source === 'user' && user.some(isWrong));
  return new Map(moved.map(chunk => [chunk, MOVED]));
}
