import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { type Environment, shellCommand, shellPath, shellWord } from '../src/shells.ts';
import { HOSTILE_NAMES } from './support/many-configs.ts';
import { BOT, session } from './support/session.ts';
import { shellWords } from './support/shell-words.ts';
import { posixIt } from './support/systems.ts';

const WORDS = [
  ...HOSTILE_NAMES,
  '',
  'plain',
  'a b',
  'a\nb',
  '*',
  '~',
  '!x',
  '-t',
  'a=b',
  '%1',
  '(',
  ';',
  '&&',
  '#x',
  "'",
];

describe('a word for a shell', () => {
  posixIt('comes back unchanged when a shell reads it', () => {
    const printed = execFileSync('sh', ['-c', `printf '%s\\0' ${WORDS.map(word => shellWord(word)).join(' ')}`], {
      encoding: 'utf8',
    });
    assert.deepEqual(printed.split('\0').slice(0, -1), WORDS);
    assert.deepEqual(shellWords(WORDS.map(word => shellWord(word)).join(' ')), WORDS, 'and when these tests read it');
  });

  it('is quoted only if needed', () =>
    assert.deepEqual(
      ['my-bot', './a_b.c'].map(word => shellWord(word)),
      ['my-bot', './a_b.c'],
    ));
});

/** The variables that Windows sets, and Git Bash. */
const WINDOWS = { OS: 'Windows_NT' };
const GIT_BASH = { ...WINDOWS, SHELL: '/usr/bin/bash' };

describe('a word for a shell of Windows', () => {
  const words: [word: string, quoted: string][] = [
    ['my-bot', 'my-bot'],
    ['.\\bots\\one', '.\\bots\\one'],
    ['my bot', '"my bot"'],
    ["it's", `"it's"`],
    ['a,b', '"a,b"'],
    ['@x', '"@x"'],
    ['', '""'],
    ['$HOME `id`', "'$HOME `id`'"],
    [`both " and '`, `'both " and '''`],
    ['say “hi”, it’s me', "'say “hi”, it’’s me'"],
  ];
  for (const [word, quoted] of words) {
    it(`${word || 'nothing'}: ${quoted}`, () => assert.equal(shellWord(word, WINDOWS), quoted));
  }

  it('is quoted for Bash in Git Bash', () => assert.equal(shellWord("it's", GIT_BASH), `'it'\\''s'`));

  it('is no option', () => assert.equal(shellPath('-my bot', WINDOWS), '"./-my bot"'));
});

describe('a command for a shell of Windows', () => {
  it('has its name there', () => {
    const commands = ['cp bot/.env.example bot/.env', 'cat README.md', 'uv --directory bot/server sync'];
    const on = (env: Environment) => commands.map(command => shellCommand(command, env));
    assert.deepEqual(on(WINDOWS), ['copy bot\\.env.example bot\\.env', 'type README.md', commands[2]]);
    assert.deepEqual(on(GIT_BASH), commands);
  });

  it(
    'is what a run prints there',
    session({}, async ({ succeed }) => {
      const printed = await succeed(['init', "it's mine", ...BOT.split(' ')], { env: WINDOWS });
      assert.match(printed, /\nNext:\n {2}cd "it's mine"\n {2}botcli dev\n/);
      const { next } = JSON.parse(await succeed(`init two ${BOT} --json`, { env: WINDOWS }));
      assert.equal(next[1].command, 'copy .env.example .env');
      const guides = JSON.parse(await succeed('init three --json', { env: WINDOWS }));
      assert.equal(guides.next[0].command, 'type GETTING_STARTED.md');
    }),
  );
});
