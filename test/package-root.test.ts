import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { GENERATORS, generatorModule } from '../src/package-root.ts';

describe('the generators', () => {
  it('are the directories that hold one', () => {
    const directory = fileURLToPath(new URL('../generators', import.meta.url));
    const entries = readdirSync(directory, { withFileTypes: true }).filter(entry => entry.isDirectory());
    assert.deepEqual(entries.map(({ name }) => name).sort(), [...GENERATORS].sort());
    for (const name of GENERATORS) assert(existsSync(generatorModule(name)), name);
  });
});
