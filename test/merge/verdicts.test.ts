import assert from 'node:assert/strict';
import { type PathFacts, type Verdict, verdictOf } from '../../src/merge/index.ts';

type Case = [about: string, facts: Omit<PathFacts, 'path' | 'inBase'> & { inBase?: false }, verdict: Verdict];

const cases: Case[] = [
  ['as recorded, and the template is the same', { recorded: 'a', user: 'a', botcli: 'a' }, 'unchanged'],
  ['as recorded, and the template changed', { recorded: 'a', user: 'a', botcli: 'b' }, 'replaced'],
  ['as recorded, and the new choices drop it', { recorded: 'a', user: 'a' }, 'deleted'],
  ['edited, and the template is the same', { recorded: 'a', user: 'b', botcli: 'a' }, 'kept'],
  ['edited, and the template changed', { recorded: 'a', user: 'b', botcli: 'c' }, 'merge'],
  ['edited to what the template became', { recorded: 'a', user: 'b', botcli: 'b' }, 'unchanged'],
  ['edited, and the new choices drop it', { recorded: 'a', user: 'b' }, 'orphaned'],
  ['deleted by the user, and the template is the same', { recorded: 'a', botcli: 'a' }, 'absent'],
  ['deleted by the user, and the template changed', { recorded: 'a', botcli: 'b' }, 'absent'],
  ['deleted by the user, and the new choices drop it', { recorded: 'a' }, 'gone'],
  ['new', { botcli: 'a', inBase: false }, 'created'],
  ['new, where the user has a file of their own', { user: 'b', botcli: 'a', inBase: false }, 'own'],
  ['new, where the user has the same file', { user: 'a', botcli: 'a', inBase: false }, 'unchanged'],
  ["the user's own from the beginning", { user: 'b', botcli: 'a' }, 'kept'],
  ["the user's own from the beginning, and the new choices drop it", { user: 'b' }, 'kept'],
  ["the user's own from the beginning, deleted since", { botcli: 'a' }, 'absent'],
  ['a file that nobody generates', { user: 'b', inBase: false }, 'kept'],
  ['nothing at all', { inBase: false }, 'gone'],
];

describe('what an update does with a file that is', () => {
  for (const [about, facts, verdict] of cases) {
    it(`${about}: ${verdict}`, () => assert.equal(verdictOf({ path: 'a.txt', inBase: true, ...facts }), verdict));
  }

  it('every combination: it never deletes or replaces a file that the user changed, and never brings one back', () => {
    const hashes = [undefined, 'a', 'b', 'c'];
    for (const recorded of hashes)
      for (const user of hashes)
        for (const botcli of hashes)
          for (const inBase of [true, false]) {
            const facts = { path: 'x', inBase, ...clean({ recorded, user, botcli }) };
            const verdict = verdictOf(facts);
            if (verdict === 'deleted' || verdict === 'replaced') assert.equal(user, recorded);
            if (verdict === 'created') assert(user === undefined && recorded === undefined);
            if (verdict === 'merge') assert(recorded !== undefined && user !== undefined && botcli !== undefined);
          }
  });
});

const clean = (facts: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(facts).filter(([, hash]) => hash !== undefined));
