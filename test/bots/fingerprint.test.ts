import assert from 'node:assert/strict';
import { join } from 'node:path';
import { inTree } from '../support/trees.ts';
import { fingerprint } from './fingerprint.ts';

/** The fingerprint of the first file among these. */
const printOf = (files: Record<string, string>) =>
  inTree(files, directory => fingerprint(join(directory, Object.keys(files)[0] ?? '')));

describe('the fingerprint of a Python file', () => {
  const files = {
    'bot.py': 'import os\nfrom guard import watch\n',
    'guard.py': 'import rows\n',
    'rows.py': 'import guard\n',
  };
  const evals = { 'evals/judge.py': 'import env\n', 'env.py': 'A = 1\n' };
  const { 'rows.py': _, ...fewer } = files;

  it('is another one only if it, or a module that it imports from its directory or above, is different or missing', async () => {
    assert.equal(await printOf({ ...files, 'other.py': '' }), await printOf(files));
    for (const path of Object.keys(files))
      assert.notEqual(await printOf({ ...files, [path]: 'A = 2\n' }), await printOf(files), path);
    assert.notEqual(await printOf(fewer), await printOf(files));
    assert.notEqual(await printOf({ ...evals, 'env.py': 'A = 2\n' }), await printOf(evals));
  });
});
