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
const ROWS = 30;
const bin = fileURLToPath(new URL('../dist/src/bin/botcli.js', import.meta.url));
const picture = fileURLToPath(new URL('../docs/images/wizard.svg', import.meta.url));
const { enter, down } = KEYS;

/** What the terminal shows, and the keys to type then. */
const turns: [shown: RegExp, keys: string][] = [
  [/In which directory\?[\s\S]*└/, enter],
  [/How do you want to build\?[\s\S]*└/, down],
  [/● Create a bot now/, enter],
  [/Project name[\s\S]*└/, enter],
  [/Where do people meet it\?[\s\S]*└/, enter],
  [/Which web client\?[\s\S]*└/, down + down + enter],
  [/Which transport\?[\s\S]*└/, enter],
  [/Add another transport\?[\s\S]*└/, enter],
  [/How does it think\?[\s\S]*└/, enter],
  [/Which language[\s\S]*└/, enter],
  [/Speech-to-text[\s\S]*└/, 'deepgram'],
  [/Search: deepgram/, enter],
  [/Language model[\s\S]*└/, 'openai'],
  [/Search: openai/, enter],
  [/Text-to-speech[\s\S]*└/, enter],
  [/Add features[^?]*\?[\s\S]*└/, enter],
  [/Add cloud deployment files\?[\s\S]*└/, enter],
  [/Noise cancellation[\s\S]*└/, enter],
  [/Add test conversations[\s\S]*└/, 'y'],
  [/Create this bot\?[\s\S]*└/, enter],
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
