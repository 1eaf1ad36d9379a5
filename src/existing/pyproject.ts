import { parse, TomlError } from 'smol-toml';
import { normalize, readRequirement } from '../formats/requirement.ts';
import { readText } from '../paths/read.ts';

/** What a project's pyproject.toml says. */
export interface Pyproject {
  /** The line where it stops being TOML, counted from 1. */
  brokenAt?: number;
  /** The extras of each package that it requires, by the package's normalized name; absent if it isn't known. */
  extras?: ReadonlyMap<string, readonly string[]>;
  /** Such as `>=3.11`. */
  python?: string;
  /** The version in `.python-version`, which uv takes, such as `3.12`. */
  pinned?: string;
}

/** Its path in a project. */
export const PYPROJECT = 'server/pyproject.toml';

export const PINNED = 'server/.python-version';

/** Reads a project's pyproject.toml. Nothing is known about one that isn't there. */
export function readPyproject(root: string): Pyproject {
  const text = readText(root, PYPROJECT);
  if (text === undefined) return {};
  try {
    const { project } = parse(text) as { project?: { dependencies?: unknown; 'requires-python'?: unknown } };
    const { dependencies, 'requires-python': python } = Object(project);
    const required = Array.isArray(dependencies) ? dependencies.map(one => readRequirement(String(one))) : undefined;
    const extras = new Map<string, string[]>();
    for (const one of required ?? []) {
      if (one) extras.set(normalize(one.name), [...(extras.get(normalize(one.name)) ?? []), ...one.extras]);
    }
    const pinned = /^(?:cpython-?)?(\d+\.\d+(?:\.\d+)?)/.exec(readText(root, PINNED) ?? '')?.[1];
    return { ...(required && { extras }), ...(typeof python === 'string' && { python }), ...(pinned && { pinned }) };
  } catch (error) {
    return { brokenAt: error instanceof TomlError ? error.line : 1 };
  }
}
