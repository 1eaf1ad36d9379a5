import { type Chunk, type Lines, mergeLines, SAME_LINES, type Versions } from '../lines.ts';
import { checkDraft, GOES_WITH } from './check.ts';
import { Draft } from './draft.ts';
import { followRenames, Pairs } from './pairs.ts';
import { keyUnit, type Node, unitOf } from './places.ts';
import { endOf, isDefinition, type Language, listsOf, nextTo, readTree, type Tree, type Unit } from './tree.ts';
import { writeDraft } from './write.ts';

/** After this many rounds of decisions, all that is left is the user's. */
const MOST_ROUNDS = 20;

/**
 * Merges three versions as trees of units. Each round drafts a merge and checks it; what turns out to be wrong is up to the
 * user in the next one.
 *
 * @param rules Find what is wrong with a draft for reasons of the language.
 * @returns The parts in order; nothing if no draft is right.
 */
export function mergeUnits(
  language: Language,
  versions: Versions<Lines>,
  rules: Parameters<typeof checkDraft>[2] = () => [],
): Chunk[] | undefined {
  // Two files that have nothing in common aren't one.
  if (versions.base.join('').trim() === '' && !language.isOpen)
    return [{ ...versions, source: 'conflict', reason: SAME_LINES }];
  const read = (lines: Lines) => readTree(language, lines.join('\n'));
  const written = { user: read(versions.user), base: read(versions.base), botcli: read(versions.botcli) };
  if (Object.values(written).some(({ errors }) => errors === Infinity)) return mergeLines(versions);
  const { trees, pairs } = followRenames(written);
  const sides = { user: pairs, botcli: new Pairs(trees.base, trees.botcli) };
  const kept = new Set<Unit>();
  const contested = new Map<Unit, string>();
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const draft = new Draft(trees, sides, { kept, contested });
    const found = new Map(draft.conflicts);
    if (found.size === 0) {
      const result = readTree(language, writeDraft(draft));
      const { conflicts, needed, unitOf: units } = checkDraft(draft, result, rules);
      const missing = needed.filter(unit => !kept.has(unit));
      for (const unit of missing) kept.add(unit);
      if (missing.length > 0) continue;
      if (conflicts.size === 0) return toChunks(draft, result, { units, contested });
      for (const [unit, reason] of conflicts) found.set(unit, reason);
    }
    const isNews = [...found.keys()].some(unit => !contested.has(unit));
    if (!isNews) return undefined;
    for (const [unit, reason] of found)
      for (const one of [unit, ...aroundOf(draft, unit)]) if (!contested.has(one)) contested.set(one, reason);
  }
  return undefined;
}

/** What is the user's decision with a unit: what botcli and not the user has around it, and what it shares a line with as an item. */
function aroundOf(draft: Draft, unit: Unit): Unit[] {
  const { user, botcli } = draft.nodeOf.get(unit) as Node;
  const own = botcli ?? user;
  const owner = own?.list && draft.nodeOf.get(own.list.owner);
  if (!own?.list || !owner || owner === draft.root) return [];
  const isOnlyBotclis = !user && !owner.user && (!owner.base || isDefinition(owner.base));
  const isPart = !own.list.kind.isBlock && user !== undefined && !startsLine(user, draft.trees.user);
  return isOnlyBotclis || isPart ? [keyUnit(owner), ...aroundOf(draft, keyUnit(owner))] : [];
}

type Range = readonly [start: number, end: number];

/** A conflict: lines of the merge, and of the other versions. */
interface Conflict {
  at: Range;
  base: Range[];
  botcli: Range[];
  reason: string;
}

function toChunks(
  draft: Draft,
  result: Tree,
  { units, contested }: { units: ReadonlyMap<Node, Unit>; contested: ReadonlyMap<Unit, string> },
): Chunk[] {
  const lines = {
    merge: result.text.split('\n'),
    base: linesOf(draft.trees.base),
    botcli: linesOf(draft.trees.botcli),
  };
  const found = [...contested].flatMap(([unit, reason]): Conflict[] => {
    const node = draft.nodeOf.get(unit);
    return node ? [locate(draft, result, units, node, reason)] : [];
  });
  const chunks: Chunk[] = [];
  let at = 0;
  const same = (to: number) => {
    const own = lines.merge.slice(at, to);
    if (own.length > 0) chunks.push({ user: own, base: own, botcli: own, source: 'nobody' });
    at = to;
  };
  for (const {
    at: [start, end],
    base,
    botcli,
    reason,
  } of join(found)) {
    const pick = (all: Lines, ranges: readonly Range[]) => unite(ranges).flatMap(range => all.slice(...range));
    const sides = {
      user: lines.merge.slice(start, end),
      base: pick(lines.base, base),
      botcli: pick(lines.botcli, botcli),
    };
    same(start);
    const follows = reason.startsWith(GOES_WITH) ? { follows: true } : {};
    chunks.push({ ...sides, source: 'conflict', reason, ...follows });
    at = end;
  }
  same(lines.merge.length);
  return chunks;
}

