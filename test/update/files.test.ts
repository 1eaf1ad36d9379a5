import assert from 'node:assert/strict';
import { textHashOf } from '../../src/project/files/state.ts';
import { mergeProject } from '../../src/update/plan.ts';

/** Texts of one file: what botcli recorded, what is on disk, what the new choices have, and what the old ones had. */
interface Texts {
  recorded?: string;
  user?: string;
  botcli?: string;
  base?: string;
}

function actionFor({ recorded, user, botcli, base }: Texts, path = 'a.txt'): string | undefined {
  const files = (text: string | undefined) => new Map(text === undefined ? [] : [[path, Buffer.from(text)]]);
  const disk = { isLinked: false, hasOtherNames: false };
  const [update] = mergeProject({
    record: new Map(recorded === undefined ? [] : [[path, textHashOf(Buffer.from(recorded))]]),
    user: new Map([...files(user)].map(([name, contents]) => [name, { ...disk, contents }])),
    botcli: files(botcli),
    base: files(base),
    here: new Map(),
    labels: { yours: 'yours', base: 'base', ours: 'ours' },
  });
  return update?.action;
}

/** The cases that no other test shows in a project. */
const cases: [about: string, texts: Texts, action: string | undefined][] = [
  ['edited to what the template became', { recorded: 'a', user: 'b', botcli: 'b', base: 'a' }, 'unchanged'],
  ['deleted by the user, and the template changed', { recorded: 'a', botcli: 'b', base: 'a' }, 'absent'],
  ['deleted by the user, and the new choices drop it', { recorded: 'a', base: 'a' }, undefined],
  ['new, where the user has the same file', { user: 'a', botcli: 'a' }, 'unchanged'],
  ["the user's own from the beginning, deleted since", { botcli: 'a', base: 'a' }, 'absent'],
];

describe('what an update does with a file that is', () => {
  for (const [about, texts, action] of cases) it(`${about}: ${action}`, () => assert.equal(actionFor(texts), action));

  it('every combination: it never deletes or replaces a file that the user changed, and never brings one back', () => {
    const all = [undefined, 'a', 'b', 'c'];
    for (const recorded of all)
      for (const user of all)
        for (const botcli of all)
          for (const base of all) {
            const texts = Object.entries({ recorded, user, botcli, base }).filter(([, text]) => text !== undefined);
            const action = actionFor(Object.fromEntries(texts));
            if (action === 'deleted' || action === 'updated') assert.equal(user, recorded);
            if (action === 'created') assert(user === undefined && recorded === undefined);
            if (action === 'merged') assert(recorded !== undefined && user !== undefined && botcli !== undefined);
          }
  });
});
