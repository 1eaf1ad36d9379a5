import { existsSync, rmSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { type Ending, type Environment, runWell } from './processes.ts';

export const ROOT = resolve(import.meta.dirname, '../..');

/** The directory for all files of these tests. Git ignores it, and it can be deleted at any time. */
export const WORKSHOP = join(ROOT, '.build/bots');

export const LOGS = join(WORKSHOP, 'logs');

/** The Python to run bots with. It must be installed, because downloading one needs more than PyPI. */
const PYTHON = '>=3.11,<3.14';

/** Resolving and installing may have to download a gigabyte. */
const UV_MS = 900_000;

/** The names of the variables in a project's `.env.example`: the required ones, and all, including commented ones. */
export async function listVariables(server: string): Promise<{ required: string[]; all: string[] }> {
  const example = await readFile(join(server, '.env.example'), 'utf8');
  const names = (pattern: RegExp) => [...example.matchAll(pattern)].map(([, name = '']) => name);
  return { required: names(/^([A-Z][A-Z0-9_]*)=/gm), all: names(/^(?:# ?)?([A-Z][A-Z0-9_]*)=/gm) };
}

/** The variables of this machine that would affect a bot, or make Python compile it again each time it starts. */
const FOREIGN = [
  ...['VIRTUAL_ENV', 'PYTHONPATH', 'PYTHONHOME', 'PYTHONDONTWRITEBYTECODE'],
  ...['OPENAI_API_KEY', 'OPENAI_BASE_URL'],
];

/** This process's environment without the variables in `removed` and others that would affect a bot. */
export function cleanEnvironment(removed: readonly string[] = [], added: Environment = {}): Environment {
  const foreign = new Set([...removed, ...FOREIGN]);
  const kept = Object.entries(process.env).filter(([name]) => !foreign.has(name));
  return { ...Object.fromEntries(kept), UV_PYTHON: PYTHON, UV_PYTHON_DOWNLOADS: 'never', NO_COLOR: '1', ...added };
}

let uv: Promise<string> | undefined;

/** The path of the tests' own `uv`, which is installed into a virtual environment on first use. */
export function ensureUv(): Promise<string> {
  uv ??= installUv();
  return uv;
}

/**
 * Copies programs into a directory for the PATH, for as long as this process runs. It's outside of this repository:
 * botcli runs no program from inside the repository that a project is in.
 */
export async function placeOnPath(...programs: string[]): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'botcli-programs-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  // Scripts are modules here, too.
  await writeFile(join(place, 'package.json'), '{ "type": "module" }');
  for (const program of programs) await copyFile(program, join(place, basename(program)));
  return place;
}

async function installUv(): Promise<string> {
  const tool = join(WORKSHOP, 'tool');
  const path = join(tool, 'bin/uv');
  if (existsSync(path)) return path;
  await mkdir(WORKSHOP, { recursive: true });
  // Another run may install it at the same time. Both get the same program, and the first one keeps its place.
  const own = await mkdtemp(`${tool}-`);
  await runWell(['python3', '-m', 'venv', own], { cwd: WORKSHOP });
  await runWell([join(own, 'bin/python'), '-m', 'pip', 'install', '--quiet', 'uv'], { cwd: WORKSHOP });
  await rename(own, tool).catch(() => rm(own, { recursive: true }));
  return path;
}

/** A command that leaves the processor to conversations, which take place in real time. */
export const inBackground = (...command: readonly string[]): string[] => ['nice', '-n', '5', ...command];

/** Runs `uv` with these arguments, in the background; it must succeed. */
export async function runUv(args: readonly string[], cwd = WORKSHOP): Promise<Ending> {
  return runWell(inBackground(await ensureUv(), ...args), { cwd, env: cleanEnvironment(), deadline: UV_MS });
}
