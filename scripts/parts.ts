// Dependencies contain much code that botcli never runs, and loading code takes longer than running it. This says how
// to trim each package, and `trim.ts` does it.

/** How to bundle a package and its dependencies. */
export interface Parts {
  /**
   * Packages and modules that botcli never uses, with their exports; a CommonJS module has none. The bundle replaces
   * them with stubs that throw.
   */
  leftOut: Readonly<Record<string, readonly string[]>>;
  /** Rarely used packages. Each goes into a separate file, which is loaded when one of its exports is first called. */
  late: Readonly<Record<string, Late | 'whole'>>;
  /** The module that imports the late packages. */
  importer: string;
  /** Packages and Node modules that are slow to load, each with the source of a cheap replacement. */
  instead?: Readonly<Record<string, string>>;
  /** Changes to the source of modules. */
  changes: Readonly<Record<string, readonly Change[]>>;
}

export interface Late {
  functions?: readonly string[];
  classes?: readonly string[];
  /** Set once one of the functions or classes was used. */
  constants?: readonly string[];
}

export interface Manifest {
  name: string;
  version: string;
  license?: string;
  author?: string | { name: string };
  engines?: { node?: string };
}

/** A text in a module, and its replacement. */
export type Change = readonly [text: string, replacement: string | ((manifest: Manifest) => unknown)];

/** The statement that throws when a left-out module is used. */
export const without = (name: string): string => `throw new Error('botcli comes without ${name}.');`;

/** The code in Yeoman that botcli never runs. */
const yeoman: Parts = {
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

/** The joi types that botcli's schemas don't use. */
const UNUSED_TYPES = ['alternatives', 'date', 'function', 'link', 'number', 'symbol', 'binary'];

const file = (type: string) => `joi/lib/types/${type}.js`;

const getter = (type: string) => `get ${type}() { return require('./types/${type}'); }`;

/** The code in joi for types and formats that botcli doesn't use. */
export const joi: Parts = {
  leftOut: {
    '@hapi/address': ['isDomainValid', 'isEmailValid', 'ipRegex', 'uriRegex'],
    // The list of top-level domains. Without it, joi doesn't check them.
    '@hapi/tlds': ['tlds'],
    // Schemas that only check the arguments of `prefs` and `extend`.
    'joi/lib/schemas.js': [],
    'joi/lib/manifest.js': [],
    ...Object.fromEntries(UNUSED_TYPES.map(type => [file(type), []])),
  },
  late: { joi: 'whole' },
  importer: '',
  // Most commands need no schema.
  instead: { joi: "export default new Proxy({}, { get: (_, name) => require('./late/joi.cjs')[name] });" },

  changes: {
    // Creating a type is slow, so each is created on first use. Most are never used.
    'joi/lib/index.js': [
      ...['any', 'array', 'boolean', 'object', 'string', ...UNUSED_TYPES.slice(0, -1)].map(
        type => [`${type}: require('./types/${type}')`, getter(type)] as const,
      ),
      [
        "internals.types.binary = require('./types/binary');",
        "Object.defineProperty(internals.types, 'binary', { enumerable: true, get: () => require('./types/binary') });",
      ],
    ],
    'joi/lib/types/string.js': [
      [
        "ipRegex: ipRegex({ cidr: 'forbidden' }).regex",
        "get ipRegex() { return ipRegex({ cidr: 'forbidden' }).regex; }",
      ],
    ],
    // joi's own messages are never shown, because botcli's are in `src`. So they are parsed on first use.
    'joi/lib/template.js': [
      ['        this._template = null;\n', ''],
      [
        '        this._parse();\n    }\n',
        `    }

    get _template() {
        Object.defineProperty(this, '_template', { value: null, writable: true });
        this._parse();
        return this._template;
    }
`,
      ],
    ],
  },
};

const PARSERS = ['@lezer/css', '@lezer/html', '@lezer/javascript'];

const lazily = (name: string) => `
  const load = () => require('./late/${name}.cjs').parser;
  export const parser = new Proxy({}, {
    get: (_, key) => (...args) => load()[key](...args),
  });`;

/** Only an update of a file that was edited and changes needs to parse its language. */
const lezer: Parts = {
  leftOut: {},
  late: Object.fromEntries(PARSERS.map(name => [name, 'whole'] as const)),
  importer: '',
  instead: Object.fromEntries(PARSERS.map(name => [name, lazily(name)])),
  changes: {},
};

/** Helpers of axios for forms, blobs, data URLs, limits of speed, and proxies that it finds itself. */
const UNUSED_HELPERS = [
  'AxiosTransformStream',
  'formDataToJSON',
  'formDataToStream',
  'fromDataURI',
  'readBlob',
  'toURLEncodedForm',
];

/** The code in axios for requests that botcli doesn't send: from browsers, with forms, with redirects, over HTTP/2, with progress. */
const axios: Parts = {
  leftOut: {
    'axios/lib/adapters/fetch.js': ['getFetch'],
    'axios/lib/adapters/xhr.js': ['default'],
    'form-data': ['default'],
    ...Object.fromEntries(UNUSED_HELPERS.map(name => [`axios/lib/helpers/${name}.js`, ['default']])),
    'axios/lib/helpers/estimateDataURLDecodedBytes.js': ['estimateDataURLBufferAllocation'],
    'axios/lib/helpers/progressEventReducer.js': ['asyncDecorator', 'progressEventDecorator', 'progressEventReducer'],
    'axios/lib/helpers/toFormData.js': ['default'],
  },
  late: { 'https-proxy-agent': { classes: ['default'] } },
  importer: 'axios/index.js',

  changes: {
    'axios/lib/adapters/http.js': [
      ["import http2 from 'http2';\n", ''],
      ["import Http2Sessions from '../helpers/Http2Sessions.js';\n", ''],
      ['new Http2Sessions()', `{ getSession() { ${without('http2')} } }`],
      ["import followRedirects from 'follow-redirects';\n", ''],
      [
        '{ http: httpFollow, https: httpsFollow } = followRedirects',
        `httpFollow = { request() { ${without('follow-redirects')} } }, httpsFollow = httpFollow`,
      ],
    ],
    'axios/lib/core/dispatchRequest.js': [
      // Accessing this object makes Node load modules that nothing else needs.
      ["typeof performance !== 'undefined' && utils.isFunction(performance.now)", 'false'],
    ],
    'axios/lib/utils.js': [
      // Accessing this class makes Node load its `fetch`. Axios can also recognize a form by its tag.
      [
        "const FormDataCtor = typeof G.FormData !== 'undefined' ? G.FormData : undefined;",
        'const FormDataCtor = undefined;',
      ],
    ],
  },
};

/** The code in ws for streams, and for packages that may be in a user's directory. */
const ws: Parts = {
  leftOut: { 'ws/lib/stream.js': [] },
  late: {},
  importer: 'ws/wrapper.mjs',
  changes: {
    'ws/lib/buffer-util.js': [['!process.env.WS_NO_BUFFER_UTIL', 'false']],
    'ws/lib/validation.js': [['!process.env.WS_NO_UTF_8_VALIDATE', 'false']],
  },
};

/** What to trim of all packages. */
export const PARTS = [yeoman, joi, lezer, axios, ws];
