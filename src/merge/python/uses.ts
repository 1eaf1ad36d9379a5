import type { Module } from '../../formats/python/module.ts';
import type { Chunk } from '../lines.ts';
import { SIDES, type Side } from './draft.ts';
import { readLines } from './read.ts';

/** Names in the lines that a merge has; at a conflict, in the lines of both sides. */
interface Names {
  used: Set<string>;
  defined: Set<string>;
  /** Whether the quotes and brackets of each version match. If not, some names may be missing. */
  isSure: boolean;
}

/** A version that is known already, but for lines `[start, end)`, which the chunks don't have. */
interface Known {
  module: Module;
  start: number;
  end: number;
}

/**
 * Reads each line among those of its own version: next to the other side's, it may be part of a text.
 *
 * @param known Versions that needn't be read again.
 */
export function namesIn(chunks: readonly Chunk[], known: Partial<Record<Side, Known>> = {}): Names {
  const versions = SIDES.map(side => {
    const { module = readLines(chunks.flatMap(chunk => chunk[side])), start = 0, end = 0 } = known[side] ?? {};
    const left = linesLeft(chunks, side);
    return { ...module, has: (line: number) => (line < start ? left[line] : line >= end && left[line - end + start]) };
  });
  const find = (what: 'uses' | 'defines') =>
    versions.flatMap(({ scopes, has }) =>
      scopes.flatMap(scope => [...scope[what]].flatMap(([name, at]) => (at.some(({ line }) => has(line)) ? name : []))),
    );
  return {
    used: new Set(find('uses')),
    defined: new Set(find('defines')),
    isSure: versions.every(({ isBalanced }) => isBalanced),
  };
}

/** For each line of a version, whether the merge has it. */
const linesLeft = (chunks: readonly Chunk[], side: Side): boolean[] =>
  chunks.flatMap(chunk => chunk[side].map(() => !SIDES.includes(chunk.source as Side) || chunk.source === side));
