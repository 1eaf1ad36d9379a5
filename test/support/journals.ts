import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { proofIn } from '../../src/writing/scratch.ts';

/** Makes the scratch directories in a tree count as made there, as those of a run of botcli do. */
export function claimJournals(root: string): void {
  for (const name of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (/\.botcli-[1-9]\d*-[0-9a-z]+\.tmp$/.test(name)) mkdirSync(proofIn({ path: join(root, name) }));
  }
}
