import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { FINDING_CODES } from '../../src/check/checks/finding.ts';

describe('the codes of findings', () => {
  const folder = fileURLToPath(new URL('.', import.meta.url));
  const tests = readdirSync(folder).map(name => readFileSync(folder + name, 'utf8'));

  for (const code of Object.keys(FINDING_CODES)) {
    it(`${code} has a test that produces it`, () => {
      assert(tests.some(text => new RegExp(`(?:error|warning) ${code}: |${code}: \\$\\{provider\\}`).test(text)));
    });
  }
});
