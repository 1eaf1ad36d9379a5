import type { Features } from './features.ts';

/** A file of a generated project. */
export interface PlannedFile {
  /** Below the generator's `templates/`. */
  template: string;
  /** Below the project's directory. */
  destination: string;
  when?: (facts: Features) => boolean;
  /** What it is, for the README. */
  note: string;
}
