import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Ending, type Environment, runWell } from './processes.ts';

/** The repository's root. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Everything that these tests make. Git ignores it, and deleting it costs time only. */
export const WORKSHOP = join(ROOT, '.build/bots');

/** Where the logs of bots that ran are. */
export const LOGS = join(WORKSHOP, 'logs');

/** The Pythons to run bots with: one that the machine has, since fetching one needs more than PyPI. */
const PYTHON = '>=3.11,<3.14';

/** Resolving and installing may have to download a gigabyte. */
const UV_MS = 900_000;

/** Names of the variables that a project's `.env.example` lists: those to fill in, and all, commented out or not. */
export async function listVariables(server: string): Promise<{ required: string[]; all: string[] }> {
  const example = await readFile(join(server, '.env.example'), 'utf8');
  const names = (pattern: RegExp) => [...example.matchAll(pattern)].map(([, name = '']) => name);
  return { required: names(/^([A-Z][A-Z0-9_]*)=/gm), all: names(/^(?:# ?)?([A-Z][A-Z0-9_]*)=/gm) };
}

/** This process's environment without what would reach a bot unasked: `removed` names, and virtual environments. */
export function cleanEnvironment(removed: readonly string[] = [], added: Environment = {}): Environment {
  const foreign = new Set([...removed, 'VIRTUAL_ENV', 'PYTHONPATH', 'PYTHONHOME', 'OPENAI_API_KEY', 'OPENAI_BASE_URL']);
  const kept = Object.entries(process.env).filter(([name]) => !foreign.has(name));
  return { ...Object.fromEntries(kept), UV_PYTHON: PYTHON, UV_PYTHON_DOWNLOADS: 'never', NO_COLOR: '1', ...added };
}

let uv: Promise<string> | undefined;

/** The path of our own `uv`, installed into a virtual environment of the workshop on first use. */
export function ensureUv(): Promise<string> {
  uv ??= installUv();
  return uv;
}

async function installUv(): Promise<string> {
  const tool = join(WORKSHOP, 'tool');
  const path = join(tool, 'bin/uv');
  if (existsSync(path)) return path;
  await mkdir(WORKSHOP, { recursive: true });
  await runWell(['python3', '-m', 'venv', '--clear', tool], { cwd: WORKSHOP });
  await runWell([join(tool, 'bin/python'), '-m', 'pip', 'install', '--quiet', 'uv'], { cwd: WORKSHOP });
  return path;
}

/** Runs `uv` with these arguments; it must succeed. */
export async function runUv(args: readonly string[], cwd = WORKSHOP): Promise<Ending> {
  return runWell([await ensureUv(), ...args], { cwd, env: cleanEnvironment(), deadline: UV_MS });
}
