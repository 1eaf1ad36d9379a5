import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLevelFilter, levelIn, sessionIn } from '../../src/deploy/logs/log-lines.ts';
import { createLogStream } from '../../src/deploy/logs/log-stream.ts';
import type { LogLine } from '../../src/platform/agent-schemas.ts';

const SECOND = 1_000_000_000n;
const at = (seconds: number): string => `${1_764_000_000n * SECOND + BigInt(Math.round(seconds * 1000)) * 1_000_000n}`;
const line = (seconds: number, log: string): LogLine => ({ log, timestamp: at(seconds), deploymentId: 'd' });

/**
 * A log that grows, as the platform pages through it: the newest first.
 *
 * @param onPage Called after each page was read.
 */
function growing(onPage: (lines: LogLine[]) => void = () => {}) {
  const lines: LogLine[] = [];
  const asked: number[] = [];
  const page = async (limit: number, offset: number) => {
    asked.push(limit);
    const found = [...lines]
      .sort((one, other) => Number(BigInt(other.timestamp) - BigInt(one.timestamp)))
      .slice(offset, offset + limit);
    onPage(lines);
    return found;
  };
  return { lines, asked, stream: createLogStream(page) };
}

const texts = (lines: readonly LogLine[]) => lines.map(({ log }) => log);

describe('a growing log', () => {
  it('begins with the last lines, the oldest first', async () => {
    const { lines, stream } = growing();
    for (let number = 0; number < 10; number += 1) lines.push(line(number, `${number}`));
    assert.deepEqual(texts(await stream.begin(3, undefined)), ['7', '8', '9']);
    assert.deepEqual((await stream.next()).lines, []);
  });

  it('begins with the lines since a time', async () => {
    const { lines, stream } = growing();
    for (let number = 0; number < 10; number += 1) lines.push(line(number, `${number}`));
    assert.deepEqual(texts(await stream.begin(100, BigInt(at(8)))), ['8', '9']);
  });

  it('shows late lines, and repeated ones as often as they come', async () => {
    const { lines, stream } = growing();
    lines.push(line(100, 'a'));
    await stream.begin(100, undefined);
    lines.push(line(130, 'b'), line(130, 'b'));
    assert.deepEqual(texts((await stream.next()).lines), ['b', 'b']);
    lines.push(line(130, 'b'), line(101, 'late'));
    assert.deepEqual(texts((await stream.next()).lines), ['late', 'b']);
    assert.deepEqual((await stream.next()).lines, []);
  });

  it('shows a late line that is older than all that it has shown, and none that was there before', async () => {
    const { lines, stream } = growing();
    for (let number = 0; number < 300; number += 1) lines.push(line(number, `${number}`));
    assert.deepEqual(texts(await stream.begin(1, undefined)), ['299']);
    assert.deepEqual((await stream.next()).lines, []);
    lines.push(line(297.5, 'late'));
    assert.deepEqual(texts((await stream.next()).lines), ['late']);
    lines.push(line(301, 'new'));
    assert.deepEqual(texts((await stream.next()).lines), ['new']);
  });

  for (const [pages, more] of [
    [1, 2500],
    [2, 150],
    [3, 2500],
    [4, 1500],
    [5, 3000],
  ] as const) {
    it(`loses no line if ${more} come after ${pages} pages of a look`, async () => {
      let left = Number.POSITIVE_INFINITY;
      let number = 0;
      const grow = (lines: LogLine[], count: number) => {
        for (const end = number + count; number < end; number += 1) lines.push(line(200 + number / 1000, `${number}`));
      };
      const { lines, stream } = growing(all => {
        left -= 1;
        if (left === 0) grow(all, more);
      });
      lines.push(line(0, 'start'));
      await stream.begin(100, undefined);
      grow(lines, 3000);
      left = pages;
      const looks = [await stream.next(), await stream.next(), await stream.next()];
      const shown = looks.flatMap(({ lines: fresh }) => texts(fresh));
      assert.equal(new Set(shown).size, 3000 + more);
      assert.deepEqual(
        looks.flatMap(({ gap }) => gap ?? []),
        [],
      );
    });
  }

  it('reads on if the platform sends fewer lines than it is asked for', async () => {
    const lines = [line(0, 'start')];
    const stream = createLogStream(async (limit, offset) =>
      [...lines].reverse().slice(offset, offset + Math.min(limit, 500)),
    );
    await stream.begin(100, undefined);
    for (let number = 0; number < 2000; number += 1) lines.push(line(100 + number / 10, `${number}`));
    const { lines: fresh, gap } = await stream.next();
    assert.deepEqual([fresh.length, gap], [2000, undefined]);
  });

  it('shows lines without a time once', async () => {
    const { lines, stream } = growing();
    lines.push(line(0, 'start'), { log: 'timeless', timestamp: '0', deploymentId: 'd' });
    assert.equal((await stream.begin(100, undefined)).length, 2);
    lines.push({ log: 'another', timestamp: '0', deploymentId: 'd' });
    assert.deepEqual(texts((await stream.next()).lines), ['another']);
    for (let number = 0; number < 20; number += 1) assert.deepEqual((await stream.next()).lines, []);
  });

  it('asks for no more than it needs', async () => {
    const { lines, stream, asked } = growing();
    for (let number = 0; number < 5000; number += 1) lines.push(line(number / 10, `${number}`));
    await stream.begin(100, undefined);
    asked.length = 0;
    for (let number = 0; number < 15; number += 1) await stream.next();
    assert.deepEqual(asked, Array(15).fill([100, 200]).flat());
  });

  it('shows each line once, whatever the order and the pauses', async () => {
    const arrival = fc.record({ delay: fc.integer({ min: 0, max: 50 }), text: fc.constantFrom('x', 'y', 'z') });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(arrival, { maxLength: 20 }), { maxLength: 20 }), async batches => {
        const { lines, stream } = growing();
        lines.push(line(0, 'start'));
        const shown = [...(await stream.begin(100, undefined))];
        for (const [number, batch] of batches.entries()) {
          lines.push(...batch.map(({ delay, text }) => line(60 + number * 2 - delay, text)));
          shown.push(...(await stream.next()).lines);
        }
        const sorted = (all: readonly LogLine[]) => all.map(one => `${one.timestamp} ${one.log}`).sort();
        assert.deepEqual(sorted(shown), sorted(lines));
      }),
    );
  });

  for (const seconds of [1800, 1e9]) {
    it(`loses nothing after a line that claims to be ${seconds} seconds ahead`, async () => {
      const lines: LogLine[] = [line(0, 'start')];
      const page = async (limit: number, offset: number) =>
        [...lines]
          .sort((one, other) => Number(BigInt(other.timestamp) - BigInt(one.timestamp)))
          .slice(offset, offset + limit);
      const stream = createLogStream(page, () => Number(BigInt(at(10)) / 1_000_000n));
      await stream.begin(100, undefined);
      lines.push(line(seconds, 'ahead'), line(1, 'a'));
      assert.deepEqual(texts((await stream.next()).lines), ['a', 'ahead']);
      for (const number of [2, 3, 4]) {
        lines.push(line(number, `${number}`));
        assert.deepEqual(texts((await stream.next()).lines), [`${number}`]);
      }
    });
  }

  it('takes a time of any length, and one that is none', async () => {
    const lines = [
      { ...line(0, 'long'), timestamp: '9'.repeat(1_000_000) },
      { ...line(0, 'none'), timestamp: 'soon' },
    ];
    const start = process.cpuUsage();
    assert.equal((await createLogStream(async () => lines).begin(100, undefined)).length, 2);
    assert(process.cpuUsage(start).user < 2_000_000);
  });

  it('pages back if many lines came', async () => {
    const { lines, stream } = growing();
    lines.push(line(0, 'start'));
    await stream.begin(100, undefined);
    for (let number = 0; number < 3500; number += 1) lines.push(line(100 + number / 10, `${number}`));
    const { lines: fresh, gap } = await stream.next();
    assert.deepEqual([fresh.length, gap], [3500, undefined]);
  });

  it('says where lines may be missing if the platform does not page', async () => {
    const lines: LogLine[] = [line(0, 'start')];
    const stream = createLogStream(async limit => [...lines].reverse().slice(0, limit));
    await stream.begin(100, undefined);
    for (let number = 0; number < 3500; number += 1) lines.push(line(100 + number / 10, `${number}`));
    const { lines: fresh, gap } = await stream.next();
    assert.equal(new Set(texts(fresh)).size, 1000);
    assert.deepEqual(gap, { from: BigInt(at(0)), to: BigInt(at(350)) });
  });
});

