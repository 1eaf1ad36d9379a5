import { readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import type { Plugin } from 'rolldown';
import { type Change, joi, type Late, type Manifest, PARTS, type Parts, without } from './parts.ts';

const LEFT_OUT = Object.assign({}, ...PARTS.map(({ leftOut }) => leftOut)) as Parts['leftOut'];
const LATE = Object.assign({}, ...PARTS.map(({ late }) => late)) as Parts['late'];
const INSTEAD_OF = Object.assign({}, ...PARTS.map(({ instead }) => instead)) as NonNullable<Parts['instead']>;
const CHANGES = Object.assign({}, ...PARTS.map(({ changes }) => changes)) as Parts['changes'];

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

/** Leaves unused modules out of the bundle, loads late packages on first use, and applies the changes. */
export const parts: Plugin = {
  name: 'parts',
  resolveId(id, importer, { kind }) {
    if (id in LEFT_OUT) return MISSING + id;
    if (id in LATE && LATE[id] !== 'whole') return AWAITED + id;
    if (id in INSTEAD_OF && kind === 'import-statement' && !OTHERS.test(importer ?? '')) return INSTEAD + id;
    return id.startsWith('./late/') ? { id, external: true } : null;
  },
  load(id) {
    if (id.startsWith(INSTEAD)) return INSTEAD_OF[id.slice(INSTEAD.length)];
    if (id.startsWith(MISSING)) return missingModule(id.slice(MISSING.length));
    if (id.startsWith(AWAITED)) return lateModule(id.slice(AWAITED.length));
    const module = moduleAt(id);
    if (module in LEFT_OUT) return missingModule(module);
    return CHANGES[module] ? change(id, CHANGES[module]) : null;
  },
};

/** The same in a late package: only joi has unused parts there. */
export const trimmed: Plugin = {
  name: 'trimmed',
  resolveId: id => (joi.leftOut[id] ? MISSING + id : null),
  load(id) {
    if (id.startsWith(MISSING)) return missingModule(id.slice(MISSING.length));
    const module = moduleAt(id);
    if (joi.leftOut[module]) return missingModule(module);
    return joi.changes[module] ? change(id, joi.changes[module]) : null;
  },
};

const moduleAt = (id: string): string => id.split(`node_modules${sep}`).at(-1)?.replaceAll(sep, '/') ?? '';

/** A stub. Its classes can be extended and constructed, because Yeoman does so as it loads; any other use throws. */
function missingModule(name: string): string {
  const fail = without(name);
  const exported = LEFT_OUT[name] ?? [];
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

function lateModule(name: string): string {
  const { functions = [], classes = [], constants = [] } = LATE[name] as Late;
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
