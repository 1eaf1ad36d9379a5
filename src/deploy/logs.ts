import { UserError } from '../errors.ts';
import { asLine } from '../printable.ts';
import { defineCommand } from '../shell/command-line.ts';
import { errorFacts } from '../shell/error-facts.ts';
import { agentArgument, withAgent } from './agent-session.ts';
import { printLog } from './logs/agent-log.ts';
import { printBuild } from './logs/build-log.ts';
import { checkOptions, logOptions } from './logs/options.ts';

/** The command `botcli cloud logs`. */
export const logs = defineCommand({
  description:
    'Prints the last 100 lines, the oldest first. With --json, each line is one object. Values of server/.env are hidden.',
  arguments: [agentArgument],
  options: logOptions,
  examples: [
    { line: 'botcli cloud logs --follow', description: 'watch the bot' },
    { line: 'botcli cloud logs my-bot --since 1h --level warning', description: 'what went wrong in the last hour' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const wanted = checkOptions(options);
    const { build, json = false } = options;
    try {
      await withAgent(typed, options, terminal, async session => {
        if (build !== undefined) {
          const lines = options.limit === undefined ? undefined : wanted.limit;
          return printBuild(build, lines, session, json, terminal);
        }
        await printLog(wanted, session, json, terminal);
      });
    } catch (error) {
      if (!json || !(error instanceof UserError)) throw error;
      // Each object has a line of its own, and Ctrl-C is how to end it.
      if (error.reason !== 'interrupted') terminal.printExact(asLine({ error: errorFacts(error, false, terminal) }));
      return error.exitCode;
    }
  },
});
