import type { Parts } from './parts.ts';

const PARSERS = ['@lezer/css', '@lezer/html', '@lezer/javascript'];

const lazily = (name: string) => `
  const load = () => require('./late/${name}.cjs').parser;
  export const parser = new Proxy({}, {
    get: (_, key) => (...args) => load()[key](...args),
  });`;

/** Only an update of a file that was edited and changes needs to parse its language. */
export const lezer: Parts = {
  leftOut: {},
  late: Object.fromEntries(PARSERS.map(name => [name, 'whole'] as const)),
  importer: '',
  instead: Object.fromEntries(PARSERS.map(name => [name, lazily(name)])),
  changes: {},
};
