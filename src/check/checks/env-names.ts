import { nearest } from '../../text.ts';
import { type Facts, valueFor } from './facts.ts';

/** The variables that the project needs, and that are set nowhere. */
export const missingNames = ({
  requirements,
  env,
}: Pick<Facts, 'requirements'> & { env: Parameters<typeof valueFor>[1] }): string[] =>
  requirements.needed.filter(name => valueFor(name, env) === undefined);

/**
 * Whether a name in the env file can be shown. The middle of a value that spans lines, such as a private key, may look
 * like a name: it has no words that underscores separate, and isn't close to a name in the code.
 */
export const isKnownName = (name: string, { requirements: { known } }: Facts): boolean =>
  known.has(name) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name) || nearest(name, [...known]) !== undefined;

/**
 * The names in the env file that were probably meant to be others, by these: nothing reads them, and no other name of the
 * code is closer.
 */
export function misspelledIn({ env, requirements: { known } }: Facts): ReadonlyMap<string, string> {
  const candidates = [...known];
  const unread = [...env.file.entries.values()].filter(({ name, value }) => value && !known.has(name));
  const meant = unread.slice(0, MOST_UNREAD).flatMap(({ name }) => {
    const other = nearest(name, candidates);
    return other === undefined ? [] : [[other, name] as const];
  });
  // The first one counts.
  return new Map(meant.reverse());
}

/** With more names that nothing reads, the file isn't an env file. Each is compared with all names of the code. */
export const MOST_UNREAD = 500;
