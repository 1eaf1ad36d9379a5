import assert from 'node:assert/strict';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { LOCAL_TOKEN, type LocalCloudOptions } from '../../scripts/local-cloud/index.ts';
import { newOrganization, type Organization, type StoredSet } from '../../scripts/local-cloud/store.ts';
import { type CloudSession, cloudSession, SECRET } from './cloud-session.ts';
import { CASCADE, generateProject } from './projects.ts';
import { resolveFlags } from './resolving.ts';
import type { Surroundings } from './session.ts';
import type { Tree } from './trees.ts';

/** The key that the bot of these tests needs, and its secret set. */
export const KEY = 'OPENAI_API_KEY';
export const SET = 'bot-secrets';
export const DEPLOY_FILE = 'server/cloud-deploy.toml';

const project = generateProject(resolveFlags({ ...CASCADE, transports: ['rtc_hosted'] }));

/** A project that deploys an agent of this name, with these lines added at the top of its deploy file. */
export function deployable(name = 'bot', more = '', changes: Readonly<Record<string, string>> = {}): Tree {
  const file = (project[DEPLOY_FILE] as string)
    .replace(/agent_name = .*/, `agent_name = "${name}"\n${more}`)
    .replace(/secret_set = .*/, `secret_set = "${SET}"`);
  return { ...project, [DEPLOY_FILE]: file, 'server/.env': `${KEY}=${SECRET}\n`, ...changes };
}

/** A stored set, ready in us-west. */
export const storedSet = (name: string, keys: readonly string[], more: Partial<StoredSet> = {}): StoredSet => ({
  name,
  type: 'secret',
  region: 'us-west',
  values: new Map(keys.map(key => [key, 'x'])),
  readyAt: 0,
  ...more,
});

/** A new organization with the set that the bot needs. */
export const acmeWith = (sets: readonly StoredSet[] = [storedSet(SET, [KEY])]): Organization =>
  newOrganization('acme', { sets: new Map(sets.map(set => [set.name, set])) });

interface Start {
  files?: Tree;
  acme?: Organization;
  cloud?: LocalCloudOptions;
  env?: Record<string, string>;
}

const helpers = (session: CloudSession, acme: Organization) => ({
  acme,
  agent: (name = 'bot') => acme.agents.get(name) as StoredAgent,
  /** What a line that succeeds prints as JSON. */
  json: async (line: string) => JSON.parse(await session.succeed(`${line} --json`)),
  /** The error of a line that fails, as JSON. */
  async error(line: string, surroundings?: Surroundings) {
    const { code, stdout } = await session.run(`${line} --json`, surroundings);
    assert.equal(code, 1, stdout);
    return JSON.parse(stdout).error;
  },
  /** Runs a line, with Ctrl-C once something is so. */
  async interrupt(line: string, isTime: () => boolean) {
    const timer = setInterval(() => {
      if (!isTime()) return;
      clearInterval(timer);
      process.emit('SIGINT', 'SIGINT');
    }, 5);
    return session.run(line).finally(() => clearInterval(timer));
  },
  /** What was last sent to create an agent (POST), or to change one (PUT). */
  sent: (method: 'POST' | 'PUT') =>
    session.cloud.journal.findLast(one => one.method === method && one.path.endsWith('/services'))?.body as object,
});

export type DeploySession = CloudSession & ReturnType<typeof helpers>;

/** A test with a project and a local cloud that already has its secrets. */
export const deploySession = (
  { files = deployable(), acme = acmeWith(), cloud, env = {} }: Start,
  use: (session: DeploySession) => Promise<void>,
): (() => Promise<void>) => {
  // Each run of a test needs its own organization, and each test runs once.
  const accounts = { [LOCAL_TOKEN]: [acme] };
  const start = { files, cloud: { ...cloud, accounts }, env };
  return cloudSession(start, session => use({ ...session, ...helpers(session, acme) }));
};

/** The test itself. */
export const deployIt = (title: string, ...session: Parameters<typeof deploySession>) =>
  it(title, deploySession(...session));

/** What a session sent that changes something. */
export const changesOf = (session: CloudSession) => session.requests().filter(line => !line.startsWith('GET'));

/** A fault that answers like this. */
export const answer = (status: number, body?: unknown) => ({ kind: 'answer', status, body }) as const;
