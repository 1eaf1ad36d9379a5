/**
 * Part of `npm run test:cloud`: the same steps by the platform's own client and by botcli, each against its own local
 * cloud. They must send the same requests, except for listed differences. Then each works on what the other deployed.
 */
import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { type JournalEntry, LOCAL_TOKEN, type LocalCloud, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { openSession } from '../../scripts/local-cloud/sessions.ts';
import type { Organization } from '../../scripts/local-cloud/store.ts';
import { run } from '../bots/processes.ts';
import { acmeWith, deployable, KEY, SET } from '../support/deploys.ts';
import { typeLine } from '../support/session.ts';
import { growTree } from '../support/trees.ts';
import { installClient, PYTHON, WORKSHOP } from './client.ts';
import { DIFFERENCES } from './differences.ts';

/** The client polls every five seconds, and the stand-in goes on with each look. */
const START = `
import asyncio
from pipecatcloud.cli.entry_point import entrypoint_cli_typer
sleep = asyncio.sleep
asyncio.sleep = lambda seconds, *more: sleep(seconds / 50, *more)
entrypoint_cli_typer()
`;
const PUBLIC_KEY = 'pk_local';

/** A client with its local cloud and its copy of the project. */
interface Side {
  cloud: LocalCloud;
  acme: Organization;
  directory: string;
}

type Client = (line: string, side: Side) => Promise<{ code: number | null; text: string }>;

const theirs: Client = async (line, { cloud, directory }) => {
  const env = {
    PATH: process.env.PATH,
    HOME: WORKSHOP,
    NO_COLOR: '1',
    COLUMNS: '200',
    PIPECAT_API_HOST: cloud.url,
    PIPECAT_TOKEN: LOCAL_TOKEN,
    PIPECAT_ORG: 'acme',
    PIPECAT_CONFIG_PATH: join(WORKSHOP, 'none.toml'),
  };
  const cwd = join(directory, 'server');
  const { code, stdout, stderr } = await run([PYTHON, '-c', START, ...line.split(' ')], { cwd, env, deadline: 60_000 });
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

const steps: Step[] = [
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
    theirs: ({ acme }) => `build logs ${[...acme.builds.keys()][0]}`,
    ours: ({ acme }) => `cloud logs bot --build ${[...acme.builds.keys()][0]}`,
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
    theirs: ({ acme }) => `deploy ${CONFIG} --build-id ${[...acme.builds.keys()][0]}`,
    ours: ({ acme }) => `cloud deploy --skip --build ${[...acme.builds.keys()][0]}`,
  },
];

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** A request without what differs each time: method, path, query in order, body in order. */
function lineOf({ method, path, body }: JournalEntry): string {
  const [place = '', query] = path.replace('/v1/organizations/acme/', '').split('?');
  const sorted =
    query &&
    `?${[...new URLSearchParams(query)]
      .sort()
      .map(pair => pair.join('='))
      .join('&')}`;
  const text = body === undefined ? '' : ` ${JSON.stringify(inOrder(body))}`;
  return `${method} ${place}${sorted ?? ''}${text}`
    .replace(UUID, 'ID')
    .replace(/contextHash=[0-9a-f]{16}/, 'contextHash=HASH');
}

const inOrder = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(
        Object.entries(value)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, part]) => [key, inOrder(part)]),
      )
    : value;

/** The requests of a step. How often a client looks at something says nothing. */
const requestsSince = ({ cloud }: Side, start: number): string[] => [
  ...new Set(cloud.journal.slice(start).map(lineOf)),
];

let failed = 0;
function judge(name: string, check: () => void): void {
  try {
    check();
    console.log(`✓ ${name}`);
  } catch (error) {
    failed += 1;
    console.log(`✗ ${name}\n${(error as Error).message}`);
  }
}

const command = (words: string | ((side: Side) => string), side: Side): string =>
  typeof words === 'string' ? words : words(side);

async function requestsOf(client: Client, words: string, side: Side): Promise<string[]> {
  const start = side.cloud.journal.length;
  const { code, text } = await client(words, side);
  judge(words.replace(UUID, 'ID'), () => assert.equal(code, 0, text));
  return requestsSince(side, start);
}

await installClient();
const [left, right] = [await openSide('theirs'), await openSide('ours')];

/** Compares the requests of a step. Each difference must be listed, and each listed one must be there. */
function compare(name: string, their: readonly string[], our: readonly string[]): void {
  const { onlyTheirs = {}, onlyOurs = {} } = DIFFERENCES[name] ?? {};
  judge(`the requests to ${name}`, () => {
    const without = (lines: readonly string[], others: readonly string[]) =>
      lines.filter(line => !others.includes(line)).sort();
    const actual = { onlyTheirs: without(their, our), onlyOurs: without(our, their) };
    assert.deepEqual(actual, { onlyTheirs: Object.keys(onlyTheirs).sort(), onlyOurs: Object.keys(onlyOurs).sort() });
    const changes = (lines: readonly string[]) =>
      lines.filter(line => !line.startsWith('GET ')).map(line => line.replace(/ \{.*/, ''));
    const [first, second] = [changes(their), changes(our)];
    const common = (lines: readonly string[]) => lines.filter(line => first.includes(line) && second.includes(line));
    assert.deepEqual(common(second), common(first), 'the order of changes');
  });
}

for (const { name, before, ...words } of steps) {
  before?.(left);
  before?.(right);
  const their = await requestsOf(theirs, command(words.theirs, left), left);
  compare(name, their, await requestsOf(ours, command(words.ours, right), right));
}

/** Each client works on what the other one deployed. */
const [first] = right.acme.builds.keys();
const crossed: [client: Client, side: Side, line: string, output: RegExp][] = [
  [ours, left, 'cloud status bot', /^bot: ready, in us-west\n/],
  [ours, left, 'cloud status --all', /^bot\tus-west\tready\t/],
  [ours, left, 'cloud logs bot', /Started server process/],
  [ours, left, 'cloud logs bot --build latest', /exporting to image/],
  [ours, left, 'cloud sessions list bot', /terminated/],
  [ours, left, 'cloud rollback bot --skip', /bot runs deployment/],
  [theirs, right, 'agent status bot', /ready/i],
  [theirs, right, 'agent list', /bot/],
  [theirs, right, 'agent logs bot', /Started server process/],
  [theirs, right, 'agent deployments bot', /[0-9a-f]{8}-/],
  [theirs, right, 'agent sessions bot', /terminated/i],
  [theirs, right, `deploy ${CONFIG} --build-id ${first} --force`, /ready|deployed/i],
  [theirs, right, 'build list', /success/i],
  [theirs, right, `secrets list ${SET}`, new RegExp(KEY)],
];
for (const [client, side, line, output] of crossed) {
  const { code, text } = await client(line, side);
  judge(`${client === ours ? 'botcli' : 'the client'}, of the other one's agent: ${line}`, () => {
    assert.equal(code, 0, text);
    assert.match(text, output);
  });
}
const deleted = await requestsOf(theirs, 'agent delete bot --force', right);
compare('delete an agent', deleted, await requestsOf(ours, 'cloud delete bot --skip', left));
for (const [client, side] of [
  [theirs, left],
  [ours, right],
] as const) {
  const { text } = await client(client === ours ? 'cloud status bot' : 'agent status bot', side);
  judge('the other one sees that it is gone', () => assert.match(text, /no agent "bot"|No deployment data found/));
}

await left.cloud.close();
await right.cloud.close();
rmSync(join(WORKSHOP, 'deploys'), { recursive: true });
console.log(failed === 0 ? '\nBoth clients agree' : `\n${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
