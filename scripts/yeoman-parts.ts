import { type Parts, without } from './parts.ts';

/** The code in Yeoman that botcli never runs. */
export const yeoman: Parts = {
  // Only other hosts need these: a terminal, generator installation, command lines, conflict prompts.
  leftOut: {
    '@yeoman/adapter': ['QueuedAdapter'],
    '@yeoman/conflicter': ['createConflicterTransform', 'createYoResolveTransform', 'forceYoFiles'],
    commander: ['Command', 'Option'],
    'fly-import': ['FlyRepository', 'flyImport'],
  },

  // Only a generator that extends one of botcli's may call these: git, processes, glob patterns.
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
    // Generators get the whole package; the bundle contains the parts that Yeoman itself uses.
    'lodash-es': 'whole',
  },
  importer: 'yeoman-environment/dist/index.js',

  instead: {
    // Node's own module opens stdin, stdout and stderr as soon as it's imported.
    'node:process': 'export default process;',
    // Node's own module is only needed for errors.
    'node:assert': `
      const assert = (...args) => require('node:assert')(...args);
      assert.ok = (value, message) => value || require('node:assert').ok(value, message);
      export default assert;`,
    // Detects which colors the terminal supports. Only errors use colors.
    chalk: "export default new Proxy({}, { get: (_, color) => require('./late/chalk.cjs').default[color] });",
    // Detects colors, too. It prints nothing unless the environment enables it.
    debug: `
      const silent = Object.assign(() => {}, { enabled: false, extend: () => silent });
      export default name => process.env.DEBUG ? require('./late/debug.cjs')(name) : silent;`,
  },

  changes: {
    // These modules read their own package.json, which isn't next to the bundle, so its values are inlined.
    'yeoman-environment/dist/environment-base.js': [["require('../package.json').version", ({ version }) => version]],
    // Importing one function from semver loads all of it.
    'yeoman-environment/dist/environment-full.js': [
      [
        "import { createHash } from 'node:crypto';",
        "const createHash = (...args) => require('node:crypto').createHash(...args);",
      ],
      ["import { valid } from 'semver'", "import valid from 'semver/functions/valid.js'"],
    ],
    // The ids only distinguish the generators of one run, which isn't worth loading Node's cryptography.
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
    // Files in memory contain bytes, never streams.
    'vinyl/index.js': [["require('teex')", `() => { ${without('teex')} }`]],
  },
};
