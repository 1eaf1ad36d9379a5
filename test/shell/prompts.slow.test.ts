import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { DEADLINE_MS } from '../support/program.ts';
import { KEYS, openTerminal, type PersonalTerminal } from '../support/pty.ts';
import { bundleScript, type Script } from '../support/scripts.ts';
import { inTree } from '../support/trees.ts';

const { enter, esc, ctrlC, ctrlD, ctrlZ, left, down, erase } = KEYS;

/** The last text that the shell prints. */
const DONE = '<done>';

let script: Script;

/** Answers questions with these keys. Returns the terminal's text, including the answers and its modes afterwards. */
async function converse(questions: string, keys: readonly string[], env: Record<string, string> = {}, redirect = '') {
  return inTree({}, async cwd => {
    const line = `stty -a >before; "${process.execPath}" "${script.path}" ${questions} ${redirect}
      echo "code $?"; stty -a >after; cmp before after && echo unchanged; [ -f log ] && cat log; printf '${DONE}'; read -r _`;
    const terminal = openTerminal(['sh', '-c', line], { cwd, env });
    let end = 0;
    for (const key of keys) {
      // The mark of a waiting question. An answered one has a different mark.
      await terminal.until(/◆ .*\?/, end);
      end = terminal.text().length;
      terminal.type(key);
    }
    // Text that a shell prints just before it exits may be lost, so it waits until all text has arrived.
    await terminal.until(DONE);
    const [text = '', raw = ''] = [terminal.text(), terminal.raw()].map(all => all.slice(0, all.lastIndexOf(DONE)));
    terminal.type(enter);
    await terminal.ended;
    return { text, raw };
  });
}

/** Types Ctrl-Z, and waits until the program goes on. */
async function suspend(terminal: PersonalTerminal): Promise<void> {
  const from = terminal.text().length;
  terminal.type(ctrlZ);
  await terminal.until('<goes on>', from);
}

const ENDING = (answer: string) => `answer: "${answer}"\ncode 0\nunchanged\n`;
const INTERRUPTED = 'refused: Cancelled. Nothing was changed. \ncode 130\nunchanged\n';

