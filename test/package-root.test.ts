import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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

  it('are what `require` returns', () => {
    const paths = GENERATORS.map(name =>
      fileURLToPath(new URL(`../dist/generators/${name}/index.js`, import.meta.url)),
    );
    const script =
      'for (const path of process.argv.slice(1)) import(path).then(one => console.log(require(path) === one.default))';
    const printed = execFileSync(process.execPath, ['-e', script, ...paths], { encoding: 'utf8' });
    assert.equal(printed, 'true\n'.repeat(GENERATORS.length));
  });
});
