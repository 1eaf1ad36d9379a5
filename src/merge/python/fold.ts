import { isName } from '../../formats/python/expressions.ts';
import { importsOf, isImport, localName } from '../../formats/python/imports.ts';
import type { Module } from '../../formats/python/module.ts';
import { type Token, tokenize } from '../../formats/python/tokens.ts';
import { unique } from '../../std.ts';
import type { Lines, Versions } from '../lines.ts';
import { readLines, wordsIn } from './draft.ts';
import { keyOf } from './imports.ts';

/** The user's text with fewer lines. */
interface Folded {
  user: Lines;
  unfold(lines: Lines): Lines;
}

/**
 * Makes one line of what no change can concern: functions, classes and values of the user's that share neither lines with
 * botcli's versions nor names that change. So they take no time, and none of their lines is taken for one of botcli's.
 */
export function foldOwn({ user, base, botcli }: Versions<Lines>): Folded {
  const known = new Set([...base, ...botcli].map(line => line.trim()));
  if (!user.some(line => !COMMON.test(line) && known.has(line.trim()))) return { user, unfold: lines => lines };
  const mentioned = new Set(wordsIn([...base, ...botcli]));
  const changed = changedNames(readLines(base), readLines(botcli));
  const isOwn = (start: number, end: number) =>
    user.slice(start, end).every(line => COMMON.test(line) || !known.has(line.trim()));
  const isFree = ({ start, end, names }: Part) =>
    isOwn(start, end) &&
    !names.some(name => mentioned.has(name)) &&
    !wordsIn(user.slice(start, end)).some(word => changed.has(word) || word === 'global');
  const runs: Part[] = [];
  let above: Part | undefined;
  for (const part of partsOf(user)) {
    const last = runs.at(-1);
    // Comments between two parts may be botcli's.
    const goesOn = last && above && last.end === above.end && isOwn(last.end, part.start);
    above = part;
    if (!isFree(part)) continue;
    if (goesOn) extend(last, part);
    else runs.push(part);
  }
  const rows = new Map<string, Lines>();
  const folded = [...user];
  for (const { start, end, tokens } of runs.reverse()) {
    const row = `def ${STAND_IN}${start}(): [${unique(usesIn(tokens)).join(', ')}]`;
    rows.set(row, folded.splice(start, end - start, row));
  }
  return { user: folded, unfold: lines => lines.flatMap(line => rows.get(line) ?? line) };
}

/** A line that any code has, such as `try:`. */
const COMMON = /^\W*(?:(?:break|continue|else|finally|pass|return|return None|try)\b\W*)?$/;
const STAND_IN = 'lines_of_the_user_from_';

/** A statement at the top of a module, with its decorators and its block: lines `[start, end)`. */
interface Part {
  start: number;
  end: number;
  tokens: Token[];
  /** What it defines; of anything but a function or class, all names in its first line. */
  names: string[];
}

/** The parts of a text after its imports; none if some of it can't be read. */
function partsOf(user: Lines): Part[] {
  const { lines, problems } = tokenize(user.join('\n'));
  const parts: Part[] = [];
  for (const [at, { start, end, tokens, indent }] of problems.length > 0 ? [] : lines.entries()) {
    const last = parts.at(-1);
    const isInside = indent !== '' || startsWith(CLAUSES, tokens);
    const isDecorated = startsWith(['@'], lines[at - 1]?.tokens ?? []);
    if (last && (isInside || isDecorated)) {
      extend(last, { end, tokens });
      if (!isInside) last.names.push(...namesIn(tokens));
    } else parts.push({ start, end, tokens: [...tokens], names: namesIn(tokens) });
  }
  return parts.slice(parts.findLastIndex(({ tokens }) => isImport(tokens)) + 1);
}

/** Adds what follows. One by one: a call can't take as many arguments as a long table has tokens. */
function extend(part: Part, { end, tokens }: { end: number; tokens: readonly Token[] }): void {
  part.end = end;
  for (const token of tokens) part.tokens.push(token);
}

const CLAUSES = ['elif', 'else', 'except', 'finally'];
const DEFINITIONS = ['async', 'def', 'class'];
const startsWith = (words: readonly string[], [first]: readonly Token[]): boolean =>
  words.some(word => word === first?.code);

/** What the first line of a part defines, and what it may. */
function namesIn(tokens: readonly Token[]): string[] {
  if (startsWith(['@'], tokens)) return [];
  return startsWith(DEFINITIONS, tokens) ? usesIn(tokens).slice(0, 1) : usesIn(tokens);
}

/** Names that aren't attributes. */
const usesIn = (tokens: readonly Token[]): string[] =>
  tokens.flatMap((token, at) => (isName(token) && tokens[at - 1]?.code !== '.' ? token.code : []));

/** Names that mean something else at the top of two modules, and texts such as names of variables that only one of them has. */
function changedNames(...modules: [Module, Module]): Set<string> {
  const [one, other] = modules.map(({ statements, scopes: [top] }) => {
    const bindings = [...(top?.defines.values() ?? [])].flat();
    const tokens = statements.flatMap(statement => statement.tokens);
    return new Map([
      ...bindings.map(({ name, by }) => [`${by} ${name}`, name] as const),
      ...statements
        .flatMap(statement => importsOf(statement.tokens))
        .map(each => [keyOf(each), localName(each)] as const),
      ...tokens.flatMap(({ kind, code }) => (kind === 'text' ? [[`"${code}"`, code] as const] : [])),
    ]);
  }) as [Map<string, string>, Map<string, string>];
  return new Set([...one, ...other].flatMap(([key, name]) => (one.has(key) && other.has(key) ? [] : name)));
}
