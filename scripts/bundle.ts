import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { GENERATORS } from '../src/package-root.ts';
import { LATE_PACKAGES, latePath, parts, readManifest } from './trim.ts';

const COMMAND = 'src/bin/botcli.ts';

const PROJECT = 'generators/app/index.ts';

/** What runs generators. */
const HOST = 'node_modules/yeoman-environment/dist/index.js';

/**
 * Bundles the command and the generators, with all that they import, into `outdir`. What they share lies in files of its
 * own, and what is imported late is read late.
 *
 * @returns The packages whose code is in there, as directories.
 */
export async function bundle(outdir: string): Promise<string[]> {
  const entries = [COMMAND, ...GENERATORS.map(name => `generators/${name}/index.ts`)];
  const imports = { [COMMAND]: new Set<string>(), [PROJECT]: new Set<string>(), [HOST]: new Set<string>() };
  const build = await rolldown({
    input: Object.fromEntries(entries.map(path => [path.replace(/\.ts$/, ''), path])),
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    plugins: [parts, findImports(imports), compileAtOnce],
  });
  const bundled = await build.write({
    comments: false,
    dir: outdir,
    chunkFileNames: 'src/[name]-[hash].js',
    // Each file takes time to find, and its code to read: these are read together, or not at all. The first one wins.
    codeSplitting: {
      groups: [
        // The command awaits what it calls, so nothing that it calls may import the file that it is in.
        { name: 'command', priority: 4, test: id => imports[COMMAND].has(id) && id !== resolve(COMMAND) },
        {
          name: 'yeoman',
          priority: 2,
          test: id => isPackage(id) && (imports[PROJECT].has(id) || imports[HOST].has(id)),
        },
        { name: 'scaffold', priority: 2, test: id => imports[PROJECT].has(id) && id.startsWith(resolve('src')) },
        { name: 'generators', priority: 1, test: id => imports[PROJECT].has(id) },
      ],
    },
  });
  await build.close();
  return packagesOf([
    bundled,
    ...(await Promise.all(LATE_PACKAGES.map(({ name, importer }) => bundleLate(name, importer, outdir)))),
  ]);
}

const isPackage = (id: string): boolean => id.includes('node_modules') || id.startsWith('\0');

/**
 * A CommonJS module is a function here. Those in parentheses are called at once, so V8 compiles them as it reads them,
 * and doesn't have to read them again; but it does so for functions that are called so.
 */
const compileAtOnce: Plugin = {
  name: 'compile-at-once',
  renderChunk: code => code.replaceAll(/(__commonJSMin(?:\$\d+)?\(\()\(([\w, ]*)\) => \{/g, '$1function ($2) {'),
};

/** A package as one file that can be `require`d. */
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

/** Finds what some modules import, and their imports in turn, as far as it isn't imported late. */
function findImports(imports: Readonly<Record<string, Set<string>>>): Plugin {
  return {
    name: 'find-imports',
    buildEnd() {
      for (const [entry, found] of Object.entries(imports)) {
        const walk = (id: string) => {
          if (found.has(id)) return;
          found.add(id);
          for (const imported of this.getModuleInfo(id)?.importedIds ?? []) walk(imported);
        };
        walk(resolve(entry));
      }
    },
  };
}

function packagesOf(outputs: readonly RolldownOutput[]): string[] {
  const files = outputs.flatMap(({ output }) => output);
  const modules = files.flatMap(file => (file.type === 'chunk' ? Object.keys(file.modules) : []));
  return [...new Set(modules.flatMap(path => /^[^\0].*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))].sort();
}

/** Writes the licences of packages, whose code the bundle holds, into one file. */
export function writeLicenses(packages: readonly string[], file: string): void {
  const sections = packages.map(directory => {
    const { name, version, license } = readManifest(directory);
    const text = readdirSync(directory).find(entry => /^(licen[cs]e|copying)/i.test(entry));
    const terms = text ? readFileSync(join(directory, text), 'utf8').trim() : `License: ${license}`;
    return `${name} ${version}\n${'-'.repeat(`${name} ${version}`.length)}\n\n${terms}\n`;
  });
  writeFileSync(file, `The bundled files hold code of these packages.\n\n${sections.join('\n\n')}`);
}
