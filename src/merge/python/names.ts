import type { Binding, Mention, Scope } from '../../formats/python/scope.ts';
import { type Draft, type Fault, ownerOf, SIDES, type Side, useKey, type Version, wordsIn } from './draft.ts';

/** Finds names that mean nothing, or something else than before, and names that both sides define. */
export const checkNames = (draft: Draft): Fault[] => [
  ...findLost(draft),
  ...findDoubles(draft),
  ...findHidden(draft),
  ...findUnused(draft),
];

function findLost(draft: Draft): Fault[] {
  const faults: Fault[] = [];
  const rewired = findRewired(draft);
  for (const scope of draft.scopes) {
    for (const use of [...scope.uses.values()].flat()) {
      for (const side of SIDES.filter(one => hasSay(draft, use.line, one))) {
        const reason = judge(draft, scope, use, side, rewired);
        if (reason) faults.push({ line: use.line, reason, name: use.name });
      }
    }
  }
  return faults;
}

/** A line that both have is as the user's file understands it. */
const hasSay = (draft: Draft, line: number, side: Side): boolean => (ownerOf(draft, line) ?? 'user') === side;

/** The scope in which a version uses a name that the merge uses at a line. */
function usedIn(draft: Draft, { name, line }: Mention, side: Side): Scope | undefined {
  const place = draft.origins[line]?.[side];
  return place === undefined ? undefined : draft.sides[side].uses.get(useKey(place, name));
}

/** Says what is wrong with a use of a name. */
function judge(draft: Draft, scope: Scope, use: Mention, side: Side, rewired: ReadonlySet<string>): string | undefined {
  const { name, line } = use;
  const [original, after] = [usedIn(draft, use, side), scope.resolve(name)];
  const before = original?.resolve(name);
  if (!original || !before) return undefined;
  if (!after) return explain(draft, name, scope, side);
  const [old, now] = [before.defines.get(name) ?? [], after.defines.get(name) ?? []];
  const version = draft.sides[side];
  if (!isSame(version, old, now)) {
    const isElsewhere = old.some(one => version.inMerge.has(one.line)) && !rewired.has(meaningOf(name, after));
    if (isElsewhere || before.kind !== after.kind) return `"${name}" means something else in ${placeOf(scope)}.`;
  }
  // What runs one after the other has to stay in order.
  const isInOrder = original === before && old.some(one => one.line <= (draft.origins[line]?.[side] ?? 0));
  if (!isInOrder || scope !== after || now.some(one => one.line <= line)) return undefined;
  return `"${name}" is used before ${placeOf(scope)} defines it.`;
}

const isSame = ({ inMerge }: Version, old: readonly Binding[], now: readonly Binding[]): boolean =>
  old.some(one => now.some(other => inMerge.get(one.line) === other.line));

function explain(draft: Draft, name: string, scope: Scope, side: Side): string {
  if (side === 'user') return `Your lines use "${name}", which botcli's change removes.`;
  const isDefined = draft.scopes.some(({ defines }) => defines.has(name));
  return isDefined
    ? `botcli's change uses "${name}", which isn't defined in ${placeOf(scope)}.`
    : `botcli's change uses "${name}", which your file doesn't define any more.`;
}

const placeOf = ({ path }: Scope): string => path || 'your file';

const meaningOf = (name: string, { path, line }: Scope): string => `${name} ${path} ${line}`;

/** Names to which the user has given another meaning, also for lines of botcli's: those lines are still there. */
function findRewired(draft: Draft): Set<string> {
  const rewired = new Set<string>();
  for (const scope of draft.scopes) {
    for (const use of [...scope.uses.values()].flat()) {
      const after = scope.resolve(use.name);
      if (after && ownerOf(draft, use.line) === undefined) rewired.add(meaningOf(use.name, after));
    }
  }
  return rewired;
}

/** Names that are in each side's own lines of a scope, and in nothing that they replace. */
function findDoubles(draft: Draft): Fault[] {
  return draft.scopes
    .filter(({ kind }) => kind !== 'lambda' && kind !== 'comprehension')
    .flatMap(({ defines }) =>
      [...defines].flatMap(([name, bindings]) => {
        const isNew = (side: Side) =>
          bindings.filter(({ line }) => ownerOf(draft, line) === side && !replaces(draft, line, name));
        const [[mine], [ours]] = [isNew('user'), isNew('botcli')];
        const reason = `Your file already defines "${name}", and so does botcli's change.`;
        return mine && ours ? [{ line: ours.line, name, reason }] : [];
      }),
    );
}

/** Names of imports that the merge defines more often than either side: one meaning would hide the other. */
function findHidden(draft: Draft): Fault[] {
  const [top] = draft.scopes;
  return [...(top?.defines ?? [])].flatMap(([name, bindings]) => {
    const most = Math.max(...SIDES.map(side => draft.sides[side].scopes[0]?.defines.get(name)?.length ?? 0));
    const imported = bindings.find(({ by }) => by === 'import');
    const reason = `Your file and botcli's change each give "${name}" a meaning, and one is an import.`;
    return imported && bindings.length > most ? [{ line: imported.line, name, reason }] : [];
  });
}

/** Whether the lines that a change replaces mention a name, too. */
const replaces = ({ origins }: Draft, line: number, name: string): boolean =>
  wordsIn(origins[line]?.chunk.base ?? []).includes(name);

/** Imports that the user put into a function, and that nothing uses any more. */
function findUnused(draft: Draft): Fault[] {
  const isUsed = new Set(
    draft.scopes.flatMap(scope =>
      [...scope.uses.keys()].flatMap(name => {
        const home = scope.resolve(name);
        return home ? meaningOf(name, home) : [];
      }),
    ),
  );
  const wasUsed = new Set(draft.sides.user.scopes.flatMap(({ uses }) => [...uses.keys()]));
  return draft.scopes
    .filter(({ kind }) => kind === 'function')
    .flatMap(scope =>
      [...scope.defines.values()].flat().flatMap(({ name, line, by }): Fault[] => {
        const isOfUser = by === 'import' && ownerOf(draft, line) === 'user' && wasUsed.has(name);
        const reason = `Nothing would use your import of "${name}" any more.`;
        return isOfUser && !isUsed.has(meaningOf(name, scope)) ? [{ line, name, reason }] : [];
      }),
    );
}
