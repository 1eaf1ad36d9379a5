import { normalize, type Requirement, readRequirement, writeRequirement } from '../formats/requirement.ts';
import { findArrays, type TomlArray, type TomlItem } from '../formats/toml-arrays.ts';
import type { Lines, Versions } from './lines.ts';
import { insertInOrder } from './order.ts';
import { mergeRequirement } from './requirement.ts';

const isRequirements = (table: string, key: string): boolean =>
  (table === 'project' && key === 'dependencies') ||
  table === 'project.optional-dependencies' ||
  table === 'dependency-groups';

/** Merges the requirements in pyproject.toml by the names of the packages. */
export function settleRequirements(versions: Versions<Lines>): Versions<Lines> {
  const user = findArrays(versions.user, isRequirements);
  const base = findArrays(versions.base, isRequirements);
  const botcli = findArrays(versions.botcli, isRequirements);
  const settled: Versions<Map<TomlArray, Lines>> = { user: new Map(), base: new Map(), botcli: new Map() };
  for (const [name, array] of user) {
    const arrays = { user: array, base: base.get(name), botcli: botcli.get(name) };
    if (!isComplete(arrays)) continue;
    const merged = mergeArrays(arrays);
    for (const side of SIDES) if (merged) settled[side].set(arrays[side], merged[side]);
  }
  return {
    user: replaceArrays(versions.user, settled.user),
    base: replaceArrays(versions.base, settled.base),
    botcli: replaceArrays(versions.botcli, settled.botcli),
  };
}

/** The packages that a pyproject.toml requires, and their extras. */
export function listPackages(text: string): string[] {
  const items = [...findArrays(text.split(/\r?\n/), isRequirements).values()].flatMap(array => array.items);
  const found = items.map(({ value }) => readRequirement(value ?? ''));
  return found.flatMap(one => (one ? [one.name, ...one.extras] : []));
}

/** A pyproject.toml that doesn't require some packages and extras. */
export function withoutPackages(text: string, names: readonly string[]): string {
  const lines = text.split('\n');
  const arrays = [...findArrays(lines, isRequirements).values()].map(array => {
    const items = array.items.flatMap(item => {
      const one = readRequirement(item.value ?? '');
      if (!one) return [item];
      const extras = one.extras.filter(extra => !names.includes(extra));
      return names.includes(one.name) ? [] : [rewrite(item, quoteToml(writeRequirement({ ...one, extras })))];
    });
    return [array, writeArray(array, items)] as const;
  });
  return replaceArrays(lines, new Map(arrays)).join('\n');
}

const SIDES = ['user', 'base', 'botcli'] as const;

const isComplete = (arrays: Versions<TomlArray | undefined>): arrays is Versions<TomlArray> =>
  SIDES.every(side => arrays[side] !== undefined);

function replaceArrays(lines: Lines, arrays: ReadonlyMap<TomlArray, Lines>): string[] {
  let at = 0;
  const inOrder = [...arrays].sort(([one], [other]) => one.start - other.start);
  const before = inOrder.flatMap(([{ start, end }, replaced]) => {
    const kept = lines.slice(at, start);
    at = end;
    return [...kept, ...replaced];
  });
  return [...before, ...lines.slice(at)];
}

