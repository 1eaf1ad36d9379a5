import assert from 'node:assert/strict';
import { isRewritten, markersIn, mergeFile } from '../../src/merge/index.ts';
import { LABELS, mergeTexts } from './merging.ts';

const MARK = '\uFEFF';

const cases: [about: string, user: string, base: string, botcli: string, merged: string][] = [
  ['Windows line ends stay', 'a\r\nB\r\n', 'a\nb\n', 'A\nb\nc\n', 'A\r\nB\r\nc\r\n'],
  ['Windows line ends alone change no line', 'a\r\nb\r\n', 'a\nb\n', 'a\nB\n', 'a\r\nB\r\n'],
  ['mixed line ends stay where they are', 'a\r\nb\nc\n', 'a\nb\nc\n', 'a\nx\nb\nc\n', 'a\r\nx\nb\nc\n'],
  ['mixed line ends stay below a new line', 'a\nb\r\nc\n', 'a\nb\nc\n', 'x\na\nb\nc\n', 'x\na\nb\r\nc\n'],
  ['mixed line ends stay below a removed line', 'a\nb\r\nc\n', 'a\nb\nc\n', 'b\nc\n', 'b\r\nc\n'],
  ['a file of which each side removes a half is empty', 'a\n', 'a\nb\n', 'b\n', ''],
  ['a byte order mark stays', `${MARK}a\nB\n`, 'a\nb\n', 'A\nb\n', `${MARK}A\nB\n`],
  ['no byte order mark comes in', 'a\nB\n', `${MARK}a\nb\n`, `${MARK}A\nb\n`, 'A\nB\n'],
  ['the last line end stays away', 'a\nB', 'a\nb\n', 'A\nb\n', 'A\nB'],
  ['the last line end goes where ours goes', 'A\nb\n', 'a\nb\n', 'a\nB', 'A\nB'],
  ['an empty file stays empty', '', 'a\n', '', ''],
  [
    'a form feed, and a lone carriage return, are no line ends',
    'a\rx\fy\nB\n',
    'a\rx\fy\nb\n',
    'a\rx\fy\nb\nc\n',
    'a\rx\fy\nB\nc\n',
  ],
  ['with as many line ends of each kind, a new line gets ours', 'a\r\nB\n', 'a\nb\n', 'a\nb\nc\n', 'a\r\nB\nc\n'],
  ['without a last line end, mixed ones stay where they are', 'a\r\nb\nC', 'a\nb\nc', 'a\nb\nc\nd', 'a\r\nb\nC\nd'],
  ['a file with only a byte order mark keeps it', MARK, 'a\n', 'b\n', `${MARK}`],
  ['without any line end, new lines get ours', 'a', 'a\nb\n', 'a\nx\nb\n', 'a\nx'],
];

describe('merging text:', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.deepEqual(mergeTexts('a.txt', user, base, botcli).text, merged));
  }

  it('only Windows line ends, or a formatter that adds them, keep every byte of the rest', () => {
    const base = 'import os\n\nprint(os)\n';
    const user = base.replaceAll('\n', '\r\n');
    assert.equal(
      mergeTexts('bot.py', user, base, base.replace('import os', 'import os\nimport sys')).text,
      user.replace('import os', 'import os\r\nimport sys'),
    );
  });
});

