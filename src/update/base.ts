import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { configOf, type Project } from '../existing/open-project.ts';
import { PACKAGE } from '../package-name.ts';
import { type ProjectState, STATE_FILE } from '../project/files/state.ts';
import { renderProject } from '../rendering/project.ts';
import type { Terminal } from '../shell/terminal.ts';
import { VERSION } from '../version.ts';

/** The files of a project, by path. */
export type Tree = ReadonlyMap<string, Buffer>;

/** A project that can't be rendered, and why: a sentence without a full stop. */
export interface NotRendered {
  why: string;
}

/** Renders the recorded choices with the release that wrote the project. */
export async function renderBase(
  project: Project,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<Tree | NotRendered> {
  const { version, choices } = project.state;
  if (version !== VERSION) return renderElsewhere(version, choices, signal, terminal);
  try {
    return new Map([...renderProject(configOf(project))].map(([path, text]) => [path, Buffer.from(text)]));
  } catch (error) {
    return { why: `the recorded choices can't be rendered: ${(error as Error).message}` };
  }
}

/** A release never changes, so a cached one needs no request. Without a network, npm's own retries take over a minute. */
const NPM_EXEC = ['exec', '--yes', '--prefer-offline', '--fetch-retries=1', '--fetch-retry-mintimeout=1000'];

/** Runs another release, which npm fetches if it isn't cached, in a temporary directory. */
async function renderElsewhere(
  version: string,
  choices: ProjectState['choices'],
  signal: AbortSignal,
  { note, progress, env }: Terminal,
): Promise<Tree | NotRendered> {
  note(`Some files were edited, so botcli ${version} renders what it wrote, through npm exec.`);
  const directory = mkdtempSync(join(tmpdir(), 'botcli-base-'));
  const target = join(directory, 'project');
  const configFile = join(directory, 'config.json');
  progress.show(`Running botcli ${version}…`);
  try {
    writeFileSync(configFile, JSON.stringify(choices));
    const words = ['botcli', 'init', target, '--config', configFile];
    await runNpm([...NPM_EXEC, `--package=${PACKAGE}@${version}`, '--', ...words], directory, env, signal);
    return readTree(target);
  } catch (error) {
    signal.throwIfAborted();
    return { why: `botcli ${version} can't be run: ${(error as Error).message}` };
  } finally {
    progress.clear();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Runs npm. Throws an error with the most telling line that it printed. */
function runNpm(args: string[], cwd: string, env: Terminal['env'], signal: AbortSignal): Promise<void> {
  // Windows runs npm only through its shell, which needs the quotes.
  const isWindows = process.platform === 'win32';
  const words = isWindows ? args.map(word => `"${word}"`) : args;
  return new Promise((resolve, reject) => {
    const surroundings = { cwd, env: { ...process.env, ...env }, shell: isWindows, signal };
    const npm = spawn('npm', words, { ...surroundings, stdio: ['ignore', 'pipe', 'pipe'] });
    const printed: Buffer[] = [];
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', chunk => printed.push(chunk));
    npm.on('error', reject);
    npm.on('close', code => (code === 0 ? resolve() : reject(new Error(tellingLine(Buffer.concat(printed))))));
  });
}

/** The line of npm's output, or of the program's, that says what is wrong. */
function tellingLine(printed: Buffer): string {
  const lines = printed
    .toString('utf8')
    .split('\n')
    .map(line => line.trim());
  const line = lines.find(text => /^(npm error (?!(code|syscall|errno|path) )|error:)/.test(text));
  return line?.replace(/^npm error /, '') ?? lines.findLast(text => text !== '') ?? 'npm failed';
}

function readTree(directory: string): Tree {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const tree = files.map(path => [relative(directory, path).replaceAll(sep, '/'), readFileSync(path)] as const);
  return new Map(tree.filter(([path]) => path !== STATE_FILE));
}
