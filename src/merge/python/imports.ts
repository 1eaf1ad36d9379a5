import { type ImportedName, localName } from '../../formats/python/imports.ts';
import type { Module } from '../../formats/python/module.ts';
import type { Lines, mergeLines, Versions } from '../lines.ts';
import { findImports, type ImportBlock, keyOf } from './import-block.ts';
import { addNames, dropNames } from './import-sections.ts';
import { followIndents, unitOf } from './indents.ts';
import { readLines } from './read.ts';
import { namesIn } from './uses.ts';

/** Versions that agree on their imports. */
interface Settled {
  versions: Versions<Lines>;
  /** What botcli would import under a name to which the user gives another meaning. */
  taken: ReadonlySet<string>;
  /** What only some versions import, and these don't. */
  dropped: ReadonlySet<string>;
}

/**
 * Merges the imports at the top of a module by module and name. An import that the merged code uses is kept or comes back,
 * no matter who removed it. One whose name the user has taken isn't added.
 *
 * @param kept Names that are used in any case.
 * @param merge Merges the rest.
 */
export function settleImports(versions: Versions<Lines>, kept: ReadonlySet<string>, merge: typeof mergeLines): Settled {
  const unsettled = { versions, taken: new Set<string>(), dropped: new Set<string>() };
  const [user, base, botcli] = [findImports(versions.user), findImports(versions.base), findImports(versions.botcli)];
  if (!user || !base || !botcli) return unsettled;
  const bodies = {
    user: without(versions.user, user),
    base: without(versions.base, base),
    botcli: without(versions.botcli, botcli),
  };
  const indented = followIndents(bodies);
  const chunks = merge(indented);
  if (!chunks) return unsettled;
  const known = {
    user: { module: readLines(versions.user), ...user },
    ...(indented.botcli === bodies.botcli && { botcli: { module: readLines(versions.botcli), ...botcli } }),
  };
  const { used, defined, isSure } = namesIn(chunks, known);
  for (const name of kept) used.add(name);
  const usesOf = (module: Module) => new Set(module.scopes.flatMap(({ uses }) => [...uses.keys()]));
  const [usedByUser, usedByBotcli] = [usesOf(known.user.module), usesOf(readLines(versions.botcli))];
  const mine = [...user.names, ...user.others];
  const bound = new Set([...defined, ...mine.map(localName)]);
  const keysOf = (names: readonly ImportedName[]) => new Set(names.map(keyOf));
  const [userKeys, baseKeys, botcliKeys] = [keysOf(mine), keysOf(base.names), keysOf(botcli.names)];
  const isNew = (one: ImportedName) =>
    !baseKeys.has(keyOf(one)) || (used.has(localName(one)) && !bound.has(localName(one)));
  /** botcli may now import a name from another module. */
  const isRenewed = (name: string) => botcli.names.some(one => localName(one) === name && !baseKeys.has(keyOf(one)));
  const isDropped = (one: ImportedName) => {
    const name = localName(one);
    if (!isSure || !baseKeys.has(keyOf(one))) return false;
    // Each side may have removed some of its uses.
    if (botcliKeys.has(keyOf(one))) return usedByUser.has(name) && usedByBotcli.has(name) && !used.has(name);
    return !used.has(name) || isRenewed(name);
  };
  const ours = botcli.names.filter(one => !userKeys.has(keyOf(one)));
  const wanted = ours.filter(isNew);
  const isTaken = (one: ImportedName) => {
    const name = localName(one);
    const meanings = (lines: Lines) => readLines(lines).scopes[0]?.defines.get(name) ?? [];
    const dropped = user.names.filter(other => localName(other) === name && isDropped(other));
    const old = meanings(versions.base).filter(({ by }) => by !== 'import');
    return meanings(versions.user).length > dropped.length + old.length;
  };
  const added = wanted.filter(one => !isTaken(one));
  const isSettled = added.length === 0 && !user.names.some(isDropped);
  const unit = unitOf(versions.user);
  const sections = addNames(dropNames(user.sections, isDropped, unit), added, botcli, unit);
  const block = sections.map(section => section.flatMap(({ lines }) => lines)).filter(rows => rows.length > 0);
  const merged = block.flatMap((rows, at) => (at === 0 ? rows : ['', ...rows]));
  const lines = isSettled ? versions.user.slice(user.start, user.end) : merged;
  return {
    versions: {
      user: replace(versions.user, user, lines),
      base: replace(versions.base, base, lines),
      botcli: replace(versions.botcli, botcli, lines),
    },
    taken: new Set(wanted.filter(isTaken).map(localName)),
    dropped: new Set([...user.names.filter(isDropped), ...ours.filter(one => !isNew(one))].map(localName)),
  };
}

const replace = (lines: Lines, { start, end }: ImportBlock, block: Lines): Lines => [
  ...lines.slice(0, start),
  ...block,
  ...lines.slice(end),
];

const without = (lines: Lines, block: ImportBlock): Lines => replace(lines, block, []);
