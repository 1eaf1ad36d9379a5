import { type ImportedName, importsOf, isImport, localName } from '../../formats/python/imports.ts';
import type { Module } from '../../formats/python/module.ts';
import type { Binding, Mention, Scope } from '../../formats/python/scope.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { remembered } from '../../std.ts';
import { shortened } from '../../text.ts';
import type { Versions } from '../lines.ts';
import { type Draft, type Fault, ownerOf, SIDES, type Side, wordsIn } from './draft.ts';

/**
 * Finds names that mean nothing, or something else than before, names that both sides define, and items that are in the wrong
 * brackets.
 *
 * @param original The versions before they agreed on their imports.
 */
export const checkNames = (draft: Draft, { base, ...sides }: Versions<Module>): Fault[] => [
  ...findLost(draft, [sides.user, sides.botcli]),
  ...findDoubles(draft),
  ...findHidden(draft, [sides.user, sides.botcli]),
  ...findUnused(draft, base),
  ...findReplaced(draft, base, sides.botcli),
  ...findUnset(draft),
  ...checkItems(draft),
];

function findLost(draft: Draft, original: readonly Module[]): Fault[] {
  const isKnown = (name: string) => original.every(({ scopes: [top] }) => top?.defines.has(name));
  const faults: Fault[] = [];
  const rewired = findRewired(draft);
  for (const scope of draft.scopes) {
    for (const use of [...scope.uses.values()].flat()) {
      for (const side of SIDES.filter(one => hasSay(draft, use.line, one))) {
        const isMissing = !scope.resolve(use.name) && isKnown(use.name);
        const reason = isMissing ? explain(draft, use.name, scope, side) : judge(draft, scope, use, side, rewired);
        if (reason) faults.push({ line: use.line, reason, name: use.name });
      }
    }
  }
  return faults;
}

/** A line that both have is as the user's file understands it. */
const hasSay = (draft: Draft, line: number, side: Side): boolean => (ownerOf(draft, line) ?? 'user') === side;

/** Says what is wrong with a use of a name. */
function judge(draft: Draft, scope: Scope, use: Mention, side: Side, rewired: ReadonlySet<string>): string | undefined {
  const { name, line } = use;
  const version = draft.sides[side];
  const place = draft.origins[line]?.[side] ?? -1;
  const [before, after] = [byUse(version.scopes).get(`${place} ${name}`)?.resolve(name), scope.resolve(name)];
  if (!before) return undefined;
  if (!after) return explain(draft, name, scope, side);
  const [old, now] = [meaningsIn(before, name), meaningsIn(after, name)];
  if (!isSame(version, old, now)) {
    const isElsewhere = old.some(one => version.inMerge.has(one.line)) && !rewired.has(meaningOf(name, after));
    if (isElsewhere || before.kind !== after.kind) return `"${name}" means something else in ${placeOf(scope)}.`;
  }
  // What runs one after the other has to stay in order.
  const isInOrder = old.some(one => one.line <= place);
  if (!isInOrder || scope !== after || now.some(one => one.line <= line)) return undefined;
  return `"${name}" is used before ${placeOf(scope)} defines it.`;
}

/** The scopes in which names are used, by the line and the name. */
const byUse = remembered((scopes: Module['scopes']): ReadonlyMap<string, Scope> => {
  const mentions = scopes.flatMap(scope =>
    [...scope.uses.values()].flat().map(({ line, name }) => [`${line} ${name}`, scope] as const),
  );
  return new Map(mentions);
});

const meaningsIn = (scope: Scope | undefined, name: string): readonly Binding[] => scope?.defines.get(name) ?? [];

