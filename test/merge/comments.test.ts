import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

const file = (tts: string, more = '') =>
  `ENV = ["A_KEY"]\n\n\ndef run():\n    llm = Llm()\n    tts = ${tts}(\n        key=1,\n    )\n${more}    go(llm, tts)\n`;
const BASE = file('Alpha');
const HEAD = '    tts = Alpha(\n';

/** What the user makes of the base, what botcli does, and the merge or the reason of the conflict. */
const cases: [about: string, user: string, ours: string, merged: string | RegExp][] = [
  [
    "botcli's change keeps the name on the line: a conflict",
    BASE.replace(HEAD, '    tts = Alpha(  # pyright: ignore\n'),
    file('Beta'),
    /same lines/,
  ],
  [
    'botcli removes the line: a conflict',
    BASE.replace('    llm = Llm()\n', '    llm = Llm()  # Mine\n'),
    BASE.replace('    llm = Llm()\n', '').replace('llm, ', ''),
    /botcli removes them/,
  ],
  [
    'botcli changes an argument: a conflict',
    BASE.replace('go(llm, tts)', 'go(llm, tts)  # Mine'),
    BASE.replace('go(llm, tts)', 'go(llm)'),
    /same lines/,
  ],
  [
    'botcli comments on the line, too: a conflict',
    BASE.replace('Llm()', 'Llm()  # Mine'),
    BASE.replace('Llm()', 'Llm()  # Ours'),
    /same lines/,
  ],
  [
    'botcli changes the lines around it: it stays',
    BASE.replace('Llm()', 'Llm()  # Mine'),
    file('Beta', '    print(tts)\n'),
    file('Beta', '    print(tts)\n').replace('Llm()', 'Llm()  # Mine'),
  ],
];

describe('merging a comment of the user after code when', () => {
  for (const [about, user, ours, merged] of cases) {
    it(about, () => {
      const { text, conflicts } = mergeTexts('bot.py', user, BASE, ours);
      const reasons = conflicts.map(({ reason }) => reason).join(' ');
      if (merged instanceof RegExp) assert.match(reasons, merged);
      else assert.deepEqual([reasons, text], ['', merged]);
    });
  }
});
