import type { PythonReads } from '../existing/python/reads.ts';
import { listPackages, listVariables, withoutPackages, withoutVariables } from '../merge/index.ts';
import { onOneLine } from '../printable.ts';
import { textHashOf } from '../project/files/state.ts';
import { conflicting, type FileUpdate, mergeAgain, type Situation } from './files.ts';
import { findOwnCode, importerOf, lostNames, moduleOf, plain, userOfNames } from './uses.ts';

type KeptUse = NonNullable<FileUpdate['keeps']>[number];

/** How a file names what it offers, which of that code uses, and how the file is without it. */
interface Offer {
  files: RegExp;
  verb: KeptUse['verb'];
  list(text: string): string[];
  isUsed(name: string, reads: PythonReads): boolean;
  without(text: string, names: readonly string[]): string;
}

/** What code outside of a file may need of it. */
const OFFERS: readonly Offer[] = [
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

/**
 * Keeps what an update would take away although the user's own Python code uses it: modules, variables, packages. A name
 * that is gone from a module is a conflict.
 */
export function keepUsed(root: string, updates: readonly FileUpdate[], situation: Situation): FileUpdate[] {
  const losses = updates.map(update => ({ update, lost: lostIn(update) }));
  const code = findOwnCode(
    root,
    updates,
    losses.flatMap(({ lost }) => lost),
  );
  if (code.length === 0) return [...updates];
  const kept = new Map<string, string>();
  const modules = losses.filter(({ update }) => update.action === 'deleted');
  // A module that stays may need others.
  for (let count = -1; count < kept.size; ) {
    count = kept.size;
    for (const { update, lost } of modules.filter(one => !kept.has(one.update.path))) {
      const by = importerOf(lost[0] ?? '', [...code, ...findKept(root, updates, kept, lost)]);
      if (by) kept.set(update.path, by.path);
    }
  }
  return losses.map(({ update, lost }) => {
    const { path, change } = update;
    const by = kept.get(path);
    if (by !== undefined && change?.before) {
      const keeps: KeptUse[] = [{ what: path, by, verb: 'imports' }];
      return { path, action: 'kept', conflicts: [], keeps, recorded: textHashOf(change.before) };
    }
    const offer = OFFERS.find(({ files }) => files.test(path));
    if (offer) return keepOffers(update, lost, offer, code, situation);
    const module = update.action === 'deleted' ? undefined : lost[0];
    const [before, after] = [change?.before, change?.after].map(text => text?.toString() ?? '');
    const others = code.filter(one => one.path !== path);
    const isImported = module !== undefined && importerOf(module, others) !== undefined;
    const use = isImported && userOfNames(module, lostNames(before ?? '', after ?? ''), others);
    if (!use) return update;
    const reason = `${onOneLine(use.path)} uses "${use.name}", which botcli's change removes.`;
    return { ...conflicting(path, reason), recorded: update.recorded };
  });
}

/** The modules of botcli's that stay. */
const findKept = (root: string, updates: readonly FileUpdate[], kept: ReadonlyMap<string, string>, words: string[]) =>
  findOwnCode(
    root,
    updates.filter(({ path }) => !kept.has(path)),
    words,
  ).filter(({ path }) => kept.has(path));

/** What an update may take away: a module, or the variables or packages in a file. */
function lostIn({ path, action, change }: FileUpdate): string[] {
  if (!change?.before || action === 'conflict') return [];
  const module = moduleOf(path);
  const [before, after] = [change.before.toString(), change.after?.toString() ?? ''];
  if (module !== undefined) return change.after && hasWordsOf(before, after) ? [] : [module];
  const list = OFFERS.find(({ files }) => files.test(path))?.list;
  const now = list?.(after) ?? [];
  return (list?.(before) ?? []).filter(name => !now.includes(name));
}

/** Whether a text has every word of another one, and so every name. */
function hasWordsOf(before: string, after: string): boolean {
  const words = new Set(after.match(/\w+/g));
  return (before.match(/\w+/g) ?? []).every(word => words.has(word));
}

/** Keeps variables or packages: they count as the user's own. */
function keepOffers(
  update: FileUpdate,
  lost: readonly string[],
  offer: Offer,
  code: ReturnType<typeof findOwnCode>,
  situation: Situation,
): FileUpdate {
  const keeps = lost.flatMap((what): KeptUse[] => {
    const user = code.find(({ mentions, reads }) => mentions(what) && offer.isUsed(what, reads()));
    return user ? [{ what, by: user.path, verb: offer.verb }] : [];
  });
  if (keeps.length === 0) return update;
  const names = keeps.map(({ what }) => what);
  return { ...mergeAgain(update, situation, text => offer.without(text, names)), keeps };
}
