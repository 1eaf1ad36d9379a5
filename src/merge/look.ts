import { pairLines } from './hunks.ts';
import type { Lines, Versions } from './lines.ts';

/**
 * Writes lines of botcli's versions as the user's formatter has written them. So a line of which only the look differs
 * isn't changed.
 *
 * @param plain A line without what only concerns its look.
 */
export function followLook({ user, base, botcli }: Versions<Lines>, plain: (line: string) => string): Versions<Lines> {
  const looks = new Map(
    pairLines(base.map(plain), user.map(plain))?.flatMap(([at, to]) =>
      base[at] === user[to] || base[at]?.trim() === '' ? [] : [[at, user[to] ?? ''] as const],
    ),
  );
  if (looks.size === 0) return { user, base, botcli };
  const kept = new Map(pairLines(base, botcli)?.map(([at, to]) => [to, at]));
  return {
    user,
    base: base.map((line, at) => looks.get(at) ?? line),
    botcli: botcli.map((line, at) => withComma(looks.get(kept.get(at) ?? -1) ?? line, line, botcli[at + 1])),
  };
}

/** A line as the user has written it, with its comma if it isn't the last one of its list any more. */
const withComma = (look: string, line: string, next = ''): string =>
  line.endsWith(',') && !/[,;]$/.test(look) && !/^\s*(?:$|[)\]}])/.test(next) ? `${look},` : look;

/** A line of TypeScript, CSS or HTML without its indentation, the kind of its quotes, and a sign at its end. */
export const plainScript = (line: string): string => line.trim().replace(/[;,]$/, '').replaceAll("'", '"');

/** A line of Markdown without the width of its table's columns, and the sign of its list. */
export function plainMarkdown(line: string): string {
  const [text = '', ...cells] = line.split('|');
  const row = cells.length === 0 ? text.trimEnd() : [text, ...cells].map(cell => cell.trim()).join('|');
  return row.replace(/^(\s*)[*+-]\s+/, '$1- ').replace(/-{3,}/g, '---');
}
