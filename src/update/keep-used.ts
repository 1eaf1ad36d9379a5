import { readModules } from '../existing/modules.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import type { PythonReads } from '../existing/python/reads.ts';
import { listPackages, listVariables, withoutPackages, withoutVariables } from '../merge/index.ts';
import { textHashOf } from '../project/files/state.ts';
import { type FileUpdate, mergeAgain, type Situation } from './files.ts';

type KeptUse = NonNullable<FileUpdate['keeps']>[number];

/** How a file names what it offers, which code names that, and how the file is without it. */
interface Offer {
  files: RegExp;
  verb: KeptUse['verb'];
  list(text: string): string[];
  isNamed(name: string, reads: PythonReads): boolean;
  without(text: string, names: readonly string[]): string;
}

const OFFERS: readonly Offer[] = [
  {
    files: /^server\/\.env\.example$/,
    verb: 'reads',
    list: listVariables,
    isNamed: (name, { mentioned }) => mentioned.has(name),
    without: withoutVariables,
  },
  {
    files: /^server\/pyproject\.toml$/,
    verb: 'imports',
    list: listPackages,
    isNamed: (name, { imports }) =>
      [...imports].some(module => {
        const [top = '', , service = ''] = module.split('.');
        return plain(top) === plain(name) || (top === 'pipecat' && plain(service) === plain(name));
      }),
    without: withoutPackages,
  },
];

/** A name as others may write it: a package `a-b` is imported as `a_b`. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');

/**
 * Keeps what an update would take away although Python of the user's names it, by its import or in quotes: modules,
 * packages, variables.
 */
export function keepUsed(root: string, updates: readonly FileUpdate[], situation: Situation): FileUpdate[] {
  const losses = updates.map(update => ({ update, lost: lostIn(update) }));
  if (losses.every(({ lost }) => lost.length === 0)) return [...updates];
  const texts = ownCode(root, updates);
  const kept = new Map<string, string>();
  for (let count = -1; count < kept.size; ) {
    count = kept.size;
    const code = readModules(texts);
    for (const { update, lost } of losses) {
      const [module] = lost;
      const by = update.action === 'deleted' && !kept.has(update.path) && nameOfUser(code, one => imports(module, one));
      if (!by || !update.change?.before) continue;
      kept.set(update.path, by);
      // A module that stays may need others.
      texts.set(update.path, update.change.before.toString());
    }
  }
  const code = readModules(texts);
  return losses.map(({ update, lost }) => {
    const { path, change } = update;
    const by = kept.get(path);
    if (by !== undefined && change?.before) {
      const keeps: KeptUse[] = [{ what: path, by, verb: 'imports' }];
      return { path, action: 'kept', conflicts: [], keeps, recorded: textHashOf(change.before) };
    }
    const offer = OFFERS.find(({ files }) => files.test(path));
    const keeps = lost.flatMap((what): KeptUse[] => {
      const user = offer && nameOfUser(code, reads => offer.isNamed(what, reads));
      return user ? [{ what, by: user, verb: offer.verb }] : [];
    });
    if (!offer || keeps.length === 0) return update;
    const names = keeps.map(({ what }) => what);
    return { ...mergeAgain(update, situation, text => offer.without(text, names)), keeps };
  });
}

/** What an update takes away: a module, or some of the variables or packages in a file. */
function lostIn({ path, action, change }: FileUpdate): string[] {
  if (!change?.before || action === 'conflict') return [];
  const list = OFFERS.find(({ files }) => files.test(path))?.list;
  if (!list) return action === 'deleted' ? (/^server\/(.+?)(?:\/__init__)?\.py$/.exec(path)?.slice(1) ?? []) : [];
  const now = list(change.after?.toString() ?? '');
  return list(change.before.toString()).filter(name => !now.includes(name));
}

/** Where a project may have Python: first where Python starts it, then anywhere, such as in `tests/`. */
const FOLDERS = ['server', '.'];

/** The Python that the user wrote or edited, as it is after the update. */
function ownCode(root: string, updates: readonly FileUpdate[]): Map<string, string> {
  const files = new Map(readPythonFiles(root, FOLDERS).texts);
  for (const { path, action, change } of updates) {
    if (action === 'merged' && change?.after) files.set(path, change.after.toString());
    else if (action !== 'kept' && action !== 'orphaned') files.delete(path);
  }
  return files;
}

const nameOfUser = (code: ReturnType<typeof readModules>, isUser: (reads: PythonReads) => boolean) =>
  [...code].find(([, reads]) => isUser(reads))?.[0];

/** Whether code imports a module: others may write `server.guard`, `.guard`, or `import_module("guard")`. */
const imports = (path: string | undefined, { imports: modules, mentioned }: PythonReads): boolean => {
  const name = path?.replaceAll('/', '.') ?? '';
  return mentioned.has(name) || [...modules].some(one => one.replace(/^(?:[\w.]*\.)?server\.|^\.+/, '') === name);
};
