import assert from 'node:assert/strict';
import fc from 'fast-check';
import { mergeFile } from '../../src/merge/index.ts';
import { type Lines, mergeLines, outcomeOf } from '../../src/merge/lines.ts';
import { LABELS, mergeTexts, testMerges } from './merging.ts';

const CONFLICT = 'conflict: You and botcli changed the same lines.';
const REMOVED = 'conflict: You changed these lines, and botcli removes them.';
const MOVED = 'conflict: You and botcli moved the same lines to different places.';
const GONE = 'conflict: You removed or moved these lines, and botcli changes them.';

testMerges('merging by lines when there are', 'README.md')`
changes at different places are both applied
  A/b/c/d <-- a/b/c/d --> a/b/c/D ==> A/b/c/D
changes that touch are both applied
  A/b/c <-- a/b/c --> a/B/c ==> A/B/c
the same change is applied once
  a/X/c <-- a/b/c --> a/X/c ==> a/X/c
the same change next to another one is applied once
  a/X/c/e <-- a/b/c/d --> a/X/c/d ==> a/X/c/e
two changes of one line are a conflict
  a/X/c <-- a/b/c --> a/Y/c ==> ${CONFLICT}
two insertions: the template goes first
  a/mine/b <-- a/b --> a/ours/b ==> a/ours/mine/b
the same insertion is applied once
  a/new/b/mine <-- a/b --> a/new/b ==> a/new/b/mine
an insertion that contains the other is applied once
  a/x/y/b <-- a/b --> a/x/b ==> a/x/y/b
an insertion that the other contains is applied once
  a/x/b/z <-- a/b --> a/x/y/b ==> a/x/y/b/z
an insertion that the other contains, below the only line
  a/x <-- a --> a/x/y ==> a/x/y
an insertion within deleted lines is a conflict
  a/b/mine/c/d <-- a/b/c/d --> a/d ==> ${REMOVED}
an insertion at the edge of deleted lines stays
  a/mine/b/c/d <-- a/b/c/d --> a/d ==> a/mine/d
an insertion below deleted lines and a blank one stays
  A/b//mine//c <-- a/b//c --> a/c ==> A/mine//c
lines that both deleted are gone
  a/d/mine <-- a/b/c/d --> a/d ==> a/d/mine
a line that one deleted and the other changed is a conflict
  a/c <-- a/b/c --> a/B/c ==> ${GONE}
two whole files are a conflict
  mine <-- (empty) --> ours ==> ${CONFLICT}
lines that both delete, with other blank lines
  a//d <-- a/b/c/d --> a/d ==> a//d
lines that the user emptied, but for blanks, are a conflict
  a/  /c <-- a/b/c --> a/B/c ==> ${GONE}
lines that both emptied, with other blanks, are no conflict
  a/  /d <-- a/b/c/d --> a//d ==> a/  /d
a file that was emptied and then changed is a conflict
  (empty) <-- a/b --> a/B ==> ${GONE}
a line that both move, to different places, is a conflict
  x/y/go a <-- go a/x/y --> x/go a/y ==> ${MOVED}
a line that both move to the same place is there once
  x/y/go a/z/w/Q <-- go a/x/y/z/w/q --> x/y/go a/z/W/q ==> x/y/go a/z/W/Q
`;

/** Texts of few different lines, so that they have much in common. */
const lines = fc.array(fc.constantFrom('a', 'b', 'c', '', 'd', '=======', '<<<<<<< yours'), { maxLength: 12 });

const merge = (user: Lines, base: Lines, botcli: Lines) =>
  mergeLines({ user, base, botcli }) ?? assert.fail('too different');
const isClean = (chunks: ReturnType<typeof merge>) => chunks.every(({ source }) => source !== 'conflict');
const result = (chunks: ReturnType<typeof merge>) => chunks.flatMap(outcomeOf);

/** Lines of files of any kind, as people write them. */
const ROWS = [
  ...'import a|from a import b|from a import (|    c,|)|def f(a):|    return f"{a}"|"""|a; b|[project]'.split('|'),
  ...'dependencies = [|    "a>=1",|    "b",  # why|]|dependencies = ["a", "b"]'.split('|'),
  ...'{|  "dependencies": {|    "a": "^1.0.0"|  }|}|{}|{"__proto__": 1}|{"a": [1], "b": {}}|A=|A=1|# A='.split('|'),
  ...'# --- G|# about||export A="|!a|a/|\uFEFF|\r|\\|<<<<<<< yours'.split('|'),
  "x = '''",
];

/** How often each line occurs. */
const count = (text: Lines, line: string) => text.filter(one => one === line).length;

