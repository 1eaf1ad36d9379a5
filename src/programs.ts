import type { ExecFileException } from 'node:child_process';
import { accessSync, constants, existsSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { explainSystemError } from './errors.ts';
import type { Environment } from './shells.ts';
import { orElse } from './std.ts';

// Every program that botcli runs is found here, and only where the user has it. A project may be a stranger's, and its
// `.venv/bin` or `node_modules/.bin` may be on the PATH.

/** The path of a program on the PATH, outside of the project at `root`. */
export const findProgram = (name: string, env: Environment, root: string): string | undefined =>
  programsNamed(name, withOwnPrograms(env, root)).find(isOutside(env, root));

/** The directory of a program that is only in the project, or among npm's packages, where botcli runs none. */
export function onlyIn(name: string, env: Environment, root: string): string | undefined {
  const [found] = programsNamed(name, env);
  return found === undefined || findProgram(name, env, root) ? undefined : dirname(found);
}

/** An environment in which programs are found only outside of the project, but also next to `node`, for npm. */
export const withOwnPrograms = (env: Environment, root: string, node = process.execPath): Environment => ({
  ...env,
  ...Object.fromEntries(
    Object.entries(env)
      .filter(([name]) => isPath(name))
      .map(([name, value]) => [name, value && ownPlaces(value, env, root, dirname(node)).join(delimiter)]),
  ),
});

/** A program of Windows itself, which would otherwise look in the working directory first. */
export const ofWindows = (name: string, { SystemRoot, SYSTEMROOT = SystemRoot }: Environment): string =>
  join(SYSTEMROOT ?? 'C:\\Windows', 'System32', name);

/**
 * How to start a program that was found. Windows runs .cmd and .bat files, such as npm, only through its shell. Node's
 * own `shell` option doesn't quote, so it fails in `C:\Program Files`.
 */
export function startOf(file: string, args: readonly string[], env: Environment) {
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args };
  const words = [file, ...args];
  const unsafe = words.find(word => /["%\r\n]/.test(word));
  if (unsafe !== undefined) throw new Error(`the shell of Windows can't pass on ${JSON.stringify(unsafe)}`);
  const line = words.map(word => `"${word.replace(/\\+$/, '$&$&')}"`).join(' ');
  return { file: ofWindows('cmd.exe', env), args: ['/d', '/s', '/c', `"${line}"`], windowsVerbatimArguments: true };
}

const isPath = (name: string): boolean => /^path$/i.test(name);

const ENDINGS = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];

/** Where systems look without a PATH. */
const USUAL = process.platform === 'win32' ? '' : '/usr/local/bin:/usr/bin:/bin';

const placesIn = (path: string): string[] => path.split(delimiter).filter(isAbsolute);

const IN_PACKAGES = /[\\/]node_modules([\\/]|$)/;

function ownPlaces(path: string, env: Environment, root: string, node: string): string[] {
  const isAllowed = isOutside(env, root);
  const places = placesIn(path).filter(
    place => resolve(place) === node || (!IN_PACKAGES.test(place) && isAllowed(place)),
  );
  // As `npx -p node` installs it, only a link to it is on the PATH, next to other packages' programs.
  return IN_PACKAGES.test(node) && !places.includes(node) ? [node, ...places] : places;
}

function programsNamed(name: string, env: Environment): string[] {
  const path = Object.entries(env).find(([key]) => isPath(key))?.[1] ?? USUAL;
  return placesIn(path)
    .flatMap(place => ENDINGS.map(ending => join(place, name + ending)))
    .filter(isProgram);
}

const isProgram = (path: string): boolean =>
  orElse(() => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  }, false);

/**
 * Returns a function that says whether a path is outside of the project, under its name and its real one. npm and npx
 * put the `node_modules/.bin` of the working directory and of those above it on the PATH.
 */
function isOutside(env: Environment, root: string): (path: string) => boolean {
  const foreign = foreignPlaces(env, root).flatMap(namesOf);
  return path => !namesOf(path).some(name => foreign.some(place => isIn(place, name)));
}

/**
 * What the author of a project may have filled: the outermost project or repository around it. Where that is the user's
 * home as well, or has Node.js, only the directories of the project's parts.
 */
function foreignPlaces(env: Environment, root: string): string[] {
  const owned = [env.HOME, env.USERPROFILE, process.execPath].filter(path => path !== undefined);
  const isWide = (place: string) => owned.some(path => namesOf(path).some(name => isIn(place, name)));
  const own = resolve(root);
  const isRoot = (place: string) => ['.git', '.botcli.json'].some(name => existsSync(join(place, name)));
  const around = directoriesAbove(own).filter(place => isRoot(place) && !isWide(place));
  const outermost = around.at(-1) ?? own;
  return isWide(outermost) ? ['server', 'client', '.venv', 'venv'].map(folder => join(own, folder)) : [outermost];
}

/** A directory, and those above it, the nearest first. */
export const directoriesAbove = (path: string): string[] =>
  dirname(path) === path ? [path] : [path, ...directoriesAbove(dirname(path))];

/** A path as it is written, and without links. */
const namesOf = (path: string): string[] => [resolve(path), orElse(() => realpathSync.native(path), resolve(path))];

function isIn(place: string, path: string): boolean {
  const way = relative(place, path);
  return !isAbsolute(way) && !/^\.\.([\\/]|$)/.test(way);
}

/** What a program prints, or why it says nothing: words that follow its name, and what it printed about that. */
type ShortAnswer = { output: string } | { problem: string; errors?: string };

const LONGEST = 2 ** 24;

/** Runs a program that prints little, for `patience` milliseconds, or until the signal comes. It never fails. */
export function shortAnswer(
  [program, ...words]: readonly [string, ...string[]],
  {
    env,
    patience,
    signal,
    input = '',
  }: { env: Environment; patience: number; signal?: AbortSignal | undefined; input?: string },
): Promise<ShortAnswer> {
  // Windows looks in the working directory first, which may hold a program of somebody else.
  const settings = {
    env,
    cwd: dirname(process.execPath),
    timeout: patience,
    maxBuffer: LONGEST,
    signal,
    windowsHide: true,
  };
  // Who only looks for a program doesn't need it.
  const { execFile } = process.getBuiltinModule('node:child_process');
  return new Promise<ShortAnswer>(done => {
    const { file, args, ...verbatim } = startOf(program, words, env);
    // Node throws some reasons why it can't start a program, and passes on others.
    const { stdin } = execFile(file, args, { ...settings, ...verbatim }, (error, stdout, errors) =>
      done(error ? { problem: whyIn(error), errors } : { output: stdout }),
    );
    // It may end without having read that.
    stdin?.on('error', () => {}).end(input);
  }).catch((error: unknown) => ({ problem: `can't be started: ${explainSystemError(error)}` }));
}

function whyIn(error: ExecFileException): string {
  if (error.killed) return "doesn't end";
  if (error.signal) return `ended because of ${error.signal}`;
  return typeof error.code === 'number'
    ? `ended with exit code ${error.code}`
    : `can't be started: ${explainSystemError(error)}`;
}
