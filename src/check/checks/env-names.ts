import { nearest } from '../../nearest.ts';
import type { EnvEntry } from './env-file.ts';
import { type Facts, valueFor } from './facts.ts';

/** The lines of the env file that set a variable. */
export const envEntries = ({ env }: Facts): readonly EnvEntry[] => env.file.entries;

/** The variables that the project needs, and that are set nowhere. */
export const missingNames = ({ requirements, env }: Facts): string[] =>
  requirements.needed.filter(name => valueFor(name, env) === undefined);

/**
 * Whether a name in the env file can be shown. The middle of a value that spans lines, such as a private key, may look
 * like a name: it has no words that underscores separate, and isn't close to a name in the code.
 */
export const isKnownName = (name: string, { requirements: { known } }: Facts): boolean =>
  known.has(name) || /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name) || nearest(name, [...known]) !== undefined;
