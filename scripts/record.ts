/**
 * `npm run record -- [wizard|deploy|talk]`: draws the pictures of the documents. It runs the built command in a real terminal, and
 * draws what the terminal shows at each turn as an animated SVG that follows the reader's light or dark theme.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import { ensureUv, placeOnPath, runUv } from '../test/bots/workshop.ts';
import { startLocalAi } from '../test/support/local-ai.ts';
import { type Answer, answerChat, type ChatRequest, textOf } from '../test/support/local-ai-answers.ts';
import { KEYS, openTerminal } from '../test/support/pty.ts';
import { LOCAL_TOKEN, startLocalCloud } from './local-cloud/index.ts';
import { drawRecording, type Frame, type Run } from './recording.ts';

const bin = fileURLToPath(new URL('../dist/src/bin/botcli.js', import.meta.url));
const { enter } = KEYS;

/** A command to record. */
interface Recording {
  title: string;
  words: readonly string[];
  columns: number;
  rows: number;
  /** What the terminal shows, and the keys to type then, if any; or what to do to the project. */
  turns: readonly [shown: string | RegExp, keys: string | ((cwd: string) => void)][];
  /** Makes the surroundings in this directory. Returns where to run the command, its environment, and how to clean up. */
  prepare(directory: string): Promise<{ cwd: string; env?: Record<string, string>; close?(): Promise<void> }>;
}

/** What shows that a message can be typed. */
const PROMPT = /\nyou {2}$/;

const TOOL = `
async def check_availability(params: FunctionCallParams, day: str, people: int):
    """Look up when a table is free.

    Args:
        day: The day of the week.
        people: How many people want to come.
    """
    await params.result_callback({"free": ["18:00", "20:30"]})


def load_aggregators(`;

/** What the model of the recorded bot answers. */
function answerGuest(request: ChatRequest): Answer {
  // The judge's request
  if (request.response_format) return answerChat(request);
  const last = request.messages.at(-1);
  const said = last ? textOf(last) : '';
  if (/^The conversation:/.test(said)) return { text: 'the bot offers 18:00 or 20:30 on Friday and asks which' };
  if (/Greet the person/.test(said)) return { text: 'Hi! I can book you a table. When would you like to come?' };
  if (/table/.test(said)) return { tool: 'check_availability', arguments: { day: 'friday', people: 2 } };
  if (last?.role !== 'tool') return answerChat(request);
  return {
    text: said.includes('20:30')
      ? 'On Friday I have six or half past eight. Which do you prefer?'
      : 'On Friday I only have six. Shall I book it?',
  };
}

/** Replaces a text in the bot. */
const edit = (cwd: string, from: string, to: string): void => {
  const path = join(cwd, 'server/bot.py');
  writeFileSync(path, readFileSync(path, 'utf8').replace(from, to));
};

