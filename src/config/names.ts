/** A value of an option, with the name people see for it. */
export interface OptionChoice<Value extends string = string> {
  value: Value;
  /** Its real name, if the value alone doesn't show it. */
  name?: string;
  /** What the wizard calls it. Default: its name. */
  label?: string;
  /** More about it, for the wizard. */
  hint?: string;
  /** Other names that are taken for it, in any case. */
  names?: readonly string[];
  /** Words that people use for it: what starts with one of them means this value. */
  aka?: readonly string[];
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
export function valueNamed(word: string, choices: readonly OptionChoice[] = []): string | undefined {
  const typed = plain(word);
  if (typed === '') return undefined;
  // The first kind of name that fits decides.
  const kinds: ((choice: OptionChoice) => readonly string[])[] = [
    ({ value }) => [value],
    ({ value }) => [value.replace(KIND, '')],
    ({ name = '' }) => [name],
    ({ name = '' }) => [shortName(name)],
    ({ names = [] }) => names,
  ];
  for (const namesOf of kinds) {
    const [found, ...more] = choices.filter(choice => namesOf(choice).some(name => plain(name) === typed));
    if (found) return more.length === 0 ? found.value : undefined;
  }
  return undefined;
}
