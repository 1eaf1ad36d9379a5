import type { Token } from '../../formats/python/tokens.ts';
import { remembered } from '../../std.ts';
import type { Chunk, Lines, Versions } from '../lines.ts';
import { type Draft, type Fault, ownerOf, readLines, SIDES, type Side, type Statement, wordOf } from './draft.ts';

const DEPTH = 'Your file has these lines at another depth.';
const BRACKETS = "With botcli's change, the brackets or quotes would no longer match.";
const BLOCKS = "With botcli's change, the blocks of your file would no longer match.";

const MISFIT = "botcli's change doesn't fit the blocks around it in your file.";

/** Only of botcli's own lines is it known that the user has them at another depth. */
const depthAt = (draft: Draft, line: number): string => (ownerOf(draft, line) === 'botcli' ? DEPTH : MISFIT);

/** Finds statements that aren't in the block that they were in, or that couldn't be there. */
export function checkPlaces(draft: Draft): Fault[] {
  const wasSound = SIDES.every(side => draft.sides[side].problems.length === 0);
  if (wasSound && draft.problems.length > 0) {
    return draft.problems.map(({ line, kind }) => ({
      line,
      reason: kind === 'indentation' ? depthAt(draft, line) : BRACKETS,
    }));
  }
  const merged = mergedStatements(draft);
  const neighbors = { user: neighborsIn(draft, 'user', merged), botcli: neighborsIn(draft, 'botcli', merged) };
  const isMoved = (statement: Statement) =>
    SIDES.some(
      side =>
        isMisplaced(draft, statement, side, merged) ||
        (ownerOf(draft, statement.start) === side && isAmongOthers(draft, statement, side, neighbors[side])),
    );
  const moved = draft.statements.filter(isMoved).map(({ start }) => ({ line: start, reason: depthAt(draft, start) }));
  return [...moved, ...checkDecorators(draft), ...checkOrder(draft)];
}

/** The statements of the merge, by those of each side that they come from. */
type Merged = ReadonlyMap<Statement, Statement>;

function mergedStatements(draft: Draft): Merged {
  return new Map(
    draft.statements.flatMap(statement =>
      SIDES.flatMap(side => {
        const original = originalOf(draft, statement, side);
        return original ? [[original, statement] as const] : [];
      }),
    ),
  );
}

/** The statement of one side that became one of the merge. */
function originalOf(draft: Draft, statement: Statement, side: Side): Statement | undefined {
  const line = draft.origins[statement.start]?.[side];
  if (line === undefined) return undefined;
  const found = draft.sides[side].starts.get(line) ?? [];
  return found.find(one => wordOf(one) === wordOf(statement)) ?? found[0];
}

/** Whether a statement is in another block than in one of the versions, and that one has the say. */
function isMisplaced(draft: Draft, statement: Statement, side: Side, merged: Merged): boolean {
  const { header } = statement;
  const placeIn = (one: Side) => {
    const original = originalOf(draft, statement, one);
    return original && { header: original.header && merged.get(original.header) };
  };
  const [wanted, other] = [placeIn(side), placeIn(side === 'user' ? 'botcli' : 'user')];
  if (!wanted || header === wanted.header) return false;
  // A block that only this side has keeps what's in it. Another block may only be one that the other side has made.
  if (wanted.header && ownerOf(draft, wanted.header.start) === side) return true;
  const owner = header && ownerOf(draft, header.start);
  // What both sides have may be where either has it.
  return (owner === undefined || owner === side) && (!other || other.header !== header);
}

/** These run what's in them always, and once. */
const PLAIN = ['with', 'try', 'def', 'class'];

/** Whether a statement that only one side has is in another block than those before and after it. */
function isAmongOthers(
  draft: Draft,
  statement: Statement,
  side: Side,
  neighbors: ReadonlyMap<Statement, readonly Statement[]>,
): boolean {
  const { header } = statement;
  const known = (neighbors.get(statement) ?? []).map(one => one.header);
  if (known.length === 0) return false;
  // What the other side runs only sometimes is no place for it, unless it's between lines that are there as well.
  const isTheirs = header !== undefined && ![side, undefined].includes(ownerOf(draft, header.start));
  if (isTheirs && !PLAIN.includes(wordOf(header))) return known.length < 2 || known.some(one => one !== header);
  return !known.includes(header);
}

/**
 * For statements of the merge, those that both sides have and that are right before and after them in a block of one side.
 */
function neighborsIn(draft: Draft, side: Side, merged: Merged): Map<Statement, Statement[]> {
  const found = new Map<Statement, Statement[]>();
  const { statements } = draft.sides[side];
  for (const inOrder of [statements, statements.toReversed()]) {
    const last = new Map<Statement | undefined, Statement>();
    for (const statement of inOrder) {
      const [now, near] = [merged.get(statement), last.get(statement.header)];
      if (now && near) found.set(now, [...(found.get(now) ?? []), near]);
      if (now && ownerOf(draft, now.start) === undefined) last.set(statement.header, now);
    }
  }
  return found;
}

