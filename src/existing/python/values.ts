import { codeOf, type Item, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Scope } from '../../formats/python/scope.ts';
import { keyOf, textsOf } from './constants.ts';
import { argumentsOf, namedIn } from './lines.ts';
import type { Key, KnownNames, Meaning } from './meanings.ts';

/** What a name means that gets this value; nothing if that isn't known. */
export function meaningOf(value: readonly Item[], scope: Scope, names: KnownNames): Meaning | undefined {
  const texts = textsOf(value, scope, names);
  if (texts) return texts;
  const optional = optionalAt(value, 0, scope, names);
  const isPlain = !value.some(one => /^(?:or|and|if)$/.test(codeOf(one) ?? ''));
  if (optional) return optional.isEmpty && isPlain ? { is: 'value', key: optional.key } : undefined;
  const { meaning, end } = names.at(value, 0, scope);
  const next = value[end];
  if (end === value.length && meaning && meaning.is !== 'each') return meaning;
  if (isGroup(next) && end === value.length - 1 && meaning?.is === 'reader class') return readerOf(argumentsOf(next));
  if (isGroup(next) && end === value.length - 1 && meaning?.is === 'getter class') {
    return { is: 'getter', keys: argumentsOf(next).map(arg => keyOf(arg, scope, names)) };
  }
  return copyOf(value, scope, names);
}

/** The reader that a call of its class makes; nothing if its variables begin with something. */
function readerOf(args: readonly Item[][]): Meaning | undefined {
  const named = args.map(namedIn);
  if (named.some(({ name = '' }) => /^(?:env_)?prefix$/.test(name))) return undefined;
  const hasBoth = (value: readonly Item[]) => isGroup(value[0]) && argumentsOf(value[0]).length > 1;
  return { is: 'reader', defaults: named.flatMap(({ name, value }) => (name && hasBoth(value) ? name : [])) };
}

/** A mapping that has all variables: a copy of the environment, or of an env file; with other keys, if it names them. */
function copyOf(value: readonly Item[], scope: Scope, names: KnownNames): Meaning | undefined {
  const [only, group, ...more] = value;
  const isMade = codeOf(only) === 'dict' && isGroup(group) && more.length === 0;
  const isLiteral = isGroup(only) && only.open.code === '{' && group === undefined;
  const parts = isMade ? argumentsOf(group) : isLiteral ? argumentsOf(only) : split(value, '|');
  const found = parts.map(part => keysIn(part, scope, names));
  if (!found.includes('all') || found.includes(undefined)) return undefined;
  return { is: 'environ', isCopy: true, own: found.flatMap(one => (one && one !== 'all' ? one : [])) };
}

/** The keys that a part of a mapping gives it. */
function keysIn(part: readonly Item[], scope: Scope, names: KnownNames): 'all' | readonly string[] | undefined {
  const { name, value } = namedIn(part);
  if (name !== undefined) return [name];
  const [first, second] = value;
  if (codeOf(second) === ':') return isGroup(first) || first?.kind !== 'text' ? undefined : [first.code];
  if (isGroup(first) && second === undefined) {
    const inside = argumentsOf(first).map(one => keysIn(one, scope, names));
    return inside.includes('all') || inside.includes(undefined) ? undefined : inside.flatMap(one => one ?? []);
  }
  const at = codeOf(first) === '**' ? 1 : 0;
  const { meaning, end } = names.at(value, at, scope);
  const rest = value.slice(end);
  const isCopied = codeOf(rest[0]) === '.' && codeOf(rest[1]) === 'copy' && rest.length === 3;
  if (meaning?.is === 'environ') return rest.length === 0 || isCopied ? 'all' : undefined;
  return meaning?.is === 'values' && isGroup(rest[0]) && rest.length === 1 ? 'all' : undefined;
}

/** `os.getenv(X)` or `environ.get(X)` at a place, and whether it gives nothing if X isn't set. */
export function optionalAt(
  items: readonly Item[],
  at: number,
  scope: Scope,
  names: KnownNames,
): { key: Key; isEmpty: boolean; end: number } | undefined {
  const { meaning, end } = names.at(items, at, scope);
  const isGet = meaning?.is === 'environ' && codeOf(items[end]) === '.' && codeOf(items[end + 1]) === 'get';
  const call = items[isGet ? end + 2 : end];
  if (!(isGet || meaning?.is === 'getenv') || !isGroup(call)) return undefined;
  const [name = [], preset = []] = argumentsOf(call);
  const key = keyOf(name, scope, names);
  return { key, isEmpty: isNothing(preset, scope, names), end: isGet ? end + 3 : end + 1 };
}

/** Whether a default is none: an empty text, `None`, or what the caller passed. */
function isNothing([only, ...more]: readonly Item[], scope: Scope, names: KnownNames): boolean {
  if (only === undefined || more.length > 0 || isGroup(only)) return only === undefined;
  return only.code === '' || only.code === 'None' || (isName(only) && names.of(only.code, scope)?.is === 'each');
}
