import { pairLines } from './hunks.ts';
import type { Lines, Versions } from './lines.ts';

/**
 * Leaves out lines of the base that do nothing and that the user has removed, also in botcli's version; and adds the blank
 * lines that the user has added. So they are no change of what is around them.
 */
export function followOmissions(
  { user, base, botcli }: Versions<Lines>,
  isIdle: (line: number) => boolean,
): Versions<Lines> {
  const pairs = pairLines(base, user) ?? [];
  const still = new Set(pairs.map(([at]) => at));
  const isGone = base.map((_, at) => pairs.length > 0 && isIdle(at) && !still.has(at));
  const blanks = pairs.flatMap(([at, to], index) => (isSpread(pairs[index + 1], at, to, user) ? at : []));
  if (!isGone.includes(true) && blanks.length === 0) return { user, base, botcli };
  // At whatever depth.
  const trimmed = (lines: Lines) => lines.map(line => line.trim());
  const places = new Map(pairLines(trimmed(base), trimmed(botcli))?.map(([at, to]) => [to, at]));
  // Next to a new line of botcli's, a blank line is an addition like any other.
  const touched = new Set(
    botcli.flatMap((_, to) => (places.has(to) ? [] : [places.get(to - 1), (places.get(to + 1) ?? 0) - 1])),
  );
  const spread = new Set(blanks.filter(at => !touched.has(at)));
  const follow = (lines: Lines, placeOf: (line: number) => number | undefined) =>
    lines.flatMap((line, at) => {
      const place = placeOf(at) ?? -1;
      const own = isGone[place] ? [] : [line];
      return spread.has(place) && placeOf(at + 1) === place + 1 ? [...own, ''] : own;
    });
  return { user, base: follow(base, at => at), botcli: follow(botcli, at => places.get(at)) };
}

/** Whether the user has put just a blank line between a line and the next one. */
const isSpread = (next: readonly [number, number] | undefined, at: number, to: number, user: Lines): boolean =>
  next?.[0] === at + 1 && next[1] === to + 2 && user[to + 1] === '';
