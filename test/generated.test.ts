import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { generatedFiles } from '../scripts/generated.ts';
import { VERSION } from '../src/version.ts';

const read = (path: string) => readFileSync(fileURLToPath(new URL(`../${path}`, import.meta.url)), 'utf8');

describe('files made from the sources are current (npm run generate)', () => {
  for (const { path, contents } of generatedFiles()) {
    it(path, () => assert.equal(read(path), contents));
  }
});

it('the version is the one of package.json', () => assert.equal(VERSION, JSON.parse(read('package.json')).version));
