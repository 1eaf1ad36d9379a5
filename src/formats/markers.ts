/** What markers call the three versions. */
export interface Labels {
  yours: string;
  base: string;
  ours: string;
}

const MARKER = /^(<{7,}|\|{7,}|={7,}|>{7,})/;
const LENGTH = 7;

/** Writes a conflict as git does with `merge.conflictStyle diff3`. Markers are longer than any that the lines contain. */
export function markConflict(
  { mine, base, theirs }: Record<'mine' | 'base' | 'theirs', readonly string[]>,
  labels: Labels,
): string[] {
  const known = [...mine, ...base, ...theirs].map(line => MARKER.exec(line)?.[0].length ?? 0);
  const length = known.reduce((most, one) => Math.max(most, one + 1), LENGTH);
  const marker = (sign: string) => sign.repeat(length);
  return [
    `${marker('<')} ${labels.yours}`,
    ...mine,
    `${marker('|')} ${labels.base}`,
    ...base,
    marker('='),
    ...theirs,
    `${marker('>')} ${labels.ours}`,
  ];
}

const OPENING = /^<{7,} yours$/;
const OLD = /^\|{7,} botcli \d\S*$/;
const CLOSING = /^>{7,} botcli \d\S*$/;
const MIDDLE = /^={7,}$/;

/** The lines with conflict markers of ours, counted from 1. `=======` alone is a heading in many texts. */
export function findMarkers(lines: readonly string[]): number[] {
  const found: number[] = [];
  let middle: number | undefined;
  for (const [at, line] of lines.entries()) {
    const isClosing = CLOSING.test(line);
    if (isClosing && middle !== undefined) found.push(middle);
    if (MIDDLE.test(line)) middle = at + 1;
    else if (isClosing || OPENING.test(line) || OLD.test(line)) {
      middle = undefined;
      found.push(at + 1);
    }
  }
  return found;
}
