import { parseArgs } from 'node:util';
import { type Report, startReport } from './report.ts';
import { measureSlowness } from './slowness.ts';

/** Runs the checks of a level, or those on one subject only. */
export type Level = (report: Report, only?: string) => Promise<void>;

/**
 * Runs the levels that the command line selects, prints the seconds of each, and returns the exit code.
 *
 * @param usual - the levels that run if the command line selects none
 */
export async function runLevels(levels: Readonly<Record<string, Level>>, usual = Object.keys(levels)) {
  const { values } = parseArgs({ options: { level: { type: 'string', multiple: true }, only: { type: 'string' } } });
  await measureSlowness();
  const report = startReport();
  const times: string[] = [];
  for (const name of values.level ?? usual) {
    const check = levels[name];
    if (!check) throw new Error(`no such level: ${name}`);
    const start = Date.now();
    try {
      await check(report, values.only);
    } catch (error) {
      // A level that could not run is a failure, like a failed check.
      await report.check(`level ${name}`, 'runs to its end', () => Promise.reject(error));
    }
    times.push(`level ${name}: ${((Date.now() - start) / 1000).toFixed(0)} s`);
  }
  console.log(`\n${times.join(', ')}`);
  return report.close();
}
