import { nearest } from '../../nearest.ts';
import { type Facts, valueFor } from './facts.ts';

/** The variables that the project needs, and that are set nowhere. */
export const missingNames = ({ requirements, env }: Facts): string[] =>
  requirements.needed.filter(name => valueFor(name, env) === undefined);

/**
 * Whether a name in the env file can be shown. The middle of a value that spans lines, such as a private key, may look
 * like a name: it has no words that underscores separate, and isn't close to a name in the code.
 */
export const isKnownName = (name: string, { requirements: { known } }: Facts): boolean =>
  known.has(name) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name) || nearest(name, [...known]) !== undefined;

/** The name in the env file that was probably meant to be this one: nothing reads it, and no other one is closer. */
export function similarTo(name: string, { env, requirements: { known } }: Facts): string | undefined {
  const candidates = [...known];
  const similar = [...env.file.entries.values()].filter(
    one => one.value && !known.has(one.name) && isNear(one.name, name),
  );
  return similar.find(one => nearest(one.name, candidates) === name)?.name;
}

/** Whether one name is close to another at all, which is faster than finding the closest one. */
const isNear = (one: string, other: string): boolean => nearest(one, [other]) !== undefined;
