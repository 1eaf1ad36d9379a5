import type { Lines, Versions } from '../lines.ts';
import type { Statement } from './draft.ts';
import { readLines } from './read.ts';

/** A text in a variable of the module, such as a prompt. */
interface Text {
  statement: Statement;
  /** What is between its quotes, as it's written, also if it's in several parts. */
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
        : gone && remove(mine, gone, versions.user);
      return now ? [[name, now]] : [];
    }),
  );
  return {
    user: replaceTexts(versions.user, user, rows),
    base: replaceTexts(versions.base, base, rows),
    botcli: replaceTexts(versions.botcli, botcli, rows),
  };
}

/** What follows a text in a longer one; nothing if that one begins in another way. */
const endOf = (text: string, start: string): string | undefined =>
  text.startsWith(start.trimEnd()) ? text.slice(start.trimEnd().length) : undefined;

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
  return [[name.code, { statement, value: parts.map(({ code }) => code).join(''), isInBrackets }]];
}

/** The lines of a text with one more part at its end. */
function append({ statement: { start, end, tokens }, value, isInBrackets }: Text, added: string, lines: Lines): Lines {
  const part = `"${/\s$/.test(value) ? added.trimStart() : added}"`;
  const close = tokens.at(-1);
  const rows = lines.slice(start, end);
  if (isInBrackets && close && close.line === end - 1 && rows.length > 1 && rows.at(-1)?.trim() === ')') {
    const indent = /^\s*/.exec(rows[1] ?? '')?.[0] || '    ';
    return [...rows.slice(0, -1), `${indent}${part}`, ')'];
  }
  const [first = ''] = rows;
  const from = tokens[isInBrackets ? 3 : 2];
  const isPlain = !isInBrackets && from?.line === start;
  const head = first.slice(0, from?.column);
  // Whatever it looks like, it can be in brackets.
  return isPlain
    ? [`${head}(`, `    ${first.slice(from?.column)}`, ...rows.slice(1), `    ${part}`, ')']
    : [...rows.slice(0, -1), `${(rows.at(-1) ?? '').slice(0, close?.column)} ${part})`];
}

/** The lines of a text without one of its parts, if that has a line of its own. */
function remove({ statement: { start, end, tokens } }: Text, gone: string, lines: Lines): Lines | undefined {
  const part = tokens.findLast(({ kind, code }) => kind === 'text' && code.trim() === gone.trim());
  const row = lines[part?.line ?? -1]?.trim();
  const isAlone = part && row?.slice(1, -1) === part.code;
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
