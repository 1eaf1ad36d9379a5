import type { Parts } from './parts.ts';

/** What our schemas are made of is made when joi is loaded; these types aren't among it, nor are they read. */
const UNUSED = ['alternatives', 'date', 'function', 'link', 'number', 'symbol', 'binary'];

const file = (type: string) => `joi/lib/types/${type}.js`;

const lazily = (type: string) => `get ${type}() { return require('./types/${type}'); }`;

/** What joi carries along for types and formats that we have none of. */
export const joi: Parts = {
  leftOut: {
    '@hapi/address': ['isDomainValid', 'isEmailValid', 'ipRegex', 'uriRegex'],
    // Without this list joi has no rule for the ends of addresses.
    '@hapi/tlds': ['tlds'],
    // The shape of options and extensions: it is for checking those of `prefs` and `extend`.
    'joi/lib/schemas.js': [],
    'joi/lib/manifest.js': [],
    ...Object.fromEntries(UNUSED.map(type => [file(type), []])),
  },
  late: {},
  importer: '',

  changes: {
    // Making a type takes a while, so each is made when it's needed first, and that is never for most.
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
    // The messages, of which nobody sees one: ours are in `src`.
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
