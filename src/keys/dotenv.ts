import { join } from 'node:path';
import type { ScaffoldConfig } from '../config/config.ts';
import { exists, readEnvFile } from '../paths/read.ts';
import { dotEnvOf } from '../project/handover/next-steps.ts';

export const DOTENV = 'server/.env';

/** The state of a project's `.env`. Each of its bytes is read as a character. */
export function readDotEnv(directory: string, config: ScaffoldConfig): ReturnType<typeof dotEnvOf> {
  if (!exists(directory, DOTENV)) return dotEnvOf(config);
  const contents = readEnvFile(join(directory, 'server'));
  return dotEnvOf(config, typeof contents === 'string' ? '' : contents.toString('latin1'));
}
