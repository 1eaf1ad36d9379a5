import { codeOf, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Scope } from '../../formats/python/scope.ts';
import { argumentsOf } from './lines.ts';
import type { Key, KnownNames, Meaning } from './meanings.ts';

type Texts = Extract<Meaning, { is: 'texts' }>;

/** What an expression means that is a name. */
export function meaningIn([only, ...more]: readonly Item[], scope: Scope, names: KnownNames): Meaning | undefined {
  return more.length === 0 && isName(only) ? names.of(only.code, scope) : undefined;
}

/** What names a variable. */
export function keyOf(items: readonly Item[], scope: Scope, names: KnownNames): Key {
  const text = textOf(items);
  if (text !== undefined) return [text];
  const meaning = meaningIn(items, scope, names);
  if (meaning?.is === 'each') return meaning.parameter;
  return meaning?.is === 'texts' && meaning.isComplete ? meaning.texts : undefined;
}

/** The texts of a list, or the parameter that has it. */
export function listOf(items: readonly Item[], scope: Scope, names: KnownNames): Key {
  const texts = textsOf(items, scope, names);
  if (texts?.isComplete) return texts.texts;
  const meaning = meaningIn(items, scope, names);
  return meaning?.is === 'each' ? meaning.parameter : undefined;
}

/** The texts of an expression: a text, a list, or lists that are added. Nothing if it isn't one. */
export function textsOf(items: readonly Item[], scope: Scope, names: KnownNames): Texts | undefined {
  const found = split(items, '+').map(part => textsIn(part, scope, names));
  return found[0] && joined(found);
}

/** The text that an expression is. Texts in a row are one, also if a comma between them is missing. */
function textOf(items: readonly Item[]): string | undefined {
  const texts = items.flatMap(item => (isGroup(item) || item.kind !== 'text' ? [] : item.code));
  return items.length > 0 && texts.length === items.length ? texts.join('') : undefined;
}

function textsIn(items: readonly Item[], scope: Scope, names: KnownNames): Texts | undefined {
  const [only, ...more] = items;
  const text = textOf(items);
  if (text !== undefined) return { is: 'texts', texts: [text], isComplete: true };
  if (isGroup(only) && more.length === 0) {
    if (only.open.code === '{' && indexOf(only.items, ':') < only.items.length) return undefined;
    const parts = argumentsOf(only);
    const found = parts.map(part => textsIn(codeOf(part[0]) === '*' ? part.slice(1) : part, scope, names));
    return parts.length > 0 && found.every(one => one === undefined) ? undefined : joined(found);
  }
  const meaning = meaningIn(items, scope, names);
  return meaning?.is === 'texts' ? meaning : undefined;
}

/** A list of variables has fewer. Lists that are made of lists could double with each line. */
const MOST_TEXTS = 200;

/** All texts of some, each once; as many as a list of variables may have. */
export function joined(found: readonly (Texts | undefined)[]): Texts {
  const texts = new Set<string>();
  for (const one of found) {
    for (const text of one?.texts ?? []) texts.add(text);
    if (texts.size > MOST_TEXTS) return { is: 'texts', texts: [...texts].slice(0, MOST_TEXTS), isComplete: false };
  }
  return { is: 'texts', texts: [...texts], isComplete: found.every(one => one?.isComplete) };
}
