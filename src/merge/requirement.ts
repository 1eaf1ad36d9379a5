import type { Requirement } from '../formats/requirement.ts';
import type { Versions } from './lines.ts';

/** Merges what both sides changed about one package; nothing if they contradict each other. */
export function mergeRequirement({ mine, base, theirs }: Versions<Requirement>): Requirement | undefined {
  const version = mergeVersion({ mine: mine.version, base: base.version, theirs: theirs.version });
  const marker = pick({ mine: mine.marker, base: base.marker, theirs: theirs.marker });
  if (version === undefined || marker === undefined) return undefined;
  const added = theirs.extras.filter(extra => !base.extras.includes(extra) && !mine.extras.includes(extra));
  const isRemoved = (extra: string) => base.extras.includes(extra) && !theirs.extras.includes(extra);
  const extras = [...mine.extras.filter(extra => !isRemoved(extra)), ...added];
  const isSorted = mine.extras.join() === [...mine.extras].sort().join();
  return { name: mine.name, extras: isSorted ? extras.sort() : extras, version, marker };
}

/** The side that changed; nothing if both did, and not alike. */
export function pick<Value>({ mine, base, theirs }: Versions<Value>): Value | undefined {
  if (mine === theirs || theirs === base) return mine;
  return mine === base ? theirs : undefined;
}

/** A version that the user raised wins if it is one of botcli's, and so does another source, such as a URL. */
function mergeVersion(versions: Versions<string>): string | undefined {
  const { mine, theirs } = versions;
  const squeeze = (text: string) => text.replace(/\s/g, '');
  const picked = pick({ mine: squeeze(mine), base: squeeze(versions.base), theirs: squeeze(theirs) });
  if (picked !== undefined) return picked === squeeze(mine) ? mine : theirs;
  if (mine.startsWith('@')) return mine;
  const lowest = readClauses(mine)?.find(({ sign }) => ['==', '===', '>=', '~='].includes(sign))?.release;
  return lowest && satisfies(lowest, theirs) ? mine : undefined;
}

interface Clause {
  sign: string;
  release: number[];
}

/** Reads `>=1.4,<2`; nothing if it has more than signs and numbers, such as pre-releases. */
function readClauses(version: string): Clause[] | undefined {
  const clauses = version.split(',').map(part => /^\s*(===?|>=|<=|~=|!=|<|>)\s*(\d+(?:\.\d+)*)\s*$/.exec(part));
  return clauses.every(clause => clause !== null)
    ? clauses.map(([, sign = '', release = '']) => ({ sign, release: release.split('.').map(Number) }))
    : undefined;
}

function satisfies(release: readonly number[], version: string): boolean {
  return (
    readClauses(version)?.every(({ sign, release: other }) => {
      const order = compareReleases(release, other);
      if (sign === '~=')
        return order >= 0 && compareReleases(release.slice(0, other.length - 1), other.slice(0, -1)) === 0;
      if (sign === '!=') return order !== 0;
      if (sign.startsWith('==')) return order === 0;
      const isOpen = sign.length === 1;
      return sign.startsWith('>') ? order > 0 || (!isOpen && order === 0) : order < 0 || (!isOpen && order === 0);
    }) ?? false
  );
}

function compareReleases(one: readonly number[], other: readonly number[]): number {
  for (let at = 0; at < Math.max(one.length, other.length); at += 1) {
    const order = (one[at] ?? 0) - (other[at] ?? 0);
    if (order !== 0) return order;
  }
  return 0;
}
