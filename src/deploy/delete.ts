import { common, noteAddress, organization, skip } from '../account/session.ts';
import { ignoring, UserError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import type { Sleeper } from '../platform/until.ts';
import { lookUntil } from '../secret-sets/change.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import { type AgentSession, agentArgument, findAgent, withAgent } from './agent-session.ts';

export const deleteAgent = defineCommand({
  description: 'Calls in progress go on until they end. The secret set stays.',
  arguments: [agentArgument],
  options: [skip, organization, ...common],
  examples: [{ line: 'botcli cloud delete my-bot', description: 'show what would be lost, then ask' }],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const remove = async (session: AgentSession) => {
      const { name, agents, organization } = session;
      const { region, activeSessionCount: calls } = await findAgent(session);
      noteAddress(session, terminal);
      const running = calls === undefined ? '' : `; calls in progress, which go on: ${calls}`;
      terminal.note(
        `Agent ${name} in organization ${organization}, region ${region}${running}. Nobody can call it afterwards.`,
      );
      await confirm(`Delete ${name}?`, options, terminal);
      await removeAgent(name, agents, terminal);
      if (options.json) return terminal.printJson({ agent: name, organization, region, deleted: true });
      terminal.print(`${terminal.style.green('✓')} Deleted ${name}. Its secret set stays.`);
    };
    await withAgent(typed, options, terminal, remove, () => checkCanAsk(options, terminal));
  },
});

/** Deletes an agent, and looks whether it's gone. */
export async function removeAgent(name: string, agents: Agents, terminal: Sleeper): Promise<void> {
  // Whether it happened is looked up.
  const isLost = (error: UserError) => error.reason !== 'interrupted' && hasUnknownOutcome(error);
  await agents.delete(name).catch(ignoring(isLost));
  const what = `the request to delete ${name}`;
  const left = await lookUntil(() => agents.find(name), { what, isVisible: found => !found }, terminal);
  if (!left) return;
  const hint = `The platform may need more time. To check, run: ${agents.command(`status ${name}`)}`;
  throw new UserError(`${name} still exists after ${what}`, { reason: 'not-verified', hint });
}
