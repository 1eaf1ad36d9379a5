import { type ImportedName, importsOf, isImport, localName } from '../../formats/python/imports.ts';
import { renderImports } from '../../formats/python/render.ts';
import { type Lines, mergeLines, type Versions } from '../lines.ts';
import { namesIn, readLines, type Statement, wordOf } from './draft.ts';
import { followIndents, unitOf } from './looks.ts';

/** An import statement. */
interface ImportStatement {
  /** Its lines, with the comments right above it. */
  lines: Lines;
  names: ImportedName[];
  hasComment?: boolean;
}

/** The imports at the top of a module: sections, which blank lines separate. */
interface ImportBlock {
  /** The lines of the block, `[start, end)`. */
  start: number;
  end: number;
  sections: ImportStatement[][];
  /** What they import. */
  names: ImportedName[];
  /** What the module imports further down, outside of functions. */
  others: ImportedName[];
}

/**
 * Finds the imports at the top of a module, with what is between them, such as `try: import`; nothing if there are none,
 * or if they aren't one to a line.
 */
function findImports(lines: Lines): ImportBlock | undefined {
  const all = readLines(lines).statements;
  const statements = joinBlocks(all);
  const first = statements.findIndex(({ tokens }) => isImport(tokens));
  const start = statements[first]?.start;
  if (start === undefined) return undefined;
  const rest = statements.slice(first);
  const count = rest.findIndex(one => DEFINITIONS.includes(wordOf(one)));
  const block = rest.slice(
    0,
    rest.slice(0, count === -1 ? undefined : count).findLastIndex(({ tokens }) => isImport(tokens)) + 1,
  );
  // Other statements may share a line with an import.
  const isAround = (at: number) => at >= first && at <= first + block.length;
  if (statements.some((one, at) => isAround(at) && one.start < (statements[at - 1]?.end ?? 0))) return undefined;
  const sections: ImportStatement[][] = [[]];
  let at = start;
  for (const statement of block) {
    const above = lines.slice(at, statement.start);
    const blank = above.lastIndexOf('');
    if (above.some(line => line !== '' && !line.startsWith('#'))) return undefined;
    // Comments that blank lines separate from all imports belong to none, so the block stays as it is.
    if (above.slice(0, Math.max(blank, 0)).some(line => line !== '')) return undefined;
    if (blank !== -1) sections.push([]);
    const own = [...above.slice(blank + 1), ...lines.slice(statement.start, statement.end)];
    sections.at(-1)?.push({
      lines: own,
      names: importsOf(statement.tokens),
      hasComment: statement.hasComment || !isImport(statement.tokens),
    });
    at = statement.end;
  }
  const inBlock = all.filter(one => one.depth > 0 && one.start >= start && one.start < at);
  const namesIn = (some: readonly Statement[]) => some.flatMap(({ tokens }) => importsOf(tokens));
  const others = namesIn([...inBlock, ...rest.slice(block.length)]);
  return { start, end: at, sections, names: namesIn(block), others };
}

const DEFINITIONS = ['def', 'class'];

/** The statements at the top of a module, each with the block that it begins. */
function joinBlocks(all: readonly Statement[]): Statement[] {
  const joined: Statement[] = [];
  for (const one of all) {
    const last = joined.at(-1);
    if (last && one.depth > 0) last.end = one.end;
    else joined.push({ ...one });
  }
  return joined;
}

/** What makes an import another one. */
const keyOf = ({ module, name = '', alias = '' }: ImportedName): string => `${module} ${name} ${alias}`;

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
 */
