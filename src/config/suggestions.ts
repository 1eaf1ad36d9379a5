import { nearest } from '../nearest.ts';
import { type ScaffoldOption, scaffoldOptions, shortName } from './options.ts';

/** A word that may mean more values than this means none. */
const MOST_MEANT = 3;

/** A value with its real name, where its id doesn't hold that: `tel_a (Twilio)`. */
export function showValue({ names = {} }: ScaffoldOption, id: string): string {
  const name = shortName(names[id] ?? '');
  return plain(id).includes(plain(name)) ? id : `${id} (${name})`;
}

/** What a value that isn't allowed may mean: an id mistyped, or a real name. Nothing when it means none. */
export function meantBy(word: string, option: ScaffoldOption): string | undefined {
  const meant = idsMeant(word, option);
  if (meant.length > 0) return listed(meant.map(id => showValue(option, id)));
  // Someone's name for it may stand for the value of the option beside.
  const others = scaffoldOptions.flatMap((other: ScaffoldOption) => {
    const id = other.group === option.group ? namesake(word, other) : undefined;
    return id === undefined ? [] : [`--${other.flag} ${showValue(other, id)}`];
  });
  return others.length === 1 ? others[0] : undefined;
}

/** The one value that a word most likely means. */
export const likelyId = (word: string, option: ScaffoldOption): string => idsMeant(word, option)[0] ?? word;

function idsMeant(word: string, option: ScaffoldOption): readonly string[] {
  const { values = [], names = {} } = option;
  const one = values.find(id => id === word) ?? namesake(word, option) ?? nearest(word, values);
  if (one !== undefined) return [one];
  const part = plain(word);
  if (part.length < 3) return [];
  const nameOf = (id: string) => shortName(names[id] ?? id);
  const holding = values.filter(id => plain(`${names[id] ?? ''} ${id}`).includes(part));
  // One of each name: those that carry a direction come behind the one without.
  const several = holding.filter((id, at) => holding.findIndex(other => nameOf(other) === nameOf(id)) === at);
  return several.length > MOST_MEANT ? [] : several;
}

/** The value whose real name the word is. */
function namesake(word: string, { values = [], names = {} }: ScaffoldOption): string | undefined {
  return plain(word) === '' ? undefined : values.find(id => plain(shortName(names[id] ?? '')) === plain(word));
}

/** How a name may be typed. */
const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
