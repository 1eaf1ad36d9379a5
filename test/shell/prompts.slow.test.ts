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

const ending = (answer: unknown) => `answer: ${JSON.stringify(answer)}\ncode 0\nunchanged\n`;
const INTERRUPTED = 'refused: Cancelled. Nothing was changed. \ncode 130\nunchanged\n';

describe('a question on a terminal', () => {
  before(async () => {
    script = await bundleScript('asking.ts', import.meta.url);
  });
  after(() => script.remove());

  const answers: [name: string, questions: string, keys: string[], answer: string | boolean | string[]][] = [
    ['Enter alone is no', 'confirm', [enter], false],
    ['y is yes', 'confirm', ['y'], true],
    ['n is no', 'confirm', ['n'], false],
    ['the arrows choose', 'confirm', [left + enter], true],
    ['a line of text', 'ask', [`acme${enter}`], 'acme'],
    ['typing instead of the suggestion', 'edit', [`mine${enter}`], 'mine'],
    ['a hidden line', 'hidden', [`hunter2${enter}`], 'hunter2'],
    ['the initial choice', 'choose', [enter], 'b'],
    ['the next choice, wrapping from last to first', 'choose', [down + enter], 'a'],
    ['a search by label or id', 'search', [`nr 17${enter}`], '17'],
    ['the choice that is called so', 'search', [`nr 2${enter}`], '2'],
    ['the first choice, once its search is erased', 'search', [`nr 2${erase.repeat(4)}${enter}`], '0'],
    ['no answer if a search finds nothing', 'search', [`xyz${enter}${erase.repeat(3)}${enter}`], '0'],
    ['some, in their order', 'some', [`${down} ${down} ${enter}`], ['a', 'b']],
    ['none', 'some', [enter], []],
    ['one after the other', 'ask hidden', [`a${enter}`, `b${enter}`], 'b'],
  ];
  const cases = [
    ...answers.map(([name, questions, keys, answer]) => [name, questions, keys, ending(answer)] as const),
    ...['confirm', 'ask', 'hidden', 'choose', 'search', 'some'].flatMap(question =>
      Object.entries({ esc, ctrlC, ctrlD }).map(
        ([name, key]) => [`${name} cancels ${question}`, question, [key], INTERRUPTED] as const,
      ),
    ),
  ];
  for (const [name, questions, keys, end] of cases) {
    it(name, async () => {
      const { text } = await converse(questions, keys);
      assert(text.endsWith(end), text);
    });
  }

  /** A test at a question without a shell. */
  const itAsks = (title: string, question: string, use: (terminal: PersonalTerminal) => Promise<void>) =>
    it(title, () =>
      inTree({}, async cwd => {
        const terminal = openTerminal([process.execPath, script.path, question], { cwd });
        await terminal.until(/◆ .*\?/);
        await use(terminal);
      }),
    );

  itAsks('says why an answer is invalid, and asks again', 'ask', async terminal => {
    terminal.type(enter);
    await terminal.until('Say something');
    terminal.type(`xxx${enter}`);
    assert.deepEqual(await terminal.ended, { code: 0, signal: 0 });
    assert.match(terminal.text(), /answer: "xxx"/);
  });

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

  itAsks('goes on after Ctrl-Z, and shows nothing of what is typed then', 'hidden', async terminal => {
    await suspend(terminal);
    await suspend(terminal);
    terminal.type(`hunter${enter}`);
    await terminal.ended;
    assert.deepEqual(terminal.text().match(/hunter.*/g), ['hunter"']);
  });

  itAsks('is cancelled by Ctrl-C after Ctrl-Z', 'hidden', async terminal => {
    await suspend(terminal);
    terminal.type(ctrlC);
    assert.deepEqual(await terminal.ended, { code: 130, signal: 0 });
  });

  itAsks('ends when its terminal is closed', 'hidden', async terminal => {
    terminal.close();
    assert.deepEqual(await terminal.ended, { code: 130, signal: 0 });
  });

  it('refuses several lines, and passes none to the shell', async () => {
    for (const lines of ['-----BEGIN\rline 2\rtouch pwned\r', '-----BEGIN\nline 2\n\r']) {
      const { text } = await converse('hidden', [lines]);
      assert.match(text, /refused: The answer had more than one line Pass --answer\.\ncode 2\nunchanged\n$/);
      assert(!text.includes('line 2'));
    }
  });

  it('is drawn on stderr, unless that is not a terminal', async () => {
    const { text } = await converse('ask', [`acme${enter}`], {}, '2>log');
    assert(text.includes('Name?') && text.endsWith(ending('acme')), text);
  });

  it('uses no color if NO_COLOR is set', async () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colors are control sequences.
    const color = /\u001b\[[\d;]*m/;
    assert.match((await converse('confirm', ['y'])).raw, color);
    assert.doesNotMatch((await converse('confirm', ['y'], { NO_COLOR: '1' })).raw, color);
  });

  it('is not asked if nobody can answer', async () => {
    const { text } = await converse('confirm', [], { CI: 'true' });
    assert.equal(text, "refused: botcli can't ask, because CI is set: Go ahead? Pass --answer.\ncode 2\nunchanged\n");
    for (const question of ['confirm', 'ask', 'hidden']) {
      const settings = { encoding: 'utf8', timeout: DEADLINE_MS } as const;
      const { status, stdout } = spawnSync(process.execPath, [script.path, question], settings);
      assert.equal(status, 2);
      assert.match(stdout, /^refused: botcli can't ask, because this isn't a terminal: .*\? Pass --answer\.\n$/);
    }
  });
});
