import { remembered } from '../../std.ts';
import type { Chunk, Lines, Versions } from '../lines.ts';
import { type Statement, wordOf } from './draft.ts';
import { readLines } from './read.ts';

const TWICE = "Your file has lines like these in several places, and botcli can't tell which the bot uses.";

/**
 * Makes changes of botcli's conflicts that are at lines which only look like those that they are for: in a copy that the
 * user has kept of a function, a statement or a branch.
 */
export function refuseTwins({ user, base }: Versions<Lines>): (chunks: readonly Chunk[]) => Chunk[] {
  const places = { user: readPlaces(user), base: readPlaces(base) };
  const isTwin = (line: number, original: number): boolean => {
    const [mine, before] = [places.user.byLine.get(line), places.base.byLine.get(original)];
    if (!mine || !before) return false;
    const address = addressOf(before);
    const there = places.user.findAll(address);
    if (addressOf(mine) !== address) return there.some(one => resembles(one, before));
    // The same call may be in several places. A name has one value, unless it depends on the branch.
    const isAgain = there.length > places.base.findAll(address).length;
    return isAgain && isValue(before) && there.some(one => one.header !== mine.header && resembles(one, before));
  };
  return chunks => {
    const at = { user: 0, base: 0 };
    const twins = chunks.map(chunk => {
      const from = { ...at };
      at.user += chunk.user.length;
      at.base += chunk.base.length;
      // What both sides add has no lines in the base.
      if (!['nobody', 'botcli'].includes(chunk.source) || chunk.user.length !== chunk.base.length) return [];
      return chunk.user.flatMap((line, index) =>
        line.trim() === '' ? [] : [isTwin(from.user + index, from.base + index)],
      );
    });
    return chunks.map((chunk, index) => {
      if (chunk.source !== 'botcli') return chunk;
      // What is only added is where the lines around it are.
      const before = () => twins.findLast((some, other) => other < index && some.length > 0)?.at(-1);
      const after = () => twins.find((some, other) => other > index && some.length > 0)?.[0];
      const isRefused = chunk.user.length > 0 ? twins[index]?.includes(true) : before() || after();
      return isRefused ? { ...chunk, source: 'conflict', reason: TWICE } : chunk;
    });
  };
}

/** The statements of a text, by their lines and by their addresses. */
function readPlaces(lines: Lines) {
  const byLine = new Map<number, Statement>();
  const byAddress = new Map<string, Statement[]>();
  for (const statement of readLines(lines).statements) {
    for (let line = statement.start; line < statement.end; line += 1) byLine.set(line, statement);
    const address = addressOf(statement);
    const same = byAddress.get(address);
    if (same) same.push(statement);
    else byAddress.set(address, [statement]);
  }
  return { byLine, findAll: (address: string): readonly Statement[] => byAddress.get(address) ?? [] };
}

const isValue = ({ tokens }: Statement): boolean => tokens.some(({ code, depth }) => code === '=' && depth === 0);

/** Whether a statement has most of another one's code, so that it isn't just something of the same name. */
function resembles({ tokens }: Statement, original: Statement): boolean {
  const codes = new Set(tokens.map(({ code }) => code));
  return 3 * original.tokens.filter(({ code }) => codes.has(code)).length > 2 * original.tokens.length;
}

/** The functions and classes around a statement, and its code up to the first bracket, such as `run_bot/llm = Service`. */
function addressOf({ tokens, header }: Statement): string {
  const around: string[] = [];
  for (let outer = header; outer; outer = outer.header) {
    if (['def', 'class'].includes(wordOf(outer))) around.unshift(headOf(outer.tokens));
  }
  return [...around, headOf(tokens)].join('/');
}

const headOf = remembered((tokens: Statement['tokens']): string => {
  const end = tokens.findIndex(({ code }) => code === '(');
  return tokens
    .slice(0, end === -1 ? undefined : end)
    .map(({ code }) => code)
    .join(' ');
});
