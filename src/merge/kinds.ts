import { checkJson, settleJson } from './json.ts';
import type { Chunk, Lines, Versions } from './lines.ts';
import { checkToml, settleRequirements } from './packages.ts';
import { settlePatterns } from './patterns.ts';
import { settleImports } from './python/imports.ts';
import { checkNames } from './python/names.ts';
import { settleVariables } from './variables.ts';

/** A kind of file, about which more is known than its lines. */
export interface Kind {
  files: RegExp;
  /**
   * Decides what needs no order. In the texts that it returns, the three versions agree on all that it decided, so only the
   * rest is left to be merged by lines.
   */
  settle?(versions: Versions<Lines>): Versions<Lines>;
  /** Finds changes of botcli's that would break the merged file, and why. */
  check?(chunks: readonly Chunk[], versions: Versions<Lines>): ReadonlyMap<Chunk, string>;
}

const KINDS: readonly Kind[] = [
  { files: /(^|\/)pyproject\.toml$/, settle: settleRequirements, check: checkToml },
  { files: /\.toml$/, check: checkToml },
  { files: /\.json$/, settle: settleJson, check: checkJson },
  { files: /(^|\/)\.env\.example$/, settle: settleVariables },
  { files: /(^|\/)\.\w+ignore$/, settle: settlePatterns },
  { files: /\.py$/, settle: settleImports, check: checkNames },
];

/** The kind of a file, from its path. Most files have none. */
export const kindOf = (path: string): Kind => KINDS.find(({ files }) => files.test(path)) ?? { files: /^/ };
