import assert from 'node:assert/strict';
import { mergeLines } from '../../src/merge/lines.ts';
import { readDraft, readLines } from '../../src/merge/python/draft.ts';
import { checkGlobals } from '../../src/merge/python/names.ts';

/** What the user has, what both come from, what botcli writes, and the faults of the merge, all in rows. */
const cases: [about: string, user: string, base: string, botcli: string, ...faults: string[]][] = [
  [
    'botcli no longer sets one of two names of the user',
    'line = None/def run():/    global line, own/    own = 1/    line = 1/    go(line)',
    'def run():/    line = 1/    go(line)',
    'def run():/    call = 1/    go(call)',
    '2 line: Nothing in run would set your global "line".',
  ],
  [
    'another function still sets it, and it was the second name of a long statement',
    'def run():/    global line/    a, (/        line,/    ) = f()/    go(line)/def more():/    global line/    line = 1',
    'def run():/    a, (/        line,/    ) = f()/    go(line)',
    'def run():/    a = f()/    go(a)',
    '1 line: Nothing in run would set your global "line".',
  ],
  [
    'the user never set it',
    'line = None/def run():/    global line/    go(line)',
    'def run():/    go(line)',
    'def run():/    go(1)',
  ],
  ['nothing is global', 'def run():/    line = 1/    b()', 'def run():/    line = 1', 'def run():/    call = 1'],
];

describe('checking global names when', () => {
  for (const [about, user, base, botcli, ...faults] of cases) {
    it(about, () => {
      const versions = { user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') };
      const modules = { user: readLines(versions.user), botcli: readLines(versions.botcli) };
      const found = checkGlobals(readDraft(mergeLines(versions) ?? [], modules));
      assert.deepEqual(
        found.map(({ line, name, reason }) => `${line} ${name}: ${reason}`),
        faults,
      );
    });
  }
});
