import { basename } from 'node:path';
import { toolText } from '../../calls/explain.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { asLine, labelledText, onOneLine, shortened, spaced } from '../../text.ts';
import { counted, inSeconds, secondsOf } from '../surroundings.ts';
import type { Happening, Turn } from './conversation.ts';

export interface Show {
  ready(facts: { name: string; ms: number; isTyped: boolean; isVoiced: boolean; deployed?: object | undefined }): void;
  you(text: string): void;
  happening(happening: Exclude<Happening, { kind: 'error' }>): void;
  problem(message: string, hint?: string, code?: string): void;
  /** A turn that was said again differs from what it was. */
  differs(before: Turn): void;
  /** It was kept as a scenario. */
  kept(result: Kept): void;
  /** It's over. If it should have been kept and wasn't, there is a reason. */
  end(facts: { ok: boolean; notKept?: string | undefined }): void;
  /** Something to people that isn't a part of it. */
  note(text: string): void;
}

type Kept = Awaited<ReturnType<typeof import('./keep.ts').keepConversation>>;

/** Shows a conversation: to people, or as one JSON object a line to programs. */
export const createShow = (terminal: Terminal, isJson: boolean): Show =>
  isJson ? showJson(terminal) : showToPeople(terminal);

const LABEL = 5;
const YOU = 'you'.padEnd(LABEL);
const BOT = 'bot'.padEnd(LABEL);
const INDENT = ' '.repeat(LABEL);
const LONGEST_RESULT = 200;
const EXACT = 1000;

function showJson({ printExact }: Terminal): Show {
  const print = (event: string, facts: object) => printExact(asLine({ event, ...facts }));
  let turns = 0;
  let isKept = false;
  return {
    ready: ({ name, ms, deployed }) => print('ready', { name, seconds: secondsOf(ms), ...(deployed && { deployed }) }),
    you(text) {
      turns += 1;
      print('you', { text });
    },
    happening(happening) {
      if (happening.kind === 'bot') {
        const { text, firstToken, ms, tokens } = happening;
        const first = firstToken === undefined ? {} : { first_token: exactly(firstToken) };
        print('bot', { text, ...first, seconds: exactly(ms), ...(tokens && { tokens }) });
      } else if (happening.kind === 'tool') {
        const { seconds, ...call } = happening.call;
        const stopped = happening.isStopped ? { stopped: true } : {};
        print('tool', { ...call, seconds: exactly(seconds * EXACT), ...stopped });
      } else {
        const { services, characters } = happening;
        const rounded = Object.entries(services).map(([name, seconds]) => [name, exactly(seconds * EXACT)]);
        print('details', { services: Object.fromEntries(rounded), ...(characters > 0 && { characters }) });
      }
    },
    problem: (message, hint, code) => print('error', { ...(code && { code }), message, ...(hint && { hint }) }),
    differs: () => {},
    kept(result) {
      isKept = true;
      print('kept', result);
    },
    end: ({ ok, notKept }) => print('end', { ok, turns, ...(notKept && !isKept && { not_kept: notKept }) }),
    note: () => {},
  };
}

/** A time in seconds, with what people wouldn't notice. */
const exactly = (ms: number): number => Math.round(ms) / EXACT;

function showToPeople({ print, note, style, noteStyle, columns }: Terminal): Show {
  const block = (label: string, paint: (text: string) => string, text: string, after = '') => {
    const lines = labelledText(label, spaced(text), after, columns);
    const end = after === '' ? '' : style.dim(after);
    print(`${paint(label)}${lines.slice(label.length, lines.length - after.length)}${end}`);
  };
  return {
    ready({ name, ms, isTyped, isVoiced }) {
      const about = isVoiced ? "It speaks, too, but that isn't played." : "Speech isn't part of this.";
      const how = isTyped ? 'you type, it answers in text' : 'it answers in text';
      note(`${noteStyle.green('✓')} ${name} is ready after ${inSeconds(ms)}: ${how}. ${about}`);
    },
    you: text => block(YOU, style.bold, text),
    happening(happening) {
      if (happening.kind === 'bot') {
        const { text, firstToken, ms, tokens } = happening;
        const count = tokens ? ` · ${tokens.prompt}+${tokens.completion} tokens` : '';
        block(BOT, style.cyan, text, `${inSeconds(firstToken ?? ms)}${count}`);
      } else if (happening.kind === 'tool') {
        const { call, isStopped } = happening;
        const result = isStopped ? 'stopped' : shortened(JSON.stringify(call.result), LONGEST_RESULT);
        block(INDENT, style.dim, `→ ${toolText(call)} → ${result}`, inSeconds(call.seconds * 1000));
      } else {
        const { services, characters } = happening;
        const times = Object.entries(services).map(([name, seconds]) => `${name} ${inSeconds(seconds * 1000)}`);
        const all = [...times, ...(characters > 0 ? [`${characters} characters spoken`] : [])];
        if (all.length > 0) block(INDENT, style.dim, all.join(', '));
      }
    },
    problem(message, hint) {
      note(`${noteStyle.red('✗')} ${onOneLine(message)}`);
      if (hint) note(hint.replaceAll(/^/gm, '  '));
    },
    differs({ calls, answer }) {
      const before = [...calls.map(toolText), answer].filter(Boolean).join(' · ');
      block(`${INDENT}≠ `, style.yellow, `before: ${before || 'no answer'}`);
    },
    kept({ path, turns, calls, quoted, wanted, failed, tried, passed, why }) {
      const name = basename(path).replace(/\.ya?ml$/, '');
      const count = `${counted(turns, 'turn')}, ${counted(calls, 'tool call')}`;
      const success = passed ? ' It passed with a fresh bot.' : '';
      note(`${noteStyle.green('✓')} ${path}: ${count}.${success} botcli test ${name} runs it.`);
      if (wanted !== undefined) note(`  There is already a scenario named ${wanted}.`);
      if (failed > 0) note(`  Without ${counted(failed, 'turn')} that failed or got interrupted.`);
      if (quoted > 0)
        note(`  ${counted(quoted, 'answer')} must say the same as the bot did. The file says how to expect less.`);
      if (passed) return;
      if (!tried) return note(`${noteStyle.yellow('!')} It wasn't tried to the end. botcli test ${name} tries it.`);
      note(
        `${noteStyle.yellow('!')} It doesn't pass with a fresh bot. Edit what it expects${why ? ': ' : '.'}${onOneLine(why ?? '')}`,
      );
    },
    end: ({ notKept }) => notKept && note(`${noteStyle.red('✗')} Not kept: ${onOneLine(notKept)}`),
    note,
  };
}
