import type { Versions } from '../lines.ts';
import type { Syntax } from './language.ts';
import { likeness, Pairs } from './pairs.ts';
import { headOf, isList, readTree, type Token, type Tree } from './tree.ts';

/** The versions after botcli's got the user's names, and the pairs of the base and the user's. */
export interface Renamed {
  trees: Versions<Tree>;
  pairs: Pairs;
}

/** Gives the base and botcli's version the names that the user has given to what is otherwise the same. */
export function followRenames(trees: Versions<Tree>): Renamed {
  const { user, base, botcli } = trees;
  const pairs = new Pairs(base, user);
  if (!base.language.rename) return { trees, pairs };
  const renames = findRenames(trees, pairs);
  if (renames.size === 0) return { trees, pairs };
  const renamed = { user, base: rename(base, renames), botcli: rename(botcli, renames) };
  return { trees: renamed, pairs: new Pairs(renamed.base, user) };
}

function findRenames({ user, base, botcli }: Versions<Tree>, pairs: Pairs): Map<string, string> {
  const { role } = base.language;
  const [before, now, new_] = [base, user, botcli].map(namesIn) as [Set<string>, Set<string>, Set<string>];
  const candidates = new Map<string, Set<string>>();
  for (const [unit, other] of pairs.forward) {
    if (unit.head === other.head || unit.parts.length !== other.parts.length) continue;
    for (const [at, part] of unit.parts.entries()) {
      const to = other.parts[at];
      if (!to || isList(part) || isList(to) || part.plain === to.plain || !role?.(part) || !role(to)) continue;
      if (now.has(part.text) || before.has(to.text) || new_.has(to.text)) continue;
      candidates.set(part.text, (candidates.get(part.text) ?? new Set()).add(to.text));
    }
  }
  const renames = new Map(
    [...candidates].flatMap(([name, to]) => (to.size === 1 ? [[name, ...to] as [string, string]] : [])),
  );
  // A new name for something else is no rename: what defines it must be the same but for names.
  const defined = new Set<string>();
  for (const [unit, other] of pairs.forward) {
    const [mine, its] = [headOf(unit), headOf(other)];
    const isSame = (token: Token, at: number) =>
      token.plain === its[at]?.plain || renames.get(token.text) === its[at]?.plain;
    if (mine.length !== its.length || !mine.every(isSame) || (unit.hash !== other.hash && likeness(unit, other) < 0.6))
      continue;
    for (const token of mine) if (role?.(token) === 'define' && renames.has(token.text)) defined.add(token.text);
  }
  return new Map([...renames].filter(([name]) => defined.has(name)));
}

/** Goes through the names of a text: their nodes, in order. */
function eachName({ text, syntax, language }: Tree, visit: (name: string, node: Syntax) => void): void {
  const walk = (node: Syntax) => {
    const name = text.slice(node.from, node.to);
    const token = { text: name, plain: name, type: node.name, from: node.from, to: node.to, syntax: node };
    if (language.role?.(token)) visit(name, node);
    for (const child of node.children) walk(child);
  };
  walk(syntax);
}

function namesIn(tree: Tree): Set<string> {
  const names = new Set<string>();
  eachName(tree, name => names.add(name));
  return names;
}

function rename(tree: Tree, renames: ReadonlyMap<string, string>): Tree {
  const { text, language } = tree;
  let [out, at] = ['', 0];
  eachName(tree, (name, { from, to, ...node }) => {
    const now = renames.get(name);
    if (now === undefined) return;
    out += text.slice(at, from) + (language.rename?.({ from, to, ...node }, name, now) ?? now);
    at = to;
  });
  return readTree(language, out + text.slice(at));
}
