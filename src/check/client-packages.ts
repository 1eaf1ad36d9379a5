import { existsSync } from 'node:fs';
import { join } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import { readText } from '../existing/read-file.ts';
import type { ClientFacts } from './checks/facts.ts';

/** Compares a web client's package.json with its node_modules. Undefined if there is no package.json. */
export function readClient(directory: string): ClientFacts | undefined {
  const path = join(directory, 'package.json');
  if (!existsSync(path)) return undefined;
  const manifest = readObject(path) ?? {};
  const required = Object.entries({ ...textsOf(manifest.dependencies), ...textsOf(manifest.devDependencies) });
  const modules = join(directory, 'node_modules');
  const isInstalled = existsSync(modules);
  const isThere = ([name, range]: [string, string]): boolean => {
    const { version } = textsOf(readObject(join(modules, name, 'package.json')));
    // Other ranges, such as a path or a tag, say nothing about the version.
    return version !== undefined && (!/^[~^\d>=<]/.test(range) || satisfies(version, range));
  };
  return {
    isReadable: readObject(path) !== undefined,
    engines: textsOf(manifest.engines).node,
    isInstalled,
    mismatched: isInstalled ? required.filter(one => !isThere(one)).map(([name]) => name) : [],
  };
}

function readObject(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readText(path) ?? '');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(value)).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
