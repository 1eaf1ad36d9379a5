/**
 * `npm run test:browser` checks that generated web clients install, build and hold a conversation in a real browser. It
 * needs the npm registry and the requirements of `test:bots`. If Chromium is missing, it installs Debian's package.
 *
 *   --level 1|2|3   only these levels (1 builds, 2 pages and their errors, 3 conversations)
 *   --only NAME     only this client
 */
import { parseArgs } from 'node:util';
import { type Report, startReport } from '../bots/report.ts';
import { checkBuilds } from './builds.ts';
import { CLIENTS, type Client } from './clients.ts';
import { holdConversations } from './conversations.ts';
import { checkPages } from './pages.ts';

const LEVELS: Record<string, (report: Report, clients: readonly Client[]) => Promise<void>> = {
  1: checkBuilds,
  2: checkPages,
  3: holdConversations,
};

const { values } = parseArgs({
  options: { level: { type: 'string', multiple: true }, only: { type: 'string' } },
});
const clients = CLIENTS.filter(({ name }) => !values.only || values.only === name);
const report = startReport();
for (const level of values.level ?? Object.keys(LEVELS)) {
  const check = LEVELS[level];
  if (!check) throw new Error(`no such level: ${level}`);
  try {
    await check(report, clients);
  } catch (error) {
    // A level that could not run is a failure, like a failed check.
    await report.check(`level ${level}`, 'runs to its end', () => Promise.reject(error));
  }
}
process.exitCode = report.close();
