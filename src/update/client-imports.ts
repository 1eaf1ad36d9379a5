import { posix } from 'node:path';
import { parsedJson } from '../json.ts';
import { listDirectory, readText } from '../paths/read.ts';
import { conflicting, type FileUpdate, type Situation } from './files.ts';

const CLIENT = 'client';
const PACKAGE = `${CLIENT}/package.json`;

/**
 * Makes code of the user's in the web client a conflict if it imports files or packages that an update takes away: the
 * client wouldn't build. If the client goes altogether, edited files just stay.
 */
export function refuseBrokenClient(root: string, updates: readonly FileUpdate[], situation: Situation): FileUpdate[] {
  const files = updates.flatMap(({ path, action }) => (action === 'deleted' && path.startsWith(CLIENT) ? [path] : []));
  const manifest = updates.find(({ path }) => path === PACKAGE)?.change;
  const [before, after] = [packagesIn(manifest?.before), packagesIn(manifest?.after)];
  const packages = before.filter(name => !after.includes(name));
  if (!situation.botcli.has(PACKAGE) || files.length + packages.length === 0) return [...updates];
  const isGone = (module: string, importer: string) =>
    module.startsWith('.')
      ? files.some(file => withoutSuffix(file) === withoutSuffix(posix.join(posix.dirname(importer), module)))
      : packages.some(name => module === name || module.startsWith(`${name}/`));
  const broken = ownCode(root, updates).flatMap(({ path, text }) => {
    const module = importsIn(text).find(one => isGone(one, path));
    const reason = `It imports "${module}", which these choices remove. Move it out of ${CLIENT}, or delete it.`;
    return module === undefined ? [] : [conflicting(path, reason)];
  });
  const isBroken = ({ path }: FileUpdate) => broken.some(one => one.path === path);
  return [...updates.filter(one => !isBroken(one)), ...broken];
}

const CODE = /\.[cm]?[jt]sx?$/;
const SUFFIX = /(?:\/index)?\.[a-z]+$/;

const withoutSuffix = (path: string): string => path.replace(SUFFIX, '');

/** The packages that a package.json names. */
function packagesIn(contents: Buffer | undefined): string[] {
  const { dependencies, devDependencies } = Object(parsedJson(contents?.toString() ?? ''));
  return Object.keys({ ...dependencies, ...devDependencies });
}

const IMPORT = /\b(?:from|import|require)\s*\(?\s*(["'])([^"'\n]+)\1/g;

const importsIn = (text: string): string[] => [...text.matchAll(IMPORT)].map(([, , module = '']) => module);

/** The client's code that the user has written or edited, as it is after the update. */
function ownCode(root: string, updates: readonly FileUpdate[]): { path: string; text: string }[] {
  const known = new Map(updates.map(update => [update.path, update]));
  return listCode(root).flatMap(path => {
    const { action = 'kept', change } = known.get(path) ?? {};
    if (!['kept', 'orphaned', 'merged'].includes(action)) return [];
    const text = change?.after?.toString() ?? readText(root, path);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** More folders than a client has. */
const MOST_FOLDERS = 500;
const IGNORED = /^(?:\.|node_modules$|dist$|build$|out$)/;

function listCode(root: string): string[] {
  const folders = [CLIENT];
  const found: string[] = [];
  for (const folder of folders) {
    const entries = listDirectory(root, folder);
    for (const entry of typeof entries === 'string' ? [] : entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile() && CODE.test(entry.name)) found.push(path);
      else if (entry.isDirectory() && !IGNORED.test(entry.name) && folders.length < MOST_FOLDERS) folders.push(path);
    }
  }
  return found;
}
