import type { PartName } from '../project/client.ts';
import type { Style, Terminal } from '../shell/terminal.ts';
import { asLine, withoutMarks } from '../text.ts';

/** What has lines of its own: a part of the project, or the tunnel. */
export type Source = PartName | 'tunnel';

/** What happens to a part, or to all of them: `dev`. */
type EventName = 'installing' | 'started' | 'ready' | 'problem' | 'restarted' | 'exited' | 'number';

/** Shows what happens: as lines for people, or one JSON object a line for programs. */
export interface Reporter {
  /** Shows a part's output. The promise, if there is one, is resolved once more can be shown. */
  output(part: Source, lines: readonly string[]): Promise<void> | undefined;
  /** Reports an event: its facts for programs, in snake case, and a text for people, if there is something to say. */
  event(part: Source | 'dev', event: EventName, facts: object, text?: string): void;
  say(text: string): void;
}

const COLORS: Readonly<Record<Source, keyof Style>> = {
  bot: 'cyan',
  calls: 'yellow',
  client: 'green',
  tunnel: 'magenta',
};
const WIDTH = 6;

export function createReporter({ print, printPaced, note, style }: Terminal, isJson: boolean): Reporter {
  if (isJson) {
    return {
      output: (part, lines) => printPaced(lines.map(text => asLine({ part, event: 'output', text })).join('\n'), true),
      event: (part, event, facts) => void printPaced(asLine({ part, event, ...facts }), true),
      say: () => {},
    };
  }
  return {
    output(part, lines) {
      const prefix = style[COLORS[part]](`${part.padEnd(WIDTH)} │`);
      return printPaced(lines.map(text => `${prefix} ${withoutMarks(text)}`).join('\n'));
    },
    event(_part, _event, _facts, text) {
      if (text) print(text);
    },
    say: note,
  };
}

/** A time in seconds, for people: `0.4s`, `6s`. */
export const inSeconds = (ms: number): string =>
  ms < 9950 ? `${(ms / 1000).toFixed(1).replace(/\.0$/, '')}s` : `${Math.round(ms / 1000)}s`;

/** A time for programs, in seconds. */
export const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
