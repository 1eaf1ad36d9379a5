import type { PythonReads } from '../existing/python/reads.ts';
import { listPackages, listVariables, withoutPackages, withoutVariables } from '../merge/index.ts';
import type { KeptUse } from './files.ts';
import { plain } from './uses.ts';

/** How a file names what it offers, which of that code uses, and how the file is without it. */
interface Offer {
  files: RegExp;
  verb: KeptUse['verb'];
  list(text: string): string[];
  isUsed(name: string, reads: PythonReads): boolean;
  without(text: string, names: readonly string[]): string;
}

/** What code outside of a file may need of it. */
export const OFFERS: readonly Offer[] = [
  {
    files: /^server\/\.env\.example$/,
    verb: 'reads',
    list: listVariables,
    // A class of settings has an attribute for each variable.
    isUsed: (name, { mentioned, names }) => mentioned.has(name) || names.has(name.toLowerCase()),
    without: withoutVariables,
  },
  {
    files: /^server\/pyproject\.toml$/,
    verb: 'imports',
    list: listPackages,
    isUsed: (name, { imports }) =>
      [...imports].some(module => {
        const [top = '', , service = ''] = module.split('.');
        return plain(top) === plain(name) || (top === 'pipecat' && plain(service) === plain(name));
      }),
    without: withoutPackages,
  },
];
