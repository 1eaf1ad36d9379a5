import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Plugin } from 'rolldown';

// Yeoman carries a lot that a run of ours never touches, and reading code takes longer than running it.

/**
 * What hosts other than ours need, and its exports: a terminal, the installation of generators, command lines, questions
 * about conflicts. It's left out.
 */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  '@yeoman/adapter': ['QueuedAdapter'],
  '@yeoman/conflicter': ['createConflicterTransform', 'createYoResolveTransform', 'forceYoFiles'],
  commander: ['Command', 'Option'],
  'fly-import': ['FlyRepository', 'flyImport'],
};

/**
 * What only a generator that extends one of ours may call, and its functions: each package is a file of its own, which is
 * read when one is called.
 */
const LATE: Readonly<Record<string, readonly string[]>> = {
  execa: ['execa', 'execaCommand', 'execaCommandSync', 'execaSync'],
  globby: ['globbySync'],
  'latest-version': ['default'],
  'read-package-up': ['readPackageUpSync'],
  'simple-git': ['simpleGit'],
  'which-package-manager': ['whichPackageManager'],
};

/** The constants that Yeoman takes from such a package, which it reads once a function was called. */
const LATE_CONSTANTS: Readonly<Record<string, string>> = { 'simple-git': 'CheckRepoActions, CleanOptions' };

/** All packages that are files of their own. Yeoman hands lodash, which it uses in part, to generators as a whole. */
export const LATE_PACKAGES = [...Object.keys(LATE), 'lodash-es'];

/** Where such a package is, as seen from the bundle's files. */
export const latePath = (name: string) => `./late/${name}.cjs`;

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

export const readManifest = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** A change to one of Yeoman's modules: this text, and what takes its place. */
type Change = readonly [text: string, replacement: string | ((manifest: Manifest) => unknown)];

/** Its modules read their own package.json, which isn't beside a bundle: here they have what they find there. */
const CHANGES: Readonly<Record<string, readonly Change[]>> = {
  'yeoman-environment/dist/environment-base.js': [["require('../package.json').version", ({ version }) => version]],
  'yeoman-environment/dist/module-lookup.js': [
    ["JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json')).toString()).name", ({ name }) => name],
  ],
  'yeoman-generator/dist/generator.js': [
    ["JSON.parse(readFileSync(pathJoin(_dirname, '../package.json'), 'utf8'))", ({ version }) => ({ version })],
    ["import * as _ from 'lodash-es';\n", ''],
    ['    _ = _;\n', `    get _() { return require('${latePath('lodash-es')}'); }\n`],
  ],
};

/** Rollup's convention: the id of a module that is no file begins with a zero byte. */
const [MISSING, AWAITED] = ['\0left-out:', '\0late:'];

/** Has a bundle leave out what is left out, and read late what is late. */
export const yeomanParts: Plugin = {
  name: 'yeoman-parts',
  resolveId(id) {
    if (id in LEFT_OUT) return MISSING + id;
    if (id in LATE) return AWAITED + id;
    return id.startsWith('./late/') ? { id, external: true } : null;
  },
  load(id) {
    if (id.startsWith(MISSING)) return missingModule(id.slice(MISSING.length));
    if (id.startsWith(AWAITED)) return lateModule(id.slice(AWAITED.length));
    const changes = CHANGES[id.split(`node_modules${sep}`).at(-1)?.replaceAll(sep, '/') ?? ''];
    return changes ? change(id, changes) : null;
  },
};

/** Its classes can be extended and constructed, as Yeoman does at its start; its functions can't be called. */
function missingModule(name: string): string {
  const body = `if (!new.target) throw new Error('botcli comes without ${name}.');`;
  return (LEFT_OUT[name] ?? []).map(one => `export function ${one}() { ${body} }`).join('\n');
}

function lateModule(name: string): string {
  const constants = LATE_CONSTANTS[name];
  const load = `const load = () => { const late = require('${latePath(name)}');${constants ? ` ({ ${constants} } = late);` : ''} return late; };`;
  const functions = (LATE[name] ?? []).map(one =>
    one === 'default'
      ? 'export default (...args) => load().default(...args);'
      : `export const ${one} = (...args) => load().${one}(...args);`,
  );
  return [...(constants ? [`export let ${constants};`] : []), load, ...functions].join('\n');
}

function change(path: string, changes: readonly Change[]): string {
  let source = readFileSync(path, 'utf8');
  for (const [text, replacement] of changes) {
    if (!source.includes(text)) throw new Error(`${path} has no longer: ${text}`);
    const manifest = readManifest(dirname(dirname(path)));
    source = source.replace(
      text,
      typeof replacement === 'string' ? replacement : JSON.stringify(replacement(manifest)),
    );
  }
  return source;
}
