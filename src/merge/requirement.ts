import type { Requirement } from '../formats/requirement.ts';
import type { Versions } from './lines.ts';

/** Merges what both sides changed about one package; nothing if they contradict each other. */
export function mergeRequirement({ user, base, botcli }: Versions<Requirement>): Requirement | undefined {
  const version = mergeVersion({ user: user.version, base: base.version, botcli: botcli.version });
  const marker = pick({ user: user.marker, base: base.marker, botcli: botcli.marker });
  if (version === undefined || marker === undefined) return undefined;
  const added = botcli.extras.filter(extra => !base.extras.includes(extra) && !user.extras.includes(extra));
  const isRemoved = (extra: string) => base.extras.includes(extra) && !botcli.extras.includes(extra);
  const extras = [...user.extras.filter(extra => !isRemoved(extra)), ...added];
  const isSorted = user.extras.join() === [...user.extras].sort().join();
  return { name: user.name, extras: isSorted ? extras.sort() : extras, version, marker };
}

/** The side that changed; nothing if both did, and not alike. */
function pick<Value>({ user, base, botcli }: Versions<Value>): Value | undefined {
  if (user === botcli || botcli === base) return user;
  return user === base ? botcli : undefined;
}

/** A version that the user raised wins if it is one of botcli's, and so does another source, such as a URL. */
function mergeVersion(versions: Versions<string>): string | undefined {
  const { user, botcli } = versions;
  const squeeze = (text: string) => text.replace(/\s/g, '');
  const picked = pick({ user: squeeze(user), base: squeeze(versions.base), botcli: squeeze(botcli) });
  if (picked !== undefined) return picked === squeeze(user) ? user : botcli;
  if (user.startsWith('@')) return user;
  const lowest = readClauses(user)?.find(({ sign }) => ['==', '===', '>=', '~='].includes(sign))?.release;
  return lowest && satisfies(lowest, botcli) ? user : undefined;
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
