import { codeOf, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Scope } from '../../formats/python/scope.ts';
import { keyOf } from './constants.ts';
import { type Key, namesIn } from './meanings.ts';
import type { Names } from './names.ts';
import { optionalAt } from './values.ts';

/** The variables that aren't set if a condition is true, such as `not os.getenv("X")`; none if that isn't sure. */
export function absentIn(items: readonly Item[], scope: Scope, names: Names): Key[] {
  const [only, ...more] = items;
  if (isGroup(only) && more.length === 0 && !hasLoop(only.items)) return absentIn(only.items, scope, names);
  if (codeOf(items[1]) === ':=') return absentIn(items.slice(2), scope, names);
  if (indexOf(items, 'and') < items.length) return [];
  return split(items, 'or').flatMap(part => absentInPart(part, scope, names));
}

function absentInPart(part: readonly Item[], scope: Scope, names: Names): Key[] {
  const [first, not] = [codeOf(part[0]), indexOf(part, 'not')];
  if (first === 'not') return valuesIn(part.slice(1), scope, names);
  const sign = part.findIndex(item => codeOf(item) === 'is' || codeOf(item) === '==');
  if (sign > 0) return isNothing(part.slice(sign + 1)) ? valuesIn(part.slice(0, sign), scope, names) : [];
  if (not < part.length) return codeOf(part[not + 1]) === 'in' ? keyBefore(part, not, scope, names) : [];
  return part.flatMap((item, at) => {
    if (isName(item)) {
      const meaning = codeOf(part[at - 1]) === '.' ? undefined : names.of(item.code, scope);
      return meaning?.is === 'missing' ? meaning.keys : [];
    }
    if (!isGroup(item)) return [];
    if (!hasLoop(item.items)) return absentIn(item.items, scope, names);
    const inner = names.inComprehension(item, scope);
    return [...inner.conditions, inner.element].flatMap(one => absentIn(one, inner.scope, names));
  });
}

/** The variables whose values an expression has, if it compares nothing. */
export function valuesIn(items: readonly Item[], scope: Scope, names: Names): Key[] {
  const isSame = indexOf(items, 'is');
  if (isSame < items.length)
    return codeOf(items[isSame + 1]) === 'not' ? valuesIn(items.slice(0, isSame), scope, names) : [];
  if (items.some(item => /^(?:[<>]=?|[=!]=|or|not)$/.test(codeOf(item) ?? ''))) return [];
  const found: Key[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at];
    const optional = optionalAt(items, at, scope, names);
    if (optional) {
      if (optional.isEmpty) found.push(optional.key);
      at = optional.end - 1;
    } else if (codeOf(item) === 'in') found.push(...keyBefore(items, at, scope, names));
    else if (isName(item) && codeOf(items[at - 1]) !== '.') {
      const meaning = names.of(item.code, scope);
      if (meaning?.is === 'value') found.push(meaning.key);
    } else if (isGroup(item)) {
      const inner = hasLoop(item.items) ? names.inComprehension(item, scope) : { scope, element: item.items };
      found.push(...valuesIn(inner.element, inner.scope, names));
    }
  }
  return found;
}

/** The variables of which one is set if a condition is true; none if that isn't sure. */
export function switchesIn(items: readonly Item[], scope: Scope, names: Names): string[] {
  if (items.some(item => /^(?:not|or|!=|else)$/.test(codeOf(item) ?? ''))) return [];
  const sides = split(items, 'and').flatMap(part => split(part, '==').slice(0, 1));
  return sides.flatMap(side => valuesIn(side, scope, names)).flatMap(namesIn);
}

/** What is before `in` or `not in`, if the environment is after it. */
function keyBefore(items: readonly Item[], at: number, scope: Scope, names: Names): Key[] {
  const start = indexOf(items, 'in', at) + 1;
  return names.at(items, start, scope).meaning?.is === 'environ' ? [keyOf(items.slice(0, at), scope, names)] : [];
}

const hasLoop = (items: readonly Item[]): boolean => indexOf(items, 'for') < items.length;

const isNothing = ([only, ...more]: readonly Item[]): boolean =>
  more.length === 0 && only !== undefined && !isGroup(only) && (only.code === 'None' || only.code === '');
