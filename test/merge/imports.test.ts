import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

const bot = (imports: string, intro: string, doc: string, call: string, own = ''): string =>
  `"""${intro}"""\n\n${imports}\n\n\ndef run():\n    """${doc}"""\n    call(\n        ${call},\n    )\n\n\ndef last():\n    pass\n${own}`;

const IMPORTS = 'import a\nimport gone';

/** What both sides change in their own way, in each version: the user's, the base and botcli's. */
const edits: [about: string, intro: string[], doc: string[], call: string[]][] = [
  ["the module's docstring", ['Mine.\n\nIt runs.\n', 'A bot.\n\nIt runs.\n', 'Ours.\n\nIt runs.\n'], [], []],
  ["the module's docstring, over lines on one side", ['Mine.\n\nLong.\n', 'A bot.', 'Ours.'], [], []],
  ["a function's docstring", [], ['Mine.\n\n    Go.\n    ', 'Run.\n\n    Go.\n    ', 'Ours.\n\n    Go.\n    '], []],
  ['a text in brackets', [], [], ['"""Mine.\nGo.\n"""', '"""Run.\nGo.\n"""', '"""Ours.\nGo.\n"""']],
  ['an open bracket', [], [], ['f(1,\n      2)', 'f(0)', 'f(\n            3)']],
];

describe('imports when both sides change', () => {
  for (const [about, intro, doc, call] of edits) {
    const write = (at: number, imports: string, own: string) =>
      bot(imports, intro[at] ?? 'A bot.', doc[at] ?? 'Run.', call[at] ?? '1', own);
    const use = (names: string) => `\n\ndef use():\n    ${names}\n`;

    it(`${about}: what the user uses stays`, () => {
      const { text, marked } = mergeTexts(
        'bot.py',
        write(0, IMPORTS, use('gone.go(a)')),
        write(1, IMPORTS, ''),
        write(2, 'import a', ''),
      );
      for (const one of [text, marked.toString()]) assert.match(one, /^import gone$/m);
    });

    it(`${about}: what ours uses comes back, and what nothing uses goes`, () => {
      const { text } = mergeTexts(
        'bot.py',
        write(0, 'import gone', ''),
        write(1, IMPORTS, ''),
        write(2, 'import a', use('a.go()')),
      );
      assert.match(text, /^import a$/m);
      assert.doesNotMatch(text, /^import gone$/m);
    });
  }

  it("the user's file has tabs: ours get them, too", () => {
    const write = (names: string[], unit: string) =>
      `from a import (\n${names.map(name => `${unit}${name},\n`).join('')})\n\n\ndef run():\n${unit}call(${names.join(', ')})\n`;
    const long = 'from_a_module_with_a_very_long_name_that_needs_a_line_of_its_own_in_any_file_of_the_project';
    const [base, botcli] = [write(['b'], '    '), write(['b', 'c', long], '    ')];
    const { text } = mergeTexts('bot.py', write(['b'], '\t'), base, botcli);
    assert.equal(text, write(['b', 'c', long], '\t'));
  });

  it("the user's file has an open quote: all imports stay", () => {
    const base = bot(IMPORTS, 'A bot.', 'Run.', '1');
    const user = `${base.replace('"""Run."""', '"""Run.')}\n\ngone.go()\n`;
    const { text } = mergeTexts('bot.py', user, base, bot('import a', 'A bot.', 'Run.', '1'));
    assert.match(text, /^import gone$/m);
  });
});