describe('a file as a whole', () => {
  const merge = (...[user, base, botcli]: [user: string | Buffer, base: string | undefined, botcli: string | Buffer]) =>
    mergeFile(
      'a.bin',
      { user: bytes(user), base: base === undefined ? undefined : bytes(base), botcli: bytes(botcli) },
      LABELS,
    );
  const bytes = (text: string | Buffer) => Buffer.from(text as string);
  const latin = Buffer.of(0x63, 0xe9);
  const large = 'x\n'.repeat(300_000);

  const refused: [about: string, user: string | Buffer, botcli: string, reason: string][] = [
    ["isn't UTF-8", latin, 'b', "It isn't a UTF-8 text file."],
    ['has NUL bytes', 'a', 'c\0', "It isn't a UTF-8 text file (it contains NUL bytes)."],
    ['is large', large, 'b', "It's larger than 512 KB."],
  ];
  for (const [about, user, botcli, reason] of refused) {
    it(`that ${about}: a conflict that keeps the user's bytes`, () => {
      const conflicts = [{ lines: [1, 0], yours: '', base: '', ours: '', reason }];
      assert.deepEqual(merge(user, 'base', botcli), { contents: bytes(user), marked: bytes(user), conflicts });
    });
  }

  it('of any kind that only one side changed: its bytes', () => {
    for (const other of [latin, large, 'a\0']) {
      const whole = { contents: bytes(other), conflicts: [], marked: bytes(other) };
      assert.deepEqual(merge(other, 'a', 'a'), whole);
      assert.deepEqual(merge('a', 'a', other), whole);
      assert.deepEqual(merge(other, 'a', other), whole);
    }
  });

  it('of 512 KB is read, but no larger one', () => {
    const line = 'x'.repeat(512 * 1024);
    assert.match(merge(line, 'a', 'b').conflicts[0]?.reason ?? '', /same lines/);
    assert.match(merge(`${line}x`, 'a', 'b').conflicts[0]?.reason ?? '', /larger than 512 KB/);
  });

  it("that botcli can't read has no markers of ours", () => assert.deepEqual(markersIn(latin), []));

  it('whose base is missing: a conflict of all lines, unless both are the same', () => {
    const { conflicts, marked } = merge('a\nb\n', undefined, 'a\nc\n');
    const reason = "The version that botcli wrote isn't available, so nobody can tell your changes from botcli's.";
    assert.deepEqual(conflicts, [{ lines: [1, 2], yours: 'a\nb', base: '', ours: 'a\nc', reason }]);
    assert.equal(`${marked}`, '<<<<<<< yours\na\nb\n||||||| botcli 0.1.0\n=======\na\nc\n>>>>>>> botcli 0.2.0\n');
    assert.deepEqual(merge('a', undefined, 'a').conflicts, []);
  });
});

describe('conflict markers', () => {
  it('are at each conflict, and the rest is merged', () => {
    const { marked, text, conflicts } = mergeTexts('a.txt', 'A\nb\nmine\nd\n', 'a\nb\nc\nd\n', 'a\nb\nours\nd\ne\n');
    assert.equal(
      `${marked}`,
      'A\nb\n<<<<<<< yours\nmine\n||||||| botcli 0.1.0\nc\n=======\nours\n>>>>>>> botcli 0.2.0\nd\ne\n',
    );
    assert.equal(text, 'A\nb\nmine\nd\ne\n');
    assert.deepEqual(
      conflicts.map(({ lines }) => lines),
      [[3, 3]],
    );
    assert.deepEqual(markersIn(marked), [3, 5, 7, 9]);
  });

  it("have the user's line ends", () => {
    const { marked } = mergeTexts('a.txt', 'A\r\nb\r\n', 'a\nb\n', 'x\nb\n');
    assert.equal(`${marked}`.replaceAll('\r\n', '').includes('\n'), false);
    assert.equal(markersIn(marked).length, 4);
  });

  it('are longer than markers in the text', () => {
    const { marked } = mergeTexts('a.md', '<<<<<<< HEAD\nmine\n=======\n', 'old\n', 'ours\n');
    assert(`${marked}`.startsWith('<<<<<<<< yours\n<<<<<<< HEAD\nmine\n=======\n|||||||| botcli 0.1.0\n'));
    assert.deepEqual(markersIn(marked), [1, 5, 7, 9]);
  });

  it('are none if they are those of git', () =>
    assert.deepEqual(markersIn(Buffer.from('<<<<<<< HEAD\na\n=======\nb\n>>>>>>> main\n')), []));

  it('are found in a file of Windows with a byte order mark', () =>
    assert.deepEqual(markersIn(Buffer.from(`${MARK}<<<<<<< yours\r\na\r\n`)), [1]));
});

const TEN = 'a/b/c/d/e/f/g/h/i/j';
const rewritten: [about: string, user: string, base: string, isOwn: boolean][] = [
  ['has one of ten lines left', 'a/x', TEN, false],
  ['has one of eleven lines left', 'a/x', `${TEN}/k`, true],
  ['has blank lines left as well', 'a///x', `${TEN}/k///`, true],
  ['has a line left with Windows line ends', 'a\r/x\r', 'a/b', false],
  ['has lines left that botcli had twice', 'a/x', `a/a/${TEN}`, false],
  ['has only blanks left of nine lines', 'x/  ', 'a/b/c/d/e/f/g/h/i/  ', true],
  ['has other blanks left', 'x/  ', `${TEN}/  `, true],
];

describe('a text of which the user', () => {
  for (const [about, user, base, isOwn] of rewritten) {
    it(`${about} is ${isOwn ? "the user's own" : "botcli's"}`, () => {
      const [now, before] = [user, base].map(rows => Buffer.from(rows.replaceAll('/', '\n')));
      assert.equal(now && before && isRewritten(now, before), isOwn);
    });
  }
});
