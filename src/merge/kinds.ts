import type { Chunk, Lines, Versions } from './lines.ts';
import { followLook, plainMarkdown } from './look.ts';
import { settlePatterns } from './patterns.ts';
import { mergePython } from './python/index.ts';
import { settleSections } from './sections.ts';
import { JSON_, TOML } from './units/data.ts';
import { mergeUnits } from './units/index.ts';
import { CSS, HTML } from './units/markup.ts';
import { ENV } from './units/prose.ts';
import { SCRIPT } from './units/script.ts';

/** A kind of file, about which more is known than its lines. */
export interface Kind {
  /** Merges it, if that takes more than its lines; nothing if the versions have too little in common. */
  merge?(versions: Versions<Lines>): readonly Chunk[] | undefined;
  /**
   * Decides what needs no order. In the texts that it returns, the three versions agree on all that it decided, so only the
   * rest is left to be merged by lines.
   */
  settle?(versions: Versions<Lines>): Versions<Lines>;
  /** Finds changes of botcli's that would break the merged file, and why. */
  check?(chunks: readonly Chunk[], versions: Versions<Lines>): ReadonlyMap<Chunk, string>;
}

const KINDS: readonly (Kind & { files: RegExp })[] = [
  { files: /\.toml$/, merge: versions => mergeUnits(TOML, versions) },
  { files: /\.json$/, merge: versions => mergeUnits(JSON_, versions) },
  { files: /(^|\/)\.env\.example$/, merge: versions => mergeUnits(ENV, versions) },
  { files: /(^|\/)\.\w+ignore$/, settle: settlePatterns },
  { files: /\.py$/, merge: mergePython },
  { files: /\.md$/, settle: versions => settleSections(followLook(versions, plainMarkdown)) },
  { files: /\.[cm]?[jt]sx?$/, merge: versions => mergeUnits(SCRIPT, versions) },
  { files: /\.css$/, merge: versions => mergeUnits(CSS, versions) },
  { files: /\.html$/, merge: versions => mergeUnits(HTML, versions) },
];

/** The kind of a file, from its path. Most files have none. */
export const kindOf = (path: string): Kind => KINDS.find(({ files }) => files.test(path)) ?? {};
