import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { services, transports, variablesOf } from '../../src/catalog/index.ts';
import { keyTrials } from '../../src/catalog/key-trials.ts';
import { type Checked, check, filledProject, summarize } from '../support/check.ts';
import { SECRET } from '../support/cloud-session.ts';
import { CASCADE } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { inTree, type Tree } from '../support/trees.ts';

const KEY = `${SECRET}-right`;
const ID = `${SECRET}-account`;

/** How a provider's stand-in responds. */
type Respond = (request: IncomingMessage, response: ServerResponse) => void;

const answer =
  (status: number, body: string, headers: Record<string, string> = {}): Respond =>
  (_, response) =>
    response.writeHead(status, headers).end(body);

/** Runs `use` with a stand-in for all providers. */
async function withProviders<Result>(respond: Respond, use: (origin: string) => Promise<Result>, tls = false) {
  const file = (name: string) => readFileSync(join(import.meta.dirname, `../support/tls/${name}.pem`));
  const server = tls
    ? createTlsServer({ key: file('key'), cert: file('certificate') }, respond)
    : createServer(respond);
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  try {
    return await use(`${tls ? 'https' : 'http'}://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A bot whose code reads every key that can be tried. */
async function greedyProject(value: (name: string) => string = () => KEY): Promise<Tree> {
  const project = await filledProject(resolveFlags(CASCADE));
  const names = keyTrials.flatMap(({ env, id }) => [env, ...(id ? [id] : [])]);
  const reads = names.map(name => `os.getenv("${name}")`).join('\n');
  const lines = names.map(name => `${name}=${keyTrials.some(({ id }) => id === name) ? ID : value(name)}`);
  return {
    ...project,
    'server/bot.py': `${project['server/bot.py']}\n${reads}\n`,
    'server/.env': `${lines.join('\n')}\n`,
  };
}

/** Tries all keys of such a bot. */
const tryAll = async (
  origin: string,
  project: Promise<Tree> = greedyProject(),
  deadlineMs = 20_000,
): Promise<Checked> =>
  inTree(await project, root => check(root, { options: { keys: true }, providers: { origin, deadlineMs } }));

/** Whether a request is the one of a row: its path, its query, and its headers with the key. */
function isRequestOf({ url, headers }: (typeof keyTrials)[number], request: IncomingMessage): boolean {
  const path = url.replace('https:/', '').replace('<id>', ID);
  const basic = Buffer.from(`${ID}:${KEY}`).toString('base64');
  const wanted = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value.replace('<key>', KEY).replace('<basic>', basic)] as const,
  );
  return (
    request.method === 'GET' && request.url === path && wanted.every(([name, value]) => request.headers[name] === value)
  );
}

/** Knows the right key only. */
const likeProviders: Respond = (request, response) => {
  const isRight = keyTrials.some(row => isRequestOf(row, request));
  const body = isRight ? '{"data":[]}' : `{"error":"${JSON.stringify(request.headers).replaceAll('"', "'")}"}`;
  response.writeHead(isRight ? 200 : 401).end(body);
};

describe('botcli check --keys', () => {
  it('knows at least 15 providers, whose variables are in the catalog', () => {
    assert(new Set(keyTrials.map(({ provider }) => provider)).size >= 15);
    const ofServices = Object.values(services).flat().flatMap(variablesOf);
    const ofTransports = transports.flatMap(({ ambient, reads, serverReads }) => [
      ambient,
      reads ?? [],
      serverReads ?? [],
    ]);
    const names = new Set([...ofServices, ...ofTransports.flat()].map(({ env }) => env));
    for (const { env, id, address, url, headers } of keyTrials) {
      assert(names.has(env) && (!id || names.has(id)), env);
      assert(address === undefined || address.startsWith(env.split('_', 1)[0] ?? '?'), address);
      assert.match(url, /^https:\/\/[a-z.0-9-]+\/[^<]*(?:<id>[./\w]*)?$/);
      assert.match(Object.values(headers).join(), /<key>|<basic>/, env);
      assert.equal(url.includes('<id>'), id !== undefined, env);
    }
  });

  it('accepts the right keys, each with one request to its own provider', async () => {
    const seen: string[] = [];
    const respond: Respond = (request, response) => {
      seen.push(String(request.url));
      likeProviders(request, response);
    };
    const { findings, stdout } = await withProviders(respond, origin => tryAll(origin));
    assert.deepEqual(findings, []);
    assert.match(stdout, /^✓ Providers: Anthropic, AssemblyAI, .*, xAI: each accepts its key$/m);
    // The command ran twice: once for people, and once for programs.
    assert.equal(seen.length, 2 * keyTrials.length);
  });

  it('reports each wrong key as refused, even if the provider repeats it', async () => {
    const wrong = greedyProject(name => `${SECRET}-${name}`);
    const { findings, code } = await withProviders(likeProviders, origin => tryAll(origin, wrong));
    const found = findings.map(({ code: kind, message }) => `${kind}: ${message}`);
    const refused = keyTrials.map(({ env, provider }) => `key-refused: ${provider} refuses ${env}: HTTP 401`);
    assert.deepEqual([code, found], [1, refused]);
    const openai = findings.find(({ message }) => message.startsWith('OpenAI'));
    assert.deepEqual(openai?.fix, { url: 'https://platform.openai.com/api-keys' });
  });

  /** In milliseconds. */
  const SOON = 300;
  const PAGE = 'the response is a web page, perhaps of a network that you must log in to';
  const denied = answer(401, '{"detail":{"status":"missing_permissions"}}');
  const half: Respond = (_, response) => void response.writeHead(200).write('{"data":');
  const portal = answer(302, '', { location: 'https://portal.test/' });
  const unclear: [what: string, respond: Respond, why: string, deadlineMs?: number][] = [
    ['429', answer(429, '{}'), 'it received too many requests (HTTP 429)'],
    ['500', answer(500, `{"error":"${KEY}"}`), 'HTTP 500'],
    ['404', answer(404, '{}'), 'HTTP 404'],
    ['a redirect', portal, 'something redirects the request (HTTP 302)'],
    ["a captive portal's page", answer(200, '<html>Log in</html>'), PAGE],
    ["a firewall's page", answer(403, '\n<!doctype html>Blocked'), PAGE],
    ['text', answer(200, 'OK'), "the response isn't JSON"],
    ['a key with too few permissions', denied, 'the key may not be used for this check (HTTP 401)'],
    ['silence', () => {}, 'it did not respond in time', SOON],
    ['half a response', half, 'it did not respond in time', SOON],
    ['a closed connection', request => request.socket.resetAndDestroy(), 'the connection was closed'],
  ];
  for (const [what, respond, why, deadlineMs] of unclear) {
    it(`can't tell: ${what}`, async () => {
      const { findings, code } = await withProviders(respond, origin => tryAll(origin, greedyProject(), deadlineMs));
      assert.equal(code, 0);
      for (const { level, code: kind, message } of findings)
        assert.equal(`${level} ${kind}${message.slice(message.indexOf(': '))}`, `warning key-unknown: ${why}`);
      assert.equal(findings.length, keyTrials.length);
    });
  }

  it("can't tell: nobody listens", async () => {
    const { findings } = await tryAll('http://127.0.0.1:1');
    assert.match(findings.map(summarize)[0] ?? '', /^warning key-unknown: .*: it refused the connection/);
  });

  it("can't tell: the certificate isn't the provider's", async () => {
    const { findings } = await withProviders(likeProviders, origin => tryAll(origin), true);
    assert.match(findings.map(summarize)[0] ?? '', /its certificate can't be trusted \(\w+\)/);
  });

  it('reports a key that Google refuses with a 400', async () => {
    const respond = answer(400, '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}');
    const { findings } = await withProviders(respond, origin => tryAll(origin));
    const refused = findings.filter(({ code }) => code === 'key-refused').map(({ message }) => message);
    assert.deepEqual(refused, ['Google Gemini refuses GOOGLE_API_KEY: HTTP 400']);
  });

  it("doesn't try keys for another server, blank keys, placeholders, and keys that the code doesn't read", async () => {
    const services = { tts_service: 'cartesia_tts', stt_service: 'deepgram_stt' };
    const project = await filledProject(resolveFlags({ ...CASCADE, ...services }));
    const env = `OPENAI_API_KEY=${KEY}\nOPENAI_BASE_URL=http://localhost:8000\nDEEPGRAM_API_KEY=<key>\nGROQ_API_KEY=${KEY}\n`;
    const respond: Respond = () => assert.fail('A request was sent');
    const { findings } = await withProviders(respond, origin =>
      tryAll(origin, Promise.resolve({ ...project, 'server/.env': env })),
    );
    assert.deepEqual(findings.filter(({ group }) => group === 'providers').map(summarize), [
      "warning key-unknown: botcli couldn't tell whether OpenAI accepts OPENAI_API_KEY: OPENAI_BASE_URL names another server -> nothing to do",
    ]);
  });

  it('takes keys from the shell if .env leaves them empty', async () => {
    const project = { ...(await filledProject(resolveFlags(CASCADE))), 'server/.env': 'OPENAI_API_KEY=\n' };
    const settings = { options: { keys: true }, env: { OPENAI_API_KEY: KEY } };
    const { findings, stdout } = await withProviders(likeProviders, origin =>
      inTree(project, root => check(root, { ...settings, providers: { origin, deadlineMs: 5000 } })),
    );
    assert.deepEqual(findings, []);
    assert.match(stdout, /Providers: OpenAI: each accepts its key/);
  });
});
