import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Plugin } from 'rolldown';
import { type Change, joi, type Late, type Manifest, PARTS, type Parts, without } from './parts.ts';

/** All packages that go into separate files, each with the module that imports it. */
export const LATE_PACKAGES = PARTS.flatMap(({ late, importer }) => Object.keys(late).map(name => ({ name, importer })));

/** The path of a late package, relative to the bundle's files. */
export const latePath = (name: string) => `./late/${name}.cjs`;

export const readManifest = (directory: string): Manifest =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** In Rollup's convention, the id of a virtual module starts with a NUL byte. */
const [MISSING, AWAITED, INSTEAD] = ['\0left-out:', '\0late:', '\0instead:'];

/** The packages for prompts and completion, which need the real Node modules. */
const OTHERS = /node_modules[\\/]@(?:clack|bomb\.sh)[\\/]/;

/** Leaves unused modules out of a bundle, loads late packages on first use, and applies the changes. */
function trim(all: readonly Omit<Parts, 'importer'>[]): Plugin {
  const leftOut: Parts['leftOut'] = Object.assign({}, ...all.map(one => one.leftOut));
  const late: Parts['late'] = Object.assign({}, ...all.map(one => one.late));
  const instead: NonNullable<Parts['instead']> = Object.assign({}, ...all.map(one => one.instead));
  const changes: Parts['changes'] = Object.assign({}, ...all.map(one => one.changes));
  return {
    name: 'parts',
    resolveId(id, importer, { kind }) {
      if (id in leftOut) return MISSING + id;
      if (id in late && late[id] !== 'whole') return AWAITED + id;
      if (id in instead && kind === 'import-statement' && !OTHERS.test(importer ?? '')) return INSTEAD + id;
      return id.startsWith('./late/') ? { id, external: true } : null;
    },
    load(id) {
      if (id.startsWith(INSTEAD)) return instead[id.slice(INSTEAD.length)];
      if (id.startsWith(AWAITED)) return lateModule(id.slice(AWAITED.length), late[id.slice(AWAITED.length)] as Late);
      const module = id.startsWith(MISSING) ? id.slice(MISSING.length) : moduleAt(id);
      if (leftOut[module]) return missingModule(module, leftOut[module]);
      return changes[module] ? change(id, changes[module]) : null;
    },
  };
}

/** For the bundle. */
export const parts = trim(PARTS);

/** For a package in a file of its own: only joi has unused parts there. */
export const trimmed = trim([{ leftOut: joi.leftOut, changes: joi.changes, late: {} }]);

const moduleAt = (id: string): string => id.split(`node_modules${sep}`).at(-1)?.replaceAll(sep, '/') ?? '';

/** A stub. Its classes can be extended and constructed, because Yeoman does so as it loads; any other use throws. */
function missingModule(name: string, exported: readonly string[]): string {
  const fail = without(name);
  if (exported.length === 0) {
    const traps = ['get', 'apply', 'construct'].map(trap => `${trap}() { ${fail} }`);
    return `module.exports = new Proxy(function () {}, { ${traps.join(', ')} });`;
  }
  const declare = (one: string) => {
    if (one === 'default') return `export default function () { ${fail} }`;
    return `export function ${one}() { ${/^[A-Z]/.test(one) ? `if (!new.target) ${fail}` : fail} }`;
  };
  return exported.map(declare).join('\n');
}

function lateModule(name: string, { functions = [], classes = [], constants = [] }: Late): string {
  const assign = constants.length > 0 ? ` ({ ${constants.join(', ')} } = late);` : '';
  const declare = (one: string, isClass: boolean) => {
    const [head, value] =
      one === 'default' ? ['default function', '(late.default ?? late)'] : [`function ${one}`, `late.${one}`];
    return `export ${head} (...args) { const late = load(); return ${isClass ? 'new ' : ''}${value}(...args); }`;
  };
  return [
    ...constants.map(one => `export let ${one};`),
    `const load = () => { const late = require('${latePath(name)}');${assign} return late; };`,
    ...functions.map(one => declare(one, false)),
    ...classes.map(one => declare(one, true)),
  ].join('\n');
}

function change(path: string, changes: readonly Change[]): string {
  let source = readFileSync(path, 'utf8');
  for (const [text, replacement] of changes) {
    if (!source.includes(text)) throw new Error(`${path} no longer contains: ${text}`);
    const by =
      typeof replacement === 'string' ? replacement : JSON.stringify(replacement(readManifest(packageOf(path))));
    source = source.replace(text, () => by);
  }
  return source;
}

const packageOf = (path: string): string =>
  /^.*node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(path)?.[0] ?? dirname(path);
