/** The name of this package. Shorter names are aliases. */
export const PACKAGE = 'generator-botcli';