const linesOf = ({ text }: Tree): Lines => text.split('\n');

/** The lines of a unit, but for those of its blocks if only what is before them matters. */
function rangeOf(unit: Unit, { text }: Tree, isHead: boolean): Range {
  const block = isHead ? listsOf(unit).find(list => list.kind.isBlock && list.units.length > 0) : undefined;
  const count = (to: number) => text.slice(0, to).split('\n').length - 1;
  return [count(unit.from), count(block ? Math.max(unit.from, block.from) : endOf(unit)) + 1];
}

const startsLine = (unit: Unit, { text }: Tree): boolean =>
  text.slice(text.lastIndexOf('\n', unit.from - 1) + 1, unit.from).trim() === '';

function locate(draft: Draft, result: Tree, units: ReadonlyMap<Node, Unit>, contested: Node, reason: string): Conflict {
  const { base, botcli } = draft.trees;
  let node = contested;
  // What shares its line is shown with all of it.
  for (;;) {
    const mine = units.get(node);
    const isLine = (unit: Unit | undefined, tree: Tree) => !unit || startsLine(unit, tree);
    const owner = unitOf(node).list?.owner;
    if (!owner || owner.list === undefined || (isLine(mine, result) && isLine(node.botcli, botcli))) break;
    node = draft.nodeOf.get(owner) as Node;
  }
  const mine = units.get(node);
  const { user, botcli: its } = node;
  const isHead =
    node.base !== undefined &&
    user?.head !== its?.head &&
    [user, its].every(unit => unit && listsOf(unit).filter(list => list.kind.isBlock).length < 2);
  const rangesOf = (unit: Unit | undefined, tree: Tree) => (unit ? [rangeOf(unit, tree, isHead)] : []);
  return {
    at: mine ? rangeOf(mine, result, isHead) : pointOf(draft, result, units, node),
    base: rangesOf(node.base, base),
    botcli: rangesOf(node.botcli, botcli),
    reason,
  };
}

/** Where a unit would be that the merge doesn't have: after the unit before it, or before the one after it. */
function pointOf(draft: Draft, result: Tree, units: ReadonlyMap<Node, Unit>, node: Node): Range {
  const own = (node.botcli ?? node.base ?? node.user) as Unit;
  const near = (step: 1 | -1) => {
    for (let at = nextTo(own, step); at; at = nextTo(at, step)) {
      const unit = units.get(draft.nodeOf.get(at) as Node);
      if (unit) return rangeOf(unit, result, false);
    }
    return undefined;
  };
  const [before, after] = [near(-1), near(1)];
  const owner = own.list && draft.nodeOf.get(own.list.owner);
  const around = owner && units.get(owner);
  const [first, end] = around ? rangeOf(around, result, own.list?.kind.isBlock === true) : [0, 0];
  // What it was in isn't there, either.
  if (owner && !before && !after && !around) return pointOf(draft, result, units, owner);
  const at = before?.[1] ?? after?.[0] ?? (around?.list ? (own.list?.kind.isBlock ? end : first + 1) : first);
  return [at, at];
}

/** Conflicts in order; those that share lines are one. */
function join(conflicts: readonly Conflict[]): Conflict[] {
  const joined: Conflict[] = [];
  for (const one of [...conflicts].sort((a, b) => a.at[0] - b.at[0] || b.at[1] - a.at[1])) {
    const last = joined.at(-1);
    // What botcli writes in place of the user's lines is shown with them.
    const isBelow = one.at[0] === one.at[1] && one.at[0] === last?.at[1] && one.reason === last.reason;
    const isShared = last && (one.at[0] < last.at[1] || one.at[0] === last.at[0] || isBelow);
    if (!last || !isShared) {
      joined.push({ ...one });
      continue;
    }
    last.at = [last.at[0], Math.max(last.at[1], one.at[1])];
    last.base = [...last.base, ...one.base];
    last.botcli = [...last.botcli, ...one.botcli];
  }
  return joined;
}

/** Ranges in order, without gaps of blank lines between them, and each line once. */
function unite(ranges: readonly Range[]): Range[] {
  const united: [number, number][] = [];
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    const last = united.at(-1);
    if (last && start <= last[1] + 1) last[1] = Math.max(last[1], end);
    else united.push([start, end]);
  }
  return united;
}
