import assert from 'node:assert/strict';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { type CloudSession, cloudIt, cloudItWith } from '../support/cloud-session.ts';
import { typeLine } from '../support/session.ts';
import { runShell } from '../support/shell.ts';

// Which API a command talks to, with which token, and where it says so.

const CONFIG = '.config/botcli/config.json';
const DEFAULT = 'https://api.pipecat.daily.co';
/** No account in the environment. */
const env = { BOTCLI_TOKEN: '', BOTCLI_ORG: '' };
const files = { [CONFIG]: '' };
const login = 'cloud auth login --token-stdin';
const input = `${LOCAL_TOKEN}\n`;
/** A port where nothing listens. */
const NOWHERE = 'http://127.0.0.1:1';

const storedIt = cloudItWith(() => ({ env, files }));

const store = ({ write }: CloudSession, config: object) => write(CONFIG, JSON.stringify(config));
const storedIn = ({ read }: CloudSession) => JSON.parse(read(CONFIG));
/** Runs a line and returns its whole output, with the lines that name the API. */
const type = async ({ directory, env }: CloudSession, line: string, more: Record<string, string> = {}) => {
  const { stdout, stderr } = await typeLine(directory, line, { input, env: { ...env, ...more } });
  return stdout + stderr;
};

describe('the stored token', () => {
  /** What is stored, which address BOTCLI_API_URL names, and whether the token goes there. `HERE` is the local cloud. */
  const bindings: [stored: { apiUrl?: string }, variable: string, isUsed: boolean][] = [
    [{ apiUrl: 'HERE' }, '', true],
    [{ apiUrl: 'HERE' }, 'HERE', true],
    [{ apiUrl: 'HERE/' }, 'HERE', true],
    [{ apiUrl: 'HERE' }, 'HERE///', true],
    [{}, 'HERE', false],
    [{ apiUrl: DEFAULT }, 'HERE', false],
    [{ apiUrl: NOWHERE }, 'HERE', false],
    [{ apiUrl: 'ftp://u:p@x' }, 'HERE', false],
    [{ apiUrl: 'HERE' }, DEFAULT, false],
    [{ apiUrl: 'HERE' }, 'https://api.pipecat.daily.co.evil.test', false],
  ];
  const elsewhere =
    /^error: You aren't logged in to https?:\S+( \(from BOTCLI_API_URL\))?: the stored token is for \S.*\n.*unset BOTCLI_API_URL\.\n.*set BOTCLI_TOKEN, or replace the stored token: botcli cloud auth login\n$/;
  for (const [{ apiUrl }, variable, isUsed] of bindings) {
    const goes = `${isUsed ? 'goes' : "doesn't go"} to ${variable || 'its address'}`;
    storedIt(`${goes} if stored for ${apiUrl}`, async session => {
      const { cloud, succeed, fail } = session;
      const here = (text: string) => text.replace('HERE', cloud.url);
      store(session, { token: LOCAL_TOKEN, organization: 'acme', ...(apiUrl ? { apiUrl: here(apiUrl) } : {}) });
      const surroundings = { env: { BOTCLI_API_URL: here(variable) } };
      if (isUsed) await succeed('cloud secrets list', surroundings);
      else {
        for (const line of ['secrets list', 'secrets set demo A=1 --skip', 'organizations select x'])
          assert.match(await fail(1, `cloud ${line}`, surroundings), elsewhere);
      }
      assert.equal(cloud.requests().length, isUsed ? 1 : 0);
    });
  }

  const unnamed = { env: { ...env, BOTCLI_API_URL: '', BOTCLI_HTTP_TIMEOUT: '5' }, files };
  cloudIt('goes to the default API, which is not named, if the file has no address', unnamed, async session => {
    store(session, { token: LOCAL_TOKEN, organization: 'acme' });
    // No request leaves this machine.
    const surroundings = { cwd: session.directory, env: { ...session.env, HTTPS_PROXY: NOWHERE } };
    const { stderr } = await runShell('botcli cloud secrets list', surroundings);
    assert.match(stderr, /^error: Can't reach the proxy 127\.0\.0\.1:1 \(from HTTPS_PROXY\)/);
    assert.doesNotMatch(stderr, /The API is/);
  });

  const withToken = { env: { BOTCLI_ORG: '' }, files };
  cloudIt("isn't needed with BOTCLI_TOKEN, and its organization isn't used then", withToken, async session => {
    store(session, { token: 'pcc_pat_other', organization: 'elsewhere', apiUrl: NOWHERE });
    const said = 'Organization: acme\nNo secrets in organization acme.\n';
    assert.equal(await type(session, 'cloud secrets list'), said);
  });

  const withoutAddress = { env: { BOTCLI_API_URL: '' }, files };
  cloudIt('shares its address with BOTCLI_TOKEN, and says so', withoutAddress, async session => {
    const { url } = session.cloud;
    store(session, { token: 'pcc_pat_other', apiUrl: url });
    const shared = new RegExp(`^BOTCLI_TOKEN is used with ${url} \\(from \\S+config\\.json\\)\\.\nNo secrets in`);
    assert.match(await type(session, 'cloud secrets list'), shared);
  });

  cloudIt('keeps its organization', withToken, async session => {
    store(session, { token: 'pcc_pat_other', organization: 'elsewhere', apiUrl: NOWHERE });
    assert.match(
      await session.fail(2, 'cloud organizations select acme'),
      /^error: The login in .*config\.json isn't for http:.* \(from BOTCLI_API_URL\), so nothing was stored there\nPass the organization with -o, or set BOTCLI_ORG\.\n$/,
    );
  });
});

describe('an API other than the default one', () => {
  storedIt('is named and stored when you log in to it', async session => {
    const { cloud } = session;
    assert.match(await type(session, login), new RegExp(`^✓ Logged in to ${cloud.url}\\. The token is stored in `));
    assert.equal(storedIn(session).apiUrl, cloud.url);
    assert.match(await type(session, 'cloud auth whoami'), new RegExp(`\nAPI: {11}${cloud.url}\n`));
  });

  const stays = { env: { ...env, BOTCLI_API_URL: '' }, files };
  cloudIt('stays until you log out, and logins say so', stays, async session => {
    const { url } = session.cloud;
    store(session, { apiUrl: url });
    const [first, , last] = (await type(session, login)).split('\n');
    assert.match(first ?? '', new RegExp(`^✓ Logged in to ${url}\\.`));
    const source = `This login is for ${url} \\(from \\S+config\\.json\\)`;
    assert.match(last ?? '', new RegExp(`^${source}\\. To use the default API, log out first\\.$`));
    await session.succeed('cloud auth logout');
    assert.deepEqual(storedIn(session), {});
  });

  storedIt('gets its own token: logging in to it replaces the stored one, and says so', async session => {
    store(session, { token: 'pcc_pat_other', organization: 'acme' });
    assert.match(await type(session, login), new RegExp(`\nIt replaced the stored token for ${DEFAULT}\\.\n$`));
    store(session, { token: LOCAL_TOKEN, organization: 'acme', apiUrl: NOWHERE });
    assert.match(await type(session, login), new RegExp(`\nIt replaced the stored token for ${NOWHERE}\\.\n$`));
    assert.equal(storedIn(session).apiUrl, session.cloud.url);
  });

  const changes: [line: string, first: RegExp][] = [
    ['cloud secrets set demo A=2 --skip', /demo in organization acme, region us-west: replacing A/],
    ['cloud secrets unset demo A --skip', /demo in organization acme, region us-west: removing A/],
    ['cloud secrets delete demo --skip', /demo in organization acme, region us-west: its key/],
    ['cloud secrets image-pull-secret hub ghcr.io me:token', /Credentials on the command line/],
  ];
  for (const [line, first] of changes) {
    cloudIt(`is named before ${line}`, {}, async session => {
      await session.succeed('cloud secrets set demo A=1 --skip');
      const { stderr } = await typeLine(session.directory, line, { env: session.env });
      assert.match(stderr, new RegExp(`^API: ${session.cloud.url} \\(from BOTCLI_API_URL\\)\n${first.source}`));
    });
  }

  const failures: [line: string, message: RegExp][] = [
    ['cloud secrets list -o other', /no access to organization other/],
    ['cloud secrets list nowhere', /There is no secret "nowhere"/],
    ['cloud secrets set a A=1 -r mars --skip', /no region "mars"/],
  ];
  for (const [line, message] of failures) {
    cloudIt(`is named if ${line} fails`, {}, async session => {
      const { stderr } = await typeLine(session.directory, line, { env: session.env });
      assert.match(stderr, message);
      assert.match(stderr, new RegExp(`\nThe API is ${session.cloud.url} \\(from BOTCLI_API_URL\\)\\.\n$`));
      const { stdout } = await typeLine(session.directory, `${line} --json`, { env: session.env });
      assert(JSON.parse(stdout).error.hint.includes(session.cloud.url));
    });
  }

  storedIt('is named with the place that sets it if it is down', async session => {
    store(session, { token: LOCAL_TOKEN, organization: 'acme', apiUrl: NOWHERE });
    const down = /^error: Can't reach 127\.0\.0\.1:1: connection refused .*\nCheck the network\. .*HTTPS_PROXY\.\n/;
    for (const [variable, place] of [
      ['', '\\S+config\\.json'],
      [NOWHERE, 'BOTCLI_API_URL'],
    ] as const) {
      const output = await type(session, 'cloud secrets list', { BOTCLI_API_URL: variable });
      assert.match(output, down);
      assert.match(output, new RegExp(`\nThe API is ${NOWHERE} \\(from ${place}\\)\\.\n$`));
      assert.equal(output.includes('BOTCLI_API_URL'), variable !== '');
    }
  });
});
