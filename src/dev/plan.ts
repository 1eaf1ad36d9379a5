import type { Facts } from '../check/checks/facts.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Ports } from './parts.ts';
import type { Reporter } from './reporter.ts';
import type { Stop } from './stop.ts';
import type { Way } from './way.ts';

/** What `botcli dev` runs, and how. */
export interface Plan {
  facts: Facts;
  ports: Ports;
  /** Chooses other ports, if others have taken some of those before. */
  choosePorts(before: Ports): Promise<Ports>;
  way: Way;
  /** Whether to restart the bot after edits. */
  restarts: boolean;
  /** Whether somebody is there who can repair a bot that has ended. */
  isWatched: boolean;
  /** When the command was started, as `Date.now()` says it. */
  since: number;
  /** Called once everything is ready, and again when the public hostname has changed. */
  onReady(readiness: Readiness): void;
}

/** What is ready. */
interface Readiness {
  ports: Ports;
  /** The public hostname, if there is one. */
  host: string | undefined;
  /** Whether the web client answers. The bot goes on without it. */
  hasClient: boolean;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** What a session uses. */
export interface Surroundings {
  stop: Stop;
  report: Reporter;
  terminal: Terminal;
}
