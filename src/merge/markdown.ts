import { followLook, type Lines, type Versions } from './lines.ts';

/** Makes the three versions of a text in Markdown agree where the user has formatted it, or has written a section anew. */
export const settleMarkdown = (versions: Versions<Lines>): Versions<Lines> =>
  settleSections(followLook(versions, plainLine));

/** A line without the width of its table's columns, and the sign of its list. */
function plainLine(line: string): string {
  const [text = '', ...cells] = line.split('|');
  const row = cells.length === 0 ? text.trimEnd() : [text, ...cells].map(cell => cell.trim()).join('|');
  return row.replace(/^(\s*)[*+-]\s+/, '$1- ').replace(/-{3,}/g, '---');
}

/** A heading, with the lines up to the next one: lines `[start, end)`. */
interface Section {
  heading: string;
  start: number;
  end: number;
}

/** Leaves sections alone that the user has removed or rewritten: botcli's words about them are about something else. */
function settleSections({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const sections = { user: sectionsOf(user), base: sectionsOf(base), botcli: sectionsOf(botcli) };
  const result = [...botcli];
  const isOnce = countOnce(base);
  for (const { heading, start, end } of [...sections.botcli.values()].reverse()) {
    const [mine, old] = [sections.user.get(heading), sections.base.get(heading)];
    if (!old) continue;
    const before = base.slice(old.start + 1, old.end);
    // Without its heading, the section may be anywhere.
    if (!isRewritten(mine ? user.slice(mine.start + 1, mine.end) : user, before.filter(isOnce))) continue;
    result.splice(start + 1, end - start - 1, ...before);
  }
  return { user, base, botcli: result };
}

/** Whether no line with words is left of a text that had several. */
function isRewritten(now: Lines, before: Lines): boolean {
  const hasWords = (line: string) => /\w\W+\w/.test(line);
  const old = new Set(before.filter(hasWords));
  return old.size > 2 && now.some(hasWords) && !now.some(line => old.has(line));
}

/** Says which lines a text has only once. */
function countOnce(lines: Lines): (line: string) => boolean {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return line => counts.get(line) === 1;
}

/** The sections with a heading that no other one has. */
function sectionsOf(lines: Lines): Map<string, Section> {
  const sections: Section[] = [];
  let fence: string | undefined;
  for (const [at, line] of lines.entries()) {
    const [mark] = /^(?:```|~~~)/.exec(line) ?? [];
    fence = fence === undefined ? mark : fence === mark ? undefined : fence;
    if (fence !== undefined || !/^#{1,6} /.test(line)) continue;
    const last = sections.at(-1);
    if (last) last.end = at;
    sections.push({ heading: line, start: at, end: lines.length });
  }
  const isOnce = countOnce(sections.map(({ heading }) => heading));
  return new Map(sections.flatMap(one => (isOnce(one.heading) ? [[one.heading, one] as const] : [])));
}
