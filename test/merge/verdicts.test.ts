import assert from 'node:assert/strict';
import { judge, type PathFacts, type Verdict } from '../../src/merge/index.ts';

type Case = [about: string, facts: Omit<PathFacts, 'path' | 'inBase'> & { inBase?: false }, verdict: Verdict];

const cases: Case[] = [
  ['as recorded, and the template is the same', { recorded: 'a', mine: 'a', theirs: 'a' }, 'unchanged'],
  ['as recorded, and the template changed', { recorded: 'a', mine: 'a', theirs: 'b' }, 'replaced'],
  ['as recorded, and the new choices drop it', { recorded: 'a', mine: 'a' }, 'deleted'],
  ['edited, and the template is the same', { recorded: 'a', mine: 'b', theirs: 'a' }, 'kept'],
  ['edited, and the template changed', { recorded: 'a', mine: 'b', theirs: 'c' }, 'merge'],
  ['edited to what the template became', { recorded: 'a', mine: 'b', theirs: 'b' }, 'unchanged'],
  ['edited, and the new choices drop it', { recorded: 'a', mine: 'b' }, 'orphaned'],
  ['deleted by the user, and the template is the same', { recorded: 'a', theirs: 'a' }, 'absent'],
  ['deleted by the user, and the template changed', { recorded: 'a', theirs: 'b' }, 'absent'],
  ['deleted by the user, and the new choices drop it', { recorded: 'a' }, 'gone'],
  ['new', { theirs: 'a', inBase: false }, 'created'],
  ['new, where the user has a file of their own', { mine: 'b', theirs: 'a', inBase: false }, 'own'],
  ['new, where the user has the same file', { mine: 'a', theirs: 'a', inBase: false }, 'unchanged'],
  ["the user's own from the beginning", { mine: 'b', theirs: 'a' }, 'kept'],
  ["the user's own from the beginning, and the new choices drop it", { mine: 'b' }, 'kept'],
  ["the user's own from the beginning, deleted since", { theirs: 'a' }, 'absent'],
  ['a file that nobody generates', { mine: 'b', inBase: false }, 'kept'],
  ['nothing at all', { inBase: false }, 'gone'],
];

describe('what an update does with a file that is', () => {
  for (const [about, facts, verdict] of cases) {
    it(`${about}: ${verdict}`, () => assert.equal(judge({ path: 'a.txt', inBase: true, ...facts }), verdict));
  }

  it('every combination: it never deletes or replaces a file that the user changed, and never brings one back', () => {
    const hashes = [undefined, 'a', 'b', 'c'];
    for (const recorded of hashes)
      for (const mine of hashes)
        for (const theirs of hashes)
          for (const inBase of [true, false]) {
            const facts = { path: 'x', inBase, ...clean({ recorded, mine, theirs }) };
            const verdict = judge(facts);
            if (verdict === 'deleted' || verdict === 'replaced') assert.equal(mine, recorded);
            if (verdict === 'created') assert(mine === undefined && recorded === undefined);
            if (verdict === 'merge') assert(recorded !== undefined && mine !== undefined && theirs !== undefined);
          }
  });
});

const clean = (facts: Record<string, string | undefined>) =>
  Object.fromEntries(Object.entries(facts).filter(([, hash]) => hash !== undefined));
