import { join } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { packageManagerOf } from '../existing/package-manager.ts';
import { isObject, parsedJson } from '../json.ts';
import { LEADS_OUTSIDE } from '../paths/locate.ts';
import { exists, readContents } from '../paths/read.ts';
import { directoriesAbove } from '../search-path.ts';
import type { Facts } from './checks/facts.ts';

/** A name that npm accepts. */
const PACKAGE = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}$/;
/** Longer ranges say nothing that a person wrote. */
const LONGEST_RANGE = 200;
const MOST_PACKAGES = 500;

/** Compares the web client's package.json with its node_modules. Undefined if there is no package.json. */
export function readClient(root: string): Facts['client'] {
  const path = 'client/package.json';
  if (!exists(root, path)) return undefined;
  const manifest = objectIn(readContents(root, path));
  const required = Object.entries({ ...textsOf(manifest?.dependencies), ...textsOf(manifest?.devDependencies) })
    .filter(([name, range]) => PACKAGE.test(name) && range.length <= LONGEST_RANGE)
    .slice(0, MOST_PACKAGES);
  const engines = textsOf(manifest?.engines).node;
  const modules = 'client/node_modules';
  const { manager, place } = packageManagerOf(join(root, 'client'));
  // With Plug'n'Play, yarn unpacks nothing.
  const isPacked = exists(place, '.pnp.cjs');
  const isInstalled =
    isPacked || exists(root, modules) || (required.length > 0 && required.every(([name]) => isHoisted(root, name)));
  const isThere = ([name, range]: [string, string]): boolean => {
    const installed = `${modules}/${name}/package.json`;
    const contents = readContents(root, installed);
    // In a workspace, packages may be outside the project, where nothing is read.
    if (contents === LEADS_OUTSIDE) return true;
    if (contents === 'absent') return isHoisted(root, name);
    const { version } = textsOf(objectIn(contents));
    // Other ranges, such as a path or a tag, say nothing about the version.
    return version !== undefined && (!/^[~^\d>=<]/.test(range) || satisfies(version, range));
  };
  return {
    isReadable: manifest !== undefined,
    engines: isRange(engines) ? engines : undefined,
    manager,
    isInstalled,
    mismatched: isInstalled && !isPacked ? required.filter(one => !isThere(one)).map(([name]) => name) : [],
  };
}

/** Whether a package is where the workspace that the client belongs to has it. Node looks in each directory above. */
const isHoisted = (root: string, name: string): boolean =>
  directoriesAbove(root).some(directory => exists(directory, `node_modules/${name}/package.json`));

const isRange = (text = ''): boolean => text.length <= LONGEST_RANGE && validRange(text) !== null;

function objectIn(contents: ReturnType<typeof readContents>): Record<string, unknown> | undefined {
  const value = parsedJson(typeof contents === 'string' ? '' : contents.toString('utf8'));
  return isObject(value) ? value : undefined;
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(value)).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
