import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { GENERATORS } from '../src/package-root.ts';
import { LATE_PACKAGES, latePath, parts, readManifest } from './trim.ts';

const COMMAND = 'src/bin/botcli.ts';

/** What creates and changes projects begins with. */
const INIT = 'src/init/command.ts';

/** What commands of `botcli cloud` share, and what they load to send a request. */
const [LIST, CLOUD] = ['src/secrets-cli/commands/list.ts', 'src/platform/cloud.ts'] as const;

const SYSTEM = ['src/shell/interruption.ts', 'src/system-errors.ts'];

const PROJECT = 'generators/app/index.ts';

/** A guide needs this too, and must not load the file with everything that creates projects. */
const RELEASE = 'src/project/release.ts';

/** The module that runs generators. */
const HOST = 'node_modules/yeoman-environment/dist/index.js';

/**
 * Bundles the command and the generators, with everything they import, into `outdir`. Shared code goes into separate
 * files, and lazily imported code stays lazy.
 *
 * @returns The directories of the packages whose code is in the bundle.
 */
export async function bundle(outdir: string): Promise<string[]> {
  const entries = [COMMAND, ...GENERATORS.map(name => `generators/${name}/index.ts`)];
  const imports = findingImports([COMMAND, INIT, LIST, CLOUD, PROJECT, HOST]);
  const build = await rolldown({
    input: Object.fromEntries(entries.map(path => [path.replace(/\.ts$/, ''), path])),
    platform: 'node',
    // Its CommonJS form would make every command load Node's module loader.
    resolve: { alias: { 'fastest-levenshtein': resolve('node_modules/fastest-levenshtein/esm/mod.js') } },
    preserveEntrySignatures: 'allow-extension',
    plugins: [parts, imports.plugin, compileAtOnce],
  });
  const bundled = await build.write({
    comments: false,
    dir: outdir,
    chunkFileNames: 'src/[name]-[hash].js',
    // Finding a file and reading its code take time, so modules that load together share a file. The highest priority
    // wins.
    codeSplitting: {
      groups: [
        {
          name: 'command',
          priority: 5,
          test: id => id !== resolve(COMMAND) && (id === resolve(RELEASE) || imports.of(COMMAND, id)),
        },
        { name: 'init', priority: 2, test: id => imports.of(INIT, id) },
        // `check` needs semver without Yeoman. What creates projects compares versions, but knows no ranges of them.
        { name: 'versions', priority: 6, test: id => VERSIONS.test(id) },
        { name: 'semver', priority: 5, test: id => id.includes('node_modules/semver/') },
        {
          name: 'scaffold',
          priority: 4,
          test: id => imports.of(PROJECT, id) && id.startsWith(resolve('src')) && !id.startsWith(RENDERING),
        },
        // `update` needs it without Yeoman.
        { name: 'rendering', priority: 3, test: id => id.startsWith(RENDERING) || id.includes('node_modules/ejs/') },
        // What writes files needs these without the commands of `botcli cloud`.
        { name: 'system', priority: 4, test: id => SYSTEM.some(path => id === resolve(path)) },
        { name: 'secrets', priority: 3, test: id => imports.of(LIST, id) && id.startsWith(SECRETS) },
        { name: 'cloud', priority: 2, test: id => imports.of(CLOUD, id) },
        {
          name: 'yeoman',
          priority: 2,
          test: id => isPackage(id) && (imports.of(PROJECT, id) || imports.of(HOST, id)),
        },
        { name: 'generators', priority: 1, test: id => imports.of(PROJECT, id) },
      ],
    },
  });
  await build.close();
  return packagesOf([
    bundled,
    ...(await Promise.all(LATE_PACKAGES.map(({ name, importer }) => bundleLate(name, importer, outdir)))),
  ]);
}

const SECRETS = resolve('src/secrets-cli');
const RENDERING = resolve('src/rendering');

const VERSIONS = /node_modules\/semver\/(internal\/|classes\/semver|functions\/(compare|gt|lt|lte|parse|valid)\.js)/;

const isPackage = (id: string): boolean => id.includes('node_modules') || id.startsWith('\0');

/**
 * Rolldown wraps each CommonJS module in an arrow function. V8 compiles a parenthesized `function` eagerly, which saves
 * parsing it a second time. It doesn't do that for arrow functions, so this plugin rewrites them.
 */
const compileAtOnce: Plugin = {
  name: 'compile-at-once',
  renderChunk: code => code.replaceAll(/(__commonJSMin(?:\$\d+)?\(\()\(([\w, ]*)\) => \{/g, '$1function ($2) {'),
};

/** Bundles a package into one file that can be `require`d. */
async function bundleLate(name: string, importer: string, outdir: string): Promise<RolldownOutput> {
  const build = await rolldown({
    input: name,
    platform: 'node',
    plugins: [
      {
        name: 'from-importer',
        resolveId(id) {
          return id === name ? this.resolve(id, resolve('node_modules', importer), { skipSelf: true }) : null;
        },
      },
    ],
  });
  const bundled = await build.write({
    comments: false,
    format: 'cjs',
    exports: 'named',
    file: join(outdir, 'src', latePath(name)),
  });
  await build.close();
  return bundled;
}

/** Finds the static imports of some modules, including indirect ones. */
function findingImports<Entry extends string>(entries: readonly Entry[]) {
  const imports = new Map(entries.map(entry => [entry, new Set<string>()]));
  const plugin: Plugin = {
    name: 'find-imports',
    buildEnd() {
      for (const [entry, found] of imports) {
        const walk = (id: string) => {
          if (found.has(id)) return;
          found.add(id);
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) walk(imported);
        };
        walk(resolve(entry));
      }
    },
  };
  return { plugin, of: (entry: Entry, id: string): boolean => imports.get(entry)?.has(id) === true };
}

function packagesOf(outputs: readonly RolldownOutput[]): string[] {
  const files = outputs.flatMap(({ output }) => output);
  const modules = files.flatMap(file => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  return [...new Set(modules.flatMap(path => /^[^\0].*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort();
}

/** Writes the licenses of the bundled packages into one file. */
export function writeLicenses(packages: readonly string[], file: string): void {
  const sections = packages.map(directory => {
    const { name, version, license } = readManifest(directory);
    const text = readdirSync(directory).find(entry => /^(licen[cs]e|copying)/i.test(entry));
    const terms = text ? readFileSync(join(directory, text), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version}\n${'-'.repeat(`${name} ${version}`.length)}\n\n${terms}\n`;
  });
  writeFileSync(file, `The bundled files hold code of these packages.\n\n${sections.join('\n\n')}`);
}
