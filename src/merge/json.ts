import satisfies from 'semver/functions/satisfies.js';
import minVersion from 'semver/ranges/min-version.js';
import validRange from 'semver/ranges/valid.js';
import { type Chunk, type Lines, outcomeOf, type Versions } from './lines.ts';
import { insertInOrder } from './order.ts';

type Json = Record<string, unknown>;

/** How two sides that contradict each other are settled. */
type Side = 'user' | 'base' | 'botcli';

/** Merges JSON by key, if it is formatted as npm writes it; otherwise, rewriting it would change what the user wrote. */
export function settleJson(versions: Versions<Lines>): Versions<Lines> {
  const text = versions.user.join('\n');
  const documents = { user: read(versions.user), base: read(versions.base), botcli: read(versions.botcli) };
  const indent = /^\{\n([ \t]+)/.exec(text)?.[1] ?? '  ';
  if (!isComplete(documents) || JSON.stringify(documents.user, null, indent) !== text) return versions;
  const write = (side: Side) => JSON.stringify(mergeObject(documents, side, ''), null, indent).split('\n');
  return { user: write('user'), base: write('base'), botcli: write('botcli') };
}

/** Merged JSON must still be JSON. */
export function checkJson(chunks: readonly Chunk[], versions: Versions<Lines>): Map<Chunk, string> {
  const isBroken = !isJson(chunks.flatMap(outcomeOf)) && isJson(versions.user) && isJson(versions.botcli);
  const changes = isBroken ? chunks.filter(({ source }) => source === 'botcli') : [];
  return new Map(changes.map(chunk => [chunk, "With botcli's change, the file would no longer be valid JSON."]));
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
  Boolean(documents.user && documents.base && documents.botcli);

function mergeObject(objects: Versions<Json>, side: Side, path: string): Json {
  const [mine, ours] = [Object.keys(objects.user), Object.keys(objects.botcli)];
  // A key without a value isn't written.
  return Object.fromEntries(
    insertInOrder(mine, ours, ours).map(key => [key, mergeValue(pickKey(objects, key), side, `${path}/${key}`)]),
  );
}

const pickKey = ({ user, base, botcli }: Versions<Json>, key: string): Versions<unknown> => {
  const at = (object: Json) => (Object.hasOwn(object, key) ? object[key] : undefined);
  return { user: at(user), base: at(base), botcli: at(botcli) };
};

function mergeValue(values: Versions<unknown>, side: Side, path: string): unknown {
  const { user, base, botcli } = values;
  if (isSame(user, botcli) || isSame(botcli, base)) return user;
  if (isSame(user, base)) return botcli;
  if (isObject(user) && isObject(botcli)) {
    return mergeObject({ user, base: isObject(base) ? base : {}, botcli }, side, path);
  }
  // What the user changed stays, even if botcli doesn't need it any more.
  if (botcli === undefined) return user;
  if (DEPENDENCY.test(path) && typeof user === 'string' && isRaised(user, botcli)) return user;
  // Without a value in the base, the lines of both would be additions, which don't contradict each other.
  return side === 'base' && base === undefined ? NOTHING.find(one => one !== user && one !== botcli) : values[side];
}

/** Values for a key that the base doesn't have: one of them differs from those of both sides. */
const NOTHING = [null, '', 0];

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

const DEPENDENCY = /^\/(dependencies|devDependencies|peerDependencies|optionalDependencies)\/[^/]+(\/[^/]+)?$/;

/** A version that the user raised wins if it is one of botcli's, and so does another source, such as a path. */
function isRaised(user: string, botcli: unknown): boolean {
  const lowest = validRange(user) === null ? null : minVersion(user);
  return lowest === null || (typeof botcli === 'string' && satisfies(lowest, botcli));
}
