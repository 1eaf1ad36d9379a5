import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { cloudSession, SECRET } from '../support/cloud-session.ts';

const CONFIG = '.config/botcli/config.json';
/** Nothing of the account in the environment. */
const env = { BOTCLI_TOKEN: '', BOTCLI_ORG: '' };
const two = { accounts: { [LOCAL_TOKEN]: [newOrganization('acme'), newOrganization('beta')] } };
const none = { accounts: { [LOCAL_TOKEN]: [] } };
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const login = 'cloud auth login --token-stdin';
const input = `${LOCAL_TOKEN}\n`;

describe('cloud auth', () => {
  it(
    'logs in, checks the token with one request, and out again',
    cloudSession({ env }, async ({ succeed, requests, directory, read, cloud }) => {
      assert.match(
        await succeed(login, { input }),
        /^✓ Logged in; the token is in .*config\.json\n {2}Organization: acme\n$/,
      );
      assert.deepEqual(requests(), ['GET /v1/organizations 200']);
      assert.deepEqual(JSON.parse(read(CONFIG)), { token: LOCAL_TOKEN, organization: 'acme', apiUrl: cloud.url });
      assert.deepEqual([mode(join(directory, CONFIG)), mode(join(directory, '.config/botcli'))], ['600', '700']);
      const whoami = await succeed('cloud auth whoami', { env: { BOTCLI_API_URL: '' } });
      assert.match(
        whoami,
        /^Account: {7}dev@example\.com\nOrganization: {2}acme\nAPI: .*\nToken from: .*config\.json\n$/,
      );
      assert.match(await succeed('cloud auth logout'), /^✓ Logged out; the token is gone from/);
      assert.deepEqual(JSON.parse(read(CONFIG)), {});
      assert.match(await succeed('cloud auth logout'), /^Nobody was logged in\n$/);
    }),
  );

  it(
    'out forgets the organization also where no token is stored',
    cloudSession({ cloud: two }, async ({ succeed, read }) => {
      await succeed('cloud organizations select beta');
      assert.deepEqual(JSON.parse(read(CONFIG)), { organization: 'beta' });
      assert.match(
        await succeed('cloud auth logout'),
        /^✓ Forgot the organization in .*config\.json; no token was there\n$/,
      );
      assert.deepEqual(JSON.parse(read(CONFIG)), {});
      await succeed('cloud organizations select beta');
      assert.equal(JSON.parse(await succeed('cloud auth logout --json')).logged_out, false);
      assert.deepEqual(JSON.parse(read(CONFIG)), {});
    }),
  );

  it(
    'as JSON',
    cloudSession({ env, cloud: two }, async ({ succeed, directory, cloud }) => {
      const config = join(directory, CONFIG);
      const result = { organizations: ['acme', 'beta'], organization: null, config };
      assert.deepEqual(JSON.parse(await succeed(`${login} --json`, { input })), result);
      assert.deepEqual(JSON.parse(await succeed('cloud organizations select beta --json')), { organization: 'beta' });
      assert.deepEqual(JSON.parse(await succeed('cloud auth whoami --json')), {
        user: 'dev@example.com',
        organization: 'beta',
        api_url: cloud.url,
        token: config,
      });
      assert.deepEqual(JSON.parse(await succeed('cloud organizations list --json')).organizations, [
        { name: 'acme', display_name: 'Acme', current: false },
        { name: 'beta', display_name: 'Beta', current: true },
      ]);
      assert.deepEqual(JSON.parse(await succeed('cloud auth logout --json')), { logged_out: true, config });
    }),
  );

  const refusals: [line: string, input: string | undefined, code: 1 | 2, message: RegExp][] = [
    ['cloud secrets list', undefined, 1, /^error: Nobody is logged in\n.*botcli cloud auth login\n.*BOTCLI_TOKEN/],
    ['cloud auth whoami', undefined, 1, /Nobody is logged in/],
    [
      'cloud auth login',
      undefined,
      2,
      /There is no terminal to ask on: .*\nPipe the token into .* --token-stdin, or set BOTCLI_TOKEN/,
    ],
    [login, '', 2, /This is no token: it is empty/],
    [login, `pcc_pat_${SECRET}\n${SECRET}\n`, 2, /This is no token/],
    [
      login,
      `sk_${SECRET}`,
      2,
      /This is a private API key \(sk_…\), which is for programs, not an account's\n.*pcc_pat_/,
    ],
    [login, `pk_${SECRET}`, 2, /This is a public API key/],
    [
      login,
      `pcc_pat_${SECRET}`,
      1,
      /The platform doesn't accept the token: Unauthorized\nNothing was stored\. A personal access token begins with/,
    ],
    [
      'cloud organizations select',
      undefined,
      2,
      /There is no terminal to ask on\nName it: botcli cloud organizations select NAME/,
    ],
  ];
  for (const [line, input, code, message] of refusals) {
    it(
      `refuses ${line} ${JSON.stringify(input ?? '').replaceAll(SECRET, '…')}`,
      cloudSession({ env }, async ({ fail, exists }) => {
        assert.match(await fail(code, line, { input }), message);
        assert(!exists(CONFIG));
      }),
    );
  }
});

