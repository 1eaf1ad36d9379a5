import assert from 'node:assert/strict';
import { hashOf, parseState, stateText } from '../../src/project/files/state.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';

const HASH = 'a'.repeat(64);

/** A state file with this version and these files. */
const stateOf = (files: unknown, version: unknown = '1.2.3') =>
  JSON.stringify({ mode: 'cascade', botcli: { version, files } });

describe('the state of a project', () => {
  it('says how the project was made, with sorted files and a final newline', () => {
    const config = resolveFlags(LOCAL);
    const files = new Map([
      ['server/bot.py', hashOf('two')],
      ['README.md', hashOf('one')],
    ]);
    const text = stateText(config, '1.2.3', files);
    assert.match(text, /"README\.md": "[0-9a-f]{64}",\n {6}"server\/bot\.py": "[0-9a-f]{64}"\n {4}\}\n {2}\}\n\}\n$/);
    const state = parseState(text);
    assert(typeof state !== 'string');
    assert.deepEqual([state.version, state.choices, [...state.files].sort()], ['1.2.3', config, [...files].sort()]);
  });

  it('is read without the address of its schema, and without the mark that some editors add', () => {
    const text = JSON.stringify({
      $schema: 'x',
      mode: 'cascade',
      botcli: { version: '1.2.3', files: { 'a.py': HASH } },
    });
    assert.deepEqual(parseState(`\uFEFF${text}`), {
      version: '1.2.3',
      choices: { mode: 'cascade' },
      files: new Map([['a.py', HASH]]),
    });
  });

  const broken: [text: string, problem: RegExp][] = [
    ['', /it ends too soon/],
    ['{"mode": cascade}', /line 1, column 10/],
    ['\uFEFF{"mode": cascade}', /line 1, column 10/],
    ['{\n<<<<<<< HEAD\n=======\n>>>>>>> main\n', /contains conflict markers/],
    ['<<<<<<<< HEAD\n{}\n========\n>>>>>>>> main\n', /contains conflict markers/],
    ['{"mode": "cascade",\n"mode": "realtime"}', /^repeats "mode" \(lines 1, 2\): keep one of each$/],
    [
      stateOf({ 'bot.py': HASH }).replace('{"bot.py"', `{"bot.py": "${HASH}", "bot.py"`),
      /^repeats "bot\.py" \(line 1\)/,
    ],
    ['[]', /does not contain a JSON object/],
    ['null', /does not contain a JSON object/],
    ['{"mode": "cascade"}', /has no "botcli" object/],
    ['{"botcli": {"version": "1.2.3"}}', /has no "botcli" object/],
    [stateOf({}, 'newest'), /has no valid "version"/],
    [stateOf({}, null), /has no valid "version"/],
    [stateOf({ '../bot.py': HASH }), /outside the project: \.\.\/bot\.py/],
    [stateOf({ 'server/../../bot.py': HASH }), /outside the project/],
    [stateOf({ '/etc/passwd': HASH }), /outside the project/],
    [stateOf({ 'C:/bot.py': HASH }), /outside the project/],
    [stateOf({ 'server\\bot.py': HASH }), /outside the project/],
    [stateOf({ './bot.py': HASH }), /outside the project/],
    [stateOf({ '': HASH }), /outside the project/],
    [stateOf({ 'server/.env': HASH }), /^names a file that botcli never writes: server\/\.env$/],
    [stateOf({ 'a\x07b': HASH }), /^names a file that botcli never writes: a\uFFFDb$/],
    [stateOf({ 'a.py': [[[[[[[[[]]]]]]]]] }), /^has more than 10 levels$/],
    [stateOf({ 'bot.py': `a${HASH}` }), /is not a SHA-256/],
    [stateOf({ 'bot.py': `${HASH}a` }), /is not a SHA-256/],
    [stateOf({ 'bot.py': 'abc' }), /is not a SHA-256/],
    [stateOf({ 'bot.py': null }), /is not a SHA-256/],
  ];
  for (const [text, problem] of broken) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.match(String(parseState(text)), problem));
  }
});
