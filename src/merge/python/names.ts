import { type Chunk, type Lines, outcomeOf, type Versions } from '../lines.ts';
import { type Names, readNames } from './bindings.ts';

/** A name that is broken in the merge, and why. */
interface Fault {
  name: string;
  reason: string;
}

/**
 * Finds changes of botcli's that fit the lines around them, but not the rest of the user's Python: they use a name that is
 * gone, remove one that the user uses, or define one that is there already.
 */
export function checkNames(chunks: readonly Chunk[], { user, base, botcli }: Versions<Lines>): Map<Chunk, string> {
  const places = placeChunks(chunks);
  const changes = places.filter(({ chunk }) => chunk.source === 'botcli');
  if (changes.length === 0) return new Map();
  const names = { user: readNames(user), base: readNames(base), botcli: readNames(botcli) };
  const merged = readNames(chunks.flatMap(outcomeOf));
  const old = readNames(chunks.flatMap(chunk => chunk.base));
  if (!merged.isBalanced && names.user.isBalanced && names.botcli.isBalanced) {
    return new Map(
      changes.map(({ chunk }) => [chunk, "With botcli's change, the brackets or quotes would no longer match."]),
    );
  }
  const faults = [...findLost(merged, names), ...findDoubles(merged, names), ...findRepeated(merged, names)];
  return new Map(
    faults.flatMap(fault => {
      const involved = changes.filter(place => isInvolved(place, fault.name, merged, old));
      return (involved.length > 0 ? involved : changes).map(({ chunk }) => [chunk, fault.reason] as const);
    }),
  );
}

/** A chunk and its first line in the base and in the merge. */
interface PlacedChunk {
  chunk: Chunk;
  inBase: number;
  inMerge: number;
}

function placeChunks(chunks: readonly Chunk[]): PlacedChunk[] {
  let [inBase, inMerge] = [0, 0];
  return chunks.map(chunk => {
    const place = { chunk, inBase, inMerge };
    inBase += chunk.base.length;
    inMerge += outcomeOf(chunk).length;
    return place;
  });
}

/** Whether a change of botcli's mentions a name, or removes it. */
function isInvolved({ chunk, inBase, inMerge }: PlacedChunk, name: string, merged: Names, base: Names): boolean {
  const isIn = (names: Names, start: number, count: number) =>
    [...names.uses, ...names.bindings, ...names.repeated].some(
      one => one.name === name && one.line >= start && one.line < start + count,
    );
  return isIn(merged, inMerge, chunk.botcli.length) || isIn(base, inBase, chunk.base.length);
}

const namesOf = (mentions: readonly { name: string }[]): Set<string> => new Set(mentions.map(({ name }) => name));

/** Names that one of the versions defines and the merge uses, but no longer defines. */
function findLost(merged: Names, { user, base, botcli }: Versions<Names>): Fault[] {
  const still = namesOf(merged.bindings);
  const once = namesOf([...user.bindings, ...base.bindings, ...botcli.bindings]);
  const usedByUser = namesOf(user.uses);
  const boundByUser = namesOf(user.bindings);
  return [...namesOf(merged.uses)].flatMap(name => {
    if (still.has(name) || !once.has(name)) return [];
    if (boundByUser.has(name)) return [{ name, reason: `Your lines use "${name}", which botcli's change removes.` }];
    // The user's file was like that before.
    if (usedByUser.has(name)) return [];
    return [{ name, reason: `botcli's change uses "${name}", which your file doesn't define any more.` }];
  });
}

/** Names that both sides define at the same place of the program. */
function findDoubles(merged: Names, { user, base, botcli }: Versions<Names>): Fault[] {
  const [all, byUser, byBase, byBotcli] = [merged, user, base, botcli].map(countDefinitions);
  return [...(all ?? [])].flatMap(([key, { name, count }]) => {
    const before = (counts: typeof all) => counts?.get(key)?.count ?? 0;
    const isDouble =
      count > Math.max(before(byUser), before(byBotcli)) && Math.min(before(byUser), before(byBotcli)) > before(byBase);
    return isDouble ? [{ name, reason: `Your file already defines "${name}", and so does botcli's change.` }] : [];
  });
}

/** Parameters and loops may well use a name again. */
const DEFINITIONS = ['import', 'function', 'class', 'assignment'];

function countDefinitions({ bindings }: Names): Map<string, { name: string; count: number }> {
  const counts = new Map<string, { name: string; count: number }>();
  for (const { name, scope } of bindings.filter(({ by }) => DEFINITIONS.includes(by))) {
    const key = `${scope}.${name}`;
    counts.set(key, { name, count: (counts.get(key)?.count ?? 0) + 1 });
  }
  return counts;
}

/** Keyword arguments that each side gave to the same call. */
const findRepeated = (merged: Names, { user, botcli }: Versions<Names>): Fault[] => {
  const before = namesOf([...user.repeated, ...botcli.repeated]);
  return [...namesOf(merged.repeated)]
    .filter(name => !before.has(name))
    .map(name => ({ name, reason: `Your file and botcli's change pass "${name}" to the same call.` }));
};
