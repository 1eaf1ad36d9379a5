import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

describe('merging by lines', () => {
  it('of 50,000 lines takes little time', () => {
    const base = Array.from({ length: 50_000 }, (_, at) => `x${at}`);
    const user = base.with(10, 'mine').join('\n');
    assert.deepEqual(mergeTexts('a.md', user, base.join('\n'), base.with(49_990, 'ours').join('\n')).conflicts, []);
    const formatted = base.map(line => ` ${line}`).join('\n');
    const [conflict] = mergeTexts('a.md', formatted, base.join('\n'), base.with(5, 'ours').join('\n')).conflicts;
    assert.deepEqual(conflict?.lines, [1, 50_000]);
    assert.equal(conflict?.reason, 'The versions have too little in common.');
  });
});
