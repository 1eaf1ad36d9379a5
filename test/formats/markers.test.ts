import assert from 'node:assert/strict';
import { findMarkers, markConflict } from '../../src/formats/markers.ts';

const LABELS = { yours: 'yours', base: 'botcli 0.1.0', ours: 'botcli 0.2.0' };

describe('a conflict in a text', () => {
  it('has a marker around each version', () =>
    assert.deepEqual(markConflict({ user: ['a', ''], base: [], botcli: ['b'] }, LABELS), [
      '<<<<<<< yours',
      'a',
      '',
      '||||||| botcli 0.1.0',
      '=======',
      'b',
      '>>>>>>> botcli 0.2.0',
    ]));

  it('has longer markers than its lines', () => {
    const [first, ...more] = markConflict(
      { user: ['<<<<<<< a'], base: ['========='], botcli: ['x >>>>>>>>>>>'] },
      LABELS,
    );
    assert.equal(first, '<<<<<<<<<< yours');
    assert.deepEqual(
      [more[1], more[3], more.at(-1)],
      ['|||||||||| botcli 0.1.0', '==========', '>>>>>>>>>> botcli 0.2.0'],
    );
  });

  for (const side of ['user', 'base', 'botcli'] as const) {
    it(`has markers of the usual length plus one if only the lines of ${side} have some`, () => {
      const [first] = markConflict({ user: [], base: [], botcli: [], [side]: ['======='] }, LABELS);
      assert.equal(first, '<<<<<<<< yours');
    });
  }
});

/** Texts with the lines of their markers; `!` is one of ours. */
const texts: [about: string, text: string, markers: string][] = [
  ['a conflict of ours', '<<<<<<< yours/a/||||||| botcli 1.0.0/=======/b/>>>>>>> botcli 1.1.0', '1! 3! 4! 6!'],
  ['a conflict of git', 'a/<<<<<<< HEAD/b/=======/>>>>>>> main/c', '2 4 5'],
  ['a conflict with other lines of the same signs', '<<<<<<< HEAD/======/========/=======/>>>>>>> main', '1 4 5'],
  ['two conflicts', '<<<<<<< a/=======/>>>>>>> b/<<<<<<< c/=======/>>>>>>> d', '1 2 3 4 5 6'],
  ['longer ones of Windows', '<<<<<<<< yours\r/========\r/>>>>>>>> botcli 1.1.0\r', '1! 2! 3!'],
  ['the first of ours alone', 'a/<<<<<<< yours/b', '2!'],
  ['the end of ours, with the line in the middle', 'a/=======/>>>>>>> botcli 1.1.0/b', '2! 3!'],
  ['the base of ours alone', '||||||| botcli 1.0.0', '1!'],
  ['the first of git alone', '<<<<<<< HEAD/a/=======', ''],
  ['the end of git alone', '=======/a/>>>>>>> main', ''],
  ['a conflict without a middle', '<<<<<<< HEAD/>>>>>>> main', ''],
  ['a conflict below a heading', 'A/=======/<<<<<<< HEAD/=======/>>>>>>> main', '3 4 5'],
  ['a conflict above a heading', '<<<<<<< HEAD/=======/>>>>>>> main/A/=======', '1 2 3'],
  ['the base of ours below a heading', 'A/=======/||||||| botcli 1.0.0', '3!'],
  ['headings', 'A/=======/B/========', ''],
  ['labels that are only like ours', '<<<<<<< yours?/||||||| my botcli 1.0.0/>>>>>>> botcli is/< yours', ''],
  ['labels that contain ours', '<<<<<<< x < yours/||||||| botcli 1.0.0 b', ''],
  ['signs without a space', '<<<<<<<a/=======/>>>>>>>b', ''],
  ['signs in a line', 'a <<<<<<< yours/>>>>>>>botcli 1.1.0', ''],
];

describe('the markers of conflicts in', () => {
  for (const [about, text, markers] of texts) {
    it(about, () => {
      const found = findMarkers(text.split('/')).map(({ line, isOurs }) => `${line}${isOurs ? '!' : ''}`);
      assert.equal(found.join(' '), markers);
    });
  }
});
