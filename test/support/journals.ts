import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { placeOf } from '../../src/writing/scratch.ts';

/** Makes the journals in a tree count as written there, as those of a run of botcli do. */
export function claimJournals(root: string): void {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.botcli-\S+\.tmp.journal\.json$/.test(name)) continue;
    const path = join(root, name);
    try {
      const journal = JSON.parse(readFileSync(path, 'utf8'));
      if (!Array.isArray(journal))
        writeFileSync(path, JSON.stringify({ ...journal, place: placeOf({ path: dirname(path) }) }));
    } catch {
      // A test of what isn't JSON.
    }
  }
}
