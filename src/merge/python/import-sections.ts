import { renderImports } from '../../formats/python/import-statements.ts';
import type { ImportedName } from '../../formats/python/imports.ts';
import type { ImportBlock, ImportStatement } from './import-block.ts';

type Sections = readonly (readonly ImportStatement[])[];

/** Removes names, with the statements that have no others. */
export function dropNames(sections: Sections, isDropped: (name: ImportedName) => boolean, unit: string): Sections {
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
  lines: [
    ...statement.lines.filter(line => line.startsWith('#')),
    ...write(names, unit, statement.lines.at(-1) === ')'),
  ],
});

/** Names of one module as a statement, over several lines if it was before. */
function write(names: readonly ImportedName[], unit: string, isSpread = false): string[] {
  const [first] = names;
  const item = (one: ImportedName) => (one.name ?? one.module) + (one.alias === undefined ? '' : ` as ${one.alias}`);
  if (first?.name === undefined) return [`import ${names.map(item).join(', ')}`];
  const lines = renderImports([{ module: first.module, names: names.map(item) }]).split('\n');
  if (!isSpread || lines.length > 1) return lines.map(one => one.replace(/^ +/, unit));
  const [line = ''] = lines;
  const at = line.indexOf(' import ') + ' import '.length;
  return [
    `${line.slice(0, at)}(`,
    ...line
      .slice(at)
      .split(', ')
      .map(one => `${unit}${one},`),
    ')',
  ];
}

/** Adds each name to the statement of its module, or as a statement of its own where botcli's file has it. */
export function addNames(
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
