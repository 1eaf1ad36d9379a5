import { type Chunk, type Lines, outcomeOf, type Versions } from './lines.ts';
import { openersOf } from './openers.ts';

type Side = keyof Versions<Lines>;

/** A line of a version: its block's first line, the chunk that it is in, and its place in the merge, if it's there. */
interface Line {
  at: number;
  text: string;
  opener: Line | undefined;
  home: Chunk;
  place?: number;
}

/**
 * Finds chunks with a line that would be in another block than where its side has it.
 *
 * @returns Nothing if brackets and tags match in each version, but not in the merge.
 */
export function findMoved(chunks: readonly Chunk[]): Set<Chunk> | undefined {
  const [user, base, botcli] = SIDES.map(side => readLines(chunks, side));
  if (!user || !base || !botcli) return new Set();
  const blocks = openersOf(chunks.flatMap(outcomeOf));
  return blocks && new Set(new Blocks(chunks, { user, base, botcli }, blocks).misfits());
}

const SIDES = ['user', 'base', 'botcli'] as const;

/** The blocks of a merge, each known by the number of its first line, and -1 around all of them. */
class Blocks {
  private readonly texts: readonly { text: string; home: Chunk }[];
  private readonly chunks: readonly Chunk[];
  private readonly sides: Versions<readonly Line[]>;
  /** For each line of the merge, the block that it is in. */
  private readonly blocks: readonly number[];

  constructor(chunks: readonly Chunk[], sides: Versions<readonly Line[]>, blocks: readonly number[]) {
    this.chunks = chunks;
    this.sides = sides;
    this.blocks = blocks;
    this.texts = chunks.flatMap(chunk => outcomeOf(chunk).map(text => ({ text: text.trim(), home: chunk })));
  }

  /** The chunks with a line in a wrong block. */
  misfits(): Chunk[] {
    const starts = { user: 0, base: 0, botcli: 0, merge: 0 };
    return this.chunks.filter(chunk => {
      const own = (side: Side) => this.sides[side].slice(starts[side], starts[side] + chunk[side].length);
      const lines = { user: own('user'), base: own('base'), botcli: own('botcli') };
      const places = outcomeOf(chunk).map((_, at) => this.blocks[starts.merge + at] as number);
      for (const side of SIDES) starts[side] += chunk[side].length;
      starts.merge += places.length;
      return places.some((block, at) => !this.fits(chunk.source, at, lines, block));
    });
  }

  /** Whether a line of a chunk is in a block that is right for it. */
  private fits(source: Chunk['source'], at: number, lines: Versions<readonly Line[]>, block: number): boolean {
    const [side, other] = source === 'botcli' ? (['botcli', 'user'] as const) : (['user', 'botcli'] as const);
    const line = lines[side][at] as Line;
    const isStill = (line.opener ? line.opener.place : -1) === block;
    return (
      isStill ||
      this.isAmong(block, line, side) ||
      lines.base.some(
        (before, index) =>
          isInPlaceOf(lines[side], lines.base, side, before) &&
          isEqual(line.opener, before.opener, side) &&
          this.isOpenedBy(block, lines[other][index]?.opener, other),
      )
    );
  }

  /** Whether a block is the one that a line of a side opens. */
  private isOpenedBy(block: number, opener: Line | undefined, side: Side): boolean {
    if (!opener) return block === -1;
    if (opener.place !== undefined) return opener.place === block;
    const other = this.texts[block];
    return other?.home === opener.home && isSame(opener, side, other.text, outcomeOf(opener.home));
  }

  /** Whether a new line is in the block of those next to it, although that is another one now. */
  private isAmong(block: number, line: Line, side: Side): boolean {
    const inside = this.sides[side].filter(({ opener, home }) => opener === line.opener && home.source !== side);
    const around = [inside.findLast(({ at }) => at < line.at), inside.find(({ at }) => at > line.at)].filter(Boolean);
    return (
      around.every(next => next && this.blocks[next.place as number] === block) &&
      (around.length === 2 || this.isOpenedBy(block, line.opener, side))
    );
  }
}

/** Whether a line of a chunk has become another one: as it was, or as neither of them is there otherwise. */
const isSame = ({ text, home }: Line, side: Side, other: string, others: Lines): boolean => {
  const has = (lines: Lines, one: string) => lines.some(line => line.trim() === one);
  return text === other || (!has(others, text) && !has(home[side], other));
};

/** Whether a line of a side and one of the base are the same. */
const isEqual = (line: Line | undefined, before: Line | undefined, side: Side): boolean =>
  line && before ? line.home === before.home && isSame(line, side, before.text, before.home.base) : line === before;

/** Whether a side has as many lines in place of a line of the base and those next to it in its block. */
const isInPlaceOf = (lines: readonly Line[], base: readonly Line[], side: Side, { opener }: Line): boolean =>
  lines.filter(line => isEqual(line.opener, opener, side)).length ===
  base.filter(line => line.opener === opener).length;

/** The lines of a version. */
function readLines(chunks: readonly Chunk[], side: Side): Line[] | undefined {
  const openers = openersOf(chunks.flatMap(chunk => chunk[side]));
  if (!openers) return undefined;
  const lines: Line[] = [];
  let start = 0;
  for (const home of chunks) {
    const isThere = outcomeOf(home) === home[side];
    for (const [index, text] of home[side].entries()) {
      const at = lines.length;
      const place = isThere ? { place: start + index } : {};
      lines.push({ at, text: text.trim(), opener: lines[openers[at] as number], home, ...place });
    }
    start += outcomeOf(home).length;
  }
  return lines;
}
