import type { CloudSession } from '../../account/session.ts';
import type { DeployedBot, WithDeployed } from '../../dev/prepare.ts';
import { UserError } from '../../errors.ts';
import type { Agents } from '../../platform/agents.ts';
import type { Agent, BotSession } from '../../platform/answers.ts';
import { CloudError } from '../../platform/errors.ts';
import { gatewayUrl, openRelay } from '../../platform/gateway.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { findAgent, withAgent } from '../agent-session.ts';
import { newSessions } from '../sessions.ts';
import { short, superseded } from '../steps.ts';

/** Connects `test` and `talk` to a deployed bot. */
export const withDeployed: WithDeployed = (typed, terminal, use) =>
  withAgent(typed, {}, terminal, async session => {
    const agent = await findAgent(session);
    const key = await session.agents.publicKey();
    if (key !== undefined) return use(deployedBot({ ...session, agent, key }, terminal));
    throw new UserError(`Organization ${session.organization} has no public API key, which starts sessions`, {
      reason: 'not-found',
      hint: 'Create one in the dashboard.',
    });
  });

interface Reach extends CloudSession {
  agents: Agents;
  agent: Agent;
  /** The organization's public key. */
  key: string;
}

/** How often to ask for a session while no instance is free, and the pause. The framework's evals wait a minute. */
const MOST_TRIES = 9;
const PAUSE_MS = 5000;

/** Whether a session may begin a little later: no instance is free, or none takes it yet. */
const mayPass = (error: unknown): boolean =>
  error instanceof CloudError && (error.status === 429 || (error.status ?? 0) >= 500);

/** A deployed bot that people and evals can talk to in text. */
export function deployedBot({ cloud, account, agents, agent, key }: Reach, terminal: Terminal): DeployedBot {
  const { name, region, desiredDeploymentId: deployment } = agent;
  const { source, url: api } = account.address;
  const { organization } = agents;
  const serviceHost = `${name}.${organization}`;
  let before: readonly BotSession[] = [];
  let ready = 0;
  terminal.hidden.hide([key]);
  return {
    facts: { agent: name, organization, region, deployment: deployment ?? null },
    log: `botcli cloud logs ${name} -o ${organization}`,
    async hold(stop, use) {
      before = await agents.sessions(name);
      const refused = new AbortController();
      const begin = async (onFrame: Parameters<typeof cloud.line>[1]['onFrame']) => {
        const { url, token, secrets } = await agents.startSession(key, name, { serviceHost });
        terminal.hidden.hide(secrets);
        const usual = () => gatewayUrl(`generic/${serviceHost}`, region, source === undefined ? undefined : api);
        return cloud.line(url ?? usual(), { purpose: 'session', token, onFrame });
      };
      const relay = await openRelay({
        async open(onFrame, left) {
          for (let tries = 1; ; tries += 1) {
            try {
              return await begin(onFrame);
            } catch (error) {
              if (!mayPass(error) || tries === MOST_TRIES || left.aborted) throw error;
              if (tries === 1) terminal.note('No instance takes the session yet. Trying again.');
              await terminal.sleep(PAUSE_MS, AbortSignal.any([stop.signal, left])).catch(() => {});
              stop.signal.throwIfAborted();
            }
          }
        },
        onRefusal: error => refused.abort(error),
      });
      const within = {
        signal: AbortSignal.any([stop.signal, refused.signal]),
        hurry: AbortSignal.any([stop.hurry, refused.signal]),
      };
      try {
        return await use(relay.url, within);
      } finally {
        await relay.close();
        ready = relay.ready;
      }
    },
    async check(conversations) {
      const unknown = (why: string) =>
        new UserError(`It's unknown whether deployment ${short(deployment ?? '')} of ${name} answered: ${why}`, {
          reason: 'not-verified',
          hint: `To list its sessions, run: botcli cloud sessions list ${name} -o ${organization}`,
        });
      if (ready < conversations) throw unknown(`it was ready in ${ready} of ${conversations} conversations`);
      const isOurs = ({ deploymentId }: BotSession) => deployment !== undefined && deploymentId === deployment;
      const isEnough = (all: readonly BotSession[]) => all.filter(isOurs).length >= conversations;
      const found = await newSessions(before, name, agents, isEnough, terminal);
      const after = await agents.find(name);
      if (after?.desiredDeploymentId !== deployment) throw superseded(name, agents, 'during the conversations');
      const other = found.find(one => one.deploymentId !== undefined && !isOurs(one));
      if (other) throw unknown(`a session since then was one of ${short(other.deploymentId ?? '')}`);
      if (!isEnough(found)) throw unknown("the platform doesn't list the sessions of all conversations");
    },
  };
}
