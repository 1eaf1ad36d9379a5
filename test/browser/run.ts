/**
 * `npm run test:browser` checks that generated web clients install, build and hold a conversation in a real browser. It
 * needs the npm registry and the requirements of `test:bots`. If Chromium is missing, it installs Debian's package.
 *
 *   --level N       only these levels: 1 builds, 2 pages and their errors, 3 conversations
 *   --only NAME     only this client, or `calls`: the pages of `botcli calls open`, in level 2
 *
 * With `SCREENSHOTS=1`, it saves each state of a page that it looks at.
 */
import { type Level, runLevels } from '../bots/levels.ts';
import type { Report } from '../bots/report.ts';
import { checkBuilds } from './builds.ts';
import { checkCallPages } from './call-pages.ts';
import { CLIENTS, type Client } from './clients.ts';
import { holdConversations } from './conversations.ts';
import { checkPages } from './pages.ts';

/** A level that checks clients, or the one with this name only. */
const each =
  (check: (report: Report, clients: readonly Client[]) => Promise<void>): Level =>
  (report, only) =>
    check(
      report,
      CLIENTS.filter(({ name }) => !only || only === name),
    );

const pages: Level = async (report, only) => {
  await each(checkPages)(report, only);
  if (!only || only === 'calls') await checkCallPages(report);
};

const levels = { 1: each(checkBuilds), 2: pages, 3: each(holdConversations) };

process.exitCode = await runLevels(levels);
