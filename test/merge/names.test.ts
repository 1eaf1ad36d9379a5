import assert from 'node:assert/strict';
import { mergeLines, type Versions } from '../../src/merge/lines.ts';
import { readDraft } from '../../src/merge/python/draft.ts';
import { settleImports } from '../../src/merge/python/imports.ts';
import { checkNames } from '../../src/merge/python/names.ts';
import { readLines } from '../../src/merge/python/read.ts';

/** What is wrong with the names of a merge by lines: the line of the merge, counted from 0, and the reason. */
function faultsIn(user: string, base: string, botcli: string): string[] {
  const original = { user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') };
  const { versions } = settleImports(original, new Set(), mergeLines);
  const read = (texts: Versions<readonly string[]>) => ({
    user: readLines(texts.user),
    base: readLines(texts.base),
    botcli: readLines(texts.botcli),
  });
  const draft = readDraft(mergeLines(versions) ?? [], read(versions));
  return checkNames(draft, read(original)).map(({ line, name, reason }) => `${line} ${name}: ${reason}`);
}

/** What the user has, what both come from, what botcli writes, and the faults of the merge. */
const cases: [about: string, user: string, base: string, botcli: string, ...faults: string[]][] = [
  [
    'the user has moved a value to an inner function, below the place where botcli uses it',
    'def f():/    def g():/        a()/        b()/        x = 1',
    'def f():/    x = 1/    def g():/        a()/        b()',
    'def f():/    x = 1/    def g():/        a()/        use(x)/        b()',
    '3 x: "x" is used before f.g defines it.',
  ],
];

describe('checking the names of a merge when', () => {
  for (const [about, user, base, botcli, ...faults] of cases) {
    it(about, () => assert.deepEqual(faultsIn(user, base, botcli), faults));
  }
});
