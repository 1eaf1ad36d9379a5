import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Plugin, type RolldownOutput, rolldown } from 'rolldown';
import { GENERATORS, type GeneratorName } from '../src/package-root.ts';
import { LATE_PACKAGES, latePath, parts, readManifest, trimmed } from './trim.ts';

const COMMAND = 'src/bin/botcli.ts';

/** What creates projects begins with these. */
const [INIT, CONFIG] = ['src/init/command.ts', 'src/config/config.ts'] as const;

/** What writes files begins with these. */
const GENERATE = 'src/writing/generate.ts';

/** What runs a generator, and what reports on it, begins with these. */
const [RUN, REPORT] = ['src/yeoman/run-generator.ts', 'src/init/report.ts'] as const;

/** What reads a project that exists begins with these. */
const [CHECK, UPDATE] = ['src/check/command.ts', 'src/update/command.ts'] as const;

/** What commands of `botcli cloud` share, and what they load to send a request. */
const [LIST, CLOUD] = ['src/secrets-cli/commands/list.ts', 'src/platform/cloud.ts'] as const;

/** What deploys, until there is something to change, begins with this. */
const DEPLOY = 'src/deploy/deploy.ts';

const PROJECT = 'generators/app/index.ts';

/**
 * Node 22.8 and newer keep the compiled code for the next run. It's kept in `dist`, because anyone who could change it there
 * could change the code itself. If the user may not write there, Node does without.
 */
const KEEP_COMPILED = "require('node:module').enableCompileCache?.(__dirname + '/../../.compiled');";

/**
 * The first statement of what others start: says on an older Node what botcli needs, and does what follows. Modules load
 * after it, and their syntax may be too new. So it's as plain as can be.
 */
function refuseOldNode(then: string): string {
  const { engines: { node: range = '' } = {} } = readManifest('.');
  // ^20.19.0 is one line of releases, >=22.13.0 all from there on.
  const ranges = [...range.matchAll(/(\^|>=)(\d+)\.(\d+)\.0/g)].map(([, kind, major, minor]) => {
    const sameLine = `(v[0] == ${major} && v[1] >= ${minor})`;
    return kind === '^' ? sameLine : `${sameLine} || v[0] > ${major}`;
  });
  const needs = [...range.matchAll(/(\d+\.\d+)\.0/g)].map(([, version]) => `${version}+`).join(' or ');
  return [
    "var v = process.versions.node.split('.').map(Number);",
    `if (!(${ranges.join(' || ')})) {`,
    `  var why = 'botcli needs Node.js ${needs}, and this is ' + process.versions.node + '. Get it from https://nodejs.org';`,
    `  ${then}`,
    '}',
  ].join('\n');
}

const SAY = "console.error('error: ' + why); process.exitCode = 1; return;";
// yo prints the stack.
const THROW = 'var e = new Error(why); e.stack = why; throw e;';

/** Short modules of commands that need little else. */
const SHORT = [
  'src/project/release.ts',
  'src/package-root.ts',
  'src/shells.ts',
  'src/errors.ts',
  'src/std.ts',
  'src/formats/json.ts',
  'src/formats/bytes.ts',
  'src/text.ts',
  'src/this-computer.ts',
  'src/platform/names.ts',
];

/** What writes files and what sends requests both need these, and nothing else of each other. */
const SHARED = ['src/shell/interruption.ts'];

/** The module that runs generators. */
const HOST = 'node_modules/yeoman-environment/dist/index.js';

/**
 * Bundles the command and the generators, with everything they import, into `outdir/src`. Shared code goes into separate
 * files, and lazily imported code stays lazy. It's all CommonJS, which Node starts faster than ES modules. What others
 * import from `outdir/generators` are ES modules.
 *
 * @returns The directories of the packages whose code is in the bundle.
 */
