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
  /** Types a message, and waits for what is shown after it. */
  say(message: string, ...texts: readonly string[]): Promise<void>;
  /** Edits bot.py, which then says this about its stand-in. */
  edit(words: string): void;
}

const BOT = 'server/bot.py';
/** What shows that a message can be typed. */
const PROMPT = '\nyou  ';

/** Talks in a terminal. Afterwards, it has ended with this exit code, and nothing of it is left. */
const inTerminal =
  (use: (talk: Talk) => Promise<void>, { saying = {}, code = 0, evals = true, left = 0 }: Partial<Settings> = {}) =>
  async () =>
    inTree(await evalsProject(saying, { enable_eval: evals }), async directory => {
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
      const say = async (message: string, ...texts: readonly string[]) => {
        const from = terminal.text().length;
        terminal.type(`${message}${KEYS.enter}`);
        await shows(from, ...texts);
      };
      const edit = (words: string) => writeFileSync(join(directory, BOT), `${text}# fake: ${words}\n`);
      await use({ terminal, directory, shows, say, edit });
      const ended = await terminal.ended;
      assert.deepEqual(ended, { code, signal: 0 }, terminal.text());
      assert.deepEqual(processesWith(`HOME=${directory}`), []);
      assert.equal(readdirSync(join(directory, '.tmp')).length, 1 + left);
      // The terminal marks what is pasted only as long as it's wanted.
      const count = (sequence: string) => terminal.raw().split(sequence).length;
      assert.equal(count('\u001b[?2004h'), count('\u001b[?2004l'));
    });

const itTalks = (title: string, ...rest: Parameters<typeof inTerminal>) => it(title, inTerminal(...rest));

/** The same once something can be typed, and ends it with Ctrl-D. */
const itGoesOn = (title: string, use: (talk: Talk) => Promise<void>, settings: Partial<Settings> = {}) => {
  const inside = async (talk: Talk) => {
    await talk.shows(0, PROMPT);
    await use(talk);
    talk.terminal.type(KEYS.ctrlD);
  };
  itTalks(title, inside, settings);
};

