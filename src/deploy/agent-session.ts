import { organizationOf } from '../account/organization.ts';
import { type CloudSession, type SessionOptions, withCloud } from '../account/session.ts';
import { UserError, usageError } from '../errors.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import { Agents } from '../platform/agents.ts';
import type { Terminal } from '../shell/terminal.ts';
import { didYouMean } from '../text.ts';
import { checkNames, inTyped } from './inputs.ts';
import { agentOf, ownValues } from './read.ts';

/** The agents of an organization, and the name of one. */
interface AgentSession extends CloudSession {
  organization: string;
  agents: Agents;
  name: string;
}

export const agentArgument = { name: 'agent', help: "The agent (default: the project's agent_name)" } as const;

/**
 * Connects a command about an agent to the platform.
 *
 * @param typed The agent. Default: that of the project around the working directory.
 * @throws {UserError} Exit code 2: no agent is named, and no project is around.
 */
export async function withAgent<Result>(
  typed: string | undefined,
  options: SessionOptions,
  terminal: Terminal,
  use: (session: AgentSession) => Promise<Result>,
): Promise<Result> {
  const name = nameOf(typed, options, terminal);
  checkNames({ organization: options.organization, agent: name });
  terminal.hidden.hide(ownValues(terminal));
  return withCloud(options, terminal, async session => {
    // Commands that change something name it, and so does the status.
    const organization = await organizationOf(session, { note: () => {} });
    return use({ ...session, organization, agents: new Agents(session.cloud, organization), name });
  });
}

/**
 * The agent that a command is about: the one that was typed, or that of the project around the working directory.
 *
 * @throws {UserError} Exit code 2: no agent is named, and no project is around.
 */
export function nameOf(
  typed: string | undefined,
  { organization }: Pick<SessionOptions, 'organization'>,
  { cwd }: Pick<Terminal, 'cwd'>,
): string {
  const name = typed ?? agentOf(cwd);
  if (name !== undefined) return name;
  const all = `botcli cloud status --all${inTyped(organization)}`;
  const hint = `Pass its name, or run the command in the project. To list all, run: ${all}`;
  throw usageError('Which agent? This directory is in no project with a cloud-deploy.toml', { hint });
}

/** @throws {UserError} There is no such agent. The hint suggests the closest name. */
export async function findAgent({ agents, name, organization }: AgentSession): Promise<Agent> {
  const agent = await agents.find(name);
  if (agent) return agent;
  const names = (await agents.list()).map(one => one.name);
  const meant = didYouMean(name, names);
  throw new UserError(`There is no agent "${name}" in organization ${organization}`, {
    reason: 'not-found',
    hint: `${meant ? `${meant} ` : ''}To list all, run: botcli cloud status --all -o ${organization}`,
  });
}
