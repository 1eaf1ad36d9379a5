import assert from 'node:assert/strict';
import { checkCounts } from '../../src/merge/line-counts.ts';
import type { Chunk } from '../../src/merge/lines.ts';
import { chunk, same } from './chunks.ts';

const RETURNS = "With botcli's change, lines that you removed would be back, or some that you have would be gone.";
const MOVED = 'You moved these lines, and botcli removes them.';

const added = chunk('both', 'a', '', 'a');
const removed = chunk('both', '', 'a', '');
const removedByUser = chunk('user', '', '  a', '  a');

/** Chunks, and what is found in each. */
const cases: [about: string, chunks: Chunk[], reasons: (string | undefined)[]][] = [
  ['nothing if only both add a line', [added, same('b')], [undefined, undefined]],
  ['nothing if the user adds another line', [added, chunk('user', 'm', '', '')], [undefined, undefined]],
  [
    "botcli's change of a line that the user moved, and botcli added",
    [added, removedByUser, chunk('botcli', 'a/c', 'a/c', 'b')],
    [undefined, undefined, RETURNS],
  ],
  [
    'a line that botcli adds again, and none of its other changes',
    [added, removedByUser, chunk('botcli', '', '', '    a/b'), chunk('botcli', 'c', 'c', 'o')],
    [undefined, undefined, RETURNS, undefined],
  ],
  [
    'a line that botcli moves, and the user adds',
    [added, chunk('botcli', 'a', 'a', ''), chunk('user', 'm', '', '')],
    [undefined, RETURNS, undefined],
  ],
  [
    'a line that the user moved and botcli removes, and none of their other changes',
    [removed, chunk('user', '  a/m', '', ''), chunk('user', 'n', '', ''), chunk('botcli', '', '', 'o'), same('b')],
    [undefined, MOVED, undefined, undefined, undefined],
  ],
  [
    'nothing in brackets',
    [chunk('both', '}', '', '}'), chunk('user', '', '}', '}'), chunk('botcli', '', '', '}')],
    [undefined, undefined, undefined],
  ],
  [
    'nothing if there is a conflict',
    [added, removedByUser, chunk('botcli', 'a', 'a', 'b'), chunk('conflict', 'c', 'd', 'e')],
    [undefined, undefined, undefined, undefined],
  ],
];

describe('among changes that both sides seem to have made, counting lines finds', () => {
  for (const [about, chunks, reasons] of cases) {
    it(about, () => {
      const found = checkCounts(chunks);
      assert.deepEqual(
        chunks.map(one => found.get(one)),
        reasons,
      );
    });
  }
});
