import satisfies from 'semver/functions/satisfies.js';
import minVersion from 'semver/ranges/min-version.js';
import validRange from 'semver/ranges/valid.js';
import { type Chunk, type Lines, outcomeOf, type Versions } from './lines.ts';
import { insertInOrder } from './order.ts';

type Json = Record<string, unknown>;

/** How two sides that contradict each other are settled. */
type Side = 'mine' | 'base' | 'theirs';

/** Merges JSON by key, if it is formatted as npm writes it; otherwise, rewriting it would change what the user wrote. */
export function settleJson(versions: Versions<Lines>): Versions<Lines> {
  const text = versions.mine.join('\n');
  const documents = { mine: read(versions.mine), base: read(versions.base), theirs: read(versions.theirs) };
  const indent = /^\{\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  if (!isComplete(documents) || JSON.stringify(documents.mine, null, indent) !== text) return versions;
  const write = (side: Side) => JSON.stringify(mergeObject(documents, side, ''), null, indent).split('\n');
  return { mine: write('mine'), base: write('base'), theirs: write('theirs') };
}

/** Merged JSON must still be JSON. */
export function checkJson(chunks: readonly Chunk[], versions: Versions<Lines>): Map<Chunk, string> {
  const isBroken = !isJson(chunks.flatMap(outcomeOf)) && isJson(versions.mine) && isJson(versions.theirs);
  const ours = isBroken ? chunks.filter(({ source }) => source === 'theirs') : [];
  return new Map(ours.map(chunk => [chunk, "With botcli's change, the file would no longer be valid JSON."]));
}

function parse(lines: Lines): unknown {
  try {
    const value = JSON.parse(lines.join('\n'));
    // Some values are nested too deeply to be written again.
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}

const isJson = (lines: Lines): boolean => parse(lines) !== undefined;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function read(lines: Lines): Json | undefined {
  const value = parse(lines);
  return isObject(value) ? value : undefined;
}

const isComplete = (documents: Versions<Json | undefined>): documents is Versions<Json> =>
  Boolean(documents.mine && documents.base && documents.theirs);

function mergeObject(objects: Versions<Json>, side: Side, path: string): Json {
  const { mine, base, theirs } = objects;
  const added = Object.keys(theirs).filter(key => !Object.hasOwn(base, key));
  const order = insertInOrder(Object.keys(mine), added, Object.keys(theirs));
  const missing = Object.keys(theirs).filter(key => !order.includes(key));
  const entries = [...order, ...missing].map(
    key => [key, mergeValue(pickKey(objects, key), side, `${path}/${key}`)] as const,
  );
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

const pickKey = ({ mine, base, theirs }: Versions<Json>, key: string): Versions<unknown> => {
  const at = (object: Json) => (Object.hasOwn(object, key) ? object[key] : undefined);
  return { mine: at(mine), base: at(base), theirs: at(theirs) };
};

function mergeValue(values: Versions<unknown>, side: Side, path: string): unknown {
  const { mine, base, theirs } = values;
  if (isSame(mine, theirs) || isSame(theirs, base)) return mine;
  if (isSame(mine, base)) return theirs;
  if (isObject(mine) && isObject(theirs)) {
    return mergeObject({ mine, base: isObject(base) ? base : {}, theirs }, side, path);
  }
  // What the user changed stays, even if botcli doesn't need it any more.
  if (theirs === undefined) return mine;
  if (DEPENDENCY.test(path) && typeof mine === 'string' && isRaised(mine, theirs)) return mine;
  // Without a value in the base, the lines of both would be additions, which don't contradict each other.
  return values[side] ?? (side === 'base' ? null : undefined);
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const DEPENDENCY = /^\/(dependencies|devDependencies|peerDependencies|optionalDependencies)\/[^/]+(\/[^/]+)?$/;

/** A version that the user raised wins if it is one of botcli's, and so does another source, such as a path. */
function isRaised(mine: string, theirs: unknown): boolean {
  const lowest = validRange(mine) === null ? null : minVersion(mine);
  return lowest === null || (typeof theirs === 'string' && satisfies(lowest, theirs));
}