describe('a question on a terminal', () => {
  before(async () => {
    script = await bundleScript('asking.ts', import.meta.url);
  });
  after(() => script.remove());

  const cases: [name: string, questions: string, keys: string[], ending: string][] = [
    ['Enter alone is no', 'confirm', [enter], 'answer: false\ncode 0\nunchanged\n'],
    ['y is yes', 'confirm', ['y'], 'answer: true\ncode 0\nunchanged\n'],
    ['n is no', 'confirm', ['n'], 'answer: false\ncode 0\nunchanged\n'],
    ['the arrows choose', 'confirm', [left + enter], 'answer: true\ncode 0\nunchanged\n'],
    ['a line of text', 'ask', [`acme${enter}`], 'answer: "acme"\ncode 0\nunchanged\n'],
    ['typing instead of the suggestion', 'edit', [`mine${enter}`], 'answer: "mine"\ncode 0\nunchanged\n'],
    ['a hidden line', 'hidden', [`hunter2${enter}`], 'answer: "hunter2"\ncode 0\nunchanged\n'],
    ['the initial choice', 'choose', [enter], 'answer: "b"\ncode 0\nunchanged\n'],
    ['the next choice, wrapping from last to first', 'choose', [down + enter], 'answer: "a"\ncode 0\nunchanged\n'],
    ['a search by label or id', 'search', [`nr 17${enter}`], 'answer: "17"\ncode 0\nunchanged\n'],
    ['the choice that is called so', 'search', [`nr 2${enter}`], 'answer: "2"\ncode 0\nunchanged\n'],
    ['the first choice, once its search is erased', 'search', [`nr 2${erase.repeat(4)}${enter}`], ENDING('0')],
    ['no answer if a search finds nothing', 'search', [`xyz${enter}${erase.repeat(3)}${enter}`], ENDING('0')],
    ['some, in their order', 'some', [`${down} ${down} ${enter}`], 'answer: ["a","b"]\ncode 0\nunchanged\n'],
    ['none', 'some', [enter], 'answer: []\ncode 0\nunchanged\n'],
    ['one after the other', 'ask hidden', [`a${enter}`, `b${enter}`], 'answer: "b"\ncode 0\nunchanged\n'],
    ...['confirm', 'ask', 'hidden', 'choose', 'search', 'some'].flatMap(question =>
      Object.entries({ esc, ctrlC, ctrlD }).map(([name, key]): [string, string, string[], string] => [
        `${name} cancels ${question}`,
        question,
        [key],
        INTERRUPTED,
      ]),
    ),
  ];
  for (const [name, questions, keys, ending] of cases) {
    it(name, async () => {
      const { text } = await converse(questions, keys);
      assert(text.endsWith(ending), text);
    });
  }

  it('says why an answer is invalid, and asks again', () =>
    inTree({}, async cwd => {
      const terminal = openTerminal([process.execPath, script.path, 'ask'], { cwd });
      await terminal.until('Name?');
      terminal.type(enter);
      await terminal.until('Say something');
      terminal.type(`xxx${enter}`);
      assert.deepEqual(await terminal.ended, { code: 0, signal: 0 });
      assert.match(terminal.text(), /answer: "xxx"/);
    }));

  it('shows nothing of a hidden answer, not even its length', async () => {
    const frames = await Promise.all(
      ['hunter2', 'hunter2hunter2'].map(async token => {
        const { raw } = await converse('hidden', [token + enter]);
        return raw.slice(0, raw.indexOf('answer:'));
      }),
    );
    assert(!frames[0]?.includes('hunter2'));
    assert.equal(frames[0], frames[1]);
  });

  it('goes on after Ctrl-Z, and shows nothing of what is typed then', () =>
    inTree({}, async cwd => {
      const terminal = openTerminal([process.execPath, script.path, 'hidden'], { cwd });
      await terminal.until(/◆ .*\?/);
      await suspend(terminal);
      await suspend(terminal);
      terminal.type(`hunter${enter}`);
      await terminal.ended;
      assert.deepEqual(terminal.text().match(/hunter.*/g), ['hunter"']);
    }));

  it('is cancelled by Ctrl-C after Ctrl-Z', () =>
    inTree({}, async cwd => {
      const terminal = openTerminal([process.execPath, script.path, 'hidden'], { cwd });
      await terminal.until(/◆ .*\?/);
      await suspend(terminal);
      terminal.type(ctrlC);
      assert.deepEqual(await terminal.ended, { code: 130, signal: 0 });
    }));

  it('refuses several lines, and passes none to the shell', async () => {
    for (const lines of ['-----BEGIN\rline 2\rtouch pwned\r', '-----BEGIN\nline 2\n\r']) {
      const { text } = await converse('hidden', [lines]);
      assert.match(text, /refused: The answer had more than one line Pass --answer\.\ncode 2\nunchanged\n$/);
      assert(!text.includes('line 2'));
    }
  });

  it('is drawn on stderr, unless that is not a terminal', async () => {
    const { text } = await converse('ask', [`acme${enter}`], {}, '2>log');
    assert.match(text, /Name\?[\s\S]*answer: "acme"\ncode 0\nunchanged\n$/);
  });

  it('uses no color if NO_COLOR is set', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control sequences.
    const color = /\u001b\[[\d;]*m/;
    assert.match((await converse('confirm', ['y'])).raw, color);
    assert.doesNotMatch((await converse('confirm', ['y'], { NO_COLOR: '1' })).raw, color);
  });

  it('ends when its terminal is closed', () =>
    inTree({}, async cwd => {
      const terminal = openTerminal([process.execPath, script.path, 'hidden'], { cwd });
      await terminal.until('Token?');
      terminal.close();
      assert.deepEqual(await terminal.ended, { code: 130, signal: 0 });
    }));

  it('is not asked if nobody can answer', async () => {
    const { text } = await converse('confirm', [], { CI: 'true' });
    assert.equal(text, "refused: botcli can't ask, because CI is set: Go ahead? Pass --answer.\ncode 2\nunchanged\n");
    for (const question of ['confirm', 'ask', 'hidden']) {
      const { status, stdout } = spawnSync(process.execPath, [script.path, question], {
        encoding: 'utf8',
        timeout: DEADLINE_MS,
      });
      assert.equal(status, 2);
      assert.match(stdout, /^refused: botcli can't ask, because this isn't a terminal: .*\? Pass --answer\.\n$/);
    }
  });
});
