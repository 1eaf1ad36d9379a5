import { basename, posix } from 'node:path';
import { exists, listDirectory, readText } from '../paths/read.ts';

/** Words that start a program with variables from a tool for secrets. */
const STARTS =
  /\b(?:(?:doppler|op|infisical|dotenvx|teller|secretspec) run|(?:chamber|aws-vault|fnox) exec|sops exec-env|uv run --env-file)\b/;
const SETS = /\[env\]/;

/** Files that set variables, or that may start the bot with some; and what they say then. */
const FILES: readonly (readonly [says: RegExp | undefined, ...names: string[]])[] = [
  [undefined, '.envrc', 'doppler.yaml', 'doppler.yml', '.infisical.json', 'secretspec.toml', 'fnox.toml', '.sops.yaml'],
  [SETS, 'mise.toml', '.mise.toml'],
  [
    STARTS,
    'Makefile',
    'justfile',
    'Taskfile.yml',
    'Procfile',
    'package.json',
    'README.md',
    'run.sh',
    'start.sh',
    'dev.sh',
  ],
];

/** Files that start many programs: they count if they name a variable that the bot needs, or an env file of their own. */
const STARTERS = [
  ...['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', 'compose.override.yaml'],
  ...['.devcontainer/devcontainer.json', '.vscode/launch.json', '.vscode/settings.json', 'devenv.nix', 'flake.nix'],
];
const ENV_FILE = /env_?file["']?\s{0,9}:\s{0,9}["'[]{0,2}([^\s"',}\]]{1,200})/gi;

/**
 * The files of a project that start its bot with variables from elsewhere, such as a password manager.
 *
 * @param missing The variables that the bot needs and that aren't set.
 */
export function secretTools(root: string, missing: readonly string[]): string[] {
  const folders = [mayHave(root, '.'), mayHave(root, 'server')];
  const inBoth = (names: readonly string[]) => names.flatMap(name => folders.flatMap(pathIn => pathIn(name) ?? []));
  const found = FILES.flatMap(([says, ...names]) =>
    inBoth(names).filter(path => (says ? says.test(readText(root, path) ?? '') : exists(root, path))),
  );
  const starts = (text = '') =>
    missing.some(name => text.includes(name)) ||
    [...text.matchAll(ENV_FILE)].some(([, path = '']) => basename(path) !== '.env');
  return [...found, ...inBoth(STARTERS).filter(path => starts(readText(root, path)))];
}

/** Returns the path of a name in a folder, unless nothing there has such a name, in any case. */
function mayHave(root: string, folder: string): (name: string) => string | undefined {
  const entries = listDirectory(root, folder);
  const names = typeof entries === 'string' ? undefined : new Set(entries.map(({ name }) => name.toLowerCase()));
  return name => {
    const [first = ''] = name.toLowerCase().split('/');
    return names?.has(first) === false ? undefined : posix.join(folder, name);
  };
}
