import { alternatives } from '../listed.ts';
import { nearest } from '../nearest.ts';
import { plain, shortName } from './names.ts';
import { type ScaffoldOption, scaffoldOptions } from './options.ts';

/** A word that matches more values than this gets no suggestion. */
const MOST_MEANT = 3;

/** A value with its real name, unless its id contains that already: `tel_a (Twilio)`. */
export function showValue({ names = {} }: ScaffoldOption, id: string): string {
  const name = shortName(names[id] ?? '');
  return plain(id).includes(plain(name)) ? id : `${id} (${name})`;
}

/** What a disallowed value probably means: a mistyped id, or a real name. Undefined when nothing matches. */
export function meantBy(word: string, option: ScaffoldOption): string | undefined {
  const meant = idsMeant(word, option);
  if (meant.length > 0) return alternatives(meant.map(id => showValue(option, id)));
  // The word may name a value of a related option.
  const others = scaffoldOptions.flatMap((other: ScaffoldOption) => {
    const id = other.group === option.group ? namesake(word, other) : undefined;
    return id === undefined ? [] : [`--${other.flag} ${showValue(other, id)}`];
  });
  return others.length === 1 ? others[0] : undefined;
}

/** The value that a word most likely means. */
export const likelyId = (word: string, option: ScaffoldOption): string => idsMeant(word, option)[0] ?? word;

function idsMeant(word: string, option: ScaffoldOption): readonly string[] {
  const { values = [], names = {} } = option;
  const one =
    values.find(id => id === word) ??
    (option.meant ? option.meant(word) : (namesake(word, option) ?? alias(word, option)));
  if (one !== undefined) return [one];
  const part = plain(word);
  const nameOf = (id: string) => shortName(names[id] ?? id);
  const holding = part.length < 3 ? [] : values.filter(id => plain(`${names[id] ?? ''} ${id}`).includes(part));
  // One id for each name: ids with a direction come after the one without.
  const several = holding.filter((id, at) => holding.findIndex(other => nameOf(other) === nameOf(id)) === at);
  if (several.length > 0) return several.length > MOST_MEANT ? [] : several;
  return option.meant ? [] : mistyped(word, option);
}

/** The value of which the word is nearly the id, or nearly a name. */
function mistyped(word: string, option: ScaffoldOption): string[] {
  const { values = [] } = option;
  const id = nearest(word, values);
  if (id !== undefined) return [id];
  const ids = new Map(values.flatMap(one => namesOf(one, option).map(name => [name, one])));
  const name = nearest(word, [...ids.keys()]);
  return name === undefined ? [] : [ids.get(name) as string];
}

/** The value that has the word as its real name, or as another one. */
function namesake(word: string, option: ScaffoldOption): string | undefined {
  const isMeant = (id: string) => namesOf(id, option).some(name => plain(name) === plain(word));
  return plain(word) === '' ? undefined : option.values?.find(isMeant);
}

/** The real name of a value, and its other ones. */
const namesOf = (id: string, { names = {}, otherNames = {} }: ScaffoldOption): string[] => [
  shortName(names[id] ?? ''),
  ...(otherNames[id] ?? []),
];

/** The value that people call by the first words of this one: `gpt-4o` and `gpt4` begin with `gpt`. The longest name wins. */
function alias(word: string, { aka = {}, otherNames = {} }: ScaffoldOption): string | undefined {
  const typed = word.toLowerCase();
  const begins = (name: string) => typed.startsWith(name) && !/^[a-z]/.test(typed.slice(name.length));
  const meant = [...Object.entries(aka), ...Object.entries(otherNames)].flatMap(([id, names]) =>
    names.filter(begins).map(name => ({ id, name })),
  );
  return meant.sort((one, other) => other.name.length - one.name.length)[0]?.id;
}