export async function bundle(outdir: string): Promise<string[]> {
  const generators = GENERATORS.map(name => [`src/${name}-generator`, `generators/${name}/index.ts`]);
  const entries = [COMMAND, INIT, CONFIG, GENERATE, CHECK, UPDATE, LIST, CLOUD, DEPLOY, PROJECT, RUN, REPORT, HOST];
  const imports = findingImports(entries);
  const isInAll = (id: string, ...some: typeof entries) => some.every(one => imports.of(one, id));
  const isInSome = (id: string, ...some: typeof entries) => some.some(one => imports.of(one, id));
  const build = await rolldown({
    input: Object.fromEntries([['src/bin/botcli', COMMAND], ...generators]),
    platform: 'node',
    // Its CommonJS form needs the bundler's runtime, which is another file to load.
    resolve: { alias: { 'fastest-levenshtein': resolve('node_modules/fastest-levenshtein/esm/mod.js') } },
    preserveEntrySignatures: 'allow-extension',
    plugins: [parts, imports.plugin, compileAtOnce],
  });
  const bundled = await build.write({
    comments: false,
    format: 'cjs',
    exports: 'named',
    banner: ({ name }) =>
      name === 'src/bin/botcli'
        ? `${refuseOldNode(SAY)}\n${KEEP_COMPILED}`
        : generators.some(([entry]) => entry === name)
          ? refuseOldNode(THROW)
          : '',
    dir: outdir,
    chunkFileNames: 'src/[name]-[hash].js',
    // Finding a file and reading its code take time, so modules that load together share a file. The highest priority
    // wins.
    codeSplitting: {
      groups: [
        {
          name: 'command',
          priority: 9,
          test: id => id !== resolve(COMMAND) && (isOneOf(SHORT, id) || imports.of(COMMAND, id)),
        },
        { name: 'shared', priority: 9, test: id => isOneOf(SHARED, id) },
        { name: 'init', priority: 8, test: id => imports.of(INIT, id) },
        { name: 'config', priority: 7, test: id => imports.of(CONFIG, id) },
        {
          name: 'variables',
          priority: 6,
          test: id => imports.of(PROJECT, id) && isInSome(id, DEPLOY, CHECK) && (isOurs(id) || isSemver(id)),
        },
        { name: 'scaffold', priority: 5, test: id => imports.of(PROJECT, id) && (isOurs(id) || isEjs(id)) },
        { name: 'writing', priority: 4, test: id => imports.of(GENERATE, id) },
        // What reports on a new project, and what reads one that exists: most of the report waits for more.
        { name: 'programs', priority: 4, test: id => imports.of(REPORT, id) && isInSome(id, DEPLOY, CHECK) },
        { name: 'report', priority: 4, test: id => imports.of(REPORT, id) },
        // `cloud deploy` reads a project, but neither creates nor checks one. An update needs no list of uploads.
        {
          name: 'existing',
          priority: 3,
          test: id => isInAll(id, DEPLOY, CHECK, UPDATE) && !isInSome(id, INIT, LIST, CLOUD),
        },
        { name: 'upload', priority: 3, test: id => isInAll(id, DEPLOY, CHECK) && !isInSome(id, UPDATE, LIST, CLOUD) },
        { name: 'project', priority: 3, test: id => isInAll(id, CHECK, UPDATE) && !imports.of(INIT, id) },
        { name: 'secrets', priority: 3, test: id => imports.of(LIST, id) && id.startsWith(SECRETS) },
        { name: 'cloud', priority: 2, test: id => imports.of(CLOUD, id) },
        { name: 'deploy', priority: 2, test: id => imports.of(DEPLOY, id) },
        {
          name: 'yeoman',
          priority: 2,
          test: id => isPackage(id) && (imports.of(PROJECT, id) || imports.of(HOST, id)),
        },
        { name: 'check', priority: 1, test: id => imports.of(CHECK, id) && !imports.of(UPDATE, id) },
        { name: 'generators', priority: 1, test: id => imports.of(PROJECT, id) || imports.of(RUN, id) },
      ],
    },
  });
  await build.close();
  writeFileSync(join(outdir, 'src/package.json'), '{ "type": "commonjs" }\n');
  for (const name of GENERATORS) exportGenerator(name, join(outdir, `generators/${name}/index.js`));
  return packagesOf([
    bundled,
    ...(await Promise.all(LATE_PACKAGES.map(({ name, importer }) => bundleLate(name, importer, outdir)))),
  ]);
}

/** Writes the ES module that others import for a generator. `require` returns what is exported as `module.exports`. */
function exportGenerator(name: GeneratorName, path: string): void {
  mkdirSync(dirname(path), { recursive: true });
  const lines = [
    `import bundled from '../../src/${name}-generator.js';`,
    'const { default: Generator } = bundled;',
    "export { Generator as default, Generator as 'module.exports' };",
  ];
  writeFileSync(path, `${lines.join('\n')}\n`);
}

const SECRETS = resolve('src/secrets-cli');

const isOurs = (id: string): boolean => id.startsWith(resolve('src'));
const isSemver = (id: string): boolean => id.includes('node_modules/semver/');
const isEjs = (id: string): boolean => id.includes('node_modules/ejs/');

const isOneOf = (paths: readonly string[], id: string): boolean => paths.some(path => id === resolve(path));

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
      trimmed,
      compileAtOnce,
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
  // botcli's own license has the text that some MIT packages leave out.
  const [mit = ''] = /Permission is hereby granted[\s\S]*\S/.exec(readFileSync('LICENSE', 'utf8')) ?? [];
  const sections = packages.map(directory => {
    const { name, version, license, author = `the authors of ${name}` } = readManifest(directory);
    const text = readdirSync(directory).find(entry => /^(licen[cs]e|copying)/i.test(entry));
    const holder = typeof author === 'string' ? author : author.name;
    const plain =
      license === 'MIT' ? `MIT License\n\nCopyright (c) ${holder}\n\n${mit}` : `License: ${license}, by ${holder}`;
    const terms = text ? readFileSync(join(directory, text), 'utf8').trim() : plain;
    return `${name} ${version}\n${'-'.repeat(`${name} ${version}`.length)}\n\n${terms}\n`;
  });
  writeFileSync(file, `The bundled files hold code of these packages.\n\n${sections.join('\n\n')}`);
}
