import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { isFree } from '../../src/check/this-machine.ts';
import { expect } from '../bots/expect.ts';
import { type Environment, lastLines } from '../bots/processes.ts';
import { BOTCLI, makeProject, OPENAI } from '../bots/projects.ts';
import { type Report, setUp } from '../bots/report.ts';
import { fillVariables, findPort } from '../bots/running-bot.ts';
import { patient, prefer, waitFor } from '../bots/slowness.ts';
import { cleanEnvironment, ensureUv, placeOnPath } from '../bots/workshop.ts';
import { processesWith } from '../support/left.ts';
import { type LocalAi, startLocalAi } from '../support/local-ai.ts';
import { KEYS, openTerminal, type PersonalTerminal } from '../support/pty.ts';
import { TURNS, type Turn } from '../support/wizard.ts';
import { withBrowser } from './browsers.ts';
import { AUDIBLE, ClientPage } from './client-page.ts';
import { type Client, WORKSHOP, withServer } from './clients.ts';
import { recordPerson } from './recording.ts';
import { ask, greet } from './speak.ts';

const PLACE = join(WORKSHOP, 'first-word');

const READY_MS = 600_000;
const HEARD_MS = 40_000;

/** The client of these checks. The others differ only in their page, and installing one takes a while. */
const isUsed = ({ name }: Client): boolean => name === 'vanilla';

/** Part of level 3: a conversation through `botcli dev`, and the way from an empty directory to the first word. */
export async function hearFirstWord(report: Report, clients: readonly Client[]): Promise<void> {
  const [client] = clients.filter(isUsed);
  if (!client) return;
  const isUp = await report.converse(client.name, 'speaks through botcli dev', () => speakThroughDev(client));
  if (isUp) await report.converse('first word', "from the wizard's first question", () => hearThroughWizard(client));
}

/** What a person needs on their machine, and the stand-in for the provider. A mark recognizes what is started. */
interface Surroundings {
  env: Environment;
  mark: string;
  ai: LocalAi;
}

/** Makes an empty directory for as long as `use` takes. Afterwards, no process may be left that was started in it. */
async function inEmpty(name: string, use: (directory: string, surroundings: Surroundings) => Promise<string>) {
  const directory = join(PLACE, name);
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const [ai, uv] = await Promise.all([startLocalAi(), ensureUv()]);
  const mark = randomUUID();
  const path = [await placeOnPath(uv), process.env.PATH].join(delimiter);
  try {
    return await use(directory, {
      env: cleanEnvironment(['CI'], { OPENAI_BASE_URL: ai.url, PATH: path, FIRST_WORD: mark }),
      mark,
      ai,
    });
  } finally {
    await ai.close();
  }
}

const SECRET = 'sk-hunter2hunter2';

/** What a person answers. Only the key isn't Enter. */
const ANSWERS: readonly Turn[] = [
  ...[TURNS.directory, TURNS.bot, TURNS.recommended, TURNS.web, TURNS.make],
  ['Press Enter to skip one.', KEYS.enter],
  ['OPENAI_API_KEY, from', SECRET + KEYS.enter],
  ['Start it now?', KEYS.enter],
];

/** Types what the wizard asks for, at once, and listens on the page that it names at the end. */
const hearThroughWizard = (client: Client): Promise<string> =>
  inEmpty('wizard', async (directory, { env, mark }) => {
    const start = Date.now();
    return withCommand(['init'], directory, env, async terminal => {
      for (const [question, keys] of ANSWERS) {
        await setUp(terminal.until(question));
        terminal.type(keys);
      }
      const answered = secondsSince(start);
      await setUp(terminal.until(/Talk to it: \S+\n/));
      const ready = secondsSince(start);
      const [, url = ''] = /Talk to it: (\S+)\n/.exec(terminal.text()) ?? [];
      const listened = await listen(client, url);
      terminal.type(KEYS.ctrlC);
      const { code } = await terminal.ended;
      expect(code === 130, `exit code ${code}`, terminal.text());
      expect(!terminal.raw().includes('hunter2'), 'the key was shown');
      await expectNothingLeft(mark, [Number(new URL(url).port)]);
      const times = `${answered.toFixed(1)} s of them in the wizard, ${ready.toFixed(1)} s until it's ready`;
      return `1 command, ${ANSWERS.length} answers: a word after ${(ready + listened).toFixed(1)} s, ${times}`;
    });
  });

