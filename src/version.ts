/** This package's version, from package.json. */
export const VERSION = '0.1.0-dev';
