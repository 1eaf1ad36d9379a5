import type { ScaffoldConfig } from '../config/config.ts';
import type { Project } from '../existing/open-project.ts';
import type { Choices } from './choices.ts';
import type { Update } from './plan.ts';

/** A run of the command. */
export interface Run {
  project: Project;
  config: ScaffoldConfig;
  /** The recorded choices that the typed ones contradict. */
  dropped: Choices;
  plan: Update;
  /** The command line without the options of this run. */
  line: string;
  isDry: boolean;
  json: boolean;
  diff: boolean;
}
