import { exists, listDirectory } from '../paths/read.ts';
import { pathsOf, withoutSuffix } from './modules.ts';
import { lockedPackages, type Pyproject } from './pyproject.ts';
import { isStandard, providedBy } from './python/known-modules.ts';

/** A module that code imports, and that seems to be nowhere. */
interface MissingModule {
  module: string;
  importer: string;
  /** Whether nothing else can provide it. */
  isSure: boolean;
}

/** Where people list packages, other than in pyproject.toml and its lock file. */
const OTHER_LISTS = ['server/', ''].flatMap(folder =>
  ['requirements.txt', 'requirements', 'Pipfile', 'poetry.lock', 'environment.yml', 'pixi.toml', 'setup.py'].map(
    name => folder + name,
  ),
);

/** Where Python may find a project's own modules. */
const FOLDERS = ['server', 'server/src', 'src', '.'];

/**
 * Finds the modules that neither the project nor, as far as their names say, a package has.
 *
 * @param imports Modules as the code has them, each with the file that imports it.
 * @param files The project's Python files.
 */
export function missingModules(
  root: string,
  imports: ReadonlyMap<string, string>,
  files: Iterable<string>,
  { packages, isUsual = false }: Pyproject,
): MissingModule[] {
  const inFiles = new Set([...files].flatMap(path => path.replace(/\.py$/, '').split('/').slice(1)));
  const isOwn = heldIn(root, FOLDERS);
  const open = [...imports].map(([module, importer]) => ({ module, importer, head: module.split('.')[0] ?? '' }));
  const unknown = open.filter(({ module, importer, head }) =>
    head === '' ? isGone(root, module, importer) : !isStandard(head) && !inFiles.has(head) && !isOwn(head),
  );
  if (unknown.length === 0) return [];
  const locked = lockedPackages(root);
  const isInstalled = heldIn(root, sitePackagesOf(root));
  const isProvided = providedBy([...(packages ?? []), ...(locked ?? [])], locked !== undefined);
  const isAlone = isUsual && !OTHER_LISTS.some(path => exists(root, path));
  return unknown
    .filter(({ head }) => head === '' || (packages !== undefined && !isInstalled(head) && !isProvided(head)))
    .map(({ module, importer, head }) => ({
      module,
      importer,
      isSure: head === '' || locked !== undefined || isAlone,
    }));
}

/** Whether a module with a leading dot, which no package provides, isn't there. */
function isGone(root: string, module: string, importer: string): boolean {
  const paths = /^\.+$/.test(module) ? [] : pathsOf(module, importer);
  return paths.length > 0 && ![...paths, ...paths.map(withoutSuffix)].some(path => exists(root, path));
}

/** Returns whether folders of the project may hold a module, also as a link. One that can't be listed may hold any. */
function heldIn(root: string, folders: readonly string[]): (module: string) => boolean {
  const lists = folders.map(folder => listDirectory(root, folder));
  if (lists.some(list => typeof list === 'string')) return () => true;
  const entries = lists.flatMap(list => (typeof list === 'string' ? [] : list));
  const heads = new Set(entries.map(({ name }) => name.split('.', 1)[0]));
  return module => heads.has(module);
}

/** Where the packages of the project's virtual environment are. */
function sitePackagesOf(root: string): string[] {
  const lib = 'server/.venv/lib';
  const entries = listDirectory(root, lib);
  const folders = typeof entries === 'string' ? [] : entries.map(({ name }) => `${lib}/${name}`);
  return [...folders, 'server/.venv/Lib'].map(folder => `${folder}/site-packages`);
}
