import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { cloudSession, SECRET } from '../support/cloud-session.ts';

const CONFIG = '.config/botcli/config.json';
/** No account in the environment. */
const env = { BOTCLI_TOKEN: '', BOTCLI_ORG: '' };
const two = { accounts: { [LOCAL_TOKEN]: [newOrganization('acme'), newOrganization('beta')] } };
const none = { accounts: { [LOCAL_TOKEN]: [] } };
const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
const login = 'cloud auth login --token-stdin';
const input = `${LOCAL_TOKEN}\n`;

describe('cloud auth', () => {
  it(
    'logs in with one request to check the token, and logs out',
    cloudSession({ env }, async ({ succeed, requests, directory, read, cloud }) => {
      assert.match(
        await succeed(login, { input }),
        /^✓ Logged in\. The token is stored in .*config\.json\n {2}Organization: acme\n$/,
      );
      assert.deepEqual(requests(), ['GET /v1/organizations 200']);
      assert.deepEqual(JSON.parse(read(CONFIG)), { token: LOCAL_TOKEN, organization: 'acme', apiUrl: cloud.url });
      assert.deepEqual([mode(join(directory, CONFIG)), mode(join(directory, '.config/botcli'))], ['600', '700']);
      const whoami = await succeed('cloud auth whoami', { env: { BOTCLI_API_URL: '' } });
      assert.match(
        whoami,
        /^Account: {7}dev@example\.com\nOrganization: {2}acme\nAPI: .*\nToken from: .*config\.json\n$/,
      );
      assert.match(await succeed('cloud auth logout'), /^✓ Logged out\. The token was removed from/);
      assert.deepEqual(JSON.parse(read(CONFIG)), {});
      assert.match(await succeed('cloud auth logout'), /^You weren't logged in\n$/);
    }),
  );

  it(
    'logs out by removing the organization, even if no token is stored',
    cloudSession({ cloud: two }, async ({ succeed, read }) => {
      await succeed('cloud organizations select beta');
      assert.deepEqual(JSON.parse(read(CONFIG)), { organization: 'beta' });
      assert.match(
        await succeed('cloud auth logout'),
        /^✓ Removed the organization from .*config\.json; no token was stored there\n$/,
      );
      assert.deepEqual(JSON.parse(read(CONFIG)), {});
      await succeed('cloud organizations select beta');
      assert.equal(JSON.parse(await succeed('cloud auth logout --json')).logged_out, false);
      assert.deepEqual(JSON.parse(read(CONFIG)), {});
    }),
  );

  it(
    'prints results as JSON',
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
    ['cloud secrets list', undefined, 1, /^error: You aren't logged in\n.*botcli cloud auth login\n.*BOTCLI_TOKEN/],
    ['cloud auth whoami', undefined, 1, /You aren't logged in/],
    [
      'cloud auth login',
      undefined,
      2,
      /botcli can't ask, because this isn't a terminal: .*\nPipe the token into .* --token-stdin, or set BOTCLI_TOKEN/,
    ],
    [login, '', 2, /This isn't a token: it is empty/],
    [login, `pcc_pat_${SECRET}\n${SECRET}\n`, 2, /This isn't a token/],
    [
      login,
      `sk_${SECRET}`,
      2,
      /This is a private API key \(sk_…\), which is for programs, not a personal access token\n.*pcc_pat_/,
    ],
    [login, `pk_${SECRET}`, 2, /This is a public API key/],
    [
      login,
      `pcc_pat_${SECRET}`,
      1,
      /The platform rejected the token: Unauthorized\nNothing was stored\. A personal access token begins with/,
    ],
    [
      'cloud organizations select',
      undefined,
      2,
      /botcli can't ask, because this isn't a terminal\nPass its name: botcli cloud organizations select NAME/,
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
    'defaults to the only one, and is printed',
    cloudSession({ env: { BOTCLI_ORG: '' } }, async ({ run }) => {
      assert.match((await run('cloud secrets list')).stderr, /^Organization: acme\n/);
    }),
  );

  it(
    'must be passed, set in BOTCLI_ORG, or selected if there are several',
    cloudSession({ env, cloud: two }, async ({ run, fail, succeed, cloud }) => {
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
    }),
  );

  it(
    'may not exist',
    cloudSession({ env: { BOTCLI_ORG: '' }, cloud: none }, async ({ fail, run }) => {
      assert.match(await fail(1, 'cloud secrets list'), /This account has no organizations/);
      assert.equal((await run('cloud organizations list')).stderr, 'This account has no organizations.\n');
    }),
  );
});

describe('the configuration file', () => {
  const config = JSON.stringify({ token: LOCAL_TOKEN, organization: 'acme', later: { kept: true } });

  it(
    'is restricted to its owner, with a note',
    cloudSession({ env, files: { [CONFIG]: config } }, async ({ directory, run }) => {
      chmodSync(join(directory, CONFIG), 0o644);
      const { code, stderr } = await run('cloud secrets list');
      assert.equal(code, 0);
      assert.match(
        stderr,
        /config\.json was readable by other users\. Now only you can read it\. Anyone who read it before has your token\./,
      );
      assert.equal(mode(join(directory, CONFIG)), '600');
      assert.doesNotMatch((await run('cloud secrets list')).stderr, /readable by other users/);
    }),
  );

  it(
    'keeps unknown keys, and stays a symbolic link',
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
    'is in the location that BOTCLI_CONFIG or XDG_CONFIG_HOME sets',
    cloudSession({ env, files: { 'etc/x': '' } }, async ({ succeed, exists, directory, tree }) => {
      await succeed(login, { input, env: { BOTCLI_CONFIG: 'mine.json' } });
      await succeed(login, { input, env: { XDG_CONFIG_HOME: join(directory, 'etc') } });
      await succeed(login, { input, env: { XDG_CONFIG_HOME: 'relative' } });
      assert.deepEqual(Object.keys(tree()).sort(), [CONFIG, 'etc/botcli/config.json', 'etc/x', 'mine.json']);
      assert(!exists('relative'));
    }),
  );

  it(
    "can't be written below a file, and says why",
    cloudSession({ env, files: { 'notes.txt': '' } }, async ({ fail }) => {
      assert.match(
        await fail(1, login, { input, env: { BOTCLI_CONFIG: 'notes.txt/botcli/config.json' } }),
        /config\.json can't be written: part of its path is not a directory\nSet BOTCLI_CONFIG to use another file/,
      );
    }),
  );

  it(
    'keeps its permissions if it has no token',
    cloudSession({ files: { [CONFIG]: '' } }, async ({ directory, run }) => {
      chmodSync(join(directory, CONFIG), 0o644);
      assert.equal((await run('cloud secrets list')).stderr, 'No secrets in organization acme.\n');
    }),
  );

  const broken: [name: string, content: string, problem: string][] = [
    ['invalid JSON', `{\n"token": "${SECRET}`, "it isn't valid JSON: it ends too soon"],
    ['truncated JSON', `{\n"token": "${SECRET}",\n`, "it isn't valid JSON: it ends too soon"],
    ['another format', `token = "${SECRET}"`, "it isn't valid JSON at line 1, column 2"],
    ['an array', `["${SECRET}"]`, "it isn't a JSON object"],
    ['a token that is not a string', `{"token": {"is": "${SECRET}"}}`, `"token" must be a non-empty string`],
  ];
  for (const [name, content, problem] of broken) {
    const message = `config\\.json isn't a valid botcli config file: (?:${problem})`;
    it(
      `is refused and not quoted if it contains ${name}`,
      cloudSession({ env, files: { [CONFIG]: content } }, async ({ fail, directory }) => {
        assert.match(
          await fail(2, 'cloud secrets list'),
          new RegExp(`${message}\nFix it, or log in again to replace it: botcli cloud auth login\n$`),
        );
        assert.equal(readFileSync(join(directory, CONFIG), 'utf8'), content);
      }),
    );

    it(
      `with ${name} is replaced by logging in and cleared by logging out`,
      cloudSession({ env, files: { [CONFIG]: content } }, async ({ run, read, write }) => {
        const loggedIn = await run(login, { input });
        assert.equal(loggedIn.code, 0);
        assert.match(loggedIn.stderr, new RegExp(`${message}\\. It was replaced\\.\n$`));
        assert.equal(JSON.parse(read(CONFIG)).token, LOCAL_TOKEN);
        write(CONFIG, content);
        const loggedOut = await run('cloud auth logout');
        assert.match(loggedOut.stdout, /^✓ Logged out\. .*config\.json is empty now\n$/);
        assert.match(loggedOut.stderr, new RegExp(`${message}\\. It was cleared\\.\n$`));
        assert.equal(read(CONFIG), '{}\n');
      }),
    );

    it(
      `with ${name} is ignored if it is not needed`,
      cloudSession({ files: { [CONFIG]: content } }, async ({ run, fail }) => {
        const { code, stderr } = await run('cloud secrets list');
        assert.equal(code, 0);
        assert.match(
          stderr,
          new RegExp(`${message}\\. This command doesn't need it\\.\nNo secrets in organization acme\\.\n$`),
        );
        assert.equal((await run('cloud secrets list -o acme', { env: { BOTCLI_ORG: '' } })).code, 0);
        assert.match(await fail(2, 'cloud secrets list', { env: { BOTCLI_ORG: '' } }), new RegExp(message));
        assert.match(await fail(2, 'cloud organizations select acme'), new RegExp(message));
      }),
    );
  }

  it(
    'is named if its organization is invalid, and the command line overrides it',
    cloudSession({ env, files: { [CONFIG]: config.replace('acme', 'a/b') } }, async ({ fail, succeed }) => {
      assert.match(
        await fail(2, 'cloud secrets list'),
        /The organization in .*config\.json isn't a valid name\n.*organizations select, or pass it with -o/,
      );
      await succeed('cloud secrets list -o acme');
      await succeed('cloud secrets list', { env: { BOTCLI_ORG: 'acme' } });
      await succeed('cloud auth whoami');
      await succeed('cloud organizations select acme');
      await succeed('cloud secrets list');
    }),
  );

  it(
    'is named if its address is invalid',
    cloudSession(
      { env: { ...env, BOTCLI_API_URL: '' }, files: { [CONFIG]: `{"token":"${LOCAL_TOKEN}","apiUrl":"http://x"}` } },
      async ({ fail }) => {
        assert.match(await fail(2, 'cloud secrets list'), /The API address in .*config\.json isn't valid\n/);
      },
    ),
  );

  it(
    'must not be a directory or a device',
    cloudSession({ env, files: { 'dir/x': '' } }, async ({ fail }) => {
      for (const path of ['dir', '/dev/null']) {
        assert.match(
          await fail(2, login, { input, env: { BOTCLI_CONFIG: path } }),
          /isn't a regular file\nMove it away, or set BOTCLI_CONFIG/,
        );
      }
      assert(statSync('/dev/null').isCharacterDevice());
    }),
  );
});
