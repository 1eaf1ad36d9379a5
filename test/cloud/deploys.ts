import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { type JournalEntry, LOCAL_TOKEN, type LocalCloud, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { openSession } from '../../scripts/local-cloud/sessions.ts';
import type { Organization } from '../../scripts/local-cloud/store.ts';
import type { Report } from '../bots/report.ts';
import { acmeWith, deployable, KEY, SET } from '../support/deploys.ts';
import { typeLine } from '../support/session.ts';
import { growTree } from '../support/trees.ts';
import { runClient, WORKSHOP } from './client.ts';
import { DIFFERENCES } from './differences.ts';

const PUBLIC_KEY = 'pk_local';

interface Side {
  cloud: LocalCloud;
  acme: Organization;
  directory: string;
}

type Client = (line: string, side: Side) => Promise<{ code: number | null; text: string }>;

const theirs: Client = async (line, { cloud, directory }) => {
  const { code, stdout, stderr } = await runClient(line, cloud.url, join(directory, 'server'));
  return { code, text: stdout + stderr };
};

const ours: Client = async (line, { cloud, directory }) => {
  const env = { BOTCLI_API_URL: cloud.url, BOTCLI_TOKEN: LOCAL_TOKEN, BOTCLI_ORG: 'acme', HOME: WORKSHOP };
  const { code, stdout, stderr } = await typeLine(directory, line, { env });
  return { code, text: stdout + stderr };
};

async function openSide(name: string): Promise<Side> {
  const directory = join(WORKSHOP, 'deploys', name);
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  growTree(directory, deployable());
  const acme = acmeWith();
  acme.keys.push({ id: 'k', key: PUBLIC_KEY, name: 'mine', createdAt: new Date(0).toISOString(), revoked: false });
  return { cloud: await startLocalCloud({ accounts: { [LOCAL_TOKEN]: [acme] } }), acme, directory };
}

const agentOf = ({ acme }: Side) => acme.agents.get('bot') as StoredAgent;
const CONFIG = '--config-file cloud-deploy.toml --yes';

/** What both clients do, by their command lines. */
interface Step {
  name: string;
  theirs: string | ((side: Side) => string);
  ours: string | ((side: Side) => string);
  /** What happens before, on each side. */
  before?(side: Side): void;
}

const firstBuild = ({ acme }: Side): string => [...acme.builds.keys()][0] ?? '';

const deploymentOfChange = (side: Side): string =>
  agentOf(side).deployments.find(({ settings }) => settings.buildId !== firstBuild(side))?.id ?? '';

const STEPS: Step[] = [
  { name: 'deploy a new agent', theirs: `deploy ${CONFIG}`, ours: 'cloud deploy --skip' },
  { name: 'deploy the same again', theirs: `deploy ${CONFIG} --force`, ours: 'cloud deploy --skip --force' },
  {
    name: 'deploy changed files',
    before: ({ directory }) => writeFileSync(join(directory, 'server/extra.py'), 'X = 1\n'),
    theirs: `deploy ${CONFIG}`,
    ours: 'cloud deploy --skip',
  },
  { name: 'look at the agent', theirs: 'agent status bot', ours: 'cloud status bot' },
  { name: 'list the agents', theirs: 'agent list', ours: 'cloud status --all' },
  { name: 'read its log', theirs: 'agent logs bot', ours: 'cloud logs bot' },
  {
    name: 'read the log of a build',
    theirs: side => `build logs ${firstBuild(side)}`,
    ours: side => `cloud logs bot --build ${firstBuild(side)}`,
  },
  {
    name: 'start a session',
    theirs: `agent start bot --use-daily --force --api-key ${PUBLIC_KEY}`,
    ours: 'cloud call bot -t rtc_hosted',
  },
  { name: 'list the sessions', theirs: 'agent sessions bot', ours: 'cloud sessions list bot' },
  {
    name: 'stop a session',
    before: side => void openSession(agentOf(side)),
    theirs: side => `agent stop bot --force --session-id ${agentOf(side).sessions.at(-1)?.sessionId}`,
    ours: side => `cloud sessions stop ${agentOf(side).sessions.at(-1)?.sessionId} bot --skip`,
  },
  {
    name: 'deploy an earlier build',
    theirs: side => `deploy ${CONFIG} --build-id ${firstBuild(side)}`,
    ours: side => `cloud deploy --skip --build ${firstBuild(side)}`,
  },
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A request without what differs each time: method, path, query in order, body in order. */
function lineOf({ method, path, body }: JournalEntry): string {
  const [place = '', query] = path.replace('/v1/organizations/acme/', '').split('?');
  const pairs = [...new URLSearchParams(query)].sort().map(pair => pair.join('='));
  const sorted = pairs.length > 0 ? `?${pairs.join('&')}` : '';
  const text = body === undefined ? '' : ` ${JSON.stringify(inOrder(body))}`;
  return `${method} ${place}${sorted}${text}`
    .replace(UUID, 'ID')
    .replace(/contextHash=[0-9a-f]{16}/, 'contextHash=HASH');
}

const inOrder = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .map(([key, part]) => [key, inOrder(part)] as const)
          .sort(([one], [other]) => (one < other ? -1 : 1)),
      )
    : value;

/** Runs a line, and returns its requests. How often a client looks at something says nothing. */
async function requestsOf(client: Client, words: Step['ours'], side: Side): Promise<string[]> {
  const start = side.cloud.journal.length;
  const { code, text } = await client(typeof words === 'string' ? words : words(side), side);
  assert.equal(code, 0, text);
  return [...new Set(side.cloud.journal.slice(start).map(lineOf))];
}

/** Compares the requests of a step. Each difference must be listed, and each listed one must be there. */
function compare(name: string, their: readonly string[], our: readonly string[]): string {
  const { onlyTheirs = {}, onlyOurs = {} } = DIFFERENCES[name] ?? {};
  const without = (lines: readonly string[], others: readonly string[]) =>
    lines.filter(line => !others.includes(line)).sort();
  const actual = { onlyTheirs: without(their, our), onlyOurs: without(our, their) };
  assert.deepEqual(actual, { onlyTheirs: Object.keys(onlyTheirs).sort(), onlyOurs: Object.keys(onlyOurs).sort() });
  const changes = (lines: readonly string[]) =>
    lines.filter(line => !line.startsWith('GET ')).map(line => line.replace(/ \{.*/, ''));
  const [first, second] = [changes(their), changes(our)];
  const common = (lines: readonly string[]) => lines.filter(line => first.includes(line) && second.includes(line));
  assert.deepEqual(common(second), common(first), 'the order of changes');
  return `${their.length} and ${our.length} requests`;
}

/** What each client does with what the other one deployed. */
const CROSSED: [client: Client, line: Step['ours'], output: RegExp][] = [
  [ours, 'cloud status bot', /^bot: ready, in us-west\n/],
  [ours, 'cloud status --all', /^bot\tus-west\tready\t/],
  [ours, 'cloud logs bot', /Started server process/],
  [ours, 'cloud logs bot --build latest', /exporting to image/],
  [ours, 'cloud sessions list bot', /terminated/],
  // Both have gone back to the first build.
  [ours, side => `cloud rollback bot ${deploymentOfChange(side)} --skip`, /bot runs deployment/],
  [theirs, 'agent status bot', /ready/i],
  [theirs, 'agent list', /bot/],
  [theirs, 'agent logs bot', /Started server process/],
  [theirs, 'agent deployments bot', /[0-9a-f]{8}-/],
  [theirs, 'agent sessions bot', /terminated/i],
  [theirs, side => `deploy ${CONFIG} --build-id ${firstBuild(side)} --force`, /ready|deployed/i],
  [theirs, 'build list', /success/i],
  [theirs, `secrets list ${SET}`, new RegExp(KEY)],
];

/**
 * The same steps by the platform's own client and by botcli, each against its own local cloud. They must send the same
 * requests, except for listed differences. Then each works on what the other deployed.
 */
export async function checkDeploys(report: Report): Promise<void> {
  const [left, right] = [await openSide('theirs'), await openSide('ours')];
  const check = (step: Step, sides: readonly [theirs: Side, ours: Side]) =>
    report.check('both clients', step.name, async () => {
      for (const side of sides) step.before?.(side);
      const their = await requestsOf(theirs, step.theirs, sides[0]);
      return compare(step.name, their, await requestsOf(ours, step.ours, sides[1]));
    });
  const see = (client: Client, side: Side, words: Step['ours'], output: RegExp, isDone = true) => {
    const line = typeof words === 'string' ? words : words(side);
    const about = `${line.replace(UUID, 'ID')}, after the other one`;
    return report.check(client === ours ? 'botcli' : 'the client', about, async () => {
      const { code, text } = await client(line, side);
      assert.match(text, output);
      if (isDone) assert.equal(code, 0, text);
      return 'the same';
    });
  };
  for (const step of STEPS) await check(step, [left, right]);
  for (const [client, ...crossed] of CROSSED) await see(client, client === ours ? left : right, ...crossed);
  await check({ name: 'delete an agent', theirs: 'agent delete bot --force', ours: 'cloud delete bot --skip' }, [
    right,
    left,
  ]);
  // Here, the other one has deleted it.
  await see(ours, right, 'cloud status bot', /no agent "bot"/, false);
  await see(theirs, left, 'agent status bot', /No deployment data found/, false);
  for (const { cloud } of [left, right]) await cloud.close();
  rmSync(join(WORKSHOP, 'deploys'), { recursive: true });
}
