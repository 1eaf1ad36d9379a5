import { ignoring } from '../errors.ts';
import type { Agent, Build } from '../platform/agent-schemas.ts';
import { Builds } from '../platform/builds.ts';
import type { Connection } from '../platform/connection.ts';
import { judge } from './verdict.ts';

/** `ready`, or what it is instead. */
export function stateOf(agent: Agent): string {
  const image = agent.deployment?.manifest?.spec?.image;
  const { deployment } = agent;
  const verdict = judge(agent, { before: undefined, buildId: deployment?.buildId, image, hasScaling: () => true });
  if (verdict.kind === 'ready') return 'ready';
  if (verdict.kind === 'failed') return `failed: ${verdict.failure.reason}`;
  const phase = verdict.kind === 'waiting' ? verdict.phase.toLowerCase() : 'unknown';
  return `not ready (${phase})${agent.available === true ? '; callers reach the previous deployment' : ''}`;
}

/** The build that an agent runs; undefined if the platform doesn't know it. */
export async function buildOf(
  { deployment }: Agent,
  connection: Connection,
  organization: string,
): Promise<Build | undefined> {
  if (deployment?.buildId === undefined) return undefined;
  return new Builds(connection, organization)
    .get(deployment.buildId)
    .catch(ignoring(({ reason }) => reason === 'not-found'));
}

/**
 * The longest session of an agent that `--gate-first` creates, in seconds. No deploy file would have it, so it shows whose
 * such an agent is.
 */
export const TRIAL_SECONDS = 1787;

/** Whether `--gate-first` has created an agent. One that people may need isn't replaced, nor deleted. */
export const isTrial = ({ deployment }: Agent): boolean =>
  deployment?.manifest?.spec?.maxSessionDurationSeconds === TRIAL_SECONDS;
