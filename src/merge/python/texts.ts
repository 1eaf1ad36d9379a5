import type { Token } from '../../formats/python/tokens.ts';
import type { Lines, Versions } from '../lines.ts';
import { readLines, type Statement } from './draft.ts';

/** A text in a variable of the module, such as a prompt. */
interface Text {
  statement: Statement;
  parts: readonly Token[];
  /** What is between the quotes of its parts, as it's written. */
  value: string;
  isInBrackets: boolean;
}

/** Adds what botcli adds to the end of a text to the user's own text, or takes it away: both get a word in. */
export function settleTexts(versions: Versions<Lines>): Versions<Lines> {
  const [base, botcli] = [findTexts(versions.base), findTexts(versions.botcli)];
  const changed = [...botcli].flatMap(([name, { value }]) => {
    const old = base.get(name)?.value;
    return old === undefined || value === old ? [] : [{ name, old, value }];
  });
  if (changed.length === 0) return versions;
  const user = findTexts(versions.user);
  const rows = new Map(
    changed.flatMap(({ name, old, value }): [string, Lines][] => {
      const mine = user.get(name);
      if (!mine || mine.value === old) return [];
      const [added, gone] = [endOf(value, old), endOf(old, value)];
      const now = added
        ? !mine.value.includes(added.trim()) && append(mine, added, versions.user)
        : gone?.trim() && remove(mine, gone, versions.user);
      return now ? [[name, now]] : [];
    }),
  );
  return {
    user: replaceTexts(versions.user, user, rows),
    base: replaceTexts(versions.base, base, rows),
    botcli: replaceTexts(versions.botcli, botcli, rows),
  };
}

/** What follows a text in a longer one; nothing if that one begins in another way, or the text is empty. */
function endOf(text: string, start: string): string | undefined {
  const begin = start.trimEnd();
  return begin !== '' && text.startsWith(begin) ? text.slice(begin.length) : undefined;
}

function findTexts(lines: Lines): Map<string, Text> {
  const { statements } = readLines(lines);
  const isAlone = ({ column, end }: Statement, at: number) => column === 0 && (statements[at + 1]?.start ?? end) >= end;
  const texts = statements.filter((one, at) => one.depth === 0 && isAlone(one, at)).flatMap(readText);
  const names = texts.map(([name]) => name);
  return new Map(texts.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name)));
}

function readText(statement: Statement): [string, Text][] {
  const [name, equals, ...rest] = statement.tokens;
  const isInBrackets = rest[0]?.code === '(' && rest[0].kind === 'sign' && rest.at(-1)?.code === ')';
  const parts = isInBrackets ? rest.slice(1, -1) : rest;
  if (name?.kind !== 'name' || equals?.code !== '=' || parts.length === 0) return [];
  if (parts.some(({ kind }) => kind !== 'text') || statement.hasComment) return [];
  return [[name.code, { statement, parts, value: parts.map(({ code }) => code).join(''), isInBrackets }]];
}

/** What may be between double quotes as it is. */
const QUOTABLE = /^(?:[^"\\\n]|\\.)*$/;

/** The lines of a text with one more part at its end; nothing if it isn't clear how to write that. */
function append({ statement, parts, value, isInBrackets }: Text, added: string, lines: Lines): Lines | undefined {
  if (!QUOTABLE.test(added)) return undefined;
  const part = `"${/\s$/.test(value) ? added.trimStart() : added}"`;
  const { start, end, tokens } = statement;
  const rows = lines.slice(start, end);
  const [[first = '', second = ''], [last = '']] = [rows, rows.slice(-1)];
  if (last.trim() === ')') {
    const indent = second.slice(0, second.search(/\S/)) || '    ';
    return rows.toSpliced(-1, 0, `${indent}${part}`);
  }
  if (isInBrackets) return [...rows.slice(0, -1), `${last.slice(0, tokens.at(-1)?.column)} ${part})`];
  const [from] = parts;
  // A backslash may be before it, or a semicolon after it.
  if (from?.line !== start || !/["']$/.test(last)) return undefined;
  return [`${first.slice(0, from.column)}(`, `    ${first.slice(from.column)}`, ...rows.slice(1), `    ${part}`, ')'];
}

/** The lines of a text in brackets without one of its parts, if that has a line of its own. */
function remove({ statement, parts, isInBrackets }: Text, gone: string, lines: Lines): Lines | undefined {
  const { start, end } = statement;
  const part = parts.findLast(({ code }) => code.trim() === gone.trim());
  if (!part || !isInBrackets || parts.length === 1) return undefined;
  const isAlone = lines[part.line]?.trim().slice(1, -1) === part.code;
  return isAlone ? [...lines.slice(start, part.line), ...lines.slice(part.line + 1, end)] : undefined;
}

function replaceTexts(lines: Lines, texts: ReadonlyMap<string, Text>, rows: ReadonlyMap<string, Lines>): Lines {
  const result = [...lines];
  for (const [name, { statement }] of [...texts].reverse()) {
    const row = rows.get(name);
    if (row) result.splice(statement.start, statement.end - statement.start, ...row);
  }
  return result;
}