describe('a line of a log', () => {
  const ID = '3f1c09aa-0000-4000-8000-000000000000';
  const levels: [text: string, level: string | undefined][] = [
    [`2026-11-23 01:00:00.000 | WARNING  | bot:run:12 | ${ID} - careful`, 'warning'],
    ['INFO:     Started server process [1]', 'info'],
    ['some information', undefined],
    ['KeyError: "X"', undefined],
  ];
  for (const [text, level] of levels) it(`${text}: ${level}`, () => assert.equal(levelIn(text), level));

  it('names its session', () => {
    assert.equal(sessionIn(levels[0]?.[0] ?? ''), ID);
    assert.equal(sessionIn(`my | text | about | ${ID}`), undefined);
  });

  it('has the level of the line before it, in its deployment, so tracebacks stay whole', () => {
    const filter = createLevelFilter('warning');
    const shown = [
      ['a', 'ERROR: it broke'],
      ['b', 'INFO: fine'],
      ['a', 'Traceback (most recent call last):'],
      ['b', 'more of b'],
      ['a', 'INFO: fine again'],
      ['a', 'more'],
    ].filter(
      ([deploymentId, log]) => filter({ log: log ?? '', deploymentId: deploymentId ?? '', timestamp: '1' }).isShown,
    );
    assert.deepEqual(
      shown.map(([, log]) => log),
      ['ERROR: it broke', 'Traceback (most recent call last):'],
    );
  });
});
