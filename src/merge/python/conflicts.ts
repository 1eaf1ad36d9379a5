import type { Chunk, Lines, Versions } from '../lines.ts';
import { type Statement, wordOf } from './draft.ts';
import { calleesIn, givenTo } from './items.ts';
import { readLines } from './read.ts';

/** Makes one conflict of those in one statement of the user's. */
export function joinStatements(chunks: readonly Chunk[], user: Lines): Chunk[] {
  const spans = readLines(user).statements;
  const callees = calleesIn(spans);
  const joined: Chunk[] = [];
  let at = 0;
  for (const chunk of chunks) {
    const last = joined.findLastIndex(({ source }) => source === 'conflict');
    const end = at - joined.slice(last + 1).reduce((sum, one) => sum + one.user.length, 0);
    const isSame = spans.some(one => one.start < end && end <= one.end && one.start <= at && at < one.end);
    if (chunk.source === 'conflict' && last !== -1 && isSame) {
      const parts = [...joined.splice(last), chunk];
      const linesOf = (side: keyof Versions<Lines>) => parts.flatMap(part => part[side]);
      const lines = { user: linesOf('user'), base: linesOf('base'), botcli: linesOf('botcli') };
      const own = parts.findIndex(({ source }) => source === 'user');
      const line = at - parts.slice(Math.max(own, 0), -1).reduce((sum, one) => sum + one.user.length, 0);
      const callee = own === -1 ? undefined : callees.get(line)?.[0];
      const causes = parts.filter(part => part.reason && !part.follows);
      // Settings are in conflict only because something else is.
      const { reason, about, follows } = causes.find(part => part.about !== 'settings') ?? causes[0] ?? chunk;
      const why = callee && about === 'settings' ? givenTo(callee) : reason;
      joined.push({
        ...lines,
        source: 'conflict',
        ...(why && { reason: why }),
        ...(about && { about }),
        follows: follows === true,
      });
    } else joined.push(chunk);
    at += chunk.user.length;
  }
  return joined;
}

/** Nobody has to fight over the words of docstrings. */
export function keepDocstrings(chunks: readonly Chunk[], { user, botcli }: Versions<Lines>): readonly Chunk[] {
  if (chunks.every(({ source }) => source !== 'conflict')) return chunks;
  const isText = { user: docstringLines(user), botcli: docstringLines(botcli) };
  const at = { user: 0, botcli: 0 };
  const takes = (side: keyof typeof at, lines: Lines) => {
    const from = at[side];
    at[side] += lines.length;
    return lines.every((line, index) => line.trim() === '' || isText[side].has(from + index));
  };
  return chunks.map(chunk => {
    const areTexts = [takes('user', chunk.user), takes('botcli', chunk.botcli)].every(Boolean);
    return chunk.source === 'conflict' && areTexts ? { ...chunk, source: 'user' } : chunk;
  });
}

const docstringLines = (lines: Lines): Set<number> => new Set(docstringsIn(lines).flatMap(linesOf));

/** The texts at the beginning of a module, a class or a function. */
function docstringsIn(lines: Lines): Statement[] {
  const { statements } = readLines(lines);
  return statements.filter(({ tokens: [first, ...more], header }, at) => {
    const isFirst =
      at === 0 || (statements[at - 1] === header && ['def', 'class'].includes(wordOf(header as Statement)));
    return isFirst && first?.kind === 'text' && more.length === 0;
  });
}

/** Says which lines do nothing: blank ones, comments, and docstrings. One that is all that a function has is code. */
export function idleLines(lines: Lines): (line: number) => boolean {
  const { statements } = readLines(lines);
  const code = new Set(statements.flatMap(linesOf));
  const next = new Map(statements.map((one, at) => [one, statements[at + 1]]));
  const texts = docstringsIn(lines).filter(one => next.get(one)?.header === one.header);
  for (const line of texts.flatMap(linesOf)) code.delete(line);
  return line => !code.has(line);
}

const linesOf = ({ start, end }: Statement): number[] => Array.from({ length: end - start }, (_, at) => start + at);

const MOVED = "You moved these lines, and botcli's change removes them.";

/** Makes lines of the user's conflicts that were elsewhere, where both sides have removed them. */
export function refuseMoved(chunks: readonly Chunk[]): Chunk[] {
  const kept = new Set(chunks.flatMap(chunk => chunk.botcli.map(codeOf)));
  const both = chunks.filter(({ source }) => source === 'both' || source === 'user');
  const gone = new Set(
    both.flatMap(chunk => chunk.base.map(codeOf)).filter(code => /\w\W+\w/.test(code) && !kept.has(code)),
  );
  const isMoved = ({ source, user }: Chunk) => source === 'user' && user.some(line => gone.has(codeOf(line)));
  return chunks.map(chunk => (isMoved(chunk) ? { ...chunk, source: 'conflict', reason: MOVED } : chunk));
}

const codeOf = (line: string): string => line.trim();
