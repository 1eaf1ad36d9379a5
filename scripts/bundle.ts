import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';

/** Yeoman's modules that read their own package.json, which isn't beside a bundle: what they find there. */
const OWN_MANIFESTS: Readonly<Record<string, [expression: string, value: (manifest: Manifest) => unknown]>> = {
  'yeoman-environment/dist/environment-base.js': ["require('../package.json').version", ({ version }) => version],
  'yeoman-environment/dist/module-lookup.js': [
    "JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json')).toString()).name",
    ({ name }) => name,
  ],
  'yeoman-generator/dist/generator.js': [
    "JSON.parse(readFileSync(pathJoin(_dirname, '../package.json'), 'utf8'))",
    ({ version }) => ({ version }),
  ],
};

interface Manifest {
  name: string;
  version: string;
  license?: string;
}

/**
 * What Yeoman brings for hosts other than ours: a terminal of its own, and the installation of generators. Both are half
 * of its code.
 */
const STUBS: Readonly<Record<string, string>> = {
  '@yeoman/adapter': 'export class QueuedAdapter { constructor() { throw new Error("There is one adapter: ours."); } }',
  'fly-import':
    'export class FlyRepository {}\n' +
    'export function flyImport() { throw new Error("Generators are not installed from here."); }',
};

/** Packages of which a run of ours uses nothing, and their functions: they are read when one is called. */
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

function lateModule(name: string): string {
  const constants = LATE_CONSTANTS[name];
  const load = `const load = () => { const late = require("${name}");${constants ? ` ({ ${constants} } = late);` : ''} return late; };`;
  const functions = LATE[name]?.map(one =>
    one === 'default'
      ? 'export default (...args) => load().default(...args);'
      : `export const ${one} = (...args) => load().${one}(...args);`,
  );
  return [...(constants ? [`export let ${constants};`] : []), load, ...(functions ?? [])].join('\n');
}

const yeoman: Plugin = {
  name: 'yeoman',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: new RegExp(`^(${Object.keys(STUBS).join('|')})$`) }, ({ path }) => ({
      path,
      namespace: 'stub',
    }));
    onResolve({ filter: new RegExp(`^(${Object.keys(LATE).join('|')})$`) }, ({ path, namespace, resolveDir }) =>
      namespace === 'late' ? undefined : { path, namespace: 'late', pluginData: resolveDir },
    );
    onLoad({ filter: /./, namespace: 'late' }, ({ path, pluginData }) => ({
      contents: lateModule(path),
      resolveDir: pluginData,
    }));
    onLoad({ filter: /./, namespace: 'stub' }, ({ path }) => ({ contents: STUBS[path] ?? '' }));
    onLoad({ filter: /node_modules.yeoman-(environment|generator).dist.[\w-]+\.js$/ }, ({ path }) => {
      const source = readFileSync(path, 'utf8');
      const module = path.split(`node_modules${sep}`).at(-1)?.replaceAll(sep, '/') ?? '';
      const found = OWN_MANIFESTS[module];
      if (!found) return { contents: source };
      const [expression, value] = found;
      if (!source.includes(expression)) throw new Error(`${module} does not read its package.json as it did`);
      const manifest: Manifest = JSON.parse(readFileSync(join(dirname(path), '../package.json'), 'utf8'));
      return { contents: source.replace(expression, JSON.stringify(value(manifest))) };
    });
  },
};

/**
 * Bundles the command and the generators, with all that they import, into `outdir`. What they share lies in files of its
 * own, and what is imported late is read late.
 *
 * @returns The packages whose code is in there, as directories.
 */
export async function bundle(outdir: string): Promise<string[]> {
  const generators = readdirSync('generators').filter(name => existsSync(`generators/${name}/index.ts`));
  const { metafile } = await build({
    entryPoints: {
      'src/bin/botcli': 'src/bin/botcli.ts',
      ...Object.fromEntries(generators.map(name => [`generators/${name}/index`, `generators/${name}/index.ts`])),
    },
    outdir,
    chunkNames: 'src/[name]-[hash]',
    bundle: true,
    splitting: true,
    // Names stay as they are: they appear in messages and stacks.
    minifySyntax: true,
    minifyWhitespace: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    metafile: true,
    legalComments: 'none',
    plugins: [yeoman],
    // Packages that are CommonJS ask for Node's own modules by `require`.
    banner: {
      js: "import { createRequire as createRequireOf } from 'node:module'; const require = createRequireOf(import.meta.url);",
    },
    logLevel: 'warning',
  });
  return packagesIn(metafile);
}

const packagesIn = ({ inputs }: Metafile): string[] =>
  [...new Set(Object.keys(inputs).flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort();

/** Writes the licences of packages, whose code the bundle holds, into one file. */
export function writeLicenses(packages: readonly string[], file: string): void {
  const sections = packages.map(directory => {
    const { name, version, license }: Manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const text = readdirSync(directory).find(entry => /^(licen[cs]e|copying)/i.test(entry));
    const terms = text ? readFileSync(join(directory, text), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version}\n${'-'.repeat(`${name} ${version}`.length)}\n\n${terms}\n`;
  });
  writeFileSync(file, `The bundled files hold code of these packages.\n\n${sections.join('\n\n')}`);
}