export function settleImports(versions: Versions<Lines>, kept: ReadonlySet<string>): Settled {
  const unsettled = { versions, taken: new Set<string>(), dropped: new Set<string>() };
  const [user, base, botcli] = [findImports(versions.user), findImports(versions.base), findImports(versions.botcli)];
  if (!user || !base || !botcli) return unsettled;
  const bodies = {
    user: without(versions.user, user),
    base: without(versions.base, base),
    botcli: without(versions.botcli, botcli),
  };
  const chunks = mergeLines(followIndents(bodies));
  if (!chunks) return unsettled;
  const { used, defined, isSure } = namesIn(chunks);
  for (const name of kept) used.add(name);
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
    // One that both still have stays.
    if (!isSure || !baseKeys.has(keyOf(one)) || botcliKeys.has(keyOf(one))) return false;
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

type Sections = readonly (readonly ImportStatement[])[];

/** Removes names, with the statements that have no others. */
function dropNames(sections: Sections, isDropped: (name: ImportedName) => boolean, unit: string): Sections {
  return sections.map(section =>
    section.flatMap(statement => {
      const names = statement.names.filter(one => !isDropped(one));
      if (names.length === statement.names.length || (statement.hasComment && names.length > 0)) return [statement];
      const comments = statement.lines.filter(line => line.startsWith('#'));
      if (names.length > 0) return [rewrite(statement, names, unit)];
      return comments.length > 0 ? [{ names, lines: comments }] : [];
    }),
  );
}

/** A statement with other names, with the comments above it. */
const rewrite = (statement: ImportStatement, names: ImportedName[], unit: string): ImportStatement => ({
  names,
  lines: [...statement.lines.filter(line => line.startsWith('#')), ...write(names, unit)],
});

/** Names of one module as a statement. */
function write(names: readonly ImportedName[], unit: string): string[] {
  const [first] = names;
  const item = (one: ImportedName) => (one.name ?? one.module) + (one.alias === undefined ? '' : ` as ${one.alias}`);
  if (first?.name === undefined) return [`import ${names.map(item).join(', ')}`];
  const lines = renderImports([{ module: first.module, names: names.map(item) }]).split('\n');
  return lines.map(one => one.replace(/^ +/, unit));
}

/** Adds each name to the statement of its module, or as a statement of its own where botcli's file has it. */
function addNames(
  sections: Sections,
  added: readonly ImportedName[],
  { sections: model }: ImportBlock,
  unit: string,
): Sections {
  // Nothing may be above those from the future.
  const future = sections.filter(section => section.length > 0 && section.every(isOfFuture));
  let result: Sections = sections.filter(one => !future.includes(one));
  for (const one of added) {
    // `from a import *` takes no other name.
    const isHome = ({ names: [first], hasComment }: ImportStatement) =>
      first?.module === one.module && one.name !== undefined && ![undefined, '*'].includes(first.name) && !hasComment;
    const home = result.flat().find(isHome);
    result = home
      ? result.map(section => section.map(each => (each === home ? rewrite(each, [...each.names, one], unit) : each)))
      : addStatement(result, one, model, unit);
  }
  return [...future, ...result];
}

const isOfFuture = ({ names: [first] }: ImportStatement): boolean => first?.module === '__future__';

function addStatement(sections: Sections, name: ImportedName, model: Sections, unit: string): Sections {
  const modulesOf = (section: readonly ImportStatement[] = []) =>
    section.flatMap(({ names }) => names.map(({ module }) => module));
  const statement = { lines: write([name], unit), names: [name] };
  const at = model.findIndex(section => modulesOf(section).includes(name.module));
  const neighbors = (section: readonly ImportStatement[] | undefined) => {
    const known = modulesOf(section);
    return sections.findIndex(one => modulesOf(one).some(module => known.includes(module)));
  };
  // With as many sections on both sides, they are the same: the standard library, packages, the project's own modules.
  const known = sections.length === model.length ? at : neighbors(model[at]);
  // Where all others are gone, it takes their place.
  const home = known === -1 ? sections.findIndex(section => section.length === 0) : known;
  if (home !== -1) return sections.map((section, index) => (index === home ? insert(section, statement) : section));
  const before =
    model
      .slice(0, at)
      .map(neighbors)
      .findLast(index => index !== -1) ?? -1;
  return sections.toSpliced(before + 1, 0, [statement]);
}

/** Inserts a statement in the order of isort: `import` before `from`, by module. */
function insert(section: readonly ImportStatement[], statement: ImportStatement): readonly ImportStatement[] {
  const rank = (one: ImportStatement) => {
    const [first] = one.names;
    return !first || isOfFuture(one) ? '' : `${first.name === undefined ? 0 : 1}${first.module}`;
  };
  const next = section.findIndex(one => rank(one) > rank(statement));
  return section.toSpliced(next === -1 ? section.length : next, 0, statement);
}
