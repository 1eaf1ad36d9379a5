import type { LanguageFault, Merge } from './check.ts';
import type { Names } from './names.ts';
import { likeness } from './pairs.ts';
import type { Node } from './places.ts';
import { headOf, listsOf, statementsIn, type Tree, type Unit } from './tree.ts';

/** What is wrong with a merge of Python that reads well, and whose names mean what they meant. */
export const faultsInPython = (merge: Merge): LanguageFault[] => [
  ...findAwaits(merge),
  ...findUnused(merge),
  ...findReplaced(merge),
  ...findTwins(merge),
  ...findUnset(merge),
];

const wordsIn = (unit: Unit | undefined): string[] => (unit ? headOf(unit).map(({ text }) => text) : []);

/** Changes of botcli's that wait, in a function that the user has made one that can't. */
function findAwaits({ changes, unitOf, nodeOf }: Merge): LanguageFault[] {
  return changes.flatMap((at): LanguageFault[] => {
    const unit = unitOf.get(at);
    if (!unit || unit.type === 'Function' || !wordsIn(unit).some(word => word === 'await' || word === 'async'))
      return [];
    let outer = unit.list?.owner;
    while (outer && outer.type !== 'Function') outer = outer.list?.owner;
    const isUsers = outer && nodeOf.get(outer)?.user;
    return isUsers && !wordsIn(outer).includes('async')
      ? [{ reason: "botcli's change waits, and your function isn't async.", at }]
      : [];
  });
}

/** Functions and imports of the user's that nothing uses any more. */
function findUnused({ draft, changes, unitOf, names }: Merge): LanguageFault[] {
  const isUsed = ({ uses }: Names, name: string, scope: Unit | undefined) =>
    [...uses.values()].some(one => one.has(name) && one.get(name) === scope);
  return [...names.user.scopes].flatMap(([scope, defines]) =>
    [...defines].flatMap(([name, by]): LanguageFault[] => {
      const now = scope.list ? unitOf.get(draft.nodeOf.get(scope) as Node) : unitOf.get(draft.root);
      const own = by.find(unit => {
        const { base, botcli } = draft.nodeOf.get(unit) as Node;
        const isPart = unit.type === 'Import' || (unit.type === 'Function' && !scope.list);
        const isOld = [base, botcli].some(
          one => one && (one.type !== 'Import' || names.base.defines.get(one)?.has(name)),
        );
        return isPart && !isOld && unitOf.has(draft.nodeOf.get(unit) as Node);
      });
      if (!own || !isUsed(names.user, name, scope) || isUsed(names.now, name, now)) return [];
      const near = changes.filter(
        ({ base, botcli }) => wordsIn(base).includes(name) && !wordsIn(botcli).includes(name),
      );
      return [
        { reason: `Nothing would use your ${own.type === 'Import' ? 'import of ' : ''}"${name}" any more.`, near },
      ];
    }),
  );
}

/** Where classes of services come from. */
const SERVICES = /\.services\./;
const MOST_SHOWN = 60;

/**
 * Lines of the user's with the class of a service that botcli replaces, such as a change of its settings. They would go to
 * another service. An object of that class is a service of the owner's.
 */
function findReplaced({ draft, result, changes }: Merge): LanguageFault[] {
  const { base, botcli } = draft.trees;
  const imported = (root: Unit) =>
    listsOf(root).flatMap(list => list.units.filter(({ type, sign = '' }) => type === 'Import' && SERVICES.test(sign)));
  const classesIn = (root: Unit) =>
    imported(root).flatMap(unit => headOf(unit).filter(({ type }) => type === 'Define'));
  const still = new Set(classesIn(botcli.root).map(({ text }) => text));
  const callsIn = ({ root }: Tree, name: string) => {
    const tokens = statementsIn(root).flatMap(unit =>
      unit.type === 'Import' ? [] : headOf(unit).map(token => ({ unit, token })),
    );
    return tokens.flatMap(({ unit, token }, at) =>
      token.text === name && token.type === 'Use' ? [{ unit, isMade: tokens[at + 1]?.token.text === '(' }] : [],
    );
  };
  return classesIn(base.root).flatMap(({ text: name }): LanguageFault[] => {
    if (still.has(name) || !callsIn(base, name).some(({ isMade }) => isMade)) return [];
    const uses = callsIn(result, name);
    const [first] = uses;
    if (!first || uses.some(({ isMade }) => isMade)) return [];
    const [line = ''] = result.text.slice(first.unit.from, first.unit.to).split('\n');
    const code = line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
    const near = changes.filter(one => [one.base, one.botcli].some(unit => wordsIn(unit).includes(name)));
    return [{ reason: `Your line "${code}" is for ${name}, which botcli's change replaces.`, near }];
  });
}

/** The function or class that a unit is in; the module if there is none. */
function scopeOf(unit: Unit): Unit | undefined {
  let outer = unit.list?.owner;
  while (outer?.list && outer.type !== 'Function' && outer.type !== 'Class') outer = outer.list.owner;
  return outer;
}

/** Functions in which nothing would set what the user has made global. */
function findUnset({ draft, changes, unitOf }: Merge): LanguageFault[] {
  return draft.trees.user.units.flatMap(unit => {
    const [word, ...names] = wordsIn(unit);
    const home = scopeOf(unit);
    const now = home && unitOf.get(draft.nodeOf.get(home) as Node);
    if (word !== 'global' || !unit.list?.kind.isBlock || !now || draft.nodeOf.get(unit)?.base) return [];
    const sets = (where: Unit, name: string) => statementsIn(where).some(({ sign }) => sign === `= ${name}`);
    return names.flatMap((name): LanguageFault[] => {
      if (!sets(home, name) || sets(now, name)) return [];
      const near = changes.filter(({ base }) => base?.sign === `= ${name}`);
      return [{ reason: `Nothing in ${home.sign?.split(' ')[1]} would set your global "${name}".`, near }];
    });
  });
}

const TWICE = "Your file has lines like these in several places, and botcli can't tell which the bot uses.";

/** Changes of a value that the user gives to the same name in several branches. */
function findTwins({ draft, changes }: Merge): LanguageFault[] {
  const own = draft.trees.user.units.filter(unit => unit.type === 'Assignment' && !draft.nodeOf.get(unit)?.base);
  return changes.flatMap((at): LanguageFault[] => {
    const { base, user, botcli } = at;
    if (!base || !user || !botcli || base.type !== 'Assignment') return [];
    const isTwin = (one: Unit) =>
      one.sign === base.sign && one.list !== user.list && scopeOf(one) === scopeOf(user) && likeness(one, base) > 2 / 3;
    return own.some(isTwin) ? [{ reason: TWICE, at }] : [];
  });
}