/** The same array for all three, except for packages about which the sides contradict each other. */
function mergeArrays(arrays: Versions<TomlArray>): Versions<Lines> | undefined {
  const byMarker = SIDES.some(side => hasTwice(keysOf(arrays[side], false)));
  const keys = (array: TomlArray) => keysOf(array, byMarker);
  if (SIDES.some(side => hasTwice(keys(arrays[side])))) return undefined;
  const items = (side: (typeof SIDES)[number]) =>
    new Map(keys(arrays[side]).map((key, at) => [key, arrays[side].items[at] as TomlItem]));
  const known = { user: items('user'), base: items('base'), botcli: items('botcli') };
  const [mine, ours] = [[...known.user.keys()], [...known.botcli.keys()]];
  const merged: Versions<TomlItem[]> = { user: [], base: [], botcli: [] };
  for (const key of insertInOrder(mine, ours, ours)) {
    const one = { user: known.user.get(key), base: known.base.get(key), botcli: known.botcli.get(key) };
    const decided = mergeItem(one);
    for (const side of SIDES) {
      const item = decided ? decided.item : one[side] && rewrite(one.user, one[side].code);
      if (item) merged[side].push(item);
      // Without a line in the base, the lines of both would be additions, which don't contradict each other.
      else if (!decided && side === 'base') merged.base.push(BLANK);
    }
  }
  const write = (list: readonly TomlItem[]) => writeArray(arrays.user, list);
  return { user: write(merged.user), base: write(merged.base), botcli: write(merged.botcli) };
}

const BLANK: TomlItem = { code: '', lines: [] };

const keysOf = ({ items }: TomlArray, byMarker: boolean): string[] =>
  items.map(({ value, code }) => {
    const requirement = value === undefined ? undefined : readRequirement(value);
    return requirement ? `${normalize(requirement.name)}${byMarker ? `;${requirement.marker}` : ''}` : code;
  });

const hasTwice = (keys: readonly string[]): boolean => new Set(keys).size < keys.length;

/** What becomes of an item; nothing if the sides contradict each other. */
function mergeItem({ user, base, botcli }: Versions<TomlItem | undefined>): { item: TomlItem | undefined } | undefined {
  const [userCode, baseCode, botcliCode] = [user, base, botcli].map(item => item?.value ?? item?.code);
  if (userCode === botcliCode || botcliCode === baseCode) return { item: user };
  if (userCode === baseCode) return { item: botcli && rewrite(user, botcli.code) };
  // What the user changed stays, even if botcli doesn't need it any more.
  if (!botcli) return { item: user };
  const requirement = mergeRequirements({ user: userCode, base: baseCode, botcli: botcliCode });
  return requirement === undefined ? undefined : { item: rewrite(user, quoteToml(requirement)) };
}

function mergeRequirements(texts: Versions<string | undefined>): string | undefined {
  const [user, base, botcli] = [texts.user, texts.base, texts.botcli].map(text => readRequirement(text ?? ''));
  if (!user || !botcli) return undefined;
  const merged = mergeRequirement({ user, base: base ?? NOTHING, botcli });
  return merged && writeRequirement(merged);
}

const NOTHING: Requirement = { name: '', extras: [], version: '', marker: '' };

/** An item with another value, at its place and with its comments. */
const rewrite = (item: TomlItem | undefined, code: string): TomlItem => ({
  code,
  lines: (item?.lines ?? []).map((line, at, all) =>
    at === all.length - 1 ? line.replace(item?.code ?? '', () => code) : line,
  ),
});

const quoteToml = (value: string): string => (value.includes('"') ? `'${value}'` : JSON.stringify(value));

/** The user's array with other items. */
function writeArray({ head, tail, items, rows }: TomlArray, list: readonly TomlItem[]): Lines {
  if (list.length === items.length && list.every(({ code }, at) => code === items[at]?.code)) return rows;
  const [indent = '    '] = items.flatMap(({ lines }) => /^\s+/.exec(lines.at(-1) ?? '')?.[0] ?? []);
  const written = list.flatMap(({ code, lines }) => {
    if (code === '') return [''];
    const [last = indent + code, ...others] = lines.toReversed();
    return [...others.toReversed(), withComma(last, code)];
  });
  return [head, ...written, ...tail];
}

/** The last item of an array may have no comma. */
function withComma(line: string, code: string): string {
  const end = line.indexOf(code) + code.length;
  return /^\s*,/.test(line.slice(end)) ? line : `${line.slice(0, end)},${line.slice(end)}`;
}
