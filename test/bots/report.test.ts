import assert from 'node:assert/strict';
import { type Attempt, prepareAhead, type Report, setUp, startReport } from './report.ts';

/** What becomes of a check or a conversation: how often it runs, and the run's output and exit code. */
async function runOn(
  start: (report: Report, run: (attempt?: Attempt) => Promise<string>) => Promise<boolean>,
  results: string[],
) {
  const printed: string[] = [];
  const report = startReport({ print: line => printed.push(line), measure: async () => {} });
  let times = 0;
  const passed = await start(report, async attempt => {
    times += 1;
    attempt?.logs.push(`${times}.log`);
    const result = results[times - 1] ?? 'ran too often';
    if (result.startsWith('set-up')) return setUp(Promise.reject(new Error(result)));
    if (result !== 'fine') throw new Error(result);
    return result;
  });
  const code = report.close();
  const unsteady = printed.flatMap(text => text.split('\n')).filter(line => line.startsWith('unsteady'));
  return { seen: { times, passed, code, unsteady }, summary: printed.join('\n') };
}

/** The results of each time, how often it runs, whether the run passes, and the lines at its end. */
const CONVERSATIONS: [results: string[], times: number, passes: boolean, unsteady: string[]][] = [
  [['fine'], 1, true, []],
  [['no greeting\nthe log', 'fine'], 2, true, ['unsteady: bot greets, no greeting; logs: 1.log, 2.log']],
  [['no greeting', 'no answer'], 2, false, []],
  [['set-up: no such project'], 1, false, []],
  [['no greeting', 'set-up: no such project'], 2, false, []],
];

describe('the report of bots that run', () => {
  for (const [results, times, passes, unsteady] of CONVERSATIONS) {
    it(`holds a conversation again if it fails, and says so: ${results.map(text => text.replace('\n', ' ')).join(', ')}`, async () => {
      const { seen } = await runOn((report, run) => report.converse('bot', 'greets', run), results);
      assert.deepEqual(seen, { times, passed: passes, code: passes ? 0 : 1, unsteady });
    });
  }

  it('never repeats a check, prints what failed, and fails if nothing ran', async () => {
    const check = (report: Report, run: () => Promise<string>) => report.check('bot', 'greets', () => run());
    const { seen, summary } = await runOn(check, ['no greeting', 'fine']);
    assert.deepEqual(seen, { times: 1, passed: false, code: 1, unsteady: [] });
    assert.match(summary, /\n0 passed, 1 failed\nfailed: bot greets\n +no greeting$/);
    assert.equal(startReport({ print: () => {} }).close(), 1);
  });
});

/** What happens to three things that are prepared and used. */
async function useThree(atOnce: number): Promise<string> {
  const seen: string[] = [];
  const use = async (item: number) => {
    seen.push(`use ${item}`);
    await new Promise(setImmediate);
    seen.push(`done ${item}`);
  };
  await prepareAhead([1, 2, 3], async item => seen.push(`prepare ${item}`), use, atOnce);
  return seen.join(', ');
}

describe('things that are prepared ahead', () => {
  it('are used in order, while the next one is prepared', async () => {
    const expected = 'prepare 1, use 1, prepare 2, done 1, use 2, prepare 3, done 2, use 3, done 3';
    assert.equal(await useThree(1), expected);
    assert.match(await useThree(2), /prepare 2.*use 2.*done 1.*use 3/);
  });

  it('are all ready or failed before a failed use is reported', async () => {
    const seen: string[] = [];
    const prepare = async (item: number) => {
      for (let step = 0; step < item; step += 1) await new Promise(setImmediate);
      seen.push(`prepared ${item}`);
    };
    const using = prepareAhead([1, 2], prepare, () => Promise.reject(new Error('used badly')));
    await assert.rejects(using, /used badly/);
    assert.deepEqual(seen, ['prepared 1', 'prepared 2']);
  });
});
