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

const BOT = 'import os\nfrom guard import watch\n';
const GUARD = 'import rows\n';

describe('the fingerprint of a Python file', () => {
  const print = printOf({ 'bot.py': BOT, 'guard.py': GUARD, 'rows.py': 'A = 1\n' });

  it('is the same in another project with the same modules', () => {
    assert.equal(printOf({ 'bot.py': BOT, 'guard.py': GUARD, 'rows.py': 'A = 1\n', 'other.py': '' }), print);
  });

  it('is another one if it, or a module that it imports, is different or missing', () => {
    assert.notEqual(printOf({ 'bot.py': `${BOT}\n`, 'guard.py': GUARD, 'rows.py': 'A = 1\n' }), print);
    assert.notEqual(printOf({ 'bot.py': BOT, 'guard.py': `${GUARD}\n`, 'rows.py': 'A = 1\n' }), print);
    assert.notEqual(printOf({ 'bot.py': BOT, 'guard.py': GUARD, 'rows.py': 'A = 2\n' }), print);
    assert.notEqual(printOf({ 'bot.py': BOT, 'guard.py': GUARD }), print);
  });

  it('includes the modules one level higher', () => {
    const evals = { 'evals/judge.py': 'import env\n', 'env.py': 'A = 1\n' };
    assert.notEqual(printOf(evals), printOf({ ...evals, 'env.py': 'A = 2\n' }));
  });

  it('survives modules that import each other', () => {
    assert.match(printOf({ 'a.py': 'import b\n', 'b.py': 'import a\n' }), /^[0-9a-f]{64}$/);
  });
});