describe('botcli talk in a terminal', () => {
  itTalks('takes messages and commands, and ends with /quit', async ({ terminal, shows, say }) => {
    await shows(0, '✓ my-bot is ready after', 'Hello!', PROMPT);
    await say('hello', 'You said: hello', PROMPT);
    await say('/help', '/again', '/back', '/quit', PROMPT);
    await say('/agin', "/agin isn't a command. Did you mean /again? To say it, type //agin", PROMPT);
    await say('/constructor', "/constructor isn't a command. All commands: /help.", PROMPT);
    await say('//help', 'You said: /help', PROMPT);
    // Arrow up brings back earlier lines.
    await say('\u001b[A\u001b[A\u001b[A\u001b[A\u001b[A', 'You said: hello', PROMPT);
    await say('\u001b[200~one\rtwo\u001b[201~', 'You said: one two', PROMPT);
    terminal.type(`/quit${KEYS.enter}`);
  });

  for (const [about, keys] of [
    ['Ctrl-D', KEYS.ctrlD],
    ['Ctrl-C', KEYS.ctrlC],
  ] as const) {
    itTalks(`ends with ${about} while the bot is quiet`, async ({ terminal, shows }) => {
      await shows(0, PROMPT);
      terminal.type(keys);
    });

    itTalks(
      `ends with ${about} before the bot is ready`,
      async ({ terminal, shows }) => {
        await shows(0, 'Starting the bot');
        terminal.type(keys);
      },
      { saying: { [BOT]: 'waits' } },
    );
  }

  for (const [about, keys] of [
    ['Ctrl-D', KEYS.ctrlD],
    ['/quit', `/quit${KEYS.enter}`],
  ] as const) {
    itTalks(`ends with ${about} while packages are installed after an edit`, async ({ terminal, shows, directory }) => {
      await shows(0, PROMPT);
      const from = terminal.text().length;
      appendFileSync(join(directory, 'server/pyproject.toml'), '# fake: sync hangs\n');
      await shows(from, 'Installing packages');
      terminal.type(keys);
    });
  }

  itGoesOn('ends with Ctrl-D during an answer', async ({ say }) => {
    await say('slow', '→ think');
  });

  itGoesOn('interrupts an answer with Ctrl-C, and goes on', async ({ terminal, shows, say }) => {
    await say('slow', '→ think');
    const from = terminal.text().length;
    terminal.type(KEYS.ctrlC);
    await shows(from, 'Interrupted.', PROMPT);
    await say('hello', 'You said: hello', PROMPT);
  });

  itTalks(
    'ends if the terminal is closed',
    async ({ terminal, shows, say }) => {
      await shows(0, PROMPT);
      await say('slow', '→ think');
      terminal.close();
    },
    { code: 129 },
  );

  itGoesOn(
    'says everything again to a fresh bot when a file is saved, and marks what differs',
    async ({ terminal, shows, say, edit }) => {
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
    },
    { left: 1 },
  );

  itGoesOn('keeps a conversation as a scenario, once it has a name', async ({ say, directory }) => {
    await say('/keep booking', "There is nothing to keep: you haven't said anything yet", PROMPT);
    await say('tool', 'At six.', PROMPT);
    await say('/keep', 'Give it a name: /keep booking', PROMPT);
    await say('/keep two words', `"two words" can't be the name of a scenario`, PROMPT);
    await say(
      '/keep booking',
      '✓ server/evals/booking.yaml: 1 turn, 1 tool call. It passed with a fresh bot. botcli test booking runs it.',
      PROMPT,
    );
    assert.match(readFileSync(join(directory, 'server/evals/booking.yaml'), 'utf8'), /user: tool[\s\S]*check_day/);
    await say(
      '/keep booking',
      '✓ server/evals/booking-2.yaml: 1 turn, 1 tool call. It passed with a fresh bot. botcli test booking-2 runs it.',
      'There is already a scenario named booking.',
      PROMPT,
    );
  });

  itGoesOn('survives saves during an answer, and many at once', async ({ terminal, shows, say, edit, directory }) => {
    await say('hello', 'You said: hello', PROMPT);
    const from = terminal.text().length;
    terminal.type(`slow${KEYS.enter}`);
    await shows(from, '→ think');
    for (let save = 0; save < 20; save++) edit(`answers ${save}`);
    writeFileSync(join(directory, 'server/go'), '');
    await shows(from, 'changed', 'you  hello', 'bot  19', '≠ before: You said: hello', 'you  slow', 'At last.', PROMPT);
  });

  itGoesOn(
    'starts the bot again after it has crashed',
    async ({ say }) => {
      await say('hello', 'You said: hello', PROMPT);
      await say(
        'crash',
        '✗ The bot ended during the conversation, with exit code 7',
        'MemoryError',
        'Save a file',
        PROMPT,
      );
      await say('hello', 'The bot is gone.', PROMPT);
      await say('/back', 'you  hello', 'You said: hello', PROMPT);
    },
    { left: 1 },
  );

  itTalks(
    'exits with 1 if the bot has crashed, and nobody has started it again',
    async ({ terminal, shows, say }) => {
      await shows(0, PROMPT);
      await say('crash', '✗ The bot ended during the conversation, with exit code 7', PROMPT);
      terminal.type(KEYS.ctrlC);
    },
    { code: 1, left: 1 },
  );

  itGoesOn(
    'goes on after one Ctrl-C while it says all again, and ends that after two',
    async ({ terminal, shows, say }) => {
      const interrupt = async (...texts: readonly string[]) => {
        const from = terminal.text().length;
        terminal.type(KEYS.ctrlC);
        await shows(from, ...texts);
      };
      for (const message of ['slow', 'drawl']) {
        await say(message, message === 'slow' ? '→ think' : 'Well,');
        await interrupt('Interrupted.', PROMPT);
      }
      await say('hello', 'You said: hello', PROMPT);
      const from = terminal.text().length;
      await say('/again', 'you  slow', '→ think');
      await interrupt('Interrupted. Ctrl-C again ends saying everything again.', 'you  drawl', 'Well,');
      await interrupt('Interrupted.', PROMPT);
      assert.doesNotMatch(terminal.text().slice(from), /you {2}hello|≠/);
      await say('hello', 'You said: hello', PROMPT);
    },
  );

  itGoesOn(
    'says that nothing was kept if that is interrupted',
    async ({ terminal, shows, say }) => {
      await say('hello', 'You said: hello', PROMPT);
      await say('/keep booking', 'Keeping the conversation');
      const from = terminal.text().length;
      terminal.type(KEYS.ctrlC);
      await shows(from, 'Interrupted. Nothing was kept.', PROMPT);
    },
    { saying: { 'server/evals/judge.py': 'hangs' } },
  );

  itTalks(
    'offers to add what a bot needs to be spoken to in text',
    async ({ terminal, shows, say }) => {
      await shows(0, "This bot can't be spoken to in text yet.", 'Add it now? That runs botcli update --eval.');
      await say('', PROMPT);
      assert.doesNotMatch(terminal.text(), /Next/);
      await say('hello', 'You said: hello', PROMPT);
      terminal.type(KEYS.ctrlD);
    },
    { evals: false },
  );
});
