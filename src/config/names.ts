/** The values of an option, and what people call them. */
interface NamedValues {
  values?: readonly string[];
  names?: Readonly<Record<string, string>>;
  /** Other names that are taken for them. */
  otherNames?: Readonly<Record<string, readonly string[]>>;
}

/** A name without its explanation: `Daily` from `Daily, hosted WebRTC`. */
export const shortName = (name: string): string => name.replace(/,.*/, '');

/** A name in a sentence, where its comma would end a part: `Daily (hosted WebRTC)`. */
export const nameInSentence = (name: string): string => name.replace(/, (.*)/, ' ($1)');

/** A name without case, spaces and punctuation, for comparing. */
export const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** The kind that ends a service's id. */
const KIND = /_(?:stt|llm|tts|realtime|video)$/;

/**
 * The value that a word names: an id in any case, an id without its kind, a display name, or another name from its row.
 * Undefined if none does, or several do.
 */
export function valueNamed(
  word: string,
  { values = [], names = {}, otherNames = {} }: NamedValues,
): string | undefined {
  const typed = plain(word);
  if (typed === '') return undefined;
  // The first kind of name that fits decides.
  const kinds: ((id: string) => readonly string[])[] = [
    id => [id],
    id => [id.replace(KIND, '')],
    id => [names[id] ?? ''],
    id => [shortName(names[id] ?? '')],
    id => otherNames[id] ?? [],
  ];
  for (const namesOf of kinds) {
    const [found, ...more] = values.filter(id => namesOf(id).some(name => plain(name) === typed));
    if (found !== undefined) return more.length === 0 ? found : undefined;
  }
  return undefined;
}
