import { explaining, UserError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import { type Sleeper, until } from '../platform/until.ts';
import type { Terminal } from '../shell/terminal.ts';

/** How often a line says that something still goes on, in milliseconds, if the progress isn't visible. */
const SILENCE_MS = 60_000;

/** Problems of a look that say nothing about what it looks at. */
const UNANSWERED: ReadonlySet<string> = new Set([
  'unreachable',
  'proxy',
  'timeout',
  'platform-problem',
  'rate-limited',
]);

/** Shows what goes on, and what was done. */
export class Steps {
  private readonly terminal: Terminal;
  private readonly start = Date.now();
  private said = Date.now();
  private began = Date.now();
  private phase = '';
  private isLost = false;

  constructor(terminal: Terminal) {
    this.terminal = terminal;
  }

  /** Begins a phase: "Building". */
  begin(phase: string): void {
    this.phase = phase;
    this.began = Date.now();
  }

  /** Shows the phase, its time, and a detail. Call this every few seconds. */
  tick(detail = ''): void {
    const { progress, note, interactive } = this.terminal;
    const time = this.phaseTime();
    const phase = this.isLost ? 'Trying to reach the platform' : this.phase;
    progress.show(`${phase}, ${time}${detail && !this.isLost ? `: ${detail}` : ''}`);
    if (interactive || Date.now() - this.said < SILENCE_MS) return;
    this.said = Date.now();
    note(`Still ${phase.replace(/^./, letter => letter.toLowerCase())}, ${time}`);
  }

  /** Says once that the platform can't be asked, and once that it can be again. */
  hear(problem: UserError | undefined): void {
    const isLost = problem !== undefined && UNANSWERED.has(problem.reason);
    if (isLost === this.isLost) return;
    this.isLost = isLost;
    this.terminal.progress.clear();
    this.terminal.note(isLost ? `${problem.message}. Trying again.` : 'The platform responds again.');
    this.said = Date.now();
  }

  phaseTime(): string {
    return duration((Date.now() - this.began) / 1000);
  }

  done(text: string): void {
    const { progress, note, noteStyle } = this.terminal;
    progress.clear();
    note(`${noteStyle.green('✓')} ${text}`);
    this.said = Date.now();
  }

  seconds(): number {
    return Math.round((Date.now() - this.start) / 1000);
  }
}

/** `38s`, `1m 42s`, `2h 5m`. */
export function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole}s`;
  if (whole < 3600) return `${Math.floor(whole / 60)}m${whole % 60 === 0 ? '' : ` ${whole % 60}s`}`;
  const minutes = Math.floor((whole % 3600) / 60);
  return `${Math.floor(whole / 3600)}h${minutes === 0 ? '' : ` ${minutes}m`}`;
}

/** `62 kB`, `1.4 MB`: in thousands, as file managers count. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** The first part of an ID: enough to recognize it. */
export const short = (id: string): string => id.slice(0, 8);

/** What a job is carried out with. */
export interface Tools {
  agents: Agents;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** When to give up, as in `Date.now()`. */
  deadline: number;
  steps: Steps;
  terminal: Terminal;
}

/** For `catch`: an error in a phase of a deploy, with `facts` about it. After Ctrl-C, it says what that `stopped`. */
export const inPhase = (phase: string, facts: UserError['facts'] = {}, stopped?: [message: string, hint: string]) =>
  explaining(error => {
    const [message, hint] = (error.reason === 'interrupted' && stopped) || [error.message, error.hint];
    return error.withMessage(message, { hint, facts: { ...error.facts, phase, ...facts } });
  });

/** Somebody else deployed an agent. `when` is when, and what that means for this deploy. */
export const superseded = (name: string, agents: Agents, when: string, facts: UserError['facts'] = {}) =>
  new UserError(`Somebody else deployed ${name} ${when}`, {
    reason: 'superseded',
    hint: `Look at it with ${agents.command(`status ${name}`)}`,
    facts,
  });

/** Reasons that waiting doesn't change. */
const FINAL: readonly string[] = ['unauthorized', 'forbidden', 'interrupted', 'certificate'];

/**
 * Looks every few seconds until `isDone`, and returns the last state. A look that fails says nothing, so it's repeated.
 * `timeout`: at the deadline, with the message of the last look, if that failed.
 */
export async function lookEvery<State>(
  look: (number: number) => Promise<State>,
  how: Parameters<typeof until<State>>[1],
  terminal: Sleeper,
) {
  const survives = ({ reason }: UserError) => !FINAL.includes(reason);
  const { state, isDone, problem } = await until(look, { ...how, survives }, terminal);
  if (isDone) return state as State;
  throw new UserError(problem?.message ?? '', { reason: 'timeout' });
}

/** Looks a few times for what a change without a response made. Undefined if that doesn't show, or can't be asked. */
export async function searchFor<Found>(look: () => Promise<Found | undefined>, { signal, terminal }: Tools) {
  const survives = ({ reason }: UserError) => reason !== 'interrupted';
  const isDone = (found: Found | undefined) => found !== undefined;
  return (await until(look, { isDone, everyMs: 2000, looks: 5, survives, signal }, terminal)).state;
}
