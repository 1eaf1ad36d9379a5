import assert from 'node:assert/strict';
import { NASTY, type Nasty, ROWS } from './nasty.ts';
import { checkProject, READERS } from './readers.ts';

/** Lengths of a text, each eight times the one before. */
const LENGTHS = [250, 2_000, 16_000];
/** Those of a whole project, with 10,000 imports or variables. */
const LONGER = [2_000, 16_000, 128_000];

/** Eight times the text may take so many times the work: more than eight for a logarithm, fewer than 64 for a square. */
const MOST_GROWTH = 24;

/** Work below this is too short to be compared. In milliseconds of the processor, so that other programs don't count. */
const SHORT = 200;
const SHORTEST = 1;

/** Garbage collection and other tests may disturb a measurement. The best of several tells. */
const TRIES = 6;

/** The processor's time for reading a text: the best of several tries, but of one if that is good enough. */
function workOf(read: (text: string) => unknown, text: string, enough: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let at = 0; at === 0 || (at < TRIES && best > enough); at += 1) {
    const before = process.cpuUsage();
    read(text);
    best = Math.min(best, process.cpuUsage(before).user / 1000);
  }
  return best;
}

/** How much the work grows at the first length where it grows too fast; nothing if it never does. */
function excessOf(read: (text: string) => unknown, nasty: Nasty, lengths = LENGTHS): string | undefined {
  let before = Number.POSITIVE_INFINITY;
  for (const length of lengths) {
    const enough = Math.max(SHORT, MOST_GROWTH * Math.max(before, SHORTEST));
    const work = workOf(read, nasty.text(length), enough);
    if (work > enough) return `${nasty.name}: ${work.toFixed()} ms for ${length}, after ${before.toFixed(1)} ms`;
    before = work;
  }
  return undefined;
}

describe('the work grows with the length of the text, and not with its square, for', () => {
  for (const [name, read] of Object.entries(READERS)) {
    it(name, () => {
      const excess = NASTY.flatMap(nasty => excessOf(read, nasty) ?? []);
      assert.deepEqual(excess, []);
    }).timeout(900_000);
  }

  it('a project that is checked', () => {
    const excess = ROWS.flatMap(nasty => excessOf(checkProject, nasty, LONGER) ?? []);
    assert.deepEqual(excess, []);
  }).timeout(900_000);

  it('nothing that takes the square (this test can fail)', () => {
    const square = (text: string) => /a+$/.test(`${text.replaceAll(/./gs, 'a')}b`);
    // The last text is 16 times as long as the one before, so the work is 256 times as much: far from 24 on any machine.
    const excess = excessOf(square, { name: 'a', text: length => 'a'.repeat(length) }, [200, 1_500, 24_000]);
    assert.notEqual(excess, undefined);
  }).timeout(900_000);
});
