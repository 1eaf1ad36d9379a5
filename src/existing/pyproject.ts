import { parse } from 'smol-toml';
import { garbledLine } from '../formats/bytes.ts';
import { normalize, readRequirement } from '../formats/requirement.ts';
import { readBytes, readText } from '../paths/read.ts';
import { textOf } from '../text.ts';
import { brokenLineIn } from './deploy-file.ts';

interface Pyproject {
  /** The line where it stops being TOML, counted from 1. */
  brokenAt?: number;
  /** The extras of each package that it requires, by the package's normalized name; absent if it isn't known. */
  extras?: ReadonlyMap<string, readonly string[]>;
  /** Such as `>=3.11`. */
  python?: string;
  /** The version in `.python-version`, which uv takes, such as `3.12`. */
  pinned?: string;
}

export const PYPROJECT = 'server/pyproject.toml';

export const PINNED = 'server/.python-version';

/** Reads a project's pyproject.toml. Nothing is known about one that isn't there. */
export function readPyproject(root: string): Pyproject {
  const contents = readBytes(root, PYPROJECT);
  if (!contents) return {};
  const garbled = garbledLine(contents);
  if (garbled !== undefined) return { brokenAt: garbled + 1 };
  try {
    const { project } = parse(contents.toString('utf8'));
    const { dependencies, 'requires-python': python } = Object(project);
    const extras = new Map<string, string[]>();
    for (const one of Array.isArray(dependencies) ? dependencies : []) {
      const { name = '', extras: more = [] } = readRequirement(textOf(one)) ?? {};
      extras.set(normalize(name), [...(extras.get(normalize(name)) ?? []), ...more]);
    }
    const pinned = /^(?:cpython-?)?(\d+\.\d+(?:\.\d+)?)/.exec(readText(root, PINNED) ?? '')?.[1];
    return {
      ...(extras.size > 0 && { extras }),
      ...(typeof python === 'string' && { python }),
      ...(pinned && { pinned }),
    };
  } catch {
    return { brokenAt: brokenLineIn(contents.toString('utf8')) };
  }
}
