/**
 * `npm run record [wizard|deploy]`: draws the pictures of the documents. It runs the built command in a real terminal, and
 * draws what the terminal shows at each turn as an animated SVG that follows the reader's light or dark theme.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
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
  /** What the terminal shows, and the keys to type then, if any. */
  turns: readonly [shown: string | RegExp, keys: string][];
  /** Makes the surroundings in this directory. Returns where to run the command, its environment, and how to clean up. */
  prepare(directory: string): Promise<{ cwd: string; env?: Record<string, string>; close?(): Promise<void> }>;
}

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
  const surroundings = { cwd, env, cols: columns, rows, patience: 120_000 };
  const terminal = openTerminal([process.execPath, bin, ...words], surroundings);
  const moments: string[] = [];
  let seen = 0;
  for (const [shown, keys] of turns) {
    await terminal.until(shown, seen);
    moments.push(terminal.raw());
    seen = keys ? terminal.text().length : seen;
    if (keys) terminal.type(keys);
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
