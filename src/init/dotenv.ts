import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ScaffoldConfig } from '../config/config.ts';
import { type DotEnv, dotEnvOf } from '../project/handover/next-steps.ts';

/** Its path in a project. */
export const DOTENV = 'server/.env';

/** The state of a project's `.env`. */
export function readDotEnv(directory: string, config: ScaffoldConfig): DotEnv {
  const path = join(directory, DOTENV);
  const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return dotEnvOf(config, exists ? textOf(path) : undefined);
}

/** The text of a file, each byte as a character; empty if it can't be read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
