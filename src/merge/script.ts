import { type Chunk, type Lines, outcomeOf, type Versions } from './lines.ts';
import { blocksOf, declaredIn, findAll, mask, parametersIn } from './script-code.ts';

/** Finds changes of botcli's after which TypeScript or JavaScript wouldn't build, and why. */
export function checkScript(chunks: readonly Chunk[], versions: Versions<Lines>): Map<Chunk, string> {
  const changes = chunks.filter(({ source }) => source === 'botcli');
  const merged = mask(chunks.flatMap(outcomeOf));
  const faults = [
    ...findBroken(chunks, changes, merged, versions),
    ...findTwice(chunks, merged),
    ...findLost(chunks, changes, merged, versions),
  ];
  // Of several reasons for one change, the first counts.
  return new Map(faults.reverse());
}

/** The chunk of each line of the merge. */
const ownersOf = (chunks: readonly Chunk[]): readonly Chunk[] =>
  chunks.flatMap(chunk => outcomeOf(chunk).map(() => chunk));

/** A pair of brackets, or the end of one, right after a sign that needs something to follow. */
const HOLE = /(?:&&|\|\||\?\?|\s\?|\s:|\sreturn)\s*(?:\(\s*\)(?!\s*(?:=>|:))|[)\]}])/g;

/** Finds brackets that a change leaves open or empty. */
function findBroken(
  chunks: readonly Chunk[],
  changes: readonly Chunk[],
  merged: string,
  { user, botcli }: Versions<Lines>,
): [Chunk, string][] {
  const sides = [mask(user), mask(botcli)];
  if (!isBalanced(merged) && sides.every(isBalanced))
    return changes.map(chunk => [chunk, "With botcli's change, the brackets of your file would no longer match."]);
  const known = Math.max(...sides.map(code => findAll(code, HOLE).length));
  const holes = findAll(merged, HOLE);
  if (holes.length <= known) return [];
  let at = 0;
  const near = chunks.filter(chunk => {
    const start = at;
    at += outcomeOf(chunk).length;
    return chunk.source === 'botcli' && holes.some(({ line, lastLine }) => start <= lastLine && at > line);
  });
  const reason = "botcli's change removes what is between these brackets of yours.";
  return (near.length > 0 ? near : changes).map(chunk => [chunk, reason]);
}

function isBalanced(code: string): boolean {
  const open: string[] = [];
  for (const [sign] of code.matchAll(/[()[\]{}]/g)) {
    const at = '([{'.indexOf(sign);
    if (at !== -1) open.push(')]}'[at] ?? '');
    else if (open.pop() !== sign) return false;
  }
  return open.length === 0;
}

/** Finds names that a line of the user's and one of botcli's both declare in one block. */
function findTwice(chunks: readonly Chunk[], merged: string): [Chunk, string][] {
  const owners = ownersOf(chunks);
  const blocks = blocksOf(merged.split('\n'));
  const old = new Map(chunks.map(chunk => [chunk, new Set(declaredIn(mask(chunk.base)).map(({ name }) => name))]));
  const news = declaredIn(merged).flatMap(({ name, line }) => {
    const chunk = owners[line];
    return chunk && !old.get(chunk)?.has(name) ? [{ chunk, name, key: `${name} ${blocks[line]}` }] : [];
  });
  const mine = new Set(news.filter(({ chunk }) => chunk.source === 'user').map(({ key }) => key));
  return news.flatMap(({ chunk, name, key }): [Chunk, string][] => {
    const isTwice = chunk.source === 'botcli' && mine.has(key);
    return isTwice ? [[chunk, `Your file already defines "${name}", and so does botcli's change.`]] : [];
  });
}

/** Finds names that lines of the user's use, and whose declaration a change removes. */
function findLost(
  chunks: readonly Chunk[],
  changes: readonly Chunk[],
  merged: string,
  { user }: Versions<Lines>,
): [Chunk, string][] {
  const namesIn = (code: string) => new Set([...declaredIn(code), ...parametersIn(code)].map(({ name }) => name));
  const left = namesIn(merged);
  const lost = new Set([...namesIn(mask(user))].filter(name => !left.has(name)));
  const lines = merged.split('\n');
  const owners = ownersOf(chunks);
  const own = lines.filter((_, line) => owners[line]?.source === 'user').join('\n');
  const used = new Set([...own.matchAll(USE)].map(([name]) => name).filter(name => lost.has(name)));
  const removed = changes.map(chunk => ({ chunk, names: namesIn(mask(chunk.base)), words: wordsIn(chunk.base) }));
  return [...used].flatMap(name => {
    const reason = `Your lines use "${name}", which botcli's change removes.`;
    const declaring = removed.filter(({ names }) => names.has(name));
    const blamed = declaring.length > 0 ? declaring : removed.filter(({ words }) => words.has(name));
    return blamed.map(({ chunk }): [Chunk, string] => [chunk, reason]);
  });
}

const wordsIn = (lines: Lines) => new Set(lines.join('\n').match(/[\w$]+/g));

/** A name that isn't a property, a key or an attribute. */
const USE = /(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*(?![\w$]|:|=[^=>])/g;
