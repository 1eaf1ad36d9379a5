import { dirname } from 'node:path';
import { nameIn } from '../paths/locate.ts';
import { exists, readText } from '../paths/read.ts';
import { directoriesAbove } from '../programs.ts';
import { type Environment, shellPath } from '../shells.ts';
import { isObject, parsedJson, unique } from '../std.ts';
import { textOf } from '../text.ts';

/** A program that installs the packages of a web client. */
export interface PackageManager {
  name: 'npm' | 'pnpm' | 'yarn' | 'bun';
  /** Its lock files. */
  locks: readonly string[];
  /** The words that install packages, also those for development. */
  install: readonly string[];
  /** The option that names the directory to work in. */
  directory: string;
  /** What comes before the arguments of a script. */
  separator: readonly string[];
  /** How to get it. */
  source: string;
}

const managers: readonly PackageManager[] = [
  {
    name: 'pnpm',
    locks: ['pnpm-lock.yaml'],
    install: ['install', '--prod=false'],
    directory: '--dir',
    separator: [],
    source: 'corepack enable pnpm, or npm install --global pnpm',
  },
  {
    name: 'yarn',
    locks: ['yarn.lock'],
    install: ['install'],
    directory: '--cwd',
    separator: [],
    source: 'corepack enable yarn, or npm install --global yarn',
  },
  {
    name: 'bun',
    locks: ['bun.lock', 'bun.lockb'],
    install: ['install'],
    directory: '--cwd',
    separator: [],
    source: 'https://bun.com',
  },
];

export const NPM: PackageManager = {
  name: 'npm',
  locks: ['package-lock.json', 'npm-shrinkwrap.json'],
  install: ['install', '--include=dev', '--no-audit', '--no-fund'],
  directory: '--prefix',
  separator: ['--'],
  source: 'https://nodejs.org',
};

/** The command that installs the packages of a directory, for people. */
export const installIn = ({ name, directory }: PackageManager, place: string): string =>
  `${name} ${directory} ${shellPath(place)} install`;

/** How a web client is installed: by which program, and in which directory the packages are managed. */
interface ClientInstall {
  manager: PackageManager;
  /** Where its lock file is: the client's directory, or that of the workspace that the client belongs to. */
  place: string;
}

/**
 * Finds the package manager of a directory with a package.json: the one whose lock file is there, or at the root of the
 * workspace that it belongs to. Without one, it's the `packageManager` of a package.json there or next to the
 * directory, or npm.
 */
export function packageManagerOf(client: string): ClientInstall {
  const places = directoriesAbove(client).filter(place => place === client || hasMember(place, nameIn(place, client)));
  for (const place of places) {
    const manager = [...managers, NPM].find(({ locks }) => locks.some(lock => exists(place, lock)));
    if (manager) return { manager, place };
  }
  for (const place of unique([...places, dirname(client)])) {
    const manifest = parsedJson(readText(place, 'package.json') ?? '');
    const [named] = textOf(isObject(manifest) ? manifest.packageManager : '').split('@');
    const manager = [...managers, NPM].find(({ name }) => name === named);
    if (manager) return { manager, place: places.includes(place) ? place : client };
  }
  return { manager: NPM, place: client };
}

/** Whether the workspace at a directory, if it is one, has a member at a path in it. */
function hasMember(directory: string, path: string): boolean {
  const manifest = parsedJson(readText(directory, 'package.json') ?? '');
  const listed = isObject(manifest) ? manifest.workspaces : undefined;
  const own = isObject(listed) ? listed.packages : listed;
  const yaml = (readText(directory, 'pnpm-workspace.yaml') ?? '').replace(/(?:^|\s)#.*/gm, '');
  // A list on lines or in brackets.
  const [, list = ''] = /^packages:(.*(?:\n(?:[ \t\]-].*)?)*)/m.exec(yaml) ?? [];
  const patterns = [own, list.match(/[^\s"',[\]-][^\s"',[\]]*/g)].flatMap(some => (Array.isArray(some) ? some : []));
  const isIn = (pattern: string) => asPattern(pattern).test(path);
  return patterns.map(String).some(isIn) && !patterns.some(one => /^!/.test(one) && isIn(one.slice(1)));
}

/** A pattern of directories, such as `apps/*` or `./packages/**`. */
const asPattern = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/^\.\/|\/+$/g, '')
      .slice(0, 200)
      .replace(/[.+^$(){}|[\]\\]/g, '\\$&')
      .replace(/\*\*\/?|\*|\?/g, sign => (sign === '?' ? '[^/]' : sign === '*' ? '[^/]*' : '.*'))}$`,
  );

/** Settings that leave out packages for development, which the client's server is one of. */
const LEAVES_OUT = /^(?:NODE_ENV|YARN_PRODUCTION|(?:npm|pnpm)_config_(?:omit|include|only|also|production|prod|dev))$/i;

/**
 * An environment in which a program installs packages for development, and asks nothing. Yarn 1 alone refuses those
 * that name a newer Node.js than they need, as Daily's library does on Node.js 20.
 */
export const forDevelopment = (env: Environment, program: string): Environment => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !LEAVES_OUT.test(name))),
  NODE_ENV: 'development',
  COREPACK_ENABLE_DOWNLOAD_PROMPT: '0',
  ...(program === 'yarn' && { npm_config_ignore_engines: 'true' }),
});