const PARTS: Readonly<Record<string, readonly string[]>> = {
  elif: ['if', 'elif'],
  else: ['if', 'elif', 'for', 'while', 'except'],
  except: ['try', 'except'],
  finally: ['try', 'except', 'else'],
};
const ENDS = ['return', 'raise', 'break', 'continue'];

/** Finds what a statement follows and can't: an `else` without its `if`, a line after a `return`. */
function checkOrder(draft: Draft): Fault[] {
  const last = new Map<Statement | undefined, Statement>();
  return draft.statements.flatMap(statement => {
    const before = last.get(statement.header);
    last.set(statement.header, statement);
    const [word, line] = [wordOf(statement), statement.start];
    const isPart = Object.hasOwn(PARTS, word) && isLast(statement.tokens, ':');
    if (isPart && !(before && PARTS[word]?.includes(wordOf(before)))) return [{ line, reason: BLOCKS }];
    const end = endBefore(draft, statement);
    if (end) {
      const [isOfBotcli, isEndOfBotcli] = [statement, end].map(one => ownerOf(draft, one.start) === 'botcli');
      const whose = isEndOfBotcli ? "botcli's" : 'your';
      return [{ line: isOfBotcli ? line : end.start, reason: `Nothing after ${whose} "${wordOf(end)}" would run.` }];
    }
    return needsAsync(draft, statement)
      ? [{ line, reason: `botcli's change waits, and your function isn't async.` }]
      : [];
  });
}

/** What keeps a statement from running, if it did run: code that the user has disabled may stay so. */
function endBefore(draft: Draft, statement: Statement): Statement | undefined {
  const side = ownerOf(draft, statement.start) ?? 'user';
  const original = originalOf(draft, statement, side);
  return original && deadIn(draft.sides[side].statements).has(original)
    ? undefined
    : deadIn(draft.statements).get(statement);
}

/** The statements that never run, each with the one that ends their block or one around it. */
const deadIn = remembered((statements: readonly Statement[]): ReadonlyMap<Statement, Statement> => {
  const ends = new Map<Statement | undefined, Statement>();
  const dead = new Map<Statement, Statement>();
  for (const statement of statements) {
    const { header } = statement;
    const end = ends.get(header) ?? (header && dead.get(header));
    if (end) dead.set(statement, end);
    else if (ENDS.includes(wordOf(statement))) ends.set(header, statement);
  }
  return dead;
});

const isLast = (tokens: readonly Token[], code: string): boolean => tokens.at(-1)?.code === code;

/** Whether a statement of botcli's waits, and the user has made its function one that can't. */
function needsAsync(draft: Draft, statement: Statement): boolean {
  const waits = statement.tokens.some(({ kind, code }) => kind === 'name' && ['await', 'async'].includes(code));
  if (ownerOf(draft, statement.start) !== 'botcli' || !waits || wordOf(statement) === 'def') return false;
  let outer = statement.header;
  while (outer && wordOf(outer) !== 'def') outer = outer.header;
  return outer !== undefined && outer.tokens[0]?.code === 'def' && ownerOf(draft, outer.start) !== 'botcli';
}

const TORN = "With botcli's change, a decorator would be above something else.";

/** Finds decorators that are above another definition than before, or above none: they belong to what is below them. */
function checkDecorators(draft: Draft): Fault[] {
  return draft.statements.flatMap((decorator, at): Fault[] => {
    if (wordOf(decorator) !== '@') return [];
    const target = targetOf(draft.statements, at);
    const names = SIDES.flatMap(side => {
      const { statements } = draft.sides[side];
      const original = originalOf(draft, decorator, side);
      const own = original && targetOf(statements, statements.indexOf(original));
      return own ? [nameOf(own)] : [];
    });
    const [name] = names;
    if (name === undefined) return [];
    const isOfBotcli = ownerOf(draft, decorator.start) === 'botcli';
    if (target && names.includes(nameOf(target))) return [];
    const reason = isOfBotcli ? TORN : `Your decorator of "${name}" would be above something else.`;
    return [{ line: target?.start ?? decorator.start, name, reason }];
  });
}

const DEFINITIONS = ['def', 'class'];

/** What a decorator is for: the definition below it, or below others that follow it. */
function targetOf(statements: readonly Statement[], decorator: number): Statement | undefined {
  const next = statements.slice(decorator).find(one => wordOf(one) !== '@');
  return next && DEFINITIONS.includes(wordOf(next)) ? next : undefined;
}

const nameOf = ({ tokens }: Statement): string =>
  tokens[tokens.findIndex(({ code }) => DEFINITIONS.includes(code)) + 1]?.code ?? '';

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
