import assert from 'node:assert/strict';
import { createMarkedStyle, createStyle, symbolsFor, toTerminalText } from '../../../src/shell/terminal/style.ts';
import { printableJson } from '../../../src/text.ts';
import { BOT, sessionIt } from '../../support/session.ts';

const COLORED = { env: { FORCE_COLOR: '1' } };

describe('text on its way to a terminal', () => {
  const { bold, red } = createMarkedStyle(true);
  const cases: [title: string, text: string, shown: string][] = [
    ['keeps its colors', `${red('error:')} no`, '\u001b[31merror:\u001b[39m no'],
    ['keeps colors within colors', bold(`a ${red('b')}`), '\u001b[1ma \u001b[31mb\u001b[39m\u001b[22m'],
    ['keeps tabs and line breaks', 'a\tb\nc', 'a\tb\nc'],
    ['loses escape sequences of others', '\u001b[31mred\u001b]0;title\u0007', '�[31mred�]0;title�'],
    ['loses control characters of 8 bits', 'a\u009b2Jb', 'a�2Jb'],
    ['loses marks that change the direction of text', 'a\u202eb', 'a�b'],
  ];
  for (const [title, text, shown] of cases) it(title, () => assert.equal(toTerminalText(text), shown));

  it('has no marks without colors', () => {
    for (const style of [createMarkedStyle(false), createStyle(false)]) assert.equal(style.red('x'), 'x');
  });

  it('in JSON is escaped, and means the same', () => {
    const value = { text: '\u001b[31m\u009b\u202e\n"é😀' };
    assert.match(printableJson(value), /^[^\p{Cc}\p{Bidi_Control}]*$/mu);
    assert.deepEqual(JSON.parse(printableJson(value)), value);
  });
});

describe('a text of a project never reaches the terminal unchanged', () => {
  const ESCAPE = '\u001b]0;owned\u0007';

  sessionIt('in the colored report of a check', async ({ run, succeed, write, read }) => {
    await succeed(`init bot ${BOT}`);
    assert((await run('check bot', COLORED)).stdout.startsWith('\u001b[32m✓\u001b[39m Project: bot'));
    write('bot/server/bot.py', `${read('bot/server/bot.py')}\nX = os.environ["${ESCAPE}"]\n`);
    const { stdout } = await run('check bot', COLORED);
    assert(!stdout.includes('\u001b]') && !stdout.includes('\u0007'), JSON.stringify(stdout));
  });
});

describe('the symbols of a terminal', () => {
  const cases: [env: Record<string, string>, platform: NodeJS.Platform, isUnicode: boolean][] = [
    [{}, 'linux', true],
    [{ LANG: 'C' }, 'linux', false],
    [{ LANG: 'C', LC_ALL: 'en_US.UTF-8' }, 'darwin', true],
    [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'C' }, 'darwin', false],
    [{ TERM: 'linux' }, 'linux', false],
    [{}, 'win32', false],
    [{ WT_SESSION: 'x' }, 'win32', true],
    [{ TERM_PROGRAM: 'vscode' }, 'win32', true],
    [{ TERM: 'cygwin' }, 'win32', false],
  ];
  for (const [env, platform, isUnicode] of cases) {
    it(`on ${platform} with ${JSON.stringify(env)} are ${isUnicode ? 'Unicode' : 'ASCII'}`, () =>
      assert.equal(symbolsFor(env, platform).active, isUnicode ? '◆' : '*'));
  }
});
