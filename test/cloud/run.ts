/**
 * `npm run test:cloud` checks with the platform's own client that our local cloud behaves like the platform, and that
 * botcli sends what it sends; and that conversations decide about a real bot. Needs Python 3.11 or newer, and PyPI.
 */
import { startReport } from '../bots/report.ts';
import { checkArchives } from './archives.ts';
import { checkCalls } from './calls.ts';
import { installClient } from './client.ts';
import { checkDeploys } from './deploys.ts';
import { checkGate } from './gate.ts';
import { checkSecrets } from './secrets.ts';

await installClient();
const report = startReport();
for (const check of [checkArchives, checkDeploys, checkCalls, checkSecrets, checkGate]) await check(report);
process.exitCode = report.close();
