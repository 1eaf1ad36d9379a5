import { common, organization, skip } from '../account/options.ts';
import { noteAddress } from '../account/session.ts';
import { defineCommand } from '../shell/command-line.ts';
import { agentArgument, findAgent, nameOf, withAgent } from './agent-session.ts';
import { describeEnd, describeResult, testCall } from './call/test-call.ts';
import { chooseTransport, transportOption } from './call/transport.ts';
import { inTyped } from './inputs.ts';
import { ownTransports } from './read.ts';

/** The command `botcli cloud call`. */
export const call = defineCommand({
  description:
    'Starts one session, ends it, and looks whether it ended. Over a phone provider, botcli sends silence and listens ' +
    "until the bot speaks. In a Daily room it can't hear the bot, so it watches the session and the log.\n" +
    'A session in a Daily room needs a public API key. If there is none, botcli offers to create one.',
  arguments: [agentArgument],
  options: [transportOption, skip, organization, ...common],
  examples: [
    { line: 'botcli cloud call', description: "the project's agent, as its users reach it" },
    { line: 'botcli cloud call my-bot -t rtc_hosted', description: 'any agent, in a Daily room' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const agent = nameOf(typed, options, terminal);
    const watch = `botcli cloud logs ${agent} --follow${inTyped(options.organization)}`;
    const transport = chooseTransport(options.transport, ownTransports(agent, terminal.cwd), watch);
    await withAgent(typed, options, terminal, async session => {
      const { name, organization } = session;
      const { region } = await findAgent(session);
      noteAddress(session, terminal);
      terminal.note(`Calling ${name} in organization ${organization}, ${region}, over ${transport.label}`);
      const callee = { organization, agent: name, region, transport };
      const result = await testCall(callee, session, options, terminal);
      if (options.json) {
        return terminal.printJson({
          agent: name,
          organization,
          region,
          transport: transport.id,
          session: result.session ?? null,
          outcome: result.outcome,
          seconds: result.seconds ?? null,
          ended: result.hasEnded ?? null,
        });
      }
      terminal.print(`${terminal.style.green('✓')} ${describeResult(result)}`);
      terminal.note(describeEnd(result, callee));
    });
  },
});
