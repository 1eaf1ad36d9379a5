/**
 * `npm run record`: draws the README's picture of the wizard. It runs the built command in a real terminal, and draws what
 * the terminal shows at each question as an animated SVG that follows the reader's light or dark theme.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import xterm from '@xterm/headless';
import { KEYS, openTerminal } from '../test/support/pty.ts';
import { drawRecording, type Frame, type Run } from './recording.ts';

const COLUMNS = 80;
const ROWS = 24;
const bin = fileURLToPath(new URL('../dist/src/bin/botcli.js', import.meta.url));
const picture = fileURLToPath(new URL('../docs/images/wizard.svg', import.meta.url));
const { enter } = KEYS;

/** What the terminal shows, and the keys to type then. */
const turns: [shown: RegExp, keys: string][] = [
  [/Where should the bot go\?[\s\S]*└/, 'support-bot'],
  [/support-bot/, enter],
  [/Who builds the bot\?[\s\S]*└/, enter],
  [/Quick start[\s\S]*└/, enter],
  [/How will people talk[\s\S]*└/, enter],
  [/Create this bot\?[\s\S]*└/, enter],
  [/Enter your keys[\s\S]*└/, enter],
  [/OPENAI_API_KEY[\s\S]*└/, `sk-example${enter}`],
];

const cwd = mkdtempSync(join(tmpdir(), 'record-'));
const terminal = openTerminal([process.execPath, bin, 'init'], { cwd, cols: COLUMNS, rows: ROWS });
const moments: string[] = [];
let seen = 0;
for (const [shown, keys] of turns) {
  await terminal.until(shown, seen);
  moments.push(terminal.raw());
  seen = terminal.text().length;
  terminal.type(keys);
}
const { code } = await terminal.ended;
if (code !== 0) throw new Error(`botcli init exited with ${code}:\n${terminal.text()}`);
rmSync(cwd, { recursive: true });
mkdirSync(dirname(picture), { recursive: true });
const frames = await Promise.all([...moments, terminal.raw()].map(look));
const svg = drawRecording(frames, { columns: COLUMNS, rows: ROWS, title: 'botcli init, question by question' });
writeFileSync(picture, svg);
console.log(`${picture}: ${frames.length} frames, ${(svg.length / 1024).toFixed(0)} KB`);

/** What the terminal shows after this text is written to it. */
async function look(written: string): Promise<Frame> {
  const screen = new xterm.Terminal({ cols: COLUMNS, rows: ROWS, allowProposedApi: true });
  await new Promise<void>(resolve => screen.write(written, resolve));
  const { active } = screen.buffer;
  return Array.from({ length: ROWS }, (_, row) => {
    const line = active.getLine(active.baseY + row);
    const runs: Run[] = [];
    for (let column = 0; column < COLUMNS; column += 1) {
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
