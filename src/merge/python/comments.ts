import { pairLines } from '../hunks.ts';
import type { Lines, Versions } from '../lines.ts';

/** A line without the comment after its code. Where that is part of a text instead, the user's line counts as well. */
export function withoutComment(line: string): string {
  const code = /^(?:[^"'#]|(["'])(?:(?!\1)[^\\]|\\.)*\1)*(?=#)/.exec(line)?.[0];
  return code === undefined || !/\s$/.test(code) ? line : code.trimEnd();
}

const hasComment = (line: string): boolean => withoutComment(line) !== line;

/** Whether a comment after a line would be one: no text is open, and nothing goes on below. */
const takesComment = (line: string): boolean => withoutComment(`${line}  #`) === line && !line.endsWith('\\');

/**
 * Writes lines of the base with the comments that the user has after them, or without. So a comment that the user has
 * changed or removed doesn't keep botcli from changing the lines around it. If botcli changes the line itself, a new
 * comment goes with it if the line still begins in the same way, such as `tts = `; otherwise, it's a conflict.
 */
export function followComments({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const pairs = pairLines(base.map(withoutComment), user.map(withoutComment)) ?? [];
  const commented = new Map<number, string>();
  for (const [at, to] of pairs) {
    const line = user[to];
    if (line !== undefined && line !== base[at]) commented.set(at, line);
  }
  if (commented.size === 0) return { user, base, botcli };
  // Nobody has to fight over the words of a comment, either.
  const sayings = (lines: Lines) => lines.map(line => withoutComment(line) || line);
  const same = pairLines(sayings(base), sayings(botcli)) ?? [];
  const written = new Map(same.map(([at, to]) => [to, commented.get(at)]));
  const kept = new Set(same.map(([at]) => at));
  for (const [at, old] of base.entries()) {
    const line = commented.get(at);
    if (line === undefined || kept.has(at) || !hasComment(line)) continue;
    const successor = findSuccessor(base, botcli, at, startOf(old), same);
    const comment = line.slice(withoutComment(line).length);
    if (!successor || hasComment(old)) commented.delete(at);
    else written.set(successor[0], `${successor[1]}${comment}`);
  }
  return {
    user,
    base: base.map((line, at) => commented.get(at) ?? line),
    botcli: botcli.map((line, at) => written.get(at) ?? line),
  };
}

/** The line with which botcli replaces another one: it's between the same lines, and begins in the same way. */
function findSuccessor(
  base: Lines,
  botcli: Lines,
  line: number,
  start: string | undefined,
  same: readonly (readonly [number, number])[],
): [at: number, line: string] | undefined {
  if (start === undefined) return undefined;
  const before = same.findLast(([at]) => at < line) ?? [-1, -1];
  const after = same.find(([at]) => at > line) ?? [base.length, botcli.length];
  const findAlike = (lines: Lines, side: 0 | 1) =>
    [...lines.entries()].filter(([at, other]) => at > before[side] && at < after[side] && startOf(other) === start);
  const [old, now] = [findAlike(base, 0), findAlike(botcli, 1)];
  return old.length === 1 && now.length === 1 ? now.find(([, other]) => takesComment(other)) : undefined;
}

/** What a line gives a value, such as `    tts =`. */
const startOf = (line: string): string | undefined => /^\s*[\w.]+ ?=(?!=)/.exec(line)?.[0];
