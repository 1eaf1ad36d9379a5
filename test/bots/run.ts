/**
 * `npm run test:bots` checks that generated bots are valid and can hold a conversation. It needs Python 3.11 or newer
 * and PyPI, and installs everything else.
 *
 *   --level 1|2|3   only these levels (1 the catalog, 2 the matrix of projects, 3 bots that run)
 *   --only NAME     only this service, project or bot
 */
import { checkCatalog } from './catalog.ts';
import { holdConversations } from './conversations.ts';
import { checkImage } from './image.ts';
import { runLevels } from './levels.ts';
import { checkMatrix } from './matrix.ts';

process.exitCode = await runLevels({
  1: checkCatalog,
  2: async (report, only) => {
    await checkMatrix(report, only);
    await checkImage(report, only);
  },
  3: holdConversations,
});
