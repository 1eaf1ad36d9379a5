import assert from 'node:assert/strict';
import { format } from '@wasm-fmt/ruff_fmt';
import { parse } from 'smol-toml';
import { generateProject, type Project } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { edit } from './edits.ts';
import { CONFLICTING_EDITS, KEPT_EDITS, mergeOlder, OLDER, OLDER_FILES } from './older-code.ts';

/** What a pyproject.toml says. Where the new packages of the evals are among the user's, other tests check. */
function said(text: string) {
  const toml = JSON.parse(JSON.stringify(parse(text)));
  toml['dependency-groups'].dev.sort();
  return toml;
}

const EVALS =
  '"pipecat-ai[kokoro,moonshine]==1.14.0","jinja2>=3.1,<4","questionary>=2,<3","rich>=13,<14","typer>=0.20,<1"';

/**
 * What a pyproject.toml of the older release says, but as a package, so that `pipecat eval run` finds its modules, and with
 * fewer packages for evals.
 */
function asPackage(text: string): unknown {
  const { tool, ...others } = said(text.replace('"pipecat-ai[evals]==1.14.0"', EVALS));
  const { uv, ...tools } = tool;
  const backend = { 'module-name': 'evals', 'module-root': '', namespace: true };
  return {
    ...others,
    'build-system': { requires: ['uv_build>=0.9,<1'], 'build-backend': 'uv_build' },
    tool: { ...tools, uv: { ...uv, package: true, 'build-backend': backend } },
  };
}

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
        if (path.endsWith('.py')) assert.equal(format(text, path, { line_width: 100 }), text);
        else assert.deepEqual(said(text), asPackage(edit(OLDER_FILES, edits)[path] ?? ''));
        assert.doesNotMatch(text, /def (optional_env|missing_env|append_to_wav)\(/);
        for (const [, before, after] of edits.filter(([file]) => file === path)) {
          for (const line of after.split('\n').filter(one => !before.includes(one))) assert(text.includes(line), line);
        }
      }
    });
  }

  for (const [about, [made, reason]] of Object.entries(CONFLICTING_EDITS)) {
    it(`is in conflict about ${about}`, () => {
      const reasons = mergeOlder([made], now).flatMap(({ conflicts }) => conflicts.map(one => one.reason));
      assert.match(reasons.join('\n'), reason);
    });
  }
});
