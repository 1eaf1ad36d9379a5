import { access, mkdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Environment, runWell } from './processes.ts';

/** The repository's root. */
export const ROOT = resolve(import.meta.dirname, '../..');

/** Everything that these tests make. Git ignores it, and deleting it costs time only. */
export const WORKSHOP = join(ROOT, '.build/bots');

/** Where the logs of bots that ran are. */
export const LOGS = join(WORKSHOP, 'logs');

/** The Pythons to run bots with: one that the machine has, since fetching one needs more than PyPI. */
const PYTHON = '>=3.11,<3.14';

/**
 * The command under test. `BOTCLI` names another, such as the one installed from the packed tarball; it is split at
 * spaces.
 */
const BOTCLI = process.env.BOTCLI?.split(' ') ?? [process.execPath, join(ROOT, 'dist/src/bin/botcli.js')];

/** A project to generate: its directory's name, and what follows the directory on the command line. */
export interface Project {
  name: string;
  flags: readonly string[];
}

/** `init quickstart` brings flags and directory of its own. */
export const QUICKSTART: Project = { name: 'botcli-quickstart', flags: [] };

/** Generates a project below `parent`, in place of what is there, and hands back its directory. */
export async function makeProject({ name, flags }: Project, parent: string): Promise<string> {
  const directory = join(parent, name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(parent, { recursive: true });
  const args = name === QUICKSTART.name ? ['quickstart'] : [name, ...flags];
  await runWell([...BOTCLI, 'init', ...args], { cwd: parent });
  return directory;
}

/** Names of the variables that a project's `.env.example` lists, commented out or not, required ones apart. */
export async function listVariables(server: string): Promise<{ required: string[]; all: string[] }> {
  const example = await readFile(join(server, '.env.example'), 'utf8');
  const rows = [...example.matchAll(/^(?<optional># ?)?(?<name>[A-Z][A-Z0-9_]*)=/gm)].map(match => match.groups!);
  const names = (wanted: typeof rows) => wanted.map(({ name }) => name!);
  return { required: names(rows.filter(({ optional }) => !optional)), all: names(rows) };
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
  const present = await access(path).then(
    () => true,
    () => false,
  );
  if (present) return path;
  await mkdir(WORKSHOP, { recursive: true });
  await runWell(['python3', '-m', 'venv', '--clear', tool], { cwd: WORKSHOP });
  await runWell([join(tool, 'bin/python'), '-m', 'pip', 'install', '--quiet', 'uv'], { cwd: WORKSHOP });
  return path;
}
