import { type Parts, without } from './parts.ts';

/** What Yeoman carries along and a run of ours never touches. */
export const yeoman: Parts = {
  // What hosts other than ours need: a terminal, the installation of generators, command lines, questions about conflicts.
  leftOut: {
    '@yeoman/adapter': ['QueuedAdapter'],
    '@yeoman/conflicter': ['createConflicterTransform', 'createYoResolveTransform', 'forceYoFiles'],
    commander: ['Command', 'Option'],
    'fly-import': ['FlyRepository', 'flyImport'],
  },

  // What only a generator that extends one of ours may call: git, processes, patterns of file names.
  late: {
    execa: { functions: ['execa', 'execaCommand', 'execaCommandSync', 'execaSync'] },
    globby: { functions: ['globbySync'] },
    isbinaryfile: { functions: ['isBinaryFileSync'] },
    'latest-version': { functions: ['default'] },
    minimatch: { functions: ['minimatch'], classes: ['Minimatch'] },
    multimatch: { functions: ['default'] },
    'read-package-up': { functions: ['readPackageUpSync'] },
    'simple-git': { functions: ['simpleGit'], constants: ['CheckRepoActions', 'CleanOptions'] },
    tinyglobby: { functions: ['glob', 'globSync', 'isDynamicPattern'] },
    'which-package-manager': { functions: ['whichPackageManager'] },
    chalk: 'whole',
    debug: 'whole',
    // It is handed to generators as a whole; what Yeoman itself takes of it is in the bundle.
    'lodash-es': 'whole',
  },
  importer: 'yeoman-environment/dist/index.js',

  instead: {
    // Node's opens stdin, stdout and stderr as soon as it's imported.
    'node:process': 'export default process;',
    // Node's is read once something is wrong.
    'node:assert': `
      const assert = (...args) => require('node:assert')(...args);
      assert.ok = (value, message) => value || require('node:assert').ok(value, message);
      export default assert;`,
    // Colors ask what kind of terminal there is. They are for errors.
    chalk: "export default new Proxy({}, { get: (_, color) => require('./late/chalk.cjs').default[color] });",
    // It asks, too, and says nothing unless the environment wants to hear it.
    debug: `
      const silent = Object.assign(() => {}, { enabled: false, extend: () => silent });
      export default name => process.env.DEBUG ? require('./late/debug.cjs')(name) : silent;`,
  },

  changes: {
    // Its modules read their own package.json, which isn't next to a bundle; here they have what they would find there.
    'yeoman-environment/dist/environment-base.js': [["require('../package.json').version", ({ version }) => version]],
    // All of semver is read where one function is imported from it.
    'yeoman-environment/dist/environment-full.js': [
      [
        "import { createHash } from 'node:crypto';",
        "const createHash = (...args) => require('node:crypto').createHash(...args);",
      ],
      ["import { valid } from 'semver'", "import valid from 'semver/functions/valid.js'"],
    ],
    // Its ids tell the generators of one run from one another, for which Node's cryptography is a lot to load.
    'yeoman-environment/dist/composed-store.js': [
      ["import crypto from 'node:crypto';\n", ''],
      ["crypto.randomBytes(20).toString('hex')", 'Math.random().toString(36).slice(2)'],
    ],
    'yeoman-environment/dist/module-lookup.js': [
      ["JSON.parse(readFileSync(join(PROJECT_ROOT, 'package.json')).toString()).name", ({ name }) => name],
    ],
    'yeoman-generator/dist/generator.js': [
      ["JSON.parse(readFileSync(pathJoin(_dirname, '../package.json'), 'utf8'))", ({ version }) => ({ version })],
      ["import { lte as semverLte } from 'semver'", "import semverLte from 'semver/functions/lte.js'"],
      ["import * as _ from 'lodash-es';\n", ''],
      ['    _ = _;\n', "    get _() { return require('./late/lodash-es.cjs'); }\n"],
    ],
    // Files in memory hold bytes, never streams.
    'vinyl/index.js': [["require('teex')", `() => { ${without('teex')} }`]],
  },
};
