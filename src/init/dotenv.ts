import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { ScaffoldConfig } from '../config/config.ts';
import { readBytes } from '../existing/read-file.ts';
import { type DotEnv, dotEnvOf } from '../project/handover/next-steps.ts';

/** Its path in a project. */
export const DOTENV = 'server/.env';

/** The state of a project's `.env`. Each of its bytes is read as a character. */
export function readDotEnv(directory: string, config: ScaffoldConfig): DotEnv {
  const path = join(directory, DOTENV);
  const exists = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  return dotEnvOf(config, exists ? (readBytes(path)?.toString('latin1') ?? '') : undefined);
}
