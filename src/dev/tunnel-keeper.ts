import type { Terminal } from '../shell/terminal.ts';
import type { Reporter } from './reporter.ts';
import type { createRunningParts } from './running-parts.ts';
import { findTunnel } from './tunnel.ts';

/** How long a tunnel may take to print its name, in milliseconds, and how often in a row it may fail. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 1000;
const MOST_FAILURES = 3;

/** What a tunnel needs. */
interface Surroundings {
  /** The port that it makes public. */
  port: number;
  cwd: string;
  parts: ReturnType<typeof createRunningParts>;
  report: Reporter;
  terminal: Terminal;
  signal: AbortSignal;
  /** Called when a tunnel that had a name has ended by itself. */
  onEnd(): void;
}

/**
 * Opens a tunnel, and waits for its public hostname. Tries again if that fails.
 *
 * @returns The hostname; undefined after three failures in a row.
 * @throws The reason of the signal.
 */
export async function openTunnel(surroundings: Surroundings): Promise<string | undefined> {
  const { report, terminal, signal } = surroundings;
  for (let failures = 1; ; failures++) {
    const host = await tryTunnel(surroundings);
    signal.throwIfAborted();
    if (host !== undefined) return host;
    if (failures === MOST_FAILURES) return undefined;
    report.say('The tunnel has failed. Trying again.');
    await terminal.sleep(RETRY_MS, signal);
  }
}

/** Opens a tunnel once. Undefined if it prints no name. */
async function tryTunnel({ port, cwd, parts, report, terminal, onEnd }: Surroundings): Promise<string | undefined> {
  const { words, hostIn } = findTunnel(port, terminal.env, cwd);
  let host: string | undefined;
  let settle = () => {};
  const settled = new Promise<void>(resolve => {
    settle = resolve;
  });
  parts.start(
    'tunnel',
    { words, cwd, env: terminal.env },
    {
      read(lines) {
        host ??= lines.map(hostIn).find(Boolean);
        if (host !== undefined) settle();
        return lines;
      },
      onEnd({ code }, isExpected, lastLines) {
        settle();
        if (isExpected) return;
        const text = host === undefined ? undefined : 'The tunnel has ended. Opening it again, with a new name.';
        report.event('tunnel', 'exited', { code, last_lines: lastLines }, text);
        if (host !== undefined) onEnd();
      },
    },
  );
  report.event('tunnel', 'started', { command: words.slice(1).join(' '), port });
  const timer = setTimeout(settle, PATIENCE_MS);
  await settled;
  clearTimeout(timer);
  if (host === undefined) await parts.end('tunnel');
  else report.event('tunnel', 'ready', { host });
  return host;
}
