import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A row of the block: a folder or file ("room"), and what it may import. */
export interface Room {
  /** A folder with everything in it, `folder/*.ts` for only the files directly in it, or a file. */
  name: string;
  /** Rooms, and single files of other rooms. */
  ours: readonly string[];
  /** Packages, and Node modules with effects. */
  others: readonly string[];
}

/** The import specifiers of each module, by its path relative to the repository's root, with `/`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

/** Reads the rooms from the block in a document that begins with the top level of `src`. */
export function readRooms(markdown: string): Room[] {
  const [, block = ''] = /^```text\n(\*\.ts:[^`]*)^```$/m.exec(markdown) ?? [];
  const names = (list: string) => list.split(',').flatMap(name => name.trim() || []);
  const rows = block.split(/\n(?! )/).filter(row => row !== '');
  return rows.map(row => {
    const [, name = '', ours = '', others = ''] = /^([^:]+):([^;]*);?(.*)$/s.exec(row) ?? [];
    return { name: placeOf(name), ours: names(ours).map(placeOf), others: names(others) };
  });
}

const placeOf = (name: string): string => (name.startsWith('generators') ? name : `src/${name}`);

const IMPORT =
  /^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\b(?:import|getBuiltinModule)\('([^']+)'\)/gms;

/** The imports of every module in these folders. */
export function readImports(root: string, folders: readonly string[]): Imports {
  const entries = folders.flatMap(folder => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }));
  const files = entries
    .filter(entry => entry.isFile() && /\.ts$/.test(entry.name) && !/\.d\.ts$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
    .filter(path => !path.includes(`${posix.sep}templates${posix.sep}`));
  return new Map(
    files.map(path => {
      const text = readFileSync(path, 'utf8');
      const names = [...text.matchAll(IMPORT)].map(([, from, alone, late]) => from ?? alone ?? late ?? '');
      return [posix.relative(root, path), names];
    }),
  );
}

/** Finds forbidden imports, permissions that no import needs, and circular imports between rooms or modules. */
export function findBreaches(rooms: readonly Room[], imports: Imports): string[] {
  const found = new Map<string, Room | undefined>();
  const roomOf = (path: string) => {
    if (!found.has(path)) found.set(path, roomAt(rooms, path));
    return found.get(path);
  };
  const used = new Set<string>();
  const forbidden = [...imports].flatMap(([path, names]) => {
    const room = roomOf(path);
    if (!room) return [`${path} is in no room: give its folder a row`];
    return names.flatMap(name => {
      const target = isOwn(name) ? resolve(path, name) : name;
      const allowed = isOwn(name) ? wayTo(room, target, roomOf(target)) : wayOut(room, name);
      if (allowed === undefined) return [`${path} imports ${target}, and ${room.name} may not`];
      used.add(`${room.name} ${allowed}`);
      return [];
    });
  });
  const idle = rooms.flatMap(({ name, ours, others }) =>
    [...ours, ...others]
      .filter(item => !used.has(`${name} ${item}`))
      .map(item => `${name} may import ${item}, and doesn't: take it out of its row`),
  );
  const doors = new Map(rooms.map(({ name, ours }) => [name, ours.map(item => roomOf(item)?.name ?? item)]));
  const modules = new Map(
    [...imports].map(([path, names]) => [path, names.filter(isOwn).map(name => resolve(path, name))]),
  );
  return [...forbidden, ...idle, ...findCircles(doors), ...findCircles(modules)];
}

/** The smallest room that contains a module. */
function roomAt(rooms: readonly Room[], path: string): Room | undefined {
  const holds = ({ name }: Room) =>
    name === path || name === `${posix.dirname(path)}/*.ts` || path.startsWith(`${name}/`);
  return rooms.filter(holds).sort((one, other) => other.name.length - one.name.length)[0];
}

/** Modules of Node without effects, which every room may import. */
const HARMLESS = ['node:buffer', 'node:events', 'node:path', 'node:stream', 'node:timers', 'node:url', 'node:util'];

/** The room that every other room may import. */
const OPEN = 'src/*.ts';

/** The entry of a row that permits importing a module; the room's own name if both are in the same room. */
function wayTo({ name, ours }: Room, target: string, other: Room | undefined): string | undefined {
  if (other?.name === name || other?.name === OPEN) return other.name;
  return ours.find(item => item === target || item === other?.name);
}

const wayOut = ({ others }: Room, name: string): string | undefined =>
  [...others, ...HARMLESS].find(item => name === item || name.startsWith(`${item}/`));

const isOwn = (name: string): boolean => name.startsWith('.');

/** The path of an imported module. */
const resolve = (from: string, name: string): string => posix.join(posix.dirname(from), name);

/** Finds circular imports. */
function findCircles(ways: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const circles: string[] = [];
  const walk = (place: string, way: readonly string[]) => {
    const before = way.indexOf(place);
    if (before !== -1) circles.push(`A circle of imports: ${[...way.slice(before), place].join(' -> ')}`);
    if (before !== -1 || done.has(place)) return;
    for (const next of ways.get(place) ?? []) if (next !== place) walk(next, [...way, place]);
    done.add(place);
  };
  for (const place of ways.keys()) walk(place, []);
  return circles;
}
