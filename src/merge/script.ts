import { type Chunk, type Lines, outcomeOf, type Versions } from './lines.ts';
import { openersOf } from './openers.ts';
import { checkBlocks } from './script-blocks.ts';
import { blocksOf, declaredIn, findAll, mask, parametersIn } from './script-code.ts';

/** Finds changes of botcli's after which TypeScript or JavaScript wouldn't build, and why. */
export function checkScript(chunks: readonly Chunk[], versions: Versions<Lines>): Map<Chunk, string> {
  const changes = chunks.filter(({ source }) => source === 'botcli');
  const merged = mask(chunks.flatMap(outcomeOf));
  const faults = [
    ...findBroken(chunks, changes, merged, versions),
    ...findTwice(chunks, merged),
    ...findLost(chunks, changes, merged, versions),
    ...findHidden(chunks, changes, versions),
    ...checkBlocks(chunks, versions),
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

/** Finds names that lines of the user's use, and whose declaration a change removes; and the other way around. */
function findLost(
  chunks: readonly Chunk[],
  changes: readonly Chunk[],
  merged: string,
  { user, botcli }: Versions<Lines>,
): [Chunk, string][] {
  const lines = merged.split('\n');
  const owners = ownersOf(chunks);
  const left = namesIn(merged);
  /** The names that only one version declares, and that lines of a source use. */
  const lostIn = (version: Lines, isUsing: (chunk: Chunk | undefined) => boolean) => {
    const lost = new Set([...namesIn(mask(version))].filter(name => !left.has(name)));
    const own = lines.filter((_, line) => isUsing(owners[line])).join('\n');
    return [...new Set([...own.matchAll(USE)].map(([name]) => name).filter(name => lost.has(name)))];
  };
  const removed = changes.map(chunk => ({ chunk, names: namesIn(mask(chunk.base)), words: wordsIn(chunk.base) }));
  const byUser = lostIn(user, chunk => chunk?.source === 'user').flatMap(name => {
    const reason = `Your lines use "${name}", which botcli's change removes.`;
    const declaring = removed.filter(({ names }) => names.has(name));
    const blamed = declaring.length > 0 ? declaring : removed.filter(({ words }) => words.has(name));
    return blamed.map(({ chunk }): [Chunk, string] => [chunk, reason]);
  });
  const byBotcli = changes.flatMap(change =>
    lostIn(botcli, chunk => chunk === change).map((name): [Chunk, string] => [
      change,
      `botcli's change uses "${name}", which your file doesn't define any more.`,
    ]),
  );
  return [...byUser, ...byBotcli];
}

/** Finds names that lines use outside of the block that declares them, as they do in neither version. */
function findHidden(
  chunks: readonly Chunk[],
  changes: readonly Chunk[],
  { user, botcli }: Versions<Lines>,
): [Chunk, string][] {
  const before = new Set([...hiddenIn(user), ...hiddenIn(botcli)]);
  const lines = chunks.flatMap(outcomeOf);
  const owners = ownersOf(chunks);
  const hidden = [...hiddenIn(lines)].filter(name => !before.has(name));
  return hidden.flatMap(name => {
    const reason = `With botcli's change, "${name}" would be used outside of the block that defines it.`;
    const near = changes.filter(chunk => lines.some((line, at) => owners[at] === chunk && wordsIn([line]).has(name)));
    return (near.length > 0 ? near : changes).map((chunk): [Chunk, string] => [chunk, reason]);
  });
}

/** The names that code declares once, and uses outside of the block of that declaration. */
function hiddenIn(source: Lines): Set<string> {
  const openers = openersOf(source);
  if (!openers) return new Set();
  const code = mask(source);
  const ends = new Map<number | undefined, number>();
  for (const [line, opener] of [...openers.entries()].reverse()) {
    const end = Math.max(line, ends.get(line) ?? line);
    ends.set(opener, Math.max(end, ends.get(opener) ?? end));
  }
  const count = new Map<string, number>();
  const declared = declaredIn(code);
  for (const { name } of [...declared, ...parametersIn(code)]) count.set(name, (count.get(name) ?? 0) + 1);
  const homes = new Map(declared.flatMap(({ name, line }) => (count.get(name) === 1 ? [[name, openers[line]]] : [])));
  const uses = code.split('\n').flatMap((text, line) => [...text.matchAll(USE)].map(([name]) => ({ name, line })));
  const isHidden = ({ name, line }: (typeof uses)[0]) => {
    const home = homes.get(name) ?? -1;
    return home !== -1 && (line <= home || line > (ends.get(home) ?? line));
  };
  return new Set(uses.filter(isHidden).map(({ name }) => name));
}

const namesIn = (code: string) => new Set([...declaredIn(code), ...parametersIn(code)].map(({ name }) => name));

const wordsIn = (lines: Lines) => new Set(lines.join('\n').match(/[\w$]+/g));

/** A name that isn't a property, a key or an attribute. */
const USE = /(?<![\w$]|(?<!\.\.)\.)[A-Za-z_$][\w$]*(?![\w$]|:|=[^=>])/g;
