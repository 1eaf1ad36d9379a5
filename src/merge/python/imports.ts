import { renderImports } from '../../formats/python/import-statements.ts';
import { type ImportedName, localName } from '../../formats/python/imports.ts';
import { type Chunk, type Lines, mergeLines, outcomeOf, type Versions } from '../lines.ts';
import { findImports, type ImportBlock, type ImportStatement, keyOf } from './import-block.ts';
import { followIndents } from './indents.ts';
import { readLines } from './read.ts';

/**
 * Merges the imports at the top of a module by module and name. An import that the merged code uses is kept or comes back,
 * no matter who removed it.
 *
 * @param kept Names that are used in any case.
 */
export function settleImports(versions: Versions<Lines>, kept: ReadonlySet<string>): Versions<Lines> {
  const [user, base, botcli] = [findImports(versions.user), findImports(versions.base), findImports(versions.botcli)];
  if (!user || !base || !botcli) return versions;
  const bodies = {
    user: without(versions.user, user),
    base: without(versions.base, base),
    botcli: without(versions.botcli, botcli),
  };
  const chunks = mergeLines(followIndents(bodies));
  if (!chunks) return versions;
  const { scopes } = readLines(chunks.flatMap(everyLineOf));
  const used = new Set([...kept, ...scopes.flatMap(({ uses }) => [...uses.keys()])]);
  const known = [...user.names, ...user.others];
  const bound = new Set([...scopes.flatMap(({ defines }) => [...defines.keys()]), ...known.map(localName)]);
  const renewed = new Set(
    botcli.names.filter(one => !base.names.some(old => keyOf(old) === keyOf(one))).map(localName),
  );
  const [userKeys, baseKeys, botcliKeys] = [known, base.names, botcli.names].map(names => new Set(names.map(keyOf)));
  const isNew = (one: ImportedName) =>
    !baseKeys?.has(keyOf(one)) || (used.has(localName(one)) && !bound.has(localName(one)));
  const isDropped = (one: ImportedName) =>
    baseKeys?.has(keyOf(one)) === true &&
    !botcliKeys?.has(keyOf(one)) &&
    // botcli may now import the name from another module.
    (!used.has(localName(one)) || renewed.has(localName(one)));
  const added = botcli.names.filter(one => !userKeys?.has(keyOf(one)) && isNew(one));
  const isSettled = added.length === 0 && !user.names.some(isDropped);
  const sections = addNames(dropNames(user.sections, isDropped), added, botcli);
  const block = sections.map(section => section.flatMap(({ lines }) => lines)).filter(rows => rows.length > 0);
  const merged = block.flatMap((rows, at) => (at === 0 ? rows : ['', ...rows]));
  const lines = isSettled ? versions.user.slice(user.start, user.end) : merged;
  return {
    user: replace(versions.user, user, lines),
    base: replace(versions.base, base, lines),
    botcli: replace(versions.botcli, botcli, lines),
  };
}

const everyLineOf = (chunk: Chunk): Lines =>
  chunk.source === 'conflict' ? [...chunk.user, ...chunk.botcli] : outcomeOf(chunk);

const replace = (lines: Lines, { start, end }: ImportBlock, block: Lines): Lines => [
  ...lines.slice(0, start),
  ...block,
  ...lines.slice(end),
];

const without = (lines: Lines, block: ImportBlock): Lines => replace(lines, block, []);

type Sections = readonly (readonly ImportStatement[])[];

function dropNames(sections: Sections, isDropped: (name: ImportedName) => boolean): Sections {
  return sections.map(section =>
    section.flatMap(statement => {
      const names = statement.names.filter(one => !isDropped(one));
      if (names.length === statement.names.length || (statement.hasComment && names.length > 0)) return [statement];
      const comments = statement.lines.filter(line => line.startsWith('#'));
      if (names.length > 0) return [rewrite(statement, names)];
      return comments.length > 0 ? [{ ...statement, names, lines: comments }] : [];
    }),
  );
}

/** A statement with other names, with the comments above it. */
const rewrite = (statement: ImportStatement, names: ImportedName[]): ImportStatement => ({
  ...statement,
  names,
  lines: [...statement.lines.filter(line => line.startsWith('#')), ...write(names, statement.lines.at(-1) === ')')],
});

/** Names of one module as a statement, over several lines if it was before. */
function write(names: readonly ImportedName[], isSpread: boolean): string[] {
  const [{ module, name } = { module: '' }] = names;
  const item = (one: ImportedName) => (one.name ?? one.module) + (one.alias === undefined ? '' : ` as ${one.alias}`);
  if (name === undefined) return [`import ${names.map(item).join(', ')}`];
  const lines = renderImports([{ module, names: names.map(item) }]).split('\n');
  if (!isSpread || lines.length > 1) return lines;
  const [line = ''] = lines;
  const at = line.indexOf(' import ') + ' import '.length;
  return [
    `${line.slice(0, at)}(`,
    ...line
      .slice(at)
      .split(', ')
      .map(one => `    ${one},`),
    ')',
  ];
}

/** Adds each name to the statement of its module, or as a statement of its own where botcli's file has it. */
function addNames(sections: Sections, added: readonly ImportedName[], { sections: model }: ImportBlock): Sections {
  let result = sections;
  for (const one of added) {
    const isHome = ({ names: [first], hasComment }: ImportStatement) =>
      first?.module === one.module && first.name !== undefined && one.name !== undefined && !hasComment;
    const home = result.flat().find(isHome);
    result = home
      ? result.map(section => section.map(each => (each === home ? rewrite(each, [...each.names, one]) : each)))
      : addStatement(result, { lines: write([one], false), names: [one], hasComment: false }, model);
  }
  return result;
}

function addStatement(sections: Sections, statement: ImportStatement, model: Sections): Sections {
  const modulesOf = (section: readonly ImportStatement[]) =>
    section.flatMap(({ names }) => names.map(({ module }) => module));
  const [name = { module: '' }] = statement.names;
  const at = model.findIndex(section => modulesOf(section).includes(name.module));
  const neighbors = (section: readonly ImportStatement[] | undefined) => {
    const known = modulesOf(section ?? []);
    return sections.findIndex(one => modulesOf(one).some(module => known.includes(module)));
  };
  // With as many sections on both sides, they are the same: the standard library, packages, the project's own modules.
  const home = sections.length === model.length ? at : neighbors(model[at]);
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
  const rank = ({ names: [first] }: ImportStatement) => first && `${first.name === undefined ? 0 : 1}${first.module}`;
  const next = section.findIndex(one => (rank(one) ?? '') > (rank(statement) ?? ''));
  return section.toSpliced(next === -1 ? section.length : next, 0, statement);
}
