/** What is known about one path. Hashes are SHA-256 in hex of the bytes. */
export interface PathFacts {
  path: string;
  /** The hash in the state file: what botcli wrote. */
  recorded?: string;
  /** The hash of the file on disk; absent if there is none. */
  user?: string;
  /** The hash of what the new choices render; absent if they don't have the file. */
  botcli?: string;
  /**
   * Whether the recorded choices render this file, too. If they do, but it isn't recorded, then it was the user's own from
   * the beginning, such as an existing AGENTS.md, and it stays as it is.
   */
  inBase: boolean;
}

/** What becomes of one path. */
export type Verdict =
  | 'unchanged'
  | 'created'
  | 'replaced'
  | 'deleted'
  | 'kept'
  | 'merge'
  /** Edited by the user, and not in the new choices: kept and reported. */
  | 'orphaned'
  /** Deleted by the user: stays deleted and is reported. */
  | 'absent'
  /** Neither on disk nor in the new choices. */
  | 'gone'
  /** A file of the user's where a new one would go: merged with an empty base. */
  | 'own';

/** The first row that applies decides. Without one, it's a merge. */
const ROWS: readonly [verdict: Verdict, applies: (facts: PathFacts) => boolean][] = [
  ['gone', ({ user, botcli }) => user === undefined && botcli === undefined],
  ['created', ({ user, recorded, inBase }) => user === undefined && recorded === undefined && !inBase],
  ['absent', ({ user }) => user === undefined],
  ['unchanged', ({ user, botcli }) => user === botcli],
  ['own', ({ recorded, botcli, inBase }) => recorded === undefined && botcli !== undefined && !inBase],
  ['kept', ({ recorded }) => recorded === undefined],
  ['deleted', ({ user, recorded, botcli }) => user === recorded && botcli === undefined],
  ['replaced', ({ user, recorded }) => user === recorded],
  ['orphaned', ({ botcli }) => botcli === undefined],
  ['kept', ({ recorded, botcli }) => botcli === recorded],
];

/** Decides what an update does with one path. */
export const verdictOf = (facts: PathFacts): Verdict => ROWS.find(([, applies]) => applies(facts))?.[0] ?? 'merge';
