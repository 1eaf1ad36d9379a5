import { type Chunk, type Lines, mergeLines, type Versions } from './lines.ts';
import { followLook, plainMarkdown } from './look.ts';
import { settlePatterns } from './patterns.ts';
import { mergePython } from './python/index.ts';
import { settleSections } from './sections.ts';
import { JSON_, TOML } from './units/data.ts';
import { mergeUnits } from './units/index.ts';
import type { Language } from './units/language.ts';
import { CSS, HTML } from './units/markup.ts';
import { SCRIPT } from './units/script.ts';
import { ENV } from './units/variables.ts';

/** Merges a file about which more is known than its lines; nothing if the versions have too little in common. */
type Merge = (versions: Versions<Lines>) => readonly Chunk[] | undefined;

const as =
  (language: Language): Merge =>
  versions =>
    mergeUnits(language, versions);

const KINDS: readonly (readonly [files: RegExp, merge: Merge])[] = [
  [/\.py$/, mergePython],
  [/\.[cm]?[jt]sx?$/, as(SCRIPT)],
  [/\.css$/, as(CSS)],
  [/\.html$/, as(HTML)],
  [/\.json$/, as(JSON_)],
  [/\.toml$/, as(TOML)],
  [/(^|\/)\.env\.example$/, as(ENV)],
  [/(^|\/)\.\w+ignore$/, versions => mergeLines(settlePatterns(versions))],
  [/\.md$/, versions => mergeLines(settleSections(followLook(versions, plainMarkdown)))],
];

/** How a file is merged, from its path. Most are merged by lines. */
export const mergeOf = (path: string): Merge => KINDS.find(([files]) => files.test(path))?.[1] ?? mergeLines;
