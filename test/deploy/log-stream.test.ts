import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLogStream } from '../../src/deploy/logs.ts';
import type { LogLine } from '../../src/platform/answers.ts';

const SECOND = 1_000_000_000n;
const at = (seconds: number): string => `${1_764_000_000n * SECOND + BigInt(Math.round(seconds * 1000)) * 1_000_000n}`;
const line = (seconds: number, log: string): LogLine => ({ log, timestamp: at(seconds), deploymentId: 'd' });

/** So many lines, from this time on. */
const many = (count: number, start = 0, step = 1): LogLine[] =>
  Array.from({ length: count }, (_, number) => line(start + number * step, `${number}`));

/** A log that grows, of which the platform sends the newest lines. */
function growing(most = Number.POSITIVE_INFINITY) {
  const lines: LogLine[] = [];
  const asked: number[] = [];
  const look = createLogStream(async limit => {
    asked.push(limit);
    return [...lines]
      .sort((one, other) => Number(BigInt(other.timestamp) - BigInt(one.timestamp)))
      .slice(0, Math.min(limit, most));
  });
  return { lines, asked, look };
}

const texts = (lines: readonly LogLine[]) => lines.map(({ log }) => log);

describe('a growing log', () => {
  it('begins with the last lines, the oldest first, or with those since a time', async () => {
    for (const [first, since, asked] of [
      [1000, undefined, [1000]],
      [100, BigInt(at(50)), [100, 400, 1600, 6400]],
    ] as const) {
      const { lines, look, asked: sizes } = growing();
      lines.push(...many(3000));
      assert.equal(texts((await look(first, since)).lines).at(-1), '2999');
      assert.deepEqual(sizes, asked);
      assert.deepEqual((await look()).lines, []);
    }
  });

  it('shows a late line that is older than all that it has shown, and none that was there before', async () => {
    const { lines, look } = growing();
    lines.push(...many(300));
    await look();
    assert.deepEqual((await look()).lines, []);
    lines.push(line(297.5, 'late'));
    assert.deepEqual(texts((await look()).lines), ['late']);
    lines.push(line(301, 'new'));
    assert.deepEqual(texts((await look()).lines), ['new']);
  });

  it('shows lines without a time once', async () => {
    const { lines, look } = growing();
    lines.push(line(0, 'start'), { log: 'timeless', timestamp: '0', deploymentId: 'd' });
    assert.equal((await look()).lines.length, 2);
    lines.push({ log: 'another', timestamp: '0', deploymentId: 'd' });
    assert.deepEqual(texts((await look()).lines), ['another']);
    for (let number = 0; number < 20; number += 1) assert.deepEqual((await look()).lines, []);
  });

  it('shows each line once, whatever the order and the pauses', async () => {
    const arrival = fc.record({ delay: fc.integer({ min: 0, max: 5 }), text: fc.constantFrom('x', 'y', 'z') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(arrival, { maxLength: 20 }), { maxLength: 20 }), async batches => {
        const { lines, look } = growing();
        lines.push(line(0, 'start'));
        const shown = [...(await look()).lines];
        for (const [number, batch] of batches.entries()) {
          lines.push(...batch.map(({ delay, text }) => line(60 + number * 2 - delay, text)));
          shown.push(...(await look()).lines);
        }
        const sorted = (all: readonly LogLine[]) => all.map(one => `${one.timestamp} ${one.log}`).sort();
        assert.deepEqual(sorted(shown), sorted(lines));
      }),
    );
  });

  for (const seconds of [1800, 1e9]) {
    it(`loses nothing after a line that claims to be ${seconds} seconds ahead`, async () => {
      const { lines, look } = growing();
      lines.push(...many(200, 0, 0.01));
      await look();
      lines.push(line(seconds, 'ahead'), line(2, 'a'));
      assert.deepEqual(texts((await look()).lines), ['a', 'ahead']);
      for (const number of [3, 4, 5]) {
        lines.push(line(number, `${number}`));
        assert.deepEqual(texts((await look()).lines), [`${number}`]);
      }
    });
  }

  it('asks for more lines if many came', async () => {
    const { lines, look, asked } = growing();
    lines.push(line(0, 'start'));
    await look();
    lines.push(...many(3500, 100, 0.1));
    const { lines: fresh, gap } = await look();
    assert.deepEqual([fresh.length, gap, asked], [3500, undefined, [100, 100, 400, 1600, 6400]]);
    assert.deepEqual((await look()).lines, []);
  });

  for (const [about, most, came] of [
    ['if more came than it asks for', Number.POSITIVE_INFINITY, 12_000],
    ['if the platform sends fewer lines than it is asked for', 1000, 3500],
  ] as const) {
    it(`says where lines may be missing ${about}`, async () => {
      const { lines, look } = growing(most);
      lines.push(line(0, 'start'));
      await look();
      lines.push(...many(came, 100, 0.1));
      const { lines: fresh, gap } = await look();
      const count = Math.min(most, 10_000);
      assert.deepEqual([fresh.length, gap?.log], [count, `${came - count}`]);
      assert.deepEqual((await look()).lines, []);
    });
  }
});
