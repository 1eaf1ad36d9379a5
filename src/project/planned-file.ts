import type { Features } from './features.ts';

/** A file of a generated project. */
export interface PlannedFile {
  /** Below the generator's `templates/`. */
  template: string;
  /** Below the project's directory. */
  destination: string;
  /** Which bots or clients it is for: those that have all of these features. */
  when: readonly (keyof Features)[];
  /** What it is, for the README. */
  note: string;
}

/** Those of the files, or of other things with a condition, that are for these features. */
export const dueIn = <Name extends string, Row extends { when?: readonly Name[] }>(
  features: Readonly<Record<Name, boolean>>,
  rows: readonly Row[],
): Row[] => rows.filter(({ when = [] }) => when.every(name => features[name]));
