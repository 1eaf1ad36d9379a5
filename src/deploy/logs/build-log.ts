import { UserError } from '../../errors.ts';
import { Builds } from '../../platform/builds.ts';
import { asLine } from '../../printable.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { findAgent } from '../agent-session.ts';

/**
 * Prints the log of a build.
 *
 * @param id Its ID, or `latest` for the one that the agent runs.
 * @param asked How many lines; undefined for all.
 */
export async function printBuild(
  id: string,
  asked: number | undefined,
  session: Parameters<typeof findAgent>[0],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const builds = new Builds(session.cloud, session.organization);
  const build = id === 'latest' ? (await findAgent(session)).deployment?.buildId : id;
  if (build === undefined)
    throw new UserError(`${session.name} runs an image that no build made`, { reason: 'not-found' });
  const { lines: all, limit } = await builds.logWithin(build, asked);
  const lines = all.slice(-limit);
  if (asked !== undefined ? limit < asked : lines.length === limit)
    terminal.note(`The log is too long to read whole. Its last ${lines.length} lines:`);
  if (lines.length === 0) terminal.note('The log of this build is empty, or not there yet.');
  for (const text of lines) {
    if (json) terminal.printExact(asLine({ build, text }));
    else terminal.print(text);
  }
}
