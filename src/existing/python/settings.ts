import {
  codeOf,
  type Group,
  type Item,
  indexOf,
  isGroup,
  isName,
  type Statement,
} from '../../formats/python/module.ts';
import { argumentsOf, type Blocks, mentionedIn, namedIn, type Runs, textOf, textsIn } from './blocks.ts';

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
  const [first] = value;
  const calls = fieldCallsIn([...type, ...value]);
  const isPlain = first !== undefined && codeOf(first) !== '...' && fieldCallsIn(value).length === 0;
  // The first release of the library lets it be absent.
  const isOptional = lastName(type) === 'Optional' || type.some(one => codeOf(one) === 'None');
  const [more, ...others] = ['validation_alias', 'alias', 'env'].flatMap(one => valuesOf([...type, ...value], one));
  return [
    {
      name: name.code,
      aliases: more && (others.length === 0 || textOf(more) !== undefined) ? textsIn(more) : undefined,
      hasDefault: isOptional || isPlain || calls.flatMap(argumentsOf).some(isDefault),
      types: mentionedIn(type),
    },
  ];
}

/** `typing.ClassVar[str]` has the last name `ClassVar`. */
function lastName(type: readonly Item[]): string {
  const end = type.findIndex(isGroup);
  return codeOf(type.slice(0, end === -1 ? undefined : end).at(-1)) ?? '';
}

/** The arguments of each `Field(…)`, also in `Annotated[str, Field(…)]`. */
const fieldCallsIn = (items: readonly Item[]): Group[] =>
  items.flatMap((item, at) => {
    if (!isGroup(item)) return [];
    return codeOf(items[at - 1]) === 'Field' ? [item] : fieldCallsIn(item.items);
  });

/** `Field(...)` and `Field(alias="X")` give no default. */
function isDefault(arg: readonly Item[]): boolean {
  const { name = 'default', value } = namedIn(arg);
  return /^default(?:_factory)?$/.test(name) && codeOf(value[0]) !== '...';
}

/** The value of each `name=…` or `"name": …`, at any depth. */
function valuesOf(items: readonly Item[], name: string): Item[][] {
  return items.flatMap((item, at) => {
    if (isGroup(item)) return valuesOf(item.items, name);
    if (item.code !== name || !/^[=:]$/.test(codeOf(items[at + 1]) ?? '')) return [];
    return [items.slice(at + 2, indexOf(items, ',', at + 2))];
  });
}

/** More inherited fields, or bases of bases, than people write are not followed. */
const MOST_FIELDS = 100;
const MOST_BASES = 20;

interface Says extends Pick<SettingsClass, 'prefix'> {
  fields: ReadonlyMap<string, SettingsField>;
}

/**
 * Finds the fields of a class of settings, with those that it inherits, and the variables that each may be from: not
 * exactly one if that can't be followed. Other classes have no fields.
 */
export function settingsIn(all: readonly SettingsClass[]) {
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
    const fields = new Map([...inherited, ...own.fields.map(one => [one.name, one] as const)]);
    known.set(name, { prefix, fields });
    return known.get(name);
  };
  return (className: string) => {
    const { prefix, fields } = read(className) ?? {};
    return [...(fields?.values() ?? [])].map(({ name, aliases, hasDefault, types }) => {
      const own = typeof prefix === 'string' ? [`${prefix}${name}`.toUpperCase()] : [];
      const variables = aliases ?? own;
      // One that is a class has a variable for each field of that.
      const isNested = types.some(type => classes.has(type));
      return {
        name,
        aliases: aliases ?? [],
        hasDefault,
        variables: isNested ? variables.flatMap(one => [one, `${one}_`]) : variables,
      };
    });
  };
}
