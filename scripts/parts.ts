// Packages carry a lot that a run of ours never touches, and reading code takes longer than running it. Here is what to do
// about it; the files next to this one say it for each package, and `trim.ts` does it.

/** What a bundle takes of a package and its dependencies. */
export interface Parts {
  /**
   * Packages, and modules of packages, that nothing of ours uses, with their exports; a CommonJS module has none. They
   * are left out: who uses one finds an error.
   */
  leftOut: Readonly<Record<string, readonly string[]>>;
  /** Packages that are used rarely. Each is a file of its own, which is read when something of it is called. */
  late: Readonly<Record<string, Late | 'whole'>>;
  /** The module that imports those. */
  importer: string;
  /** Packages, and modules of Node, that do something costly when they are loaded, and the text of one that doesn't. */
  instead?: Readonly<Record<string, string>>;
  /** Changes to modules. */
  changes: Readonly<Record<string, readonly Change[]>>;
}

export interface Late {
  functions?: readonly string[];
  classes?: readonly string[];
  /** They have their values once a function was called. */
  constants?: readonly string[];
}

export interface Manifest {
  name: string;
  version: string;
  license?: string;
}

/** A text in a module, and what takes its place. */
export type Change = readonly [text: string, replacement: string | ((manifest: Manifest) => unknown)];

/** The statement that who comes to what is left out finds. */
export const without = (name: string): string => `throw new Error('botcli comes without ${name}.');`;