/**
 * Calls the bot on the page of the other project, until a word is heard. Returns the seconds from opening the page. The
 * framework's own page isn't used because it loads code from another machine.
 */
const listen = (client: Client, botUrl: string): Promise<number> =>
  withServer(client, { how: 'dev', botUrl, directory: join(PLACE, 'dev/my-bot/client') }, url =>
    withBrowser('chromium', {}, async browser => {
      const start = Date.now();
      const call = await ClientPage.open(browser, url, 'first-word');
      await call.press('Start talking');
      const isHeard = await waitFor(async () => (await call.heard()) > AUDIBLE, HEARD_MS);
      expect(isHeard === true, `nothing was heard of ${botUrl}`);
      return secondsSince(start);
    }),
  );

/**
 * A fresh project with a web client, one command, and a conversation. The bot crashes after an edit, is repaired, and
 * talks again. Ctrl-C leaves nothing.
 */
const speakThroughDev = (client: Client): Promise<string> =>
  inEmpty('dev', async (directory, { env, mark, ai }) => {
    const config = { ...OPENAI, ...client.choice, transports: ['rtc_local'] };
    const project = await setUp(makeProject({ name: 'my-bot', config }, directory));
    const bot = join(project, 'server/bot.py');
    await fillVariables(join(project, 'server'));
    const [port, recording] = await Promise.all([findPort(), recordPerson('first-word')]);
    return withCommand(['dev', '--port', String(port)], project, env, async terminal => {
      await setUp(terminal.until(/Talk to it: \S+\n/));
      const [, ready, url = ''] = /ready after (\S+)\n\s*Talk to it: (\S+)\n/.exec(terminal.text()) ?? [];
      const talk = (asks: boolean) =>
        withBrowser('chromium', { recording }, async browser => {
          const page = await ClientPage.open(browser, url, client.name);
          await greet(page);
          if (asks) await ask(page, { ai });
          await page.press('Hang up');
          await page.expectClean();
        });
      await talk(true);
      const good = await readFile(bot, 'utf8');
      await writeFile(bot, `raise RuntimeError("it is broken")\n${good}`);
      await terminal.until('RuntimeError: it is broken');
      await terminal.until('Waiting for you to save a file');
      const repaired = Date.now();
      await writeFile(bot, good);
      await terminal.until('✓ Restarted', terminal.text().indexOf('Waiting for you'));
      const again = secondsSince(repaired);
      await talk(false);
      terminal.type(KEYS.ctrlC);
      const { code } = await terminal.ended;
      expect(code === 130, `exit code ${code}`, terminal.text());
      await expectNothingLeft(mark, [port, Number(new URL(url).port)]);
      return `installed and ready after ${ready}; ${again.toFixed(1)} s after the repair of a crash, it talks again`;
    });
  });

/** Runs botcli in a terminal for as long as `use` takes. A failure says what the terminal showed, and leaves nothing. */
async function withCommand(
  args: readonly string[],
  cwd: string,
  env: Environment,
  use: (terminal: PersonalTerminal) => Promise<string>,
): Promise<string> {
  const [program = '', ...words] = [...BOTCLI, ...args];
  const known = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const terminal = openTerminal([program, ...words], {
    cwd,
    patience: patient(READY_MS),
    rows: 60,
    env: Object.fromEntries(known),
  });
  prefer(terminal);
  try {
    return await use(terminal);
  } catch (error) {
    terminal.close();
    await terminal.ended;
    if (error instanceof Error) error.message += `\n--- the terminal's last lines\n${lastLines(terminal.text())}`;
    throw error;
  }
}

/** No process runs that inherited this mark, and the ports are free. */
async function expectNothingLeft(mark: string, ports: readonly number[]): Promise<void> {
  const left = processesWith(`FIRST_WORD=${mark}`);
  expect(left.length === 0, 'a process is left', left.join('\n'));
  for (const port of ports) expect(await isFree(port), `something listens on ${port}`);
}

const secondsSince = (start: number): number => (Date.now() - start) / 1000;
