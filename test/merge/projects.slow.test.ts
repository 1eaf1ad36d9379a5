import assert from 'node:assert/strict';
import { format } from '@wasm-fmt/ruff_fmt';
import { CASCADE, generateProject, type Project } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { CHANGES, EDITS, edit } from './edits.ts';
import { mergeTexts } from './merging.ts';

/** A file that the user and a change of choices both changed. */
interface Both {
  path: string;
  user: string;
  base: string;
  botcli: string;
  merged: ReturnType<typeof mergeTexts>;
}

function mergeProjects(user: Project, base: Project, botcli: Project): Both[] {
  return Object.keys(base).flatMap(path => {
    const [yours = '', old = '', ours = old] = [user[path], base[path], botcli[path]];
    return yours === old || ours === old
      ? []
      : [{ path, user: yours, base: old, botcli: ours, merged: mergeTexts(path, yours, old, ours) }];
  });
}

describe('a project that the user edited', () => {
  /** The changes of choices, each with each kind of edits, that meet in at least one file. */
  const pairs: { about: string; name: string; both: Both[] }[] = [];
  before(async () => {
    const base = generateProject(resolveFlags(CASCADE));
    for (const [change, flags] of Object.entries(CHANGES)) {
      const botcli = generateProject(resolveFlags(flags));
      for (const [name, edits] of Object.entries(EDITS)) {
        const both = mergeProjects(edit(base, edits), base, botcli);
        if (both.length > 0) pairs.push({ about: `${change}, with ${name}`, name, both });
      }
    }
  });
  const isClean = ({ both }: { both: Both[] }) => both.every(({ merged }) => merged.conflicts.length === 0);

  it('merges with any change of choices, except where both changed the same lines', () => {
    assert.equal(pairs.length, 65);
    assert.deepEqual(
      pairs.filter(pair => !isClean(pair)).map(({ about }) => about),
      [
        'swap the language model, with a package, a variable and settings',
        'go to speech-to-speech, with a processor',
        'go to speech-to-speech, with a package, a variable and settings',
        'choose a language, with the prompt',
      ],
    );
  });

  it('has all edits afterwards, in Python that needs no formatting', () => {
    for (const { name, both } of pairs.filter(isClean)) {
      for (const { path, merged } of both) {
        if (path.endsWith('.py')) assert.equal(format(merged.text, path, { line_width: 100 }), merged.text);
        for (const [, before, after] of (EDITS[name] ?? []).filter(([file]) => file === path)) {
          const added = after.split('\n').filter(line => !before.includes(line));
          for (const line of added) assert(merged.text.includes(line), `${path} has lost ${line}`);
        }
      }
    }
  });

  it('is the same after a choice is made and unmade', () => {
    // A line of a group that goes and returns doesn't know where in the group it was.
    const orderOf = (path: string, text: string) =>
      /\.(py|md)$/.test(path) ? text : text.split('\n').sort().join('\n');
    for (const { about, both } of pairs.filter(isClean)) {
      for (const { path, user, base, botcli, merged } of both) {
        const back = mergeTexts(path, merged.text, botcli, base);
        assert.deepEqual(back.conflicts, []);
        assert.equal(orderOf(path, back.text), orderOf(path, user), `${about}: ${path}`);
      }
    }
  });
});
