import { parse } from 'smol-toml';
import { garbledLine } from '../formats/bytes.ts';
import { normalize, readRequirement } from '../formats/requirement.ts';
import { readBytes, readText } from '../paths/read.ts';
import { EVAL_COMMAND_REQUIREMENTS } from '../project/release.ts';
import { textOf } from '../text.ts';
import { brokenLineIn } from './deploy-file.ts';

export interface Pyproject {
  /** The line where it stops being TOML, counted from 1. */
  brokenAt?: number;
  /** The extras of each package that it requires, by the package's normalized name; absent if it isn't known. */
  extras?: ReadonlyMap<string, readonly string[]>;
  /** The names of all packages that it lists, also in groups and extras. */
  packages?: readonly string[];
  /** Whether it lists only packages that botcli lists, so that it's known what comes along with them. */
  isUsual?: boolean;
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
    const { project, tool, 'dependency-groups': groups } = parse(contents.toString('utf8')) as Record<string, unknown>;
    const { name, dependencies, 'optional-dependencies': optional, 'requires-python': python } = Object(project);
    const all = textsIn([name, dependencies, optional, groups, Object(Object(tool).uv)['dev-dependencies']]);
    const packages = all.flatMap(one => readRequirement(one)?.name ?? []);
    const required = Array.isArray(dependencies) ? dependencies.map(one => readRequirement(textOf(one))) : undefined;
    const extras = new Map<string, string[]>();
    for (const one of required ?? []) {
      if (one) extras.set(normalize(one.name), [...(extras.get(normalize(one.name)) ?? []), ...one.extras]);
    }
    const pinned = /^(?:cpython-?)?(\d+\.\d+(?:\.\d+)?)/.exec(readText(root, PINNED) ?? '')?.[1];
    return {
      packages,
      isUsual: packages.every(one => one === name || isUsual(normalize(one))) && hasUsualTools(tool),
      ...(required && { extras }),
      ...(typeof python === 'string' && { python }),
      ...(pinned && { pinned }),
    };
  } catch {
    return { brokenAt: brokenLineIn(contents.toString('utf8')) };
  }
}

/** The packages that botcli lists in projects. */
const USUAL = /^(?:pipecat-ai(?:-.*)?|pipecatcloud|ruff|pyright|twilio|python-multipart|python-dotenv)$/;
const isUsual = (name: string): boolean =>
  USUAL.test(name) || EVAL_COMMAND_REQUIREMENTS.some(one => readRequirement(one)?.name === name);

/** Tools of Python that install nothing. */
const HARMLESS = /^(?:ruff|pyright|basedpyright|mypy|black|isort|flake8|pylint|coverage|bandit|pytest)$/;

/** Whether no tool installs packages from another place. */
const hasUsualTools = (tool: unknown): boolean =>
  Object.entries(Object(tool)).every(([name, value]) =>
    name === 'uv'
      ? Object.keys(Object(value)).every(key =>
          /^(?:package|build-backend|dev-dependencies|required-version)$/.test(key),
        )
      : HARMLESS.test(name),
  );

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
