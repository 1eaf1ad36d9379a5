import type { Parts } from './parts.ts';

/** The joi types that botcli's schemas don't use. */
const UNUSED = ['alternatives', 'date', 'function', 'link', 'number', 'symbol', 'binary'];

const file = (type: string) => `joi/lib/types/${type}.js`;

const lazily = (type: string) => `get ${type}() { return require('./types/${type}'); }`;

/** The code in joi for types and formats that botcli doesn't use. */
export const joi: Parts = {
  leftOut: {
    '@hapi/address': ['isDomainValid', 'isEmailValid', 'ipRegex', 'uriRegex'],
    // The list of top-level domains. Without it, joi doesn't check them.
    '@hapi/tlds': ['tlds'],
    // Schemas that only check the arguments of `prefs` and `extend`.
    'joi/lib/schemas.js': [],
    'joi/lib/manifest.js': [],
    ...Object.fromEntries(UNUSED.map(type => [file(type), []])),
  },
  late: { joi: 'whole' },
  importer: '',
  // Most commands need no schema.
  instead: { joi: "export default new Proxy({}, { get: (_, name) => require('./late/joi.cjs')[name] });" },

  changes: {
    // Creating a type is slow, so each is created on first use. Most are never used.
    'joi/lib/index.js': [
      ...['any', 'array', 'boolean', 'object', 'string', ...UNUSED.slice(0, -1)].map(
        type => [`${type}: require('./types/${type}')`, lazily(type)] as const,
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
