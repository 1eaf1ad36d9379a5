import { codeOf, type Item, indexOf, isGroup, isName, split } from '../formats/python/expressions.ts';
import type { Scope } from '../formats/python/scope.ts';
import type { Blocks } from './python-blocks.ts';
import type { Line, Names } from './python-names.ts';

/** What a class of settings reads. */
export interface SettingsReads {
  /** The variables without a default. */
  required: string[];
  /** All of them, also the beginnings of those inside a field. */
  mentioned: string[];
  /** Whether it requires variables that can't be named. */
  isUntraced: boolean;
  /** Whether their case doesn't count. */
  isAnyCase: boolean;
  /** Whether values also come from elsewhere. */
  hasSources: boolean;
  envFiles: string[];
}

/** Reads the fields of a class whose base is a `BaseSettings`. */
export function settingsOf(
  header: Line,
  { isFirst, blocks, names }: { isFirst: boolean; blocks: Blocks; names: Names },
): SettingsReads {
  const body = blocks.bodyOf(header);
  const inner = body.flatMap(line => [line, ...blocks.bodyOf(line)]);
  const all = [header, ...inner].flatMap(({ items }) => items);
  const prefix = argument(all, 'env_prefix');
  const isExact = has(all, 'case_sensitive', 'True');
  const fields = body.flatMap(line => fieldOf(line, names, isFirst));
  const nameOf = (name: string) => (isExact ? name : name.toUpperCase());
  const namesOf = ({ name, aliases }: Field) => aliases ?? [nameOf((prefix?.text ?? '') + name)];
  const required = fields.filter(one => !one.hasDefault);
  const isPlain = (one: Field) => !one.isNested && namesOf(one).length === 1;
  return {
    required: prefix && prefix.text === undefined ? [] : required.filter(isPlain).flatMap(namesOf),
    mentioned: [
      ...fields.flatMap(namesOf),
      ...fields
        .filter(one => one.isNested)
        .flatMap(namesOf)
        .map(name => `${name}_`),
    ],
    isUntraced: !required.every(isPlain) || (prefix !== undefined && prefix.text === undefined),
    isAnyCase: !isExact,
    hasSources:
      inner.some(({ items }) => items.some(one => codeOf(one) === 'settings_customise_sources')) ||
      argument(all, 'secrets_dir') !== undefined,
    envFiles: argument(all, 'env_file')?.texts ?? [],
  };
}

/** A field of such a class. */
interface Field {
  name: string;
  /** The variables that it may be from, instead of the one of its name. */
  aliases: string[] | undefined;
  hasDefault: boolean;
  isNested: boolean;
}

function fieldOf({ items, scope }: Line, names: Names, isFirst: boolean): Field[] {
  const [name, colon] = items;
  if (!isName(name) || name.code.startsWith('_') || codeOf(colon) !== ':') return [];
  const equals = indexOf(items, '=');
  const [type, value] = [items.slice(2, equals), items.slice(equals + 1)];
  if (codeOf(type[0]) === 'ClassVar') return [];
  const alias = ['validation_alias', 'alias', 'env'].map(one => argument([...type, ...value], one)).find(Boolean);
  const isAbsent = isFirst && (codeOf(type[0]) === 'Optional' || type.some(one => codeOf(one) === 'None'));
  return [
    {
      name: name.code,
      aliases: alias?.texts,
      hasDefault: isAbsent || hasDefault(value),
      isNested: isModel(type, names, scope),
    },
  ];
}

/** `Field(...)` and `Field(alias="X")` give no default. */
function hasDefault(value: readonly Item[]): boolean {
  const [first, group] = value;
  if (first === undefined || codeOf(first) === '...') return false;
  if (codeOf(first) !== 'Field' || !isGroup(group)) return true;
  return split(group.items, ',').some(part => {
    const isNamed = codeOf(part[1]) === '=';
    const given = isNamed ? part[2] : part[0];
    return (
      given !== undefined &&
      codeOf(given) !== '...' &&
      (!isNamed || /^default(?:_factory)?$/.test(codeOf(part[0]) ?? ''))
    );
  });
}

const isModel = (type: readonly Item[], names: Names, scope: Scope): boolean =>
  type.some((_, at) => {
    const { meaning } = names.at(type, at, scope);
    return meaning?.is === 'model' || meaning?.is === 'settings';
  });

/** The value of `name=…` or `"name": …`, at any depth: its texts, and its only text. */
function argument(items: readonly Item[], name: string): { text: string | undefined; texts: string[] } | undefined {
  for (const [at, item] of items.entries()) {
    const found = isGroup(item) ? argument(item.items, name) : undefined;
    if (found) return found;
    const isNamed = !isGroup(item) && item.code === name && /^[=:]$/.test(codeOf(items[at + 1]) ?? '');
    if (!isNamed) continue;
    const rest = items.slice(at + 2);
    const value = rest.slice(0, indexOf(rest, ','));
    // Lines of a class follow each other without a comma.
    const [first] = value;
    const texts = isGroup(first) ? textsIn(first.items) : textsIn(value.slice(0, isGroup(value[1]) ? 2 : 1));
    return { text: texts.length === 1 && !isGroup(first) ? texts[0] : undefined, texts };
  }
  return undefined;
}

const textsIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => (isGroup(item) ? textsIn(item.items) : item.kind === 'text' ? item.code : []));

const has = (items: readonly Item[], name: string, value: string): boolean =>
  items.some((item, at) =>
    isGroup(item) ? has(item.items, name, value) : item.code === name && codeOf(items[at + 2]) === value,
  );
