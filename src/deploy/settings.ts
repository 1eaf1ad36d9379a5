import type { DeployFile } from '../existing/deploy-file.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import type { AgentSettings } from '../platform/agents.ts';

/** The settings of cloud-deploy.toml, as the platform takes them. What the file doesn't name isn't sent. */
export function settingsOf(deploy: DeployFile, agent: Agent | undefined): Omit<AgentSettings, 'serviceName'> {
  const { secretSet, pullSecret, image, minAgents, maxAgents, agentProfile, resources, audioFilter } = deploy;
  const scaling = { ...pick('minAgents', minAgents), ...pick('maxAgents', maxAgents) };
  // The platform keeps what isn't sent, so a filter that is no longer in the file is turned off.
  const filter = audioFilter ?? (agent?.krispViva?.audioFilter ? null : undefined);
  return {
    ...(image === undefined ? {} : pick('imagePullSecretSet', pullSecret)),
    ...pick('secretSet', secretSet),
    ...(Object.keys(scaling).length > 0 ? { autoScaling: scaling } : {}),
    ...pick('agentProfile', agentProfile),
    ...pick('resources', resources),
    ...(filter === undefined ? {} : { krispViva: { audioFilter: filter } }),
    ...pick('websocketAuth', deploy.websocketAuth),
    ...pick('maxSessionDuration', deploy.maxSessionDuration),
    ...pick('architecture', deploy.architecture),
  };
}

const pick = <Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { [key in Key]?: Value });

/** Whether an agent shows the scaling that the file names. */
export function hasScaling(
  agent: Agent,
  { minAgents, maxAgents }: Pick<DeployFile, 'minAgents' | 'maxAgents'>,
): boolean {
  const actual = agent.autoScaling ?? agent.deployment?.manifest?.spec?.autoScaling;
  return (
    (minAgents === undefined || actual?.minReplicas === minAgents) &&
    (maxAgents === undefined || actual?.maxReplicas === maxAgents)
  );
}

/**
 * The settings, other than scaling, that an agent doesn't show to be those of the file. The platform shows neither
 * `websocket_auth` nor all of the others, so one that it doesn't show counts as different.
 */
export function differences(agent: Agent, deploy: DeployFile): string[] {
  const spec = agent.deployment?.manifest?.spec;
  const differs: Readonly<Record<string, boolean>> = {
    secret_set: deploy.secretSet !== undefined && spec?.envFromSecretNames.includes(deploy.secretSet) !== true,
    image_credentials: deploy.image !== undefined && (deploy.pullSecret ?? '') !== (spec?.imagePullSecretName ?? ''),
    agent_profile: deploy.agentProfile !== undefined && deploy.agentProfile !== agent.agentProfile,
    audio_filter: (deploy.audioFilter ?? '') !== (agent.krispViva?.audioFilter ?? ''),
    max_session_duration:
      deploy.maxSessionDuration !== undefined && deploy.maxSessionDuration !== spec?.maxSessionDurationSeconds,
    websocket_auth: deploy.websocketAuth !== undefined && deploy.websocketAuth !== agent.websocketAuth,
    resources: deploy.resources !== undefined,
  };
  return Object.keys(differs).filter(name => differs[name]);
}
