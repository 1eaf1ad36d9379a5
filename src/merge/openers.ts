import type { Lines } from './lines.ts';
import { mask } from './script-code.ts';

const SIGN = /[()[\]{}]|(?<![\w$])<(?=[A-Za-z>])[\w.]*|<\/[\w.]*|\/>|(?<!=)>/g;
const CLOSED_BY: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/**
 * For each line, the one with the bracket or tag that it is in, or -1. A closing line is in what it closes.
 *
 * @returns Nothing if the brackets and tags don't match.
 */
export function openersOf(lines: Lines): number[] | undefined {
  const open: { end: string; line: number; isTag?: boolean }[] = [];
  const openers: number[] = [];
  for (const [line, code] of mask(lines).split('\n').entries()) {
    openers.push(open.at(-1)?.line ?? -1);
    for (const [sign] of code.matchAll(SIGN)) {
      const last = open.at(-1);
      const end = CLOSED_BY[sign];
      if (end !== undefined) open.push({ end, line });
      else if (/<(?!\/)/.test(sign)) open.push({ end: sign.replace('<', '</'), line, isTag: true });
      else if (sign === '>' || sign === '/>') {
        // Elsewhere, it compares, or ends a type or a closing tag.
        if (!last?.isTag) continue;
        open.pop();
        if (sign === '>') open.push({ end: last.end, line: last.line });
      } else if (last?.end !== sign || last.isTag) return undefined;
      else open.pop();
    }
  }
  return open.length === 0 ? openers : undefined;
}
