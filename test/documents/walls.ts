import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** A room of the house, and what it may import. */
export interface Room {
  /** A folder with all that is below it, `folder/*.ts` for the files right in it, or a file. */
  name: string;
  /** Rooms, and files of rooms that aren't open as a whole. */
  ours: readonly string[];
  /** Packages, and modules of Node. */
  others: readonly string[];
}

/** What each module imports, as written; by its path from the repository's root, with `/`. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const ROW = /^\| `([^`]+)` \| ([^|]*) \| ([^|]*) \|$/;

/** The rooms of the table in a document: a row each, with what it may import of ours and of others. */
export function readRooms(markdown: string): Room[] {
  const names = (cell = '') => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  return markdown.split('\n').flatMap(line => {
    const [, name, ours, others] = ROW.exec(line) ?? [];
    return name === undefined ? [] : [{ name, ours: names(ours), others: names(others) }];
  });
}

const IMPORT = /^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gms;

/** The imports of every module below these folders. */
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

/** What breaks the walls: imports that the table forbids, rows of it that nothing needs, and circles of either. */
export function findBreaches(rooms: readonly Room[], imports: Imports): string[] {
  const roomOf = (path: string) => roomAt(rooms, path);
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

/** The room that a module is in: the smallest one that holds it. */
function roomAt(rooms: readonly Room[], path: string): Room | undefined {
  const holds = ({ name }: Room) =>
    name === path || name === `${posix.dirname(path)}/*.ts` || path.startsWith(`${name}/`);
  return rooms.filter(holds).sort((one, other) => other.name.length - one.name.length)[0];
}

/** What of a row lets a module of ours in; the room itself, where both are in the same one. */
function wayTo({ name, ours }: Room, target: string, other: Room | undefined): string | undefined {
  if (other?.name === name) return name;
  return ours.find(item => item === target || item === other?.name);
}

const wayOut = ({ others }: Room, name: string): string | undefined =>
  others.find(item => name === item || name.startsWith(`${item}/`));

const isOwn = (name: string): boolean => name.startsWith('.');

/** The module that another one names. */
const resolve = (from: string, name: string): string => posix.join(posix.dirname(from), name);

/** The ways from one to the other that lead back to where they began. */
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
