import { basename, dirname, join, resolve } from 'node:path';
import { type CloudSession, organizationOf, type SessionOptions, withCloud } from '../account/session.ts';
import { isSecret, providerVariables } from '../catalog/index.ts';
import { allOf, attempt, ignoring, UserError, usageError } from '../errors.ts';
import { DEPLOY_FILE, parseDeployFile } from '../existing/deploy-file.ts';
import { findProject, knownConfigOf, readProject } from '../existing/open-project.ts';
import { parseDotEnv } from '../formats/dotenv.ts';
import { readEnvFile, readText } from '../paths/read.ts';
import { Agents } from '../platform/agents.ts';
import type { Agent, Build } from '../platform/answers.ts';
import { checkInputs, isName, NOTHING_SENT, type Secret } from '../platform/names.ts';
import type { Terminal } from '../shell/terminal.ts';
import { didYouMean } from '../text.ts';
import { stateOf } from './verdict.ts';

export interface AgentSession extends CloudSession {
  organization: string;
  agents: Agents;
  name: string;
}

export const agentArgument = { name: 'agent', help: "The agent (default: the project's agent_name)" } as const;

/**
 * Connects a command about an agent (by default, the project's) to the platform. `check` gets the name, if that can be
 * one. It throws what else is wrong with the command line, or adds it to the errors. What it returns is for `use`.
 */
export async function withAgent<Result, Checked = undefined>(
  typed: string | undefined,
  options: SessionOptions,
  terminal: Terminal,
  use: (session: AgentSession, checked: Checked) => Promise<Result>,
  check?: (name: string | undefined, errors: UserError[]) => Checked,
): Promise<Result> {
  const errors: UserError[] = [];
  const name = typed ?? agentOf(terminal.cwd) ?? '';
  if (typed === undefined && name === '') {
    const { organization = '' } = options;
    const all = `botcli cloud status --all${isName(organization) ? ` -o ${organization}` : ''}`;
    const hint = `Pass its name, or run the command in the project. To list all, run: ${all}`;
    errors.push(usageError('Which agent? This directory is in no project with a cloud-deploy.toml', { hint }));
  } else attempt(() => checkInputs({ agent: name }), errors);
  const isUsable = errors.length === 0;
  attempt(() => checkInputs({ organization: options.organization }), errors);
  const checked = attempt(() => check?.(isUsable ? name : undefined, errors), errors) as Checked;
  if (errors.length > 0) throw allOf(errors, NOTHING_SENT);
  hideOwnValues(terminal);
  return withCloud(options, terminal, async session => {
    // Commands that change something name it, and so does the status.
    const organization = await organizationOf(session, { note: () => {} });
    return use({ ...session, organization, agents: new Agents(session.cloud, organization), name }, checked);
  });
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

/** The build that an agent runs; undefined if the platform doesn't know it. */
export async function buildOf({ deployment }: Agent, agents: Agents): Promise<Build | undefined> {
  if (deployment?.buildId === undefined) return undefined;
  return agents.build(deployment.buildId).catch(ignoring(({ reason }) => reason === 'not-found'));
}

/** Looks up what a deploy needs, or would replace: an organization's secrets, the keys of a set, and an agent. */
export async function lookUpDeploy(
  { set, agent: name }: { readonly set: string | undefined; readonly agent: string | undefined },
  options: SessionOptions,
  terminal: Terminal,
) {
  checkInputs({ organization: options.organization });
  hideOwnValues(terminal);
  return withCloud(options, terminal, async session => {
    const { cloud } = session;
    const organization = await organizationOf(session, terminal);
    const agents = new Agents(cloud, organization);
    const secrets = await cloud.list(organization);
    const isListed = secrets.some(one => one.name === set && one.type === 'secret');
    const found = set !== undefined && isListed ? await cloud.find({ organization, name: set }) : undefined;
    // Those of a referenced set are in another cluster.
    const keys = found?.type === 'secret' && found.set.source !== 'referenced' ? found.set.keys : undefined;
    const defaultRegion = await cloud.defaultRegion(organization);
    const agent = name !== undefined && isName(name) ? await agents.find(name) : undefined;
    if (!agent) return { organization, defaultRegion, secrets, keys, agent };
    // Without the build, one finding less is possible.
    const build = await buildOf(agent, agents).catch(ignoring(({ exitCode }) => exitCode === 1));
    const image = agent.deployment?.buildId === undefined ? agent.deployment?.manifest?.spec?.image : undefined;
    const shown = { name: agent.name, region: agent.region, state: stateOf(agent), build, image };
    return { organization, defaultRegion, secrets, keys, agent: shown };
  });
}

/** What the env file in a directory sets. */
export function valuesIn(directory: string, env: Terminal['env']): Secret[] {
  const contents = readEnvFile(directory);
  if (typeof contents === 'string') return [];
  const { entries } = parseDotEnv(contents.toString('utf8'), env);
  return [...entries.values()].flatMap(({ name, value }) => (value ? [{ key: name, value }] : []));
}

/** The agent that the project around a directory deploys; undefined if there is none. */
export function agentOf(directory: string): string | undefined {
  for (let path = resolve(directory); ; path = dirname(path)) {
    const text =
      readText(path, DEPLOY_FILE) ?? (basename(path) === 'server' ? readText(dirname(path), DEPLOY_FILE) : undefined);
    const name = text === undefined ? undefined : parseDeployFile(text)?.agentName;
    if (name !== undefined || dirname(path) === path) return name;
  }
}

/** Variables of providers that have no key: models, voices, addresses, rooms. Errors are about them. */
const SETTINGS = new Set(providerVariables().filter(name => !isSecret(name)));

/** From then on, nothing that is printed has these values. An address may have a password. */
export const hideValues = (all: readonly Secret[], { hidden }: Terminal): void =>
  hidden.hide(all.filter(({ key, value }) => !SETTINGS.has(key) || /[@?]/.test(value)).map(({ value }) => value));

/** The same for the env file of the project around the working directory. */
function hideOwnValues(terminal: Terminal): void {
  const root = findProject(terminal.cwd);
  if (root !== undefined) hideValues(valuesIn(join(root, 'server'), terminal.env), terminal);
}

/** The transports of the project around the working directory, if it deploys this agent; undefined without one. */
export function ownTransports(agent: string | undefined, cwd: string): readonly string[] | undefined {
  if (agent === undefined) return undefined;
  const root = agentOf(cwd) === agent ? findProject(cwd) : undefined;
  const project = root === undefined ? undefined : readProject(root);
  const config = project === undefined || typeof project === 'string' ? undefined : knownConfigOf(project);
  return config?.transports ?? [];
}