const recordings: Readonly<Record<string, Recording>> = {
  wizard: {
    title: 'botcli init, question by question',
    words: ['init'],
    columns: 80,
    rows: 24,
    turns: [
      [/Where should the bot go\?[\s\S]*└/, 'support-bot'],
      [/support-bot/, enter],
      [/Who builds the bot\?[\s\S]*└/, enter],
      [/Quick start[\s\S]*└/, enter],
      [/How will people talk[\s\S]*└/, enter],
      [/Create this bot\?[\s\S]*└/, enter],
      [/Enter your keys[\s\S]*└/, enter],
      [/OPENAI_API_KEY[\s\S]*└/, `sk-example${enter}`],
    ],
    prepare: async cwd => ({ cwd }),
  },
  deploy: {
    title: 'The first deploy of a phone bot to an empty account of a local cloud, from the login to its first words',
    words: ['cloud', 'deploy', '--call'],
    columns: 92,
    rows: 28,
    turns: [
      ['Personal access token', `${LOCAL_TOKEN}${enter}`],
      ['Deploy it?', 'y'],
      ['✓ Secrets', ''],
      ['✓ Uploaded', ''],
      ['Building', ''],
      ['✓ Built', ''],
      ['Deploying', ''],
      ['Checking that it stays up', ''],
      ['is ready', ''],
      ['It spoke', ''],
    ],
    async prepare(directory) {
      const options = '-t tel_a -m realtime --realtime openai_realtime'.split(' ');
      execFileSync(process.execPath, [bin, 'init', 'support-bot', ...options], { cwd: directory });
      const cwd = join(directory, 'support-bot');
      writeFileSync(join(cwd, 'server/.env'), 'OPENAI_API_KEY=sk-example\n');
      const cloud = await startLocalCloud({ port: 4020, pendingMs: 2000 });
      return { cwd, env: { BOTCLI_API_URL: cloud.url }, close: () => cloud.close() };
    },
  },
  talk: {
    title: 'A conversation in text with a bot whose model is a stand-in: a tool call, an edit of the tool, a kept test',
    words: ['talk'],
    columns: 96,
    rows: 16,
    turns: [
      [PROMPT, 'a table for two on friday'],
      [/friday$/, enter],
      [PROMPT, '/keep booking'],
      [/booking$/, enter],
      [PROMPT, cwd => edit(cwd, ', "20:30"', '')],
      [/≠[\s\S]*\nyou {2}$/, KEYS.ctrlD],
    ],
    async prepare(directory) {
      execFileSync(process.execPath, [bin, 'init', 'quickstart'], { cwd: directory });
      const cwd = join(directory, 'botcli-quickstart');
      edit(cwd, '            # get_hours,', '            check_availability,');
      edit(cwd, '\ndef load_aggregators(', TOOL);
      edit(cwd, 'from pipecat.services.openai.llm', 'from pipecat.services.llm_service import FunctionCallParams\n$&');
      writeFileSync(join(cwd, 'server/.env'), 'OPENAI_API_KEY=sk-example-of-a-key\n');
      await runUv(['sync', '--quiet', '--compile-bytecode'], join(cwd, 'server'));
      const ai = await startLocalAi(answerGuest);
      const path = [await placeOnPath(await ensureUv()), process.env.PATH].join(delimiter);
      const env = { PATH: path, OPENAI_BASE_URL: ai.url, UV_CACHE_DIR: join(homedir(), '.cache/uv') };
      return { cwd, env, close: () => ai.close() };
    },
  },
};

const typed = process.argv.slice(2);
for (const name of typed.length > 0 ? typed : Object.keys(recordings)) {
  const recording = recordings[name];
  if (!recording) throw new Error(`There is no recording ${name}. There are ${Object.keys(recordings).join(' and ')}.`);
  await record(recording, fileURLToPath(new URL(`../docs/images/${name}.svg`, import.meta.url)));
}

async function record({ title, words, columns, rows, turns, prepare }: Recording, picture: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'record-'));
  const { cwd, env = {}, close } = await prepare(directory);
  const surroundings = { cwd, env, cols: columns, rows, patience: 600_000 };
  const terminal = openTerminal([process.execPath, bin, ...words], surroundings);
  const moments: string[] = [];
  let seen = 0;
  for (const [shown, keys] of turns) {
    await terminal.until(shown, seen);
    moments.push(terminal.raw());
    if (keys) seen = terminal.text().length;
    if (typeof keys === 'function') keys(cwd);
    else if (keys) terminal.type(keys);
  }
  const { code } = await terminal.ended;
  await close?.();
  if (code !== 0) throw new Error(`botcli ${words.join(' ')} exited with ${code}:\n${terminal.text()}`);
  rmSync(directory, { recursive: true });
  mkdirSync(dirname(picture), { recursive: true });
  const frames = await Promise.all([...moments, terminal.raw()].map(written => look(written, columns, rows)));
  const svg = drawRecording(frames, { columns, rows, title });
  writeFileSync(picture, svg);
  console.log(`${picture}: ${frames.length} frames, ${(svg.length / 1024).toFixed(0)} KB`);
  console.log(terminal.text());
}

/** What the terminal shows after this text is written to it. */
async function look(written: string, columns: number, rows: number): Promise<Frame> {
  const screen = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true });
  await new Promise<void>(resolve => screen.write(written, resolve));
  const { active } = screen.buffer;
  return Array.from({ length: rows }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    const runs: Run[] = [];
    for (let column = 0; column < columns; column += 1) {
      const cell = line?.getCell(column);
      const colour = cell?.isFgDefault() ? undefined : cell?.getFgColor();
      const style = { colour, isDim: Boolean(cell?.isDim()), isBold: Boolean(cell?.isBold()) };
      const last = runs.at(-1);
      const text = cell?.isInvisible() ? ' ' : cell?.getChars() || ' ';
      if (last && JSON.stringify(last.style) === JSON.stringify(style)) last.text += text;
      else runs.push({ column, text, style });
    }
    return runs.filter(run => run.text.trim() !== '');
  });
}
