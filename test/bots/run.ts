/**
 * `npm run test:bots` checks that generated bots are valid and can hold a conversation. It needs Python 3.11 or newer
 * and PyPI, and installs everything else.
 *
 *   --level 1|2|3   only these levels (1 the catalog and our reader of Python, 2 the matrix of projects, 3 bots that run)
 *   --only NAME     only this service, project or bot
 */
import { parseArgs } from 'node:util';
import { checkCatalog } from './catalog.ts';
import { holdConversations } from './conversations.ts';
import { checkImage } from './image.ts';
import { checkMatrix } from './matrix.ts';
import { checkPythonReader } from './python-reader.ts';
import { type Report, startReport } from './report.ts';

/** Runs its checks, or those on one subject only. */
type Level = (report: Report, only?: string) => Promise<void>;

const LEVELS: Record<string, Level> = {
  1: async (report, only) => {
    await checkPythonReader(report, only);
    await checkCatalog(report, only);
  },
  2: checkMatrix,
  3: async (report, only) => {
    await checkImage(report, only);
    await holdConversations(report, only);
  },
};

const { values } = parseArgs({
  options: { level: { type: 'string', multiple: true }, only: { type: 'string' } },
});
const report = startReport();
for (const level of values.level ?? Object.keys(LEVELS)) {
  const check = LEVELS[level];
  if (!check) throw new Error(`no such level: ${level}`);
  try {
    await check(report, values.only);
  } catch (error) {
    // A level that could not run is a failure, like a failed check.
    await report.check(`level ${level}`, 'runs to its end', () => Promise.reject(error));
  }
}
process.exitCode = report.close();
