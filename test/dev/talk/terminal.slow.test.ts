import assert from 'node:assert/strict';
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalsEnvironment, evalsProject } from '../../support/evals-project.ts';
import { processesWith } from '../../support/left.ts';
import { BIN } from '../../support/program.ts';
import { KEYS, openTerminal, type PersonalTerminal } from '../../support/pty.ts';
import { inTree } from '../../support/trees.ts';

// `botcli talk` in a real terminal, with a stand-in for the bot: test/dev/tools/talking-bot.js.

interface Settings {
  saying: Record<string, string>;
  code: number;
  evals: boolean;
  /** How many logs it keeps, because something went wrong. */
  left: number;
}

interface Talk {
  terminal: PersonalTerminal;
  directory: string;
  /** Waits until these texts were shown after a place, one after the other. */
  shows(from: number, ...texts: readonly string[]): Promise<void>;
  /** Types keys, or a message, and waits for what is shown after it. */
  type(keys: string, ...texts: readonly string[]): Promise<void>;
  say(message: string, ...texts: readonly string[]): Promise<void>;
  /** Edits bot.py, which then says this about its stand-in. */
  edit(words: string): void;
}

const BOT = 'server/bot.py';
/** What shows that a message can be typed. */
const PROMPT = '\nyou  ';

/** Talks in a terminal. Afterwards, it has ended with this exit code, and nothing of it is left. */
const itTalks = (title: string, settings: Partial<Settings>, use: (talk: Talk) => Promise<void>) => {
  const { saying = {}, code = 0, evals = true, left = 0 } = settings;
  const inTerminal = async (directory: string) => {
    const env = evalsEnvironment(directory);
    const terminal = openTerminal([process.execPath, BIN, 'talk'], { cwd: directory, env });
    const text = readFileSync(join(directory, BOT), 'utf8');
    const shows = async (from: number, ...texts: readonly string[]) => {
      let place = from;
      for (const text of texts) {
        await terminal.until(text, place);
        place = terminal.text().indexOf(text, place) + text.length;
      }
    };
    const type = async (keys: string, ...texts: readonly string[]) => {
      const from = terminal.text().length;
      terminal.type(keys);
      await shows(from, ...texts);
    };
    const say = (message: string, ...texts: readonly string[]) => type(`${message}${KEYS.enter}`, ...texts);
    const edit = (words: string) => writeFileSync(join(directory, BOT), `${text}# fake: ${words}\n`);
    await use({ terminal, directory, shows, type, say, edit });
    const ended = await terminal.ended;
    assert.deepEqual(ended, { code, signal: 0 }, terminal.text());
    assert.deepEqual(processesWith(`HOME=${directory}`), []);
    assert.equal(readdirSync(join(directory, '.tmp')).length, 1 + left);
    // The terminal marks what is pasted only as long as it's wanted.
    const count = (sequence: string) => terminal.raw().split(sequence).length;
    assert.equal(count('\u001b[?2004h'), count('\u001b[?2004l'));
  };
  it(title, async () => inTree(await evalsProject(saying, { enable_eval: evals }), inTerminal));
};

/** The same once something can be typed, and ends it with Ctrl-D. */
const itGoesOn = (title: string, settings: Partial<Settings>, use: (talk: Talk) => Promise<void>) =>
  itTalks(title, settings, async talk => {
    await talk.shows(0, PROMPT);
    await use(talk);
    talk.terminal.type(KEYS.ctrlD);
  });

