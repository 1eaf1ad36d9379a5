import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ALIASES, generatedFiles } from '../scripts/generated.ts';
import { VERSION } from '../src/version.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

describe('files made from the sources are current (npm run generate)', () => {
  for (const { path, contents } of generatedFiles()) {
    it(path, () => assert.equal(read(path), contents()));
  }
});

describe('the version', () => {
  const manifest = JSON.parse(read('package.json'));

  it('is the one of package.json', () => assert.equal(VERSION, manifest.version));

  for (const { name } of ALIASES) {
    it(`is that of ${name}, which runs exactly that version`, () => {
      const alias = JSON.parse(read(`packages/${name}/package.json`));
      assert.deepEqual([alias.name, alias.version, alias.dependencies], [name, VERSION, { [manifest.name]: VERSION }]);
      assert.deepEqual(Object.values(alias.bin), alias.files);
      assert(read(`packages/${name}/${alias.files[0]}`).includes(`${manifest.name}/command`));
    });
  }

  it('changes everywhere with npm version', () => assert.equal(manifest.scripts.version, 'npm run generate'));
});

it('the lock file has no address of a registry, and no path of this machine', () => {
  const locked = Object.entries<object>(JSON.parse(read('package-lock.json')).packages);
  assert(locked.length > 100);
  for (const [path, facts] of locked) assert(!('resolved' in facts || 'link' in facts), path);
});
