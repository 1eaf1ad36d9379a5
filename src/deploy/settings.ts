import type { DeployFile } from '../existing/deploy-file.ts';
import type { Agent } from '../platform/answers.ts';
import { isObject } from '../std.ts';

/** The settings of a deployment, as the platform takes them. Those that are undefined stay as they are. */
export type Settings = Partial<ReturnType<typeof settingsIn>>;

/** The settings that a deploy file names. A noise filter of `agent` that it doesn't name is turned off. */
export function settingsIn(file: DeployFile, agent: Agent | undefined) {
  const { image, minAgents, maxAgents } = file;
  const filter = file.audioFilter ?? (agent?.krispViva?.audioFilter ? null : undefined);
  return {
    secretSet: file.secretSet,
    imagePullSecretSet: image === undefined ? undefined : file.pullSecret,
    autoScaling: (minAgents ?? maxAgents) === undefined ? undefined : { minAgents, maxAgents },
    agentProfile: file.agentProfile,
    krispViva: filter === undefined ? undefined : { audioFilter: filter },
    websocketAuth: file.websocketAuth,
    maxSessionDuration: file.maxSessionDuration,
    resources: file.resources,
    architecture: file.architecture,
  };
}

/**
 * The settings that an agent has. The platform doesn't show `resources` and `architecture`. If the agent has more than
 * one secret set, its own is `set`, or the first one.
 */
export function settingsOf({ deployment, krispViva, ...agent }: Agent, set?: string): Settings {
  const spec = deployment?.manifest?.spec;
  const [first, ...sets] = spec?.envFromSecretNames ?? [];
  const { minReplicas, maxReplicas } = agent.autoScaling ?? spec?.autoScaling ?? {};
  return {
    secretSet: sets.find(name => name === set) ?? (first || undefined),
    imagePullSecretSet: spec?.imagePullSecretName || undefined,
    autoScaling:
      (minReplicas ?? maxReplicas) === undefined ? undefined : { minAgents: minReplicas, maxAgents: maxReplicas },
    agentProfile: agent.agentProfile || undefined,
    krispViva: krispViva?.audioFilter ? { audioFilter: krispViva.audioFilter } : undefined,
    websocketAuth: agent.websocketAuth || undefined,
    maxSessionDuration: spec?.maxSessionDurationSeconds || undefined,
  };
}

/** Whether an agent shows all of these settings. */
export const hasSettings = (agent: Agent, settings: Settings): boolean =>
  has(settingsOf(agent, settings.secretSet), settings);

const has = (shown: unknown, wanted: unknown): boolean =>
  isObject(wanted)
    ? Object.entries(wanted).every(([key, one]) => one === undefined || (isObject(shown) && has(shown[key], one)))
    : shown === wanted;

/** The command that sets the credentials for the registry of an image. */
export function pullSecretCommand(name: string, image: string, organization: string): string {
  const registry = /^([\w-]*[.:][\w.:-]*|localhost)\//.exec(image)?.[1] ?? 'https://index.docker.io/v1/';
  return `botcli cloud secrets image-pull-secret ${name} ${registry} -o ${organization}`;
}
