import { checkJson, settleJson } from './json.ts';
import type { Chunk, Lines, Versions } from './lines.ts';
import { followLook, plainMarkdown, plainScript } from './look.ts';
import { checkToml, settleRequirements } from './packages.ts';
import { settlePatterns } from './patterns.ts';
import { mergePython } from './python/index.ts';
import { checkScript } from './script.ts';
import { settleSections } from './sections.ts';
import { settleToml } from './toml.ts';
import { settleVariables } from './variables.ts';

/** A kind of file, about which more is known than its lines. */
export interface Kind {
  /** Merges it, if it isn't merged by lines with what follows; nothing if the versions have too little in common. */
  merge?(versions: Versions<Lines>): Chunk[] | undefined;
  /**
   * Decides what needs no order. In the texts that it returns, the three versions agree on all that it decided, so only the
   * rest is left to be merged by lines.
   */
  settle?(versions: Versions<Lines>): Versions<Lines>;
  /** Finds changes of botcli's that would break the merged file, and why. */
  check?(chunks: readonly Chunk[], versions: Versions<Lines>): ReadonlyMap<Chunk, string>;
}

const KINDS: readonly (Kind & { files: RegExp })[] = [
  { files: /(^|\/)pyproject\.toml$/, settle: settleRequirements, check: checkToml },
  { files: /\.toml$/, settle: settleToml, check: checkToml },
  { files: /\.json$/, settle: settleJson, check: checkJson },
  { files: /(^|\/)\.env\.example$/, settle: settleVariables },
  { files: /(^|\/)\.\w+ignore$/, settle: settlePatterns },
  { files: /\.py$/, merge: mergePython },
  { files: /\.md$/, settle: versions => settleSections(followLook(versions, plainMarkdown)) },
  { files: /\.[cm]?[jt]sx?$/, settle: versions => followLook(versions, plainScript), check: checkScript },
  { files: /\.(?:css|html)$/, settle: versions => followLook(versions, plainScript) },
];

/** The kind of a file, from its path. Most files have none. */
export const kindOf = (path: string): Kind => KINDS.find(({ files }) => files.test(path)) ?? {};
