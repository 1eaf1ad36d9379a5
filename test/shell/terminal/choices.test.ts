import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { Screen } from '../../../src/shell/terminal/answer.ts';
import { questions } from '../../../src/shell/terminal/clack.ts';
import type { Choice } from '../../../src/shell/terminal/question.ts';
import { createStyle, symbolsFor } from '../../../src/shell/terminal/style.ts';
import { screenOf } from '../../support/screen.ts';

/** What a terminal of this size shows of choices after these keys, without the question and the keys to answer with. */
async function shown(
  choices: readonly Choice[],
  { keys = [] as string[], columns = 80, rows = 24 },
): Promise<string[]> {
  const input = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => {} });
  const output = Object.assign(new PassThrough(), { isTTY: true, columns, rows });
  let text = '';
  output.on('data', data => {
    text += data;
  });
  const [screen, style, symbols] = [new Screen(output as never), createStyle(false), symbolsFor({}, 'linux')];
  const place = { input: input as never, screen, style, symbols };
  const asked = questions.choose('Which?', { instead: '', choices }, place).catch(() => {});
  for (const key of [...keys, '']) {
    input.write(key);
    await turn();
  }
  const lines = await screenOf(text.replaceAll('\n', '\r\n'), columns, rows);
  input.write('\u0003');
  await asked;
  const drawn = lines.map(line => line.trimEnd()).filter(line => line !== '');
  return drawn.slice(
    1,
    drawn.findIndex(line => /^(Type|↑)/.test(line)),
  );
}

const TWO = [
  { value: 'a', label: 'Alpha', id: 'alpha_stt', hint: 'recommended, same account' },
  { value: 'b', label: 'Beta', id: 'beta_stt' },
];
const TEN = Array.from({ length: 10 }, (_, at) => ({ value: `${at}`, label: `No. ${at}` }));
const LANGUAGES = [
  { value: 'default', label: 'English', hint: 'default' },
  { value: 'de-AT', label: 'Austrian German', id: 'de-AT' },
  { value: 'de', label: 'German', id: 'de', alias: 'Deutsch' },
  { value: 'el', label: 'Greek', id: 'el' },
];

describe('a list of choices', () => {
  const widths: [columns: number, ...lines: string[]][] = [
    [52, '● Alpha alpha_stt (recommended, same account)', '○ Beta beta_stt'],
    [51, '● Alpha (recommended, same account)', '○ Beta'],
    [41, '● Alpha', '    recommended, same account', '○ Beta'],
    [29, '● Alpha', '    recommended, same', '    account', '○ Beta'],
  ];
  for (const [columns, ...lines] of widths) {
    it(`in ${columns} columns: ${lines.join(' / ')}`, async () =>
      assert.deepEqual(await shown(TWO, { columns }), lines));
  }

  const dense: [columns: number, ...lines: string[]][] = [
    [51, '● Alpha alpha_stt (recommended)', '○ Beta beta_stt'],
    [29, '● Alpha alpha_stt', '○ Beta beta_stt'],
    [23, '● Alpha', '○ Beta'],
  ];
  for (const [columns, ...lines] of dense) {
    it(`that can be searched, in ${columns} columns: ${lines.join(' / ')}`, async () =>
      assert.deepEqual((await shown([...TWO, ...TEN], { columns })).slice(1, 3), lines));
  }

  const windows: [down: number, ...lines: string[]][] = [
    [0, '● No. 0', '○ No. 1', '○ No. 2', '… 7 more below'],
    [5, '… 4 more above', '○ No. 4', '● No. 5', '○ No. 6', '… 3 more below'],
    [9, '… 7 more above', '○ No. 7', '○ No. 8', '● No. 9'],
  ];
  for (const [down, ...lines] of windows) {
    it(`of 10, with number ${down} active, in a low window: ${lines.join(' / ')}`, async () => {
      const keys = Array.from({ length: down }, () => '\u001b[B');
      assert.deepEqual((await shown(TEN, { keys, rows: 10 })).slice(1), lines);
    });
  }

  it('shows explanations whole in a low window', async () => {
    const three = ['One', 'Two', 'Three'].map(label => ({ value: label, label, hint: 'in all of two lines' }));
    const drawn = ['… 1 more above', '● Two', '    in all of two', '    lines', '… 1 more below'];
    assert.deepEqual(await shown(three, { keys: ['\u001b[B'], columns: 25, rows: 10 }), drawn);
  });
});

describe('a search', () => {
  for (const [search, ...lines] of [
    ['de', '● German de', '○ Austrian German de-AT', '○ English (default)'],
    ['German', '● German de', '○ Austrian German de-AT'],
    ['g', '● German de', '○ Greek el', '○ English (default)', '○ Austrian German de-AT'],
    ['deutsch', '● German de'],
    ['x', 'No matches'],
  ] as const) {
    it(`for "${search}" finds: ${lines.join(' / ')}`, async () =>
      assert.deepEqual((await shown([...LANGUAGES, ...TEN], { keys: [...search] })).slice(1), lines));
  }
});
