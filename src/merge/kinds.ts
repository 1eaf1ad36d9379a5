import { checkJson, settleJson } from './json.ts';
import type { Chunk, Lines, Versions } from './lines.ts';
import { followLook, plainMarkdown, plainScript } from './look.ts';
import { settleRequirements } from './packages.ts';
import { guessPatterns, settlePatterns } from './patterns.ts';
import { mergePython } from './python/index.ts';
import { checkScript } from './script.ts';
import { checkBlocks, mergeBlocks } from './script-blocks.ts';
import { settleSections } from './sections.ts';
import { checkToml, mergeTables } from './tables.ts';
import { settleToml } from './toml.ts';
import { settleVariables } from './variables.ts';

/** A kind of file, about which more is known than its lines. */
export interface Kind {
  /** Merges it, if that takes more than its lines; nothing if the versions have too little in common. */
  merge?(versions: Versions<Lines>): readonly Chunk[] | undefined;
  /**
   * Decides what needs no order. In the texts that it returns, the three versions agree on all that it decided, so only the
   * rest is left to be merged by lines.
   */
  settle?(versions: Versions<Lines>): Versions<Lines>;
  /** What botcli may have written, if it isn't known and a guess does no harm. */
  guessBase?(versions: Omit<Versions<Lines>, 'base'>): Lines;
  /** Finds changes of botcli's that would break the merged file, and why. */
  check?(chunks: readonly Chunk[], versions: Versions<Lines>): ReadonlyMap<Chunk, string>;
}

const followScript = (versions: Versions<Lines>) => followLook(versions, plainScript);

const KINDS: readonly (Kind & { files: RegExp })[] = [
  { files: /(^|\/)pyproject\.toml$/, settle: settleRequirements, merge: mergeTables, check: checkToml },
  { files: /\.toml$/, settle: settleToml, merge: mergeTables, check: checkToml },
  { files: /\.json$/, settle: settleJson, check: checkJson },
  { files: /(^|\/)\.env\.example$/, settle: settleVariables },
  { files: /(^|\/)\.\w+ignore$/, settle: settlePatterns, guessBase: guessPatterns },
  { files: /\.py$/, merge: mergePython },
  { files: /\.md$/, settle: versions => settleSections(followLook(versions, plainMarkdown)) },
  { files: /\.[cm]?[jt]sx?$/, settle: followScript, merge: mergeBlocks, check: checkScript },
  { files: /\.(?:css|html)$/, settle: followScript, merge: mergeBlocks, check: checkBlocks },
];

/** The kind of a file, from its path. Most files have none. */
export const kindOf = (path: string): Kind => KINDS.find(({ files }) => files.test(path)) ?? {};
