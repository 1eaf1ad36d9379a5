import type { Lines, Versions } from '../lines.ts';

/**
 * Puts the arguments of a call in the base on lines of their own, if both sides have: then what each adds is a line that
 * the other hasn't changed.
 */
export function followBreaks({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const isBroken = [user, botcli].map(countLines);
  const known = countLines(base);
  const broken = base.map(line => {
    const call = readCall(line);
    const isInBoth = call && isBroken.every(count => count.get(call.head) === 1 && !count.has(line));
    return isInBoth && known.get(line) === 1 && !known.has(call.head) ? writeCall(call) : [line];
  });
  return { user, base: broken.flat(), botcli };
}

function countLines(lines: Lines): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** A call on one line. */
interface Call {
  /** Up to its first bracket. */
  head: string;
  items: string[];
  /** What follows its last bracket: a comma or nothing. */
  tail: string;
}

const CALL = /^([^"'#(]*(?:"[^"\\]*": [^"'#(]*)?\()(.*)\)(,?)$/;

function readCall(line: string): Call | undefined {
  const [, head, text = '', tail = ''] = CALL.exec(line) ?? [];
  const items = splitItems(text);
  return head !== undefined && items ? { head, items, tail } : undefined;
}

/** The arguments in a text; nothing if they aren't simple. */
function splitItems(text: string): string[] | undefined {
  const items = [''];
  let depth = 0;
  for (const [part] of text.matchAll(/"[^"\\]*"|, |[\s\S]/g)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    if (depth < 0 || ['"', "'", '#'].includes(part)) return undefined;
    if (part === ', ' && depth === 0) items.push('');
    else items.push(`${items.pop()}${part}`);
  }
  return depth === 0 && items.every(item => item !== '') ? items : undefined;
}

function writeCall({ head, items, tail }: Call): string[] {
  const indent = head.slice(0, head.search(/\S/));
  return [head, ...items.map(item => `${indent}    ${item},`), `${indent})${tail}`];
}