const isSame = ({ inMerge }: Draft['sides'][Side], old: readonly Binding[], now: readonly Binding[]): boolean =>
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
  return draft.scopes.flatMap(({ defines }) =>
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
function findHidden({ scopes: [top] }: Draft, original: readonly Module[]): Fault[] {
  return [...(top?.defines ?? [])].flatMap(([name, bindings]) => {
    const most = Math.max(...original.map(({ scopes: [scope] }) => meaningsIn(scope, name).length));
    const imported = bindings.find(({ by }) => by === 'import');
    const reason = `Your file and botcli's change each give "${name}" a meaning, and one is an import.`;
    return imported && bindings.length > most ? [{ line: imported.line, name, reason }] : [];
  });
}

/** Whether the lines that a change replaces mention a name, too. */
const replaces = ({ origins }: Draft, line: number, name: string): boolean =>
  wordsIn(origins[line]?.chunk.base ?? []).includes(name);

/** Functions that the user has moved or written, and imports of the user's, that nothing uses any more. */
function findUnused(draft: Draft, base: Module): Fault[] {
  const isUsed = usedNames(draft);
  const wasUsed = usedNames(draft.sides.user);
  const known = new Set(importsIn(base).map(sourceOf));
  const own = new Set(
    importsIn(draft).flatMap(one => (known.has(sourceOf(one)) ? [] : [`${localName(one)} ${one.line}`])),
  );
  const isOfUser = ({ name, line }: Binding) => ownerOf(draft, line) === 'user' || own.has(`${name} ${line}`);
  return draft.scopes.flatMap(scope =>
    [...scope.defines.values()].flat().flatMap((binding): Fault[] => {
      const { name, line, by } = binding;
      const isPart =
        scope.kind === 'module' ? by === 'import' || by === 'function' : by === 'import' && scope.kind === 'function';
      const meaning = `${name} ${scope.path}`;
      const isLost = isPart && wasUsed.has(meaning) && !isUsed.has(meaning) && isOfUser(binding);
      const reason = `Nothing would use your ${by === 'import' ? 'import of ' : ''}"${name}" any more.`;
      return isLost ? [{ line, name, reason }] : [];
    }),
  );
}

/** The names that are called, such as classes of which there is an object. */
const calledIn = ({ statements }: Module): string[] =>
  statements.flatMap(({ tokens }) =>
    tokens.flatMap(({ kind, code }, at) => (kind === 'name' && tokens[at + 1]?.code === '(' ? code : [])),
  );

const importsIn = ({ statements }: Module): ImportedName[] => statements.flatMap(({ tokens }) => importsOf(tokens));

/** What an import gives a name: the same name may come from a module of the user's. */
const sourceOf = (one: ImportedName): string => `${one.module} ${one.name} ${localName(one)}`;

/** Where classes of services come from. */
const SERVICES = /\.services\./;

/**
 * Lines of the user's with the class of a service that botcli replaces, such as a change of its settings. They would go to
 * another service. An object of that class is a service of the owner's.
 */
function findReplaced(draft: Draft, base: Module, botcli: Module): Fault[] {
  const made = new Set(calledIn(base));
  const gone = importsIn(base)
    .filter(one => SERVICES.test(one.module) && !botcli.scopes[0]?.defines.has(localName(one)))
    .map(localName)
    .filter(name => made.has(name));
  return gone.flatMap((name): Fault[] => {
    const tokens = draft.statements.flatMap(one => (isImport(one.tokens) ? [] : one.tokens));
    const uses = tokens.flatMap((token, at) =>
      token.kind === 'name' && token.code === name ? [{ line: token.line, isMade: tokens[at + 1]?.code === '(' }] : [],
    );
    const [first] = uses;
    if (!first || uses.some(({ isMade }) => isMade)) return [];
    const code = shortened((draft.lines[first.line] ?? '').trim(), 60);
    return [{ ...first, name, reason: `Your line "${code}" is for ${name}, which botcli's change replaces.` }];
  });
}

/** The names that are used, with the functions and classes in which they mean something. */
function usedNames({ scopes }: Module): Set<string> {
  const names = scopes.flatMap(scope =>
    [...scope.uses.keys()].flatMap(name => {
      const home = scope.resolve(name);
      return home ? [`${name} ${home.path}`] : [];
    }),
  );
  return new Set(names);
}

/** Finds names that a function declares `global`, and no longer sets: what reads them would never get their values. */
function findUnset(draft: Draft): Fault[] {
  const declared = draft.statements.filter(({ tokens: [first] }) => first?.code === 'global');
  const [before, now] = [findSetters(draft.sides.user), findSetters(draft)];
  return declared.flatMap(({ tokens: [, ...names], scope: { path } }) =>
    names
      .filter(({ code }) => before.has(`${code} ${path}`) && !now.has(`${code} ${path}`))
      .map(({ code: name, line }) => ({ line, name, reason: `Nothing in ${path} would set your global "${name}".` })),
  );
}

/** The names of the module, each with a function in which it gets a value. */
function findSetters({ statements, scopes: [top] }: Module): Set<string> {
  const paths = new Map(statements.map(({ start, scope }) => [start, scope.path]));
  return new Set(
    [...(top?.defines ?? [])].flatMap(([name, bindings]) => bindings.map(({ line }) => `${name} ${paths.get(line)}`)),
  );
}

const SPLIT = "With botcli's change, the items in these brackets would no longer be separate.";

/** Finds what is wrong between brackets: arguments and keys that are there twice, and arguments of another call. */
function checkItems(draft: Draft): Fault[] {
  const before = new Set(SIDES.flatMap(side => repeatedIn(draft.sides[side].statements).map(({ name }) => name)));
  return [
    ...repeatedIn(draft.statements).filter(({ name }) => !before.has(name)),
    ...findJoints(draft),
    ...findStrangers(draft),
  ];
}

const isOpening = ({ kind, code }: Token): boolean => kind === 'sign' && '([{'.includes(code);
const isComma = ({ kind, code }: Token): boolean => kind === 'sign' && code === ',';
const isClosing = ({ kind, code }: Token): boolean => kind === 'sign' && ')]}'.includes(code);

/** Arguments that a call has twice, and keys that a dictionary has twice. */
const repeatedIn = remembered((statements: Module['statements']): (Fault & { name: string })[] =>
  statements.flatMap(({ tokens }) => {
    const open: Set<string>[] = [];
    return tokens.flatMap((token, at) => {
      if (isOpening(token)) open.push(new Set());
      if (isClosing(token)) open.pop();
      const [before, after] = [tokens[at - 1], tokens[at + 1]];
      const isFirst = before !== undefined && (isComma(before) || isOpening(before));
      if (!isFirst || after?.kind !== 'sign') return [];
      const { kind, code: name, line } = token;
      const isArgument = kind === 'name' && after.code === '=';
      const isKey = kind === 'text' && after.code === ':';
      const known = open.at(-1);
      if (!known || !(isArgument || isKey)) return [];
      if (!known.has(name)) {
        known.add(name);
        return [];
      }
      const what = isKey ? `have "${name}" in the same dictionary` : `pass "${name}" to the same call`;
      return [{ line, name, reason: `Your file and botcli's change ${what}.` }];
    });
  }),
);

/** Finds places between brackets where lines meet that didn't before, and that need a comma. */
function findJoints(draft: Draft): Fault[] {
  return [...breaksIn(draft.statements)].flatMap(([line, [before, next]]) => {
    const old = SIDES.map(side => ({
      known: breaksIn(draft.sides[side].statements).get(draft.origins[line]?.[side] ?? -1)?.[0],
      at: draft.origins[before.line]?.[side],
    }));
    const isOld = old.some(({ known, at }) => known && known.line === at);
    const isSeparate = isComma(before) || isOpening(before) || isComma(next) || isClosing(next);
    // Texts in a row are one text.
    const isPart = isText(before) && next.kind === 'text' && old.some(({ known }) => known && isText(known));
    return isOld || isSeparate || isPart ? [] : [{ line, reason: SPLIT }];
  });
}

const isText = ({ kind }: Token): boolean => kind === 'text' || kind === 'hole';

/** The tokens before and after each line that begins between brackets. */
const breaksIn = remembered(
  (statements: Module['statements']): ReadonlyMap<number, readonly [before: Token, next: Token]> =>
    new Map(
      statements.flatMap(({ tokens }) =>
        tokens.flatMap((next, at) => {
          const before = tokens[at - 1];
          const isFirst = before && next.depth > 0 && next.line > before.line + before.code.split('\n').length - 1;
          return isFirst ? [[next.line, [before, next]] as const] : [];
        }),
      ),
    ),
);

/** Finds lines within a call that the other side has made a call of something else. */
function findStrangers(draft: Draft): Fault[] {
  const merged = calleesIn(draft.statements);
  const original = { user: calleesIn(draft.sides.user.statements), botcli: calleesIn(draft.sides.botcli.statements) };
  return [...merged].flatMap(([line, now]) => {
    const side = ownerOf(draft, line);
    if (!side || isReplaced(draft, line)) return [];
    const before = original[side].get(draft.origins[line]?.[side] ?? -1) ?? [];
    const at = before.findIndex((callee, index) => index < now.length && callee !== now[index]);
    if (at === -1) return [];
    // The name leads to the change of the call.
    const name = now[at]?.split('.')[0];
    return [{ line, ...(name && { name }), ...strange(side, before[at]) }];
  });
}

/** Whether a line gives another value to an argument that both calls of botcli's have. */
function isReplaced({ lines, origins }: Draft, line: number): boolean {
  const argument = /^\s*(\w+)=/.exec(lines[line] ?? '')?.[1];
  const chunk = origins[line]?.chunk;
  const isSame = (one: string) => one.trim().startsWith(`${argument}=`);
  return argument !== undefined && chunk?.source === 'user' && chunk.base.some(isSame);
}

const strange = (side: Side, callee: string | undefined): Omit<Fault, 'line'> =>
  side === 'user'
    ? { reason: `You gave these settings to ${callee || 'something else'}.` }
    : { reason: `botcli's change gives settings to ${callee || 'something else'}, which your file has replaced.` };

/** More brackets around a line than code has. */
const MOST_BRACKETS = 20;

/** What is called around the first token of each line, the inner calls first. A list or dictionary has no name. */
const calleesIn = remembered((statements: Module['statements']): ReadonlyMap<number, readonly string[]> => {
  const found = new Map<number, string[]>();
  for (const { tokens } of statements) {
    const open: string[] = [];
    tokens.forEach((token, at) => {
      if (isClosing(token)) open.pop();
      const before = tokens[at - 1];
      if (before && before.line < token.line && !isClosing(token)) {
        found.set(token.line, open.slice(-MOST_BRACKETS).reverse());
      }
      if (isOpening(token)) open.push(calleeBefore(tokens, at));
    });
  }
  return found;
});

function calleeBefore(tokens: readonly Token[], end: number): string {
  let at = end;
  while (at > 0 && (tokens[at - 1]?.kind === 'name' || tokens[at - 1]?.code === '.')) at -= 1;
  return tokens
    .slice(at, end)
    .map(({ code }) => code)
    .join('');
}
