import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runWell } from '../bots/processes.ts';
import { ROOT } from '../bots/workshop.ts';

const RELEASE = '1.4.0';
export const WORKSHOP = join(ROOT, '.build/cloud');
/** The Python that has the platform's own client. */
export const PYTHON = join(WORKSHOP, `client-${RELEASE}`, 'bin/python');

/** Installs the platform's own client from PyPI, unless it is there. Needs Python 3.11 or newer. */
export async function installClient(): Promise<void> {
  if (existsSync(PYTHON)) return;
  const venv = join(WORKSHOP, `client-${RELEASE}`);
  await mkdir(WORKSHOP, { recursive: true });
  await runWell(['python3', '-m', 'venv', '--clear', venv], { cwd: WORKSHOP });
  await runWell([PYTHON, '-m', 'pip', 'install', '--quiet', `pipecatcloud==${RELEASE}`], { cwd: WORKSHOP });
}
