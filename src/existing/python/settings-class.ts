import { codeOf, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Statement } from '../../formats/python/module.ts';
import type { Blocks } from './blocks.ts';
import { meaningIn } from './constants.ts';
import type { Found } from './found.ts';
import { textsIn } from './lines.ts';
import type { KnownNames, Settings } from './meanings.ts';

/** More inherited fields than people write are not followed, so that the work doesn't grow with their square. */
const MOST_FIELDS = 500;

type Says = NonNullable<Settings['says']>;
type Field = Says['fields'][number];

/** Reads a class whose base is a `BaseSettings`: what it says, and where its values are from. */
export function readSettingsClass(
  header: Statement,
  meaning: Settings,
  blocks: Blocks,
  names: KnownNames,
  found: Found,
): void {
  const body = blocks.bodyOf(header);
  const all = [header, ...body.flatMap(line => [line, ...blocks.bodyOf(line)])];
  const optionOf = (name: string) => valuesOf(all, name)[0];
  const base = meaning.base?.says;
  const inherited = base && base.fields.length <= MOST_FIELDS ? base : undefined;
  found.isUntraced ||= base !== inherited;
  const prefix = optionOf('env_prefix');
  const exact = optionOf('case_sensitive');
  const own = body.flatMap(line => fieldOf(line, names, meaning.isFirst));
  const fields = [...(inherited?.fields ?? []), ...own].map(one => [one.name, one] as const);
  const says: Says = {
    prefix: prefix ? onlyText(prefix) : inherited ? inherited.prefix : '',
    isExact: exact ? codeOf(exact[0]) === 'True' : (inherited?.isExact ?? false),
    fields: [...new Map(fields).values()],
  };
  meaning.says = says;
  const mentioned = says.fields.flatMap(one =>
    variablesOf(one, says).map(name => (one.isNested ? [name, `${name}_`] : name)),
  );
  found.mention(mentioned.flat());
  if (!says.isExact) for (const name of mentioned.flat()) found.anyCase.add(name);
  found.isUntraced ||= says.fields.some(one => !one.hasDefault && !isPlain(one, says));
  const isCustom = all.some(({ items }) => items.some(one => codeOf(one) === 'settings_customise_sources'));
  found.hasSources ||= isCustom || [...valuesOf(all, 'secrets_dir'), ...valuesOf(all, 'cli_parse_args')].length > 0;
  for (const value of valuesOf(all, 'env_file')) readPath(value, header, names, found);
}

/** The variables that an object of such a class needs, if its caller gives it some fields. */
export function requiredBy({ says }: Settings, given: readonly (string | undefined)[] = []): string[] {
  if (!says) return [];
  const isGiven = ({ name, aliases = [] }: Field) => [name, ...aliases].some(one => given.includes(one));
  const open = says.fields.filter(one => !one.hasDefault && isPlain(one, says) && !isGiven(one));
  return open.flatMap(one => variablesOf(one, says));
}

const isPlain = (field: Field, says: Says): boolean => !field.isNested && variablesOf(field, says).length === 1;

/** The variables that a field may be from; none if the prefix can't be followed. */
function variablesOf({ name, aliases }: Field, { prefix, isExact }: Says): readonly string[] {
  if (aliases) return aliases;
  return prefix === undefined ? [] : [isExact ? prefix + name : (prefix + name).toUpperCase()];
}

/** Takes the path of an env file, such as `(".env", ".env.local")` or `BASE / ".env"`. */
function readPath(value: readonly Item[], { scope }: Statement, names: KnownNames, found: Found): void {
  const meaning = meaningIn(value, scope, names);
  const texts = meaning?.is === 'texts' ? meaning.texts : textsIn(value);
  if (texts.length > 0) found.envFiles.push(...texts);
  else found.hasSources ||= codeOf(value[0]) !== 'None';
}

function fieldOf({ items, scope }: Statement, names: KnownNames, isFirst: boolean): Field[] {
  const [name, colon] = items;
  if (!isName(name) || name.code.startsWith('_') || codeOf(colon) !== ':') return [];
  const equals = indexOf(items, '=');
  const [type, value] = [items.slice(2, equals), items.slice(equals + 1)];
  if (/^ClassVar$/.test(lastName(type))) return [];
  const [more, ...others] = ['validation_alias', 'alias', 'env'].flatMap(one => valuesIn([...type, ...value], one));
  const isAbsent = isFirst && (lastName(type) === 'Optional' || type.some(one => codeOf(one) === 'None'));
  const aliases = more && (others.length === 0 || onlyText(more) !== undefined) ? textsIn(more) : undefined;
  return [
    {
      name: name.code,
      aliases,
      hasDefault: isAbsent || hasDefault(value) || fieldsIn(type).some(hasDefault),
      isNested: type.some((_, at) => /^(?:model|settings)$/.test(names.at(type, at, scope).meaning?.is ?? '')),
    },
  ];
}

/** `typing.ClassVar[str]` has the last name `ClassVar`. */
function lastName(type: readonly Item[]): string {
  const end = type.findIndex(isGroup);
  return codeOf(type.slice(0, end === -1 ? undefined : end).at(-1)) ?? '';
}

/** Each `Field(…)` in `Annotated[str, Field(…)]`. */
const fieldsIn = (type: readonly Item[]): Item[][] =>
  type.flatMap((item, at) => {
    if (isGroup(item)) return fieldsIn(item.items);
    return codeOf(item) === 'Field' ? [type.slice(at, at + 2)] : [];
  });

/** `Field(...)` and `Field(alias="X")` give no default. */
function hasDefault(value: readonly Item[]): boolean {
  const at = value.findIndex(isGroup);
  const [first, group] = [value[0], value[at]];
  if (first === undefined || codeOf(first) === '...') return false;
  if (codeOf(value[at - 1]) !== 'Field' || !isGroup(group)) return true;
  return split(group.items, ',').some(part => {
    const isNamed = codeOf(part[1]) === '=';
    const given = isNamed ? part[2] : part[0];
    const isDefault = !isNamed || /^default(?:_factory)?$/.test(codeOf(part[0]) ?? '');
    return given !== undefined && codeOf(given) !== '...' && isDefault;
  });
}

const valuesOf = (lines: readonly Statement[], name: string): Item[][] =>
  lines.flatMap(({ items }) => valuesIn(items, name));

/** The value of each `name=…` or `"name": …`, at any depth. */
function valuesIn(items: readonly Item[], name: string): Item[][] {
  return items.flatMap((item, at) => {
    if (isGroup(item)) return valuesIn(item.items, name);
    if (item.code !== name || !/^[=:]$/.test(codeOf(items[at + 1]) ?? '')) return [];
    return [items.slice(at + 2, indexOf(items, ',', at + 2))];
  });
}

/** A text that is all of a value. */
const onlyText = ([only, ...more]: readonly Item[]): string | undefined =>
  more.length === 0 && only && !isGroup(only) && only.kind === 'text' ? only.code : undefined;
