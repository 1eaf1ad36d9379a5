import type { Facts } from '../check/checks/facts.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Way } from './parts.ts';
import type { prepareNumber } from './phone-number.ts';
import type { Reporter } from './reporter.ts';
import type { Stop } from './stop.ts';

/** What `botcli dev` runs, and how. */
export interface Plan {
  facts: Facts;
  /** The bot's port, if the user typed one. */
  typed: number | undefined;
  way: Way;
  /** The phone number to point at the bot. */
  number: Awaited<ReturnType<typeof prepareNumber>>;
  /** Whether to open the page in a browser. */
  opens: boolean;
  /** Whether to restart the bot after edits. */
  restarts: boolean;
  /** Whether somebody is there who can repair a bot that has ended. */
  isWatched: boolean;
  /** Whether to show only what matters of the bot's output. */
  isQuiet: boolean;
  /** When the command was started, as `Date.now()` says it. */
  since: number;
}

/** What a session uses. */
export interface Surroundings {
  stop: Stop;
  report: Reporter;
  terminal: Terminal;
}
