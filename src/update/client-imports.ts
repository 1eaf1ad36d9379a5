import { posix } from 'node:path';
import { parsedJson } from '../json.ts';
import { listDirectory, readText } from '../paths/read.ts';
import { conflicting, type FileUpdate, type Situation } from './files.ts';

const CLIENT = 'client';
const PACKAGE = `${CLIENT}/package.json`;

/**
 * Makes code of the user's in the web client a conflict if it imports files, names or packages that an update takes
 * away: the client wouldn't build. If the client goes altogether, the user's files just stay.
 */
export function refuseBrokenClient(root: string, updates: readonly FileUpdate[], situation: Situation): FileUpdate[] {
  const losses = updates.flatMap(lossOf);
  const manifest = updates.find(({ path }) => path === PACKAGE)?.change;
  const [before, after] = [packagesIn(manifest?.before), packagesIn(manifest?.after)];
  const packages = before.filter(name => !after.includes(name));
  if (!situation.botcli.has(PACKAGE)) return [...updates, ...ownFiles(root, updates)];
  if (losses.length + packages.length === 0) return [...updates];
  const goneOf = ({ module, names }: Import, importer: string): string[] => {
    if (packages.some(name => module === name || module.startsWith(`${name}/`))) return [`"${module}"`];
    const places = placesOf(module, importer);
    return losses
      .filter(({ place }) => places.includes(place))
      .flatMap(({ names: lost }) => {
        if (lost === undefined) return [`"${module}"`];
        return names.filter(name => lost.includes(name)).map(name => `"${name}" from "${module}"`);
      });
  };
  const broken = ownCode(root, updates).flatMap(({ path, text }) => {
    const [gone] = importsIn(text).flatMap(one => goneOf(one, path));
    const reason = `It imports ${gone}, which these choices remove. Move it out of ${CLIENT}, or delete it.`;
    return gone === undefined ? [] : [conflicting(path, reason)];
  });
  const isBroken = ({ path }: FileUpdate) => broken.some(one => one.path === path);
  return [...updates.filter(one => !isBroken(one)), ...broken];
}

const CODE = /\.[cm]?[jt]sx?$/;
const SUFFIX = /(?:\/index)?\.[a-z]+$/;

const withoutSuffix = (path: string): string => path.replace(SUFFIX, '');

/** What an update takes away of a file in the client: some of its names, or all of it. */
function lossOf({ path, action, change }: FileUpdate): { place: string; names?: string[] }[] {
  const place = withoutSuffix(path);
  if (!path.startsWith(`${CLIENT}/`)) return [];
  if (action === 'deleted') return [{ place }];
  const now = exportsIn(change?.after);
  const names = exportsIn(change?.before).filter(name => !now.includes(name));
  return names.length === 0 ? [] : [{ place, names }];
}

const EXPORT =
  /\bexport\s+(?:async\s+)?(?:abstract\s+)?(?:const|let|var|function\*?|class|interface|type|enum)\s+([\w$]+)/g;

const exportsIn = (contents?: Buffer): string[] =>
  [...(contents?.toString() ?? '').matchAll(EXPORT)].map(([, name = '']) => name);

/** Where a module may be: next to the file that imports it, or below what Vite and Next.js take for the root. */
function placesOf(module: string, importer: string): string[] {
  const roots = module.startsWith('.') ? [posix.dirname(importer)] : [CLIENT, `${CLIENT}/src`];
  const path = /^(?:\.|[@~]?\/)/.test(module) ? [module.replace(/^[@~]/, '')] : [];
  return path.flatMap(one => roots.map(root => withoutSuffix(posix.join(root, one))));
}

/** The packages that a package.json names. */
function packagesIn(contents: Buffer | undefined): string[] {
  const { dependencies, devDependencies } = Object(parsedJson(contents?.toString() ?? ''));
  return Object.keys({ ...dependencies, ...devDependencies });
}

interface Import {
  module: string;
  /** The names in braces before it. */
  names: string[];
}

const COMMENT_OR_STRING = /\/\*[\s\S]*?\*\/|\/\/[^\n]*|(["'`])(?:\\.|(?!\1)[^\\\n])*\1/g;
const IMPORT = /(?:\{([^{}]*)\}\s*)?\b(?:from|import|require)\s*\(?\s*(["'`])([^"'`\n]+)\2/g;

function importsIn(text: string): Import[] {
  const code = text.replace(COMMENT_OR_STRING, (found, quote?: string) => (quote === undefined ? ' ' : found));
  return [...code.matchAll(IMPORT)].map(([, list = '', , module = '']) => ({
    module,
    names: list.split(',').flatMap(part => /^\s*(?:type\s+)?([\w$]+)/.exec(part)?.[1] ?? []),
  }));
}

/** The files that the user has added to a client which is taken away. */
function ownFiles(root: string, updates: readonly FileUpdate[]): FileUpdate[] {
  if (!updates.some(({ path, action }) => action === 'deleted' && path.startsWith(`${CLIENT}/`))) return [];
  const known = new Set(updates.map(({ path }) => path));
  return listFiles(root).flatMap(path => (known.has(path) ? [] : { path, action: 'own', conflicts: [] }));
}

/** The client's code that the user has written or edited, as it is after the update. */
function ownCode(root: string, updates: readonly FileUpdate[]): { path: string; text: string }[] {
  const known = new Map(updates.map(update => [update.path, update]));
  return listFiles(root).flatMap(path => {
    if (!CODE.test(path)) return [];
    const { action = 'kept', change } = known.get(path) ?? {};
    if (!['kept', 'orphaned', 'merged'].includes(action)) return [];
    const text = change?.after?.toString() ?? readText(root, path);
    return text === undefined ? [] : [{ path, text }];
  });
}

/** More folders than a client has. */
const MOST_FOLDERS = 500;
const IGNORED = /^(?:\.|node_modules$|dist$|build$|out$)/;

function listFiles(root: string): string[] {
  const folders = [CLIENT];
  const found: string[] = [];
  for (const folder of folders) {
    const entries = listDirectory(root, folder);
    for (const entry of typeof entries === 'string' ? [] : entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isFile()) found.push(path);
      else if (entry.isDirectory() && !IGNORED.test(entry.name) && folders.length < MOST_FOLDERS) folders.push(path);
    }
  }
  return found;
}
