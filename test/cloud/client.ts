import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { type Ending, run, runWell } from '../bots/processes.ts';
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

/**
 * The client extends another command and has no command itself. It polls every five seconds, and the local cloud goes
 * on with each look.
 */
const START = `
import asyncio
from pipecatcloud.cli.entry_point import entrypoint_cli_typer
sleep = asyncio.sleep
asyncio.sleep = lambda seconds, *more: sleep(seconds / 50, *more)
entrypoint_cli_typer()
`;

/** Runs a line of the platform's own client. */
export function runClient(line: string, url: string, cwd = WORKSHOP): Promise<Ending> {
  const env = {
    PATH: process.env.PATH,
    HOME: WORKSHOP,
    NO_COLOR: '1',
    COLUMNS: '200',
    PIPECAT_API_HOST: url,
    PIPECAT_TOKEN: LOCAL_TOKEN,
    PIPECAT_ORG: 'acme',
    PIPECAT_CONFIG_PATH: join(WORKSHOP, 'none.toml'),
  };
  return run([PYTHON, '-c', START, ...line.split(' ')], { cwd, env, deadline: 60_000 });
}
