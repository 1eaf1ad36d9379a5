import type { Features } from './features.ts';

/** Which bots or clients something is for: those that have all of these features. */
export type Condition = readonly (keyof Features)[];

/** A file of a generated project. */
export interface PlannedFile {
  /** Below the generator's `templates/`. */
  template: string;
  /** Below the project's directory. */
  destination: string;
  when: Condition;
  /** What it is, for the README. */
  note: string;
}

/** Those of the files, or of other things with a condition, that are for these features. */
export const dueIn = <Name extends string, Row extends { when?: readonly Name[] }>(
  features: Readonly<Record<Name, boolean>>,
  rows: readonly Row[],
): Row[] => rows.filter(({ when = [] }) => when.every(name => features[name]));