describe('botcli talk in a terminal', () => {
  itTalks('takes messages and commands, and ends with /quit', {}, async ({ shows, say }) => {
    await shows(0, '✓ my-bot is ready after', 'Hello!', PROMPT);
    await say('hello', 'You said: hello', PROMPT);
    await say('/help', '/again', '/back', '/quit', PROMPT);
    await say('/agin', "/agin isn't a command. Did you mean /again? To say it, type //agin", PROMPT);
    await say('/constructor', "/constructor isn't a command. All commands: /help.", PROMPT);
    await say('//help', 'You said: /help', PROMPT);
    // Arrow up brings back earlier lines.
    await say('\u001b[A\u001b[A\u001b[A\u001b[A\u001b[A', 'You said: hello', PROMPT);
    await say('\u001b[200~one\rtwo\u001b[201~', 'You said: one two', PROMPT);
    await say('/quit');
  });

  const quit = `/quit${KEYS.enter}`;
  const waiting = { saying: { [BOT]: 'waits' } };
  const installing = ({ directory }: Talk) =>
    appendFileSync(join(directory, 'server/pyproject.toml'), '# fake: sync hangs\n');
  for (const [about, keys, settings, sign, prepare] of [
    ['Ctrl-D while the bot is quiet', KEYS.ctrlD, {}, PROMPT],
    ['Ctrl-C while the bot is quiet', KEYS.ctrlC, {}, PROMPT],
    ['Ctrl-D before the bot is ready', KEYS.ctrlD, waiting, 'Starting the bot'],
    ['Ctrl-C before the bot is ready', KEYS.ctrlC, waiting, 'Starting the bot'],
    ['Ctrl-D while packages are installed after an edit', KEYS.ctrlD, {}, 'Installing packages', installing],
    ['/quit while packages are installed after an edit', quit, {}, 'Installing packages', installing],
  ] satisfies [string, string, Partial<Settings>, string, ((talk: Talk) => void)?][]) {
    itTalks(`ends with ${about}`, settings, async talk => {
      if (prepare) await talk.shows(0, PROMPT);
      const from = talk.terminal.text().length;
      prepare?.(talk);
      await talk.shows(prepare ? from : 0, sign);
      talk.terminal.type(keys);
    });
  }

  itGoesOn('ends with Ctrl-D during an answer', {}, ({ say }) => say('slow', '→ think'));

  itGoesOn('interrupts an answer with Ctrl-C, and goes on', {}, async ({ type, say }) => {
    await say('slow', '→ think');
    await type(KEYS.ctrlC, 'Interrupted.', PROMPT);
    await say('hello', 'You said: hello', PROMPT);
  });

  itTalks('ends if the terminal is closed', { code: 129 }, async ({ terminal, shows, say }) => {
    await shows(0, PROMPT);
    await say('slow', '→ think');
    terminal.close();
  });

  itGoesOn('says everything again when a file is saved, and marks what differs', { left: 1 }, async talk => {
    const { terminal, shows, say, edit } = talk;
    await say('tool', 'At six.', PROMPT);
    await say('wordless', '✗ The bot answered without words', PROMPT);
    const from = terminal.text().length;
    edit('answers At seven.');
    await shows(
      from,
      ...['bot.py changed: saying it all again to a fresh bot.', 'you  tool', 'At seven.'],
      ...['≠ before: check_day(day="friday", people=2) · At six.', 'you  wordless', 'answered without words', PROMPT],
    );
    const again = terminal.text().length;
    await say('/back', 'you  tool', 'At seven.', PROMPT);
    await say('/again', 'you  tool', 'At seven.', PROMPT);
    assert.doesNotMatch(terminal.text().slice(again), /≠|wordless/);
    await say('/back', 'Hello!', PROMPT);
    await say('/back', "You haven't said anything yet.", PROMPT);
  });

  itGoesOn('keeps a conversation as a scenario, once it has a name', {}, async ({ say, directory }) => {
    await say('/keep booking', "There is nothing to keep: you haven't said anything yet", PROMPT);
    await say('tool', 'At six.', PROMPT);
    await say('/keep', 'Give it a name: /keep booking', PROMPT);
    await say('/keep two words', `"two words" can't be the name of a scenario`, PROMPT);
    const kept = (name: string) =>
      `✓ server/evals/${name}.yaml: 1 turn, 1 tool call. It passed with a fresh bot. botcli test ${name} runs it.`;
    await say('/keep booking', kept('booking'), PROMPT);
    assert.match(readFileSync(join(directory, 'server/evals/booking.yaml'), 'utf8'), /user: tool[\s\S]*check_day/);
    await say('/keep booking', kept('booking-2'), 'There is already a scenario named booking.', PROMPT);
  });

  itGoesOn('survives saves during an answer, and many at once', {}, async talk => {
    const { terminal, shows, say, edit, directory } = talk;
    await say('hello', 'You said: hello', PROMPT);
    const from = terminal.text().length;
    await say('slow', '→ think');
    for (let save = 0; save < 20; save++) edit(`answers ${save}`);
    writeFileSync(join(directory, 'server/go'), '');
    const again = ['changed', 'you  hello', 'bot  19', '≠ before: You said: hello', 'you  slow', 'At last.'];
    await shows(from, ...again, PROMPT);
  });

  const ENDED = '✗ The bot ended during the conversation, with exit code 7';
  itGoesOn('starts the bot again after it has crashed', { left: 1 }, async ({ say }) => {
    await say('hello', 'You said: hello', PROMPT);
    await say('crash', ENDED, 'MemoryError', 'Save a file', PROMPT);
    await say('hello', 'The bot is gone.', PROMPT);
    await say('/back', 'you  hello', 'You said: hello', PROMPT);
  });

  itTalks('exits with 1 if the bot has crashed, and nobody has started it again', { code: 1, left: 1 }, async talk => {
    await talk.shows(0, PROMPT);
    await talk.say('crash', ENDED, PROMPT);
    talk.terminal.type(KEYS.ctrlC);
  });

  itGoesOn('goes on after one Ctrl-C while it says all again, and ends that after two', {}, async talk => {
    const { terminal, type, say } = talk;
    for (const [message, begun] of Object.entries({ slow: '→ think', drawl: 'Well,' })) {
      await say(message, begun);
      await type(KEYS.ctrlC, 'Interrupted.', PROMPT);
    }
    await say('hello', 'You said: hello', PROMPT);
    const from = terminal.text().length;
    await say('/again', 'you  slow', '→ think');
    await type(KEYS.ctrlC, 'Interrupted. Ctrl-C again ends saying everything again.', 'you  drawl', 'Well,');
    await type(KEYS.ctrlC, 'Interrupted.', PROMPT);
    assert.doesNotMatch(terminal.text().slice(from), /you {2}hello|≠/);
    await say('hello', 'You said: hello', PROMPT);
  });

  const hanging = { saying: { 'server/evals/judge.py': 'hangs' } };
  itGoesOn('says that nothing was kept if that is interrupted', hanging, async ({ type, say }) => {
    await say('hello', 'You said: hello', PROMPT);
    await say('/keep booking', 'Keeping the conversation');
    await type(KEYS.ctrlC, 'Interrupted. Nothing was kept.', PROMPT);
  });

  itTalks('offers to add what a bot needs to be spoken to in text', { evals: false }, async talk => {
    const { terminal, shows, say } = talk;
    await shows(0, "This bot can't be spoken to in text yet.", 'Add it now? That runs botcli update --eval.');
    await say('', PROMPT);
    assert.doesNotMatch(terminal.text(), /Next/);
    await say('hello', 'You said: hello', PROMPT);
    terminal.type(KEYS.ctrlD);
  });
});
