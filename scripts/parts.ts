// Dependencies contain a lot of code that botcli never runs, and loading code takes longer than running it. The
// `*-parts.ts` files say how to trim each package, and `trim.ts` does it.

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
