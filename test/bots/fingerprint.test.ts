import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fingerprint } from './fingerprint.ts';

/** The fingerprint of the first file among these. */
function printOf(files: Record<string, string>): string {
  const directory = mkdtempSync(join(tmpdir(), 'fingerprint-'));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return fingerprint(join(directory, Object.keys(files)[0] ?? ''));
}

describe('the fingerprint of a Python file', () => {
  const files = {
    'bot.py': 'import os\nfrom guard import watch\n',
    'guard.py': 'import rows\n',
    'rows.py': 'import guard\n',
  };
  const evals = { 'evals/judge.py': 'import env\n', 'env.py': 'A = 1\n' };
  const { 'rows.py': _, ...fewer } = files;

  it('is another one only if it, or a module that it imports from its directory or above, is different or missing', () => {
    assert.equal(printOf({ ...files, 'other.py': '' }), printOf(files));
    for (const path of Object.keys(files))
      assert.notEqual(printOf({ ...files, [path]: 'A = 2\n' }), printOf(files), path);
    assert.notEqual(printOf(fewer), printOf(files));
    assert.notEqual(printOf({ ...evals, 'env.py': 'A = 2\n' }), printOf(evals));
  });
});
