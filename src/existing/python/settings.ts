import { codeOf, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Statement } from '../../formats/python/module.ts';
import { argumentsOf, type Blocks, mentionedIn, type Runs, textOf, textsIn } from './blocks.ts';

/** A class with bases. If one of them is a `BaseSettings`, its fields are variables. */
export interface SettingsClass {
  name: string;
  bases: readonly string[];
  runs: Runs;
  /** What its variables begin with: that of its base if absent, null if that can't be followed. */
  prefix: string | null | undefined;
  fields: readonly SettingsField[];
}

interface SettingsField {
  name: string;
  /** The variables that it may be from, instead of the one of its name. */
  aliases: readonly string[] | undefined;
  hasDefault: boolean;
  /** The names in its type. */
  types: readonly string[];
}

/** Reads a class, and where its values are from if it is one of settings. */
export function readClass(
  header: Statement,
  blocks: Blocks,
): Omit<SettingsClass, 'runs'> & { envFiles: string[]; hasSources: boolean } {
  const [, name, bases] = header.items;
  const body = blocks.bodyOf(header);
  const all = [header, ...body.flatMap(line => [line, ...blocks.bodyOf(line)])];
  const optionsOf = (option: string) => all.flatMap(({ items }) => valuesOf(items, option));
  const [prefix] = optionsOf('env_prefix');
  const files = optionsOf('env_file').map(textsIn);
  const isCustom = all.some(({ tokens }) => tokens.some(({ code }) => CUSTOM.test(code)));
  const isElsewhere = optionsOf('env_file').some((value, at) => files[at]?.length === 0 && codeOf(value[0]) !== 'None');
  return {
    name: codeOf(name) ?? '',
    bases: isGroup(bases) ? argumentsOf(bases).flatMap(part => lastName(part)) : [],
    prefix: prefix && (textOf(prefix) ?? null),
    fields: body.flatMap(fieldOf),
    envFiles: files.flat(),
    hasSources: isCustom || isElsewhere,
  };
}

/** What takes values from elsewhere. */
const CUSTOM = /^(?:settings_customise_sources|secrets_dir|cli_parse_args)$/;

function fieldOf({ items }: Statement): SettingsField[] {
  const [name, colon] = items;
  if (!isName(name) || name.code.startsWith('_') || codeOf(colon) !== ':') return [];
  const equals = indexOf(items, '=');
  const [type, value] = [items.slice(2, equals), items.slice(equals + 1)];
  if (lastName(type) === 'ClassVar') return [];
  // The first release of the library lets it be absent.
  const isOptional = lastName(type) === 'Optional' || type.some(one => codeOf(one) === 'None');
  const [more, ...others] = ['validation_alias', 'alias', 'env'].flatMap(one => valuesOf([...type, ...value], one));
  return [
    {
      name: name.code,
      aliases: more && (others.length === 0 || textOf(more) !== undefined) ? textsIn(more) : undefined,
      hasDefault: isOptional || hasDefault(value) || fieldsIn(type).some(hasDefault),
      types: mentionedIn(type),
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

/** The value of each `name=…` or `"name": …`, at any depth. */
function valuesOf(items: readonly Item[], name: string): Item[][] {
  return items.flatMap((item, at) => {
    if (isGroup(item)) return valuesOf(item.items, name);
    if (item.code !== name || !/^[=:]$/.test(codeOf(items[at + 1]) ?? '')) return [];
    return [items.slice(at + 2, indexOf(items, ',', at + 2))];
  });
}

/** A field of settings, with the variables that it may be from: not exactly one if that can't be followed. */
interface Field extends SettingsField {
  variables: readonly string[];
}

/** More inherited fields, or bases of bases, than people write are not followed. */
const MOST_FIELDS = 100;
const MOST_BASES = 20;

interface Says extends Pick<SettingsClass, 'prefix'> {
  fields: ReadonlyMap<string, SettingsField>;
}

/** Finds the fields of a class of settings, with those that it inherits. Other classes have none. */
export function settingsIn(all: readonly SettingsClass[]): (name: string) => Field[] {
  const classes = new Map(all.map(one => [one.name, one]));
  const known = new Map<string, Says | undefined>([['BaseSettings', { prefix: '', fields: new Map() }]]);
  const read = (name: string, depth = 0): Says | undefined => {
    if (known.has(name) || depth > MOST_BASES) return known.get(name);
    known.set(name, undefined);
    const own = classes.get(name);
    const base = own?.bases.map(one => read(one, depth + 1)).find(Boolean);
    if (!own || !base) return undefined;
    const { prefix = base.prefix } = own;
    const inherited = base.fields.size > MOST_FIELDS ? [] : base.fields;
    const says = {
      prefix,
      fields: new Map([...inherited, ...own.fields.map(one => [one.name, one] as const)]),
    };
    known.set(name, says);
    return says;
  };
  return name => {
    const { prefix, fields } = read(name) ?? { fields: new Map<string, SettingsField>() };
    return [...fields.values()].map(field => {
      const usual = `${prefix}${field.name}`;
      const own = typeof prefix === 'string' ? [usual.toUpperCase()] : [];
      const variables = field.aliases ?? own;
      // One that is a class has a variable for each field of that.
      const isNested = field.types.some(type => classes.has(type));
      return { ...field, variables: isNested ? variables.flatMap(one => [one, `${one}_`]) : variables };
    });
  };
}
