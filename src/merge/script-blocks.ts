import { findMoved } from './blocks.ts';
import { pairLines } from './hunks.ts';
import { checkCounts } from './line-counts.ts';
import { type Chunk, type Lines, mergeLines, orderInsertions, type Versions } from './lines.ts';
import { openersOf } from './openers.ts';

const MISFIT = "botcli's change doesn't fit the blocks around it in your file.";

/** Merges line by line. Of two insertions at one point, the user's comes first if only so both are in the right blocks. */
export function mergeBlocks(versions: Versions<Lines>): readonly Chunk[] | undefined {
  const count = (chunks: readonly Chunk[]) => findMoved(chunks)?.size ?? Infinity;
  const chunks = mergeLines(versions);
  return chunks && orderInsertions(chunks, (swapped, before) => count(swapped) < count(before));
}

/** Finds changes of botcli's that don't fit the blocks around them, or that move, lose or repeat something. */
export function checkBlocks(chunks: readonly Chunk[], versions: Versions<Lines>): Map<Chunk, string> {
  const changes = chunks.filter(({ source }) => source === 'botcli');
  const displaced = findDisplaced(chunks, versions);
  if (displaced.length > 0) return new Map(displaced.map(chunk => [chunk, MISFIT]));
  const moved = findMoved(chunks);
  if (moved?.size === 0) return checkCounts(chunks);
  const own = changes.filter(chunk => moved?.has(chunk));
  const near = own.length > 0 ? own : changes.filter(({ base, botcli }) => !openersOf(base) || !openersOf(botcli));
  return new Map((near.length > 0 ? near : changes).map(chunk => [chunk, MISFIT]));
}

/**
 * Finds changes of botcli's around a change of the user's that would be for other lines than it was: if botcli indents two
 * equal tags, the outer one may look as the inner one did, which the user has changed.
 */
function findDisplaced(chunks: readonly Chunk[], { base, botcli }: Versions<Lines>): Chunk[] {
  const trim = (line: string) => line.trim();
  const exact = new Map(pairLines(base, botcli));
  const plain = new Map(pairLines(base.map(trim), botcli.map(trim)));
  const isDisplaced = (line: number) =>
    !/^\s*(?:[)\]}]|<\/)/.test(base[line] ?? '') && exact.has(line) && exact.get(line) !== plain.get(line);
  const isOurs = ({ source }: Chunk) => source === 'botcli';
  let at = 0;
  return chunks
    .flatMap((chunk, index) => {
      const start = at;
      at += chunk.base.length;
      const places = chunk.source === 'user' ? chunk.base.map((_, line) => start + line) : [];
      return places.some(isDisplaced)
        ? [chunks.slice(0, index).findLast(isOurs), chunks.slice(index).find(isOurs)]
        : [];
    })
    .filter(chunk => chunk !== undefined);
}
