import { UserError } from '../../errors.ts';
import type { LogLine } from '../../platform/agent-schemas.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { isoTime } from './log-lines.ts';
import type { createLogStream } from './log-stream.ts';

/** The pause between looks, in milliseconds, while lines come and after a while without any. */
const INTERVAL_MS = 2000;
const IDLE_MS = 10_000;
/** Looks without a line until the pause grows. */
const IDLE_LOOKS = 5;

/** Reasons that trying again doesn't change. */
const FINAL: ReadonlySet<string> = new Set(['interrupted', 'unauthorized', 'forbidden', 'not-found']);

/** Prints new lines until Ctrl-C. What fails is tried again. */
export async function follow(
  stream: ReturnType<typeof createLogStream>,
  show: (lines: readonly LogLine[]) => void,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  let isBroken = false;
  for (let quiet = 0; ; ) {
    await terminal.sleep(quiet > IDLE_LOOKS ? IDLE_MS : INTERVAL_MS, signal);
    const news = await stream.next().catch((error: unknown) => {
      if (!(error instanceof UserError) || FINAL.has(error.reason)) throw error;
      return error;
    });
    if (news instanceof UserError) {
      if (!isBroken) terminal.note(`${news.message}. botcli goes on trying.`);
      isBroken = true;
      continue;
    }
    if (isBroken) terminal.note('Connected again.');
    isBroken = false;
    const { lines, gap } = news;
    if (gap) terminal.note(`… lines may be missing between ${timeOf(gap.from)} and ${timeOf(gap.to)}`);
    show(lines);
    quiet = lines.length > 0 ? 0 : quiet + 1;
  }
}

const timeOf = (time: bigint): string => isoTime({ timestamp: `${time}` });
