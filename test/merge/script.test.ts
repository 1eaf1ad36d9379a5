import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

const APP = [
  'import { useState } from "react";',
  'import { Composer } from "./Composer";',
  'import { Stage } from "./Stage";',
  '',
  '/** The page. */',
  'export function App({ bot }: { bot: Bot }) {',
  '  const [line, setLine] = useState(LINES[0]);',
  '  const state = useCall(bot);',
  '  return (',
  '    <main>',
  '      <Stage state={state} />',
  '      <Composer onSend={bot.send} onLine={setLine} line={line} />',
  '    </main>',
  '  );',
  '}',
  '',
].join('\n');

type Edit = (text: string) => string;
const swap =
  (...pairs: [from: string, to: string][]): Edit =>
  text =>
    pairs.reduce((edited, [from, to]) => {
      assert(edited.includes(from), from);
      return edited.replace(from, () => to);
    }, text);

const COMPOSER = '      <Composer onSend={bot.send} onLine={setLine} line={line} />\n';
const withoutComposer = swap([COMPOSER, ''], ['import { Composer } from "./Composer";\n', '']);
const withoutLine = swap(
  ['  const [line, setLine] = useState(LINES[0]);\n', ''],
  [' onLine={setLine} line={line}', ''],
  ['import { useState } from "react";\n', ''],
);
const STAGE = '      <Stage state={state} />\n';
const addStage = (...lines: string[]) => swap([STAGE, `${lines.map(line => `      ${line}\n`).join('')}${STAGE}`]);
const addHook = (...lines: string[]) => swap(['  return (', `${lines.map(line => `  ${line}\n`).join('')}  return (`]);
const addLevel = swap(
  ['  const [line,', '  const [level, setLevel] = useState(0);\n  const [line,'],
  [' line={line}', ' line={line} level={level} onLevel={setLevel}'],
);

/** What the user did, what botcli does, and the reason of the conflict, if there is one. */
const cases: [about: string, user: Edit, botcli: Edit, reason?: RegExp][] = [
  [
    'the user has wrapped what goes in brackets',
    swap([COMPOSER, `      {bot.send && (\n${COMPOSER}      )}\n`]),
    withoutComposer,
    /removes what is between these brackets/,
  ],
  [
    'the user has wrapped what goes in braces',
    swap([COMPOSER, `      {IS_WIDE &&\n${COMPOSER}      }\n`]),
    withoutComposer,
    /removes what is between these brackets/,
  ],
  ['the user shows a state that goes', addStage('<small>{line}</small>'), withoutLine, /Your lines use "line"/],
  [
    'the user has a second component of those that go',
    addStage('{isWide && <Composer onSend={bot.send} />}'),
    withoutComposer,
    /Your lines use "Composer"/,
  ],
  [
    'the user has a state of the same name',
    addHook('const [level, setLevel] = useState("x");'),
    addLevel,
    /already defines "level"/,
  ],
  [
    'the user exports a constant of the same name',
    text => `${text}\nexport const LEVELS = 3;\n`,
    swap(['/** The page. */', 'export const LEVELS = [1];\n\n/** The page. */']),
    /already defines "LEVELS"/,
  ],
  [
    'the user has a state of the same name in another component',
    text => `${text}\nfunction Mine() {\n  const [level, setLevel] = useState("x");\n  return level;\n}\n`,
    addLevel,
  ],
  ['the user writes a word like the name', addStage('<p>Which line?</p>', '<b title="line" />'), withoutLine],
  ['the user has a property of the name', addStage('{(() => bot.line)()}', '<p line={1} />'), withoutLine],
  ['the user declares the name', addHook('const line = bot.line;', 'print(line);'), withoutLine],
  ['the user shows what stays', addStage('{state && <b>{state.name}</b>}'), withoutLine],
  ['the user wraps what stays', swap([STAGE, `      {state && (\n${STAGE}      )}\n`]), withoutComposer],
];

describe('merging TypeScript when', () => {
  for (const [about, user, botcli, reason] of cases) {
    it(about, () => {
      const { text, conflicts } = mergeTexts('App.tsx', user(APP), APP, botcli(APP));
      const reasons = conflicts.map(conflict => conflict.reason).join(' ');
      if (reason) assert.match(reasons, reason);
      else assert.deepEqual([reasons, text], ['', botcli(user(APP))]);
    });
  }
});
