import { type Chunk, type Lines, mergeItems, mergeLines, type Versions } from './lines.ts';
import { settleMarkdown } from './markdown.ts';
import { mergePython } from './python/index.ts';
import { CSS, HTML, SCRIPT, TYPESCRIPT } from './units/code.ts';
import { ENV, JSON_, TOML } from './units/data.ts';
import { mergeUnits } from './units/index.ts';
import type { Language } from './units/tree.ts';

/** Merges a file such as .gitignore: each line is a pattern of its own, and none is added twice. */
function settlePatterns({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const isKnown = (line: string) => isPattern(line) && user.includes(line) && !base.includes(line);
  // The last pattern that matches wins, so the user's come last.
  const merged = mergeItems({ user, base, botcli: botcli.filter(line => !isKnown(line)) }, () => false);
  return merged ? { user: merged, base: merged, botcli: merged } : { user, base, botcli };
}

/** What a file such as .gitignore may have been: then all patterns of both sides stay. */
const guessPatterns = ({ user, botcli }: Omit<Versions<Lines>, 'base'>): Lines =>
  user.filter(line => botcli.includes(line));

const isPattern = (line: string): boolean => line !== '' && !line.startsWith('#');

interface Kind {
  files: RegExp;
  /** Nothing if the versions have too little in common. */
  merge(versions: Versions<Lines>): readonly Chunk[] | undefined;
  /** What botcli may have written, if it isn't known and a guess does no harm. */
  guessBase?(versions: Omit<Versions<Lines>, 'base'>): Lines;
}

const as =
  (language: Language): Kind['merge'] =>
  versions =>
    mergeUnits(language, versions);

const KINDS: readonly Kind[] = [
  { files: /\.py$/, merge: mergePython },
  { files: /\.[cm]?ts$/, merge: as(TYPESCRIPT) },
  { files: /\.([cm]?js|[jt]sx)$/, merge: as(SCRIPT) },
  { files: /\.css$/, merge: as(CSS) },
  { files: /\.html$/, merge: as(HTML) },
  { files: /\.json$/, merge: as(JSON_) },
  { files: /\.toml$/, merge: as(TOML) },
  { files: /(^|\/)\.env\.example$/, merge: as(ENV) },
  {
    files: /(^|\/)\.\w+ignore$/,
    merge: versions => mergeLines(settlePatterns(versions)),
    guessBase: guessPatterns,
  },
  { files: /\.md$/, merge: versions => mergeLines(settleMarkdown(versions)) },
];

/** How a file is merged, from its path. Most are merged by lines. */
export const kindOf = (path: string): Omit<Kind, 'files'> =>
  KINDS.find(({ files }) => files.test(path)) ?? { merge: mergeLines };
