import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { createTerminal } from '../../../src/shell/terminal.ts';
import { renderTable, wrapProse } from '../../../src/text.ts';

const style = { bold: (text: string) => text };

describe('prose in a terminal', () => {
  const list = 'To list your organizations, run:';
  const wide = 'A project has a .botcli.json, which';
  const some = '  It has rtc_local (SmallWebRTC), tel_a';
  const rows: [about: string, line: string, ...shown: string[]][] = [
    ['a line that fits', 'Nothing was changed, and nothing sent.'],
    ['a long one', `${wide} botcli init writes.`, wide, 'botcli init writes.'],
    ['one with an indentation', `${some} (Twilio).`, some, '  (Twilio).'],
    ['a command at the end', `${list} botcli cloud organizations list`, list, '  botcli cloud organizations list'],
    ['a command', 'botcli update my-bot -t rtc_local -t rtc_hosted --language de'],
    ['a command in color', '\ufdd2npx botcli@1.0.0 update my-bot -t rtc_local -t rtc_hosted\ufdd3'],
    ['columns', 'Guides for a coding agent:     botcli init DIRECTORY'],
    ['an address', 'https://example.com/a/very/long/address/that/people/copy'],
  ];
  for (const [about, line, ...shown] of rows) {
    it(`wraps ${about}${shown.length > 0 ? '' : ' nowhere'}`, () => {
      assert.deepEqual(wrapProse(line, 40).split('\n'), shown.length > 0 ? shown : [line]);
      assert.equal(wrapProse(line, undefined), line);
    });
  }
});

describe('what is printed', () => {
  for (const isTTY of [true, false]) {
    it(isTTY ? 'is wrapped in a terminal if it is a note, or says what was done' : 'is never wrapped elsewhere', () => {
      const written: string[] = [];
      const write = (chunk: Buffer, _: string, done: () => void) => {
        written.push(chunk.toString());
        done();
      };
      const stream = () => Object.assign(new Writable({ write }), { isTTY, columns: 20 });
      const streams = { env: {}, cwd: process.cwd, stdin: process.stdin, stdout: stream(), stderr: stream() };
      const terminal = createTerminal(streams as never);
      terminal.note('A deploy uploads every file.');
      terminal.print('✓ Deleted two files in server/calls\nfrom pipecat.frames import Frame');
      const end = isTTY ? '\n' : ' ';
      assert.deepEqual(written, [
        `A deploy uploads${end}every file.\n`,
        `✓ Deleted two files${end}in server/calls\nfrom pipecat.frames import Frame\n`,
      ]);
    });
  }
});

describe('a table', () => {
  const rows = [
    ['a', 'long cell'],
    ['longer', 'b'],
  ];

  it('has aligned columns in a terminal', () => {
    const table = renderTable(['NAME', 'X'], rows, { columns: 80, style });
    assert.equal(table, 'NAME    X\na       long cell\nlonger  b');
  });

  it('has tabs elsewhere', () => assert.equal(renderTable(['NAME', 'X'], rows, { style }), 'a\tlong cell\nlonger\tb'));

  it('may have any number of rows', () => {
    const table = renderTable(['NAME'], Array(200_000).fill(['row']), { columns: 80, style });
    assert.equal(table.length, 'NAME'.length + 200_000 * '\nrow'.length);
  });
});
