import type { Build } from '../platform/agent-schemas.ts';
import type { Upload, Wanted } from './read.ts';

/** What a build needs. */
export interface Building {
  wanted: Wanted;
  upload: Upload;
  region: string;
  /** A build of these files: finished, or running. */
  found: Build | undefined;
  /** Values to hide in logs. */
  values: readonly string[];
  organization: string;
}