describe('merging by lines', () => {
  it('says who changed which lines, in the order of the base', () => {
    const rows = (text: string) => text.split('/');
    const chunks = merge(rows('mine/b/C/d/x/y/e/f/7'), rows('b/c/d/e/f/g'), rows('ours/b/C/d/x/e/f/G/h'));
    assert.deepEqual(
      chunks.map(({ source, user, base, botcli }) => `${source}: ${user}|${base}|${botcli}`),
      [
        'botcli: ||ours',
        'user: mine||',
        'nobody: b|b|b',
        'both: C|c|C',
        'nobody: d|d|d',
        'user: x,y||x',
        'nobody: e,f|e,f|e,f',
        'conflict: 7|g|G,h',
      ],
    );
    assert.equal(chunks.at(-1)?.reason, 'You and botcli changed the same lines.');
  });

  it('of one change gives that change', () => {
    fc.assert(
      fc.property(lines, lines, (base, other) => {
        for (const [user, botcli] of [
          [other, base],
          [base, other],
          [other, other],
        ] as const) {
          const chunks = merge(user, base, botcli);
          assert(isClean(chunks) || base.length === 0);
          assert.deepEqual(result(chunks), other);
        }
      }),
    );
  });

  it('finds a conflict whichever side is whose', () => {
    fc.assert(
      fc.property(lines, lines, lines, (user, base, botcli) => {
        const [one, other] = [merge(user, base, botcli), merge(botcli, base, user)];
        const conflicts = (chunks: typeof one) => chunks.filter(({ source }) => source === 'conflict');
        assert.deepEqual(
          conflicts(one).map(chunk => [chunk.user, chunk.base, chunk.botcli]),
          conflicts(other).map(chunk => [chunk.botcli, chunk.base, chunk.user]),
        );
      }),
    );
  });

  it('keeps the parts of each side in order and complete', () => {
    fc.assert(
      fc.property(lines, lines, lines, (user, base, botcli) => {
        const chunks = merge(user, base, botcli);
        assert.deepEqual(
          chunks.flatMap(chunk => chunk.base),
          base,
        );
        // An insertion of botcli's next to one of the user's is nothing that they have.
        assert.deepEqual(
          chunks.flatMap(chunk => chunk.user),
          user,
        );
        assert.deepEqual(
          chunks.flatMap(chunk => chunk.botcli),
          botcli,
        );
      }),
    );
  });

  it("never loses a line of the user's", () => {
    fc.assert(
      fc.property(lines, lines, lines, (user, base, botcli) => {
        const chunks = merge(user, base, botcli);
        for (const line of new Set(user)) {
          // botcli may delete only lines that it wrote.
          const deleted = Math.max(count(base, line) - count(botcli, line), 0);
          const moved = chunks
            .filter(({ source }) => source === 'botcli')
            .reduce((sum, chunk) => sum + count(chunk.base, line), 0);
          assert(count(result(chunks), line) >= count(user, line) - Math.max(deleted, moved));
        }
      }),
    );
  });

  it('of changes in different lines is never a conflict', () => {
    const places = fc.uniqueArray(fc.nat(29), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(places, fc.nat(10), (changed, split) => {
        const base = Array.from({ length: 30 }, (_, at) => `line ${at}`);
        const [ofUser, ofBotcli] = [changed.slice(0, split), changed.slice(split)];
        const change = (own: number[], word: string) =>
          base.map((line, at) => (own.includes(at) ? `${line} ${word}` : line));
        const chunks = merge(change(ofUser, 'mine'), base, change(ofBotcli, 'theirs'));
        assert(isClean(chunks));
        const both = base.map(
          (line, at) => line + (ofUser.includes(at) ? ' mine' : ofBotcli.includes(at) ? ' theirs' : ''),
        );
        assert.deepEqual(result(chunks), both);
      }),
    );
  });

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(lines, lines, lines, (user, base, botcli) => {
        const chunks = merge(user, base, botcli);
        if (isClean(chunks)) assert.deepEqual(result(merge(result(chunks), botcli, botcli)), result(chunks));
      }),
    );
  });

  it('takes bytes of any kind, for files of any kind', () => {
    const rows = fc.array(fc.constantFrom(...ROWS), { maxLength: 8 });
    const texts = fc.tuple(rows, fc.constantFrom('\n', '\r\n')).map(([all, end]) => Buffer.from(all.join(end)));
    const bytes = fc.oneof({ weight: 5, arbitrary: texts }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 40 }) });
    const paths = fc.constantFrom(...'a.py pyproject.toml package.json .env.example .gitignore b.toml c.md'.split(' '));
    fc.assert(
      fc.property(paths, bytes, fc.option(bytes, { nil: undefined }), bytes, (path, user, base, botcli) => {
        const sides = { user: Buffer.from(user), base: base && Buffer.from(base), botcli: Buffer.from(botcli) };
        const { contents, conflicts, marked } = mergeFile(path, sides, LABELS);
        if (conflicts.length === 0) assert.deepEqual(contents, marked);
        for (const { lines: place, reason } of conflicts) assert(reason && place[0] >= 1 && place[1] >= place[0] - 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it('of a file with thousands of own lines at many places has no conflict', () => {
    const base = Array.from({ length: 100 }, (_, at) => [`x${at}`, '', '}']).flat();
    const own = (at: number) => Array.from({ length: 40 }, (_, line) => (line % 4 === 0 ? '}' : `own ${at} ${line}`));
    const user = base.flatMap((line, at) => (line === '' ? ['', ...own(at), ''] : [line]));
    const botcli = base.with(150, 'ours');
    const { conflicts, text } = mergeTexts('a.md', user.join('\n'), base.join('\n'), botcli.join('\n'));
    assert.deepEqual(conflicts, []);
    assert.equal(text, user.map(line => (line === 'x50' ? 'ours' : line)).join('\n'));
  });
});