describe('the organization', () => {
  it(
    'is the only one, and named',
    cloudSession({ env: { BOTCLI_ORG: '' } }, async ({ run }) => {
      assert.match((await run('cloud secrets list')).stderr, /^Organization: acme\n/);
    }),
  );

  it(
    'is never the first of several: typed, BOTCLI_ORG, chosen, or refused',
    cloudSession({ env, cloud: two }, async ({ run, fail, succeed, cloud }) => {
      const { stderr } = await run(login, { input });
      assert.equal(stderr, 'You have acme, beta. Choose one: botcli cloud organizations select acme\n');
      assert.match(
        await fail(2, 'cloud secrets list'),
        /No organization is chosen; this account has acme, beta\nChoose one with botcli cloud organizations select, or name it with -o/,
      );
      assert.match(
        await fail(1, 'cloud organizations select bta'),
        /no organization of that name\. Did you mean beta\?\nYou have acme, beta/,
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
      // Logging in again keeps what was chosen.
      assert.match(await succeed(login, { input }), /Organization: beta/);
    }),
  );

  it(
    'may be missing',
    cloudSession({ env: { BOTCLI_ORG: '' }, cloud: none }, async ({ fail, run }) => {
      assert.match(await fail(1, 'cloud secrets list'), /This account has no organization/);
      assert.equal((await run('cloud organizations list')).stderr, 'This account has no organization.\n');
    }),
  );
});

describe('the configuration file', () => {
  const config = JSON.stringify({ token: LOCAL_TOKEN, organization: 'acme', later: { kept: true } });

  it(
    'is closed to others, with a note',
    cloudSession({ env, files: { [CONFIG]: config } }, async ({ directory, run }) => {
      chmodSync(join(directory, CONFIG), 0o644);
      const { code, stderr } = await run('cloud secrets list');
      assert.equal(code, 0);
      assert.match(stderr, /config\.json was open to others and is closed to them now/);
      assert.equal(mode(join(directory, CONFIG)), '600');
      assert.doesNotMatch((await run('cloud secrets list')).stderr, /open to others/);
    }),
  );

  it(
    'keeps what a newer release wrote, and stays a symbolic link',
    cloudSession(
      { env, files: { 'real/there.json': config, [CONFIG]: '-> ../../real/there.json' } },
      async ({ directory, succeed, read }) => {
        await succeed('cloud organizations select acme');
        assert(lstatSync(join(directory, CONFIG)).isSymbolicLink());
        assert.deepEqual(JSON.parse(read('real/there.json')), JSON.parse(config));
        assert.equal(mode(join(directory, 'real/there.json')), '600');
      },
    ),
  );

  it(
    'is where BOTCLI_CONFIG or XDG_CONFIG_HOME says',
    cloudSession({ env, files: { 'etc/x': '' } }, async ({ succeed, exists, directory, tree }) => {
      await succeed(login, { input, env: { BOTCLI_CONFIG: 'mine.json' } });
      await succeed(login, { input, env: { XDG_CONFIG_HOME: join(directory, 'etc') } });
      await succeed(login, { input, env: { XDG_CONFIG_HOME: 'relative' } });
      assert.deepEqual(Object.keys(tree()).sort(), [CONFIG, 'etc/botcli/config.json', 'etc/x', 'mine.json']);
      assert(!exists('relative'));
    }),
  );

  it(
    'cannot be written below a file, which is said in plain language',
    cloudSession({ env, files: { 'notes.txt': '' } }, async ({ fail }) => {
      assert.match(
        await fail(1, login, { input, env: { BOTCLI_CONFIG: 'notes.txt/botcli/config.json' } }),
        /config\.json can't be written: part of its path is not a directory\nBOTCLI_CONFIG names another file/,
      );
    }),
  );

  it(
    'is nobody else’s business while it holds no token',
    cloudSession({ files: { [CONFIG]: '' } }, async ({ directory, run }) => {
      chmodSync(join(directory, CONFIG), 0o644);
      assert.equal((await run('cloud secrets list')).stderr, 'No secrets in organization acme.\n');
    }),
  );

  const broken: [name: string, content: string, problem: string][] = [
    ['no JSON', `{\n"token": "${SECRET}`, "it isn't valid JSON: it ends too soon"],
    ['JSON that breaks off', `{\n"token": "${SECRET}",\n`, "it isn't valid JSON: it ends too soon"],
    ['something else', `token = "${SECRET}"`, "it isn't valid JSON at line 1, column 2"],
    ['another type', `["${SECRET}"]`, 'it is no object'],
    ['a token that is none', `{"token": {"is": "${SECRET}"}}`, `"token" has to be a text that isn't empty`],
  ];
  for (const [name, content, problem] of broken) {
    const told = `config\\.json isn't a configuration of botcli: (?:${problem})`;
    it(
      `is refused as ${name}, and not quoted`,
      cloudSession({ env, files: { [CONFIG]: content } }, async ({ fail, directory }) => {
        assert.match(
          await fail(2, 'cloud secrets list'),
          new RegExp(`${told}\nMend it, or log in again, which replaces it: botcli cloud auth login\n$`),
        );
        assert.equal(readFileSync(join(directory, CONFIG), 'utf8'), content);
      }),
    );

    it(
      `is replaced by logging in, as ${name}, and emptied by logging out`,
      cloudSession({ env, files: { [CONFIG]: content } }, async ({ run, read, write }) => {
        const loggedIn = await run(login, { input });
        assert.equal(loggedIn.code, 0);
        assert.match(loggedIn.stderr, new RegExp(`${told}\\. It was replaced\\.\n$`));
        assert.equal(JSON.parse(read(CONFIG)).token, LOCAL_TOKEN);
        write(CONFIG, content);
        const loggedOut = await run('cloud auth logout');
        assert.match(loggedOut.stdout, /^✓ Logged out; nothing is in .*config\.json any more\n$/);
        assert.match(loggedOut.stderr, new RegExp(`${told}\\. It was emptied\\.\n$`));
        assert.equal(read(CONFIG), '{}\n');
      }),
    );

    it(
      `is in nobody's way who needs none, as ${name}`,
      cloudSession({ files: { [CONFIG]: content } }, async ({ run, fail }) => {
        const { code, stderr } = await run('cloud secrets list');
        assert.equal(code, 0);
        assert.match(stderr, new RegExp(`${told}\\. It isn't needed here\\.\nNo secrets in organization acme\\.\n$`));
        assert.equal((await run('cloud secrets list -o acme', { env: { BOTCLI_ORG: '' } })).code, 0);
        assert.match(await fail(2, 'cloud secrets list', { env: { BOTCLI_ORG: '' } }), new RegExp(told));
        assert.match(await fail(2, 'cloud organizations select acme'), new RegExp(told));
      }),
    );
  }

  it(
    'is named for what it says wrong, which the command line beats',
    cloudSession({ env, files: { [CONFIG]: config.replace('acme', 'a/b') } }, async ({ fail, succeed }) => {
      assert.match(
        await fail(2, 'cloud secrets list'),
        /The organization in .*config\.json is not the name of one\n.*organizations select, or name it with -o/,
      );
      await succeed('cloud secrets list -o acme');
      await succeed('cloud secrets list', { env: { BOTCLI_ORG: 'acme' } });
      await succeed('cloud auth whoami');
      await succeed('cloud organizations select acme');
      await succeed('cloud secrets list');
    }),
  );

  it(
    'is named for an address that can not be used',
    cloudSession(
      { env: { ...env, BOTCLI_API_URL: '' }, files: { [CONFIG]: `{"token":"${LOCAL_TOKEN}","apiUrl":"http://x"}` } },
      async ({ fail }) => {
        assert.match(await fail(2, 'cloud secrets list'), /The API's address in .*config\.json can't be used\n/);
      },
    ),
  );

  it(
    'is no directory and no device',
    cloudSession({ env, files: { 'dir/x': '' } }, async ({ fail }) => {
      for (const path of ['dir', '/dev/null']) {
        assert.match(await fail(2, login, { input, env: { BOTCLI_CONFIG: path } }), /is no file\nSee BOTCLI_CONFIG/);
      }
      assert(statSync('/dev/null').isCharacterDevice());
    }),
  );
});
