import { parseArgs } from 'node:util';
import { holdConversations } from './conversations.ts';
import { type Report, startReport } from './report.ts';

type Level = (report: Report, only?: string) => Promise<void>;

const LEVELS: Record<string, Level> = {
  3: holdConversations,
};

const { values } = parseArgs({
  options: { level: { type: 'string', multiple: true }, only: { type: 'string' } },
});
const chosen = values.level ?? Object.keys(LEVELS);
const report = startReport();
for (const level of chosen) {
  const check = LEVELS[level];
  if (!check) throw new Error(`no such level: ${level}`);
  await check(report, values.only);
}
process.exitCode = report.close();
