import assert from 'node:assert/strict';
import { format } from '@wasm-fmt/ruff_fmt';
import { generateProject, type Project } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { CONFLICTING_EDITS, KEPT_EDITS, mergeOlder, OLDER } from './older-code.ts';

describe('the code of an older release, edited and then updated,', () => {
  let now: Project;
  before(async () => {
    now = await generateProject(resolveFlags(OLDER));
  });

  it('becomes the code of this release if it was not edited', () => {
    for (const { path, text } of mergeOlder([], now)) assert.equal(text, now[path]);
  });

  // Level 2 of test:bots checks the merged code with ruff, and compiles it.
  for (const [about, edits] of Object.entries(KEPT_EDITS)) {
    it(`keeps ${about}`, () => {
      for (const { path, text, conflicts } of mergeOlder(edits, now)) {
        assert.deepEqual(conflicts, []);
        assert.equal(format(text, path, { line_width: 100 }), text);
        assert.doesNotMatch(text, /def (optional_env|missing_env|append_to_wav)\(/);
        for (const [, before, after] of edits.filter(([file]) => file === path)) {
          for (const line of after.split('\n').filter(one => !before.includes(one))) assert(text.includes(line), line);
        }
      }
    });
  }

  for (const [about, [edits, reason]] of Object.entries(CONFLICTING_EDITS)) {
    it(`is in conflict about ${about}`, () => {
      const reasons = mergeOlder(edits, now).flatMap(({ conflicts }) => conflicts.map(one => one.reason));
      assert.match(reasons.join('\n'), reason);
    });
  }
});
