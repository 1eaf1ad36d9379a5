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
  { user, base, botcli }: Record<'user' | 'base' | 'botcli', readonly string[]>,
  labels: Labels,
): string[] {
  const known = [...user, ...base, ...botcli].map(line => MARKER.exec(line)?.[0].length ?? 0);
  const length = known.reduce((most, one) => Math.max(most, one + 1), LENGTH);
  const marker = (sign: string) => sign.repeat(length);
  return [
    `${marker('<')} ${labels.yours}`,
    ...user,
    `${marker('|')} ${labels.base}`,
    ...base,
    marker('='),
    ...botcli,
    `${marker('>')} ${labels.ours}`,
  ];
}

/** A line that separates the versions in a conflict. */
interface Marker {
  /** Counted from 1. */
  line: number;
  /** Whether it has a label of ours, or is between two that do. */
  isOurs: boolean;
}

const LINE = /^(<{7,}|\|{7,}|={7,}|>{7,})(?: (.*))?$/;
const OURS = /^< yours$|^[|>] botcli \d\S*$/;

/**
 * Finds conflict markers, of any length: those of whole conflicts, whoever wrote them, and single ones of ours that were
 * left behind. `=======` alone is a heading in many texts.
 */
export function findMarkers(lines: readonly string[]): Marker[] {
  const groups: (Marker & { signs: string })[][] = [[]];
  for (const [at, text] of lines.entries()) {
    const [, signs = '', label = ''] = LINE.exec(text.trimEnd()) ?? [];
    if (signs.startsWith('<')) groups.push([]);
    if (signs) groups.at(-1)?.push({ line: at + 1, signs, isOurs: OURS.test(`${signs[0]} ${label}`) });
    if (signs.startsWith('>')) groups.push([]);
  }
  return groups.flatMap(group => {
    const last = group.at(-1);
    const conflict = group.filter(({ signs }) => signs.length === last?.signs.length);
    const middle = conflict.findLast(({ signs }) => signs.startsWith('='));
    const order = conflict.map(({ signs }) => signs[0]).join('');
    if (middle && last?.isOurs && last.signs.startsWith('>')) middle.isOurs = true;
    const isWhole = order.startsWith('<') && order.endsWith('>') && order.includes('=');
    return isWhole ? conflict : group.filter(({ isOurs }) => isOurs);
  });
}
