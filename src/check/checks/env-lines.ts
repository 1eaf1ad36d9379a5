import { nearest } from '../../text.ts';
import type { Facts } from './facts.ts';
import type { Check, Detail } from './finding.ts';
import { MOST_UNREAD, missingNames, misspelledIn } from './variables.ts';

/** Whether each line of the env file does what its author meant. */
export const lineChecks: readonly Check<Facts>[] = [
  {
    code: 'env-line',
    find: (facts, level) =>
      facts.env.file.broken
        .filter(({ name = '' }) => (level === 'error') === facts.requirements.needed.includes(name))
        .slice(0, MOST_LINES)
        .map(({ line, name = '' }) => {
          // The name isn't shown unless the code has it: the middle of a value may look like one.
          const result = facts.requirements.known.has(name) ? `, so ${name} isn't set` : '';
          const hint = 'Write NAME=value, and close any quotes.';
          return { message: `${placeOf(line, facts)}: the bot can't read it${result}`, hint };
        }),
  },
  {
    code: 'env-line',
    level: 'warning',
    find: facts =>
      [...facts.env.file.entries.values()]
        .filter(({ value }) => value === undefined)
        .slice(0, MOST_LINES)
        .map(({ line }) => ({
          message: `${placeOf(line, facts)} has no =, so the bot reads no value from it`,
          hint: 'Write NAME=value on one line.',
        })),
  },
  {
    code: 'env-line',
    level: 'warning',
    find({ env, place, requirements: { known } }) {
      const { marked } = env.file;
      if (marked === undefined || !known.has(marked)) return undefined;
      const message = `${place(env.path)} begins with a byte order mark: python-dotenv before 1.2.3 reads no ${marked}`;
      return { message, hint: 'Save the file as UTF-8 without a byte order mark.' };
    },
  },
  {
    code: 'variable-repeated',
    level: 'warning',
    find: facts =>
      [...facts.env.file.entries.values()]
        .filter(({ lineBefore }) => lineBefore !== undefined)
        .slice(0, MOST_UNREAD)
        .filter(({ name }) => isKnownName(name, facts))
        .slice(0, MOST_LINES)
        .map(({ name, line, lineBefore }) => ({
          message: `${placeOf(line, facts)}: ${name} is set on line ${lineBefore}, too`,
          hint: 'The last one counts. Remove the other.',
        })),
  },
  { code: 'variable-unread', level: 'warning', find: facts => unreadIn(facts).slice(0, MOST_LINES) },
];

/** With more of a kind, the file isn't an env file. */
const MOST_LINES = 20;

/**
 * Whether a name in the env file can be shown. The middle of a value that spans lines, such as a private key, may look
 * like a name: it has no words that underscores separate, and isn't close to a name in the code.
 */
const isKnownName = (name: string, { requirements: { known } }: Facts): boolean =>
  known.has(name) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name) || nearest(name, [...known]) !== undefined;

const placeOf = (line: number, { env, place }: Facts): string => `${place(env.path)}, line ${line}`;

/** Variables of tools and libraries that no code of a project names. */
const FOR_LIBRARIES =
  /^(?:PIPECAT|PYTHON|UV|LOGURU|OTEL|HF|TORCH|NLTK|TOKENIZERS|SSL|REQUESTS|NO|HTTPS?|ALL)_|^(?:ENV|PORT|DEBUG|TZ|LANG)$/i;

/** More typos make another name, and so do any in a short one. */
const typosIn = (name: string): number => (name.length < 4 ? 0 : 2);

function unreadIn(facts: Facts): Detail[] {
  const { known, attributes, conditional } = facts.requirements;
  const prefixes = [...known].filter(name => name.endsWith('_'));
  const { entries, references } = facts.env.file;
  const misspelled = misspelledIn(facts);
  const renamed = new Set([...missingNames(facts), ...conditional].map(name => misspelled.get(name)));
  const families = new Set([...known].map(familyOf));
  const unset = [...known].filter(name => !entries.get(name)?.value);
  const isRead = (name: string) =>
    known.has(name) ||
    references.has(name) ||
    attributes.has(name.toLowerCase()) ||
    prefixes.some(one => name.toUpperCase().startsWith(one)) ||
    renamed.has(name) ||
    FOR_LIBRARIES.test(name);
  const unread = [...entries.values()].filter(({ name, value }) => value && !isRead(name));
  return unread.slice(0, MOST_UNREAD).flatMap(({ name, line }) => {
    const meant = nearest(name, unset, typosIn(name));
    // Libraries read more variables than the code names, such as another one of the same provider.
    if (meant === undefined && families.has(familyOf(name))) return [];
    const shown = isKnownName(name, facts) ? name : 'this variable';
    const hint = meant === undefined ? 'Remove it, unless a library reads it.' : `Did you mean ${meant}?`;
    return { message: `${placeOf(line, facts)}: nothing in server/ reads ${shown}`, hint };
  });
}

const familyOf = (name: string): string => name.split('_', 1)[0] ?? '';
