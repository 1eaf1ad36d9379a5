/**
 * `npm run test:bots` checks that generated bots are valid and can hold a conversation. It needs Python 3.11 or newer
 * and PyPI, and installs everything else.
 *
 *   --level N     only these levels: 1 the catalog and our readers of Python and env files, 2 the matrix of projects, 3 bots that run;
 *                 and, not without this option, 4 long calls
 *   --only NAME   only this service, project or bot
 */
import { checkCatalog } from './catalog.ts';
import { holdConversations, holdLongCalls } from './conversations.ts';
import { checkEnvReader } from './env-reader.ts';
import { checkImage } from './image.ts';
import { type Level, runLevels } from './levels.ts';
import { checkMatrix } from './matrix.ts';
import { checkPythonReader } from './python-reader.ts';

const levels: Record<string, Level> = {
  1: async (report, only) => {
    await checkPythonReader(report, only);
    await checkEnvReader(report, only);
    await checkCatalog(report, only);
  },
  2: async (report, only) => {
    await checkMatrix(report, only);
    await checkImage(report, only);
  },
  3: holdConversations,
  4: holdLongCalls,
};

process.exitCode = await runLevels(levels, ['1', '2', '3']);
