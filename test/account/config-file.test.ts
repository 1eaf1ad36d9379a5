import assert from 'node:assert/strict';
import { chmodSync, lstatSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { type CloudSession, cloudSession, SECRET } from '../support/cloud-session.ts';
import { runShell } from '../support/shell.ts';
import { assertMode, posixIt } from '../support/systems.ts';

const CONFIG = '.config/botcli/config.json';
/** No account in the environment. */
const env = { BOTCLI_TOKEN: '', BOTCLI_ORG: '' };
const login = 'cloud auth login --token-stdin';
const input = `${LOCAL_TOKEN}\n`;

/** A login at the session's cloud, as the file stores it, with a key that a newer release may add. */
const stored = ({ cloud }: CloudSession, more = {}) =>
  JSON.stringify({ token: LOCAL_TOKEN, organization: 'acme', apiUrl: cloud.url, later: { kept: true }, ...more });

describe('the configuration file', () => {
  posixIt(
    'is restricted to its owner, with a note',
    cloudSession({ env, files: { [CONFIG]: '' } }, async session => {
      const { directory, run, write } = session;
      write(CONFIG, stored(session));
      chmodSync(join(directory, CONFIG), 0o644);
      const { code, stderr } = await run('cloud secrets list');
      assert.equal(code, 0);
      assert.match(
        stderr,
        /config\.json was readable by other users\. Now only you can read it\. Anyone who read it before has your token\./,
      );
      assertMode(join(directory, CONFIG), '600');
      assert.doesNotMatch((await run('cloud secrets list')).stderr, /readable by other users/);
    }),
  );

  it(
    'keeps unknown keys',
    cloudSession({ env, files: { [CONFIG]: '' } }, async session => {
      const { succeed, read, write } = session;
      write(CONFIG, stored(session, { organization: 'old' }));
      await succeed('cloud organizations select acme');
      assert.deepEqual(JSON.parse(read(CONFIG)), JSON.parse(stored(session)));
      await succeed('cloud auth logout');
      assert.deepEqual(JSON.parse(read(CONFIG)), { later: { kept: true } });
      await succeed(login, { input });
      assert.deepEqual(JSON.parse(read(CONFIG)), JSON.parse(stored(session)));
    }),
  );

  const links: [name: string, files: Record<string, string>][] = [
    ['a link', { 'real/there.json': '', [CONFIG]: '-> ../../real/there.json' }],
    ['a link to a missing file', { 'real/x': '', [CONFIG]: '-> ../../real/there.json' }],
    ['a link to a file in a missing directory', { [CONFIG]: '-> ../../real/there.json' }],
    ['a link to a link', { [CONFIG]: '-> ../../one', one: '-> real/there.json' }],
  ];
  for (const [name, files] of links) {
    it(
      `stays ${name}`,
      cloudSession({ env, files }, async ({ directory, succeed, read }) => {
        await succeed(login, { input });
        assert(lstatSync(join(directory, CONFIG)).isSymbolicLink());
        assert.equal(JSON.parse(read('real/there.json')).token, LOCAL_TOKEN);
        assertMode(join(directory, 'real/there.json'), '600');
        await succeed('cloud auth logout');
        assert(lstatSync(join(directory, CONFIG)).isSymbolicLink());
        assert.equal(read('real/there.json'), '{}\n');
      }),
    );
  }

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
    'is never below the working directory because HOME is relative',
    cloudSession({ env: { ...env, HOME: 'home' } }, async ({ fail, succeed, cloud }) => {
      for (const line of [login, 'cloud auth logout', 'cloud secrets list']) {
        assert.match(
          await fail(2, line, { input }),
          /^error: HOME isn't an absolute path\n.*Set HOME to your home directory, or BOTCLI_CONFIG to a file\.\n$/,
        );
      }
      assert.deepEqual(cloud.requests(), []);
      await succeed('cloud secrets list', { env: { BOTCLI_TOKEN: LOCAL_TOKEN, BOTCLI_ORG: 'acme' } });
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

  const full: [line: string, hint: string][] = [
    [`echo "$TOKEN" | botcli ${login}`, 'Set BOTCLI_CONFIG to use another file, or set BOTCLI_TOKEN and .*'],
    ['botcli cloud organizations select acme', 'Set BOTCLI_CONFIG to use another file, or set BOTCLI_TOKEN and .*'],
    ['botcli cloud auth logout', 'To log out without it, delete this file\\.'],
  ];
  for (const [line, hint] of full) {
    posixIt(
      `stays whole if the disk fills up: ${line}`,
      cloudSession({ env, files: { [CONFIG]: '' } }, async session => {
        const { directory, write, tree } = session;
        write(CONFIG, stored(session, { later: 'x'.repeat(3000) }));
        const before = tree();
        // No file can grow beyond this limit. As on a full disk, a part of the text is written first.
        const { code, stdout, stderr } = await runShell(`ulimit -f 2; ${line}`, {
          cwd: directory,
          env: { ...session.env, TOKEN: LOCAL_TOKEN },
        });
        assert.deepEqual([code, stdout], [1, ''], stderr);
        assert.match(stderr, new RegExp(`^error: .*config\\.json can't be written: file too large\n${hint}\n$`));
        assert.deepEqual(tree(), before);
      }),
    );
  }

  posixIt(
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
    ['a token that is empty', '{"token": "", "apiUrl": 1}', `"token", "apiUrl" must be a non-empty string`],
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
      `with ${name} is replaced by logging in, and cleared by logging out`,
      cloudSession({ env, files: { [CONFIG]: content } }, async ({ run, read, write, tree }) => {
        const loggedIn = await run(login, { input });
        assert.equal(loggedIn.code, 0, loggedIn.stderr);
        assert.match(loggedIn.stderr, new RegExp(`${message}\\. It was replaced\\.\n$`));
        assert.equal(JSON.parse(read(CONFIG)).token, LOCAL_TOKEN);
        write(CONFIG, content);
        const loggedOut = await run('cloud auth logout');
        assert.match(loggedOut.stdout, /^✓ Logged out\. .*config\.json is empty now\n$/);
        assert.match(loggedOut.stderr, new RegExp(`${message}\\. It was cleared\\.\n$`));
        assert.deepEqual(tree(), { [CONFIG]: '{}\n' });
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
    cloudSession({ env, files: { [CONFIG]: '' } }, async session => {
      const { fail, succeed, write } = session;
      write(CONFIG, stored(session, { organization: 'a/b' }));
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

  for (const [test, about, path] of [
    [it, 'a directory', 'dir'],
    [posixIt, 'a device', '/dev/null'],
  ] as const) {
    test(
      `must not be ${about}`,
      cloudSession({ env, files: { 'dir/x': '' } }, async ({ fail }) => {
        assert.match(
          await fail(2, login, { input, env: { BOTCLI_CONFIG: path } }),
          /isn't a regular file\nMove it away, or set BOTCLI_CONFIG/,
        );
        if (path === '/dev/null') assert(statSync(path).isCharacterDevice());
      }),
    );
  }

  const foreign: [path: string, content: string][] = [
    ['notes.txt', 'buy milk\n'],
    ['.bashrc', `export TOKEN=${SECRET}\n`],
    ['hosts', '127.0.0.1 localhost\n'],
    ['package.json', '{ "name": "x", "dependencies": { "token": "1" } }'],
    ['list.json', `["${SECRET}"]`],
    ['latin1.txt', 'caf\u00e9'],
  ];
  const commands = [login, 'cloud auth logout', 'cloud auth whoami', 'cloud organizations select acme'];
  for (const [path, content] of foreign) {
    it(
      `is never ${path}, whatever BOTCLI_CONFIG says`,
      cloudSession(
        { env: { ...env, BOTCLI_CONFIG: path }, files: { [path]: content } },
        async ({ fail, run, disk }) => {
          for (const line of [...commands, 'cloud secrets list']) {
            assert.match(
              await fail(2, line, { input }),
              /^error: \S+ isn't a botcli config file, so botcli leaves it unchanged\nMove it away, or set BOTCLI_CONFIG to another path\.\n$/,
            );
          }
          const before = disk();
          const unneeded = { env: { BOTCLI_TOKEN: LOCAL_TOKEN, BOTCLI_ORG: 'acme' } };
          assert.match(
            (await run('cloud secrets list', unneeded)).stderr,
            /leaves it unchanged\. This command doesn't need it\./,
          );
          assert.deepEqual(disk(), before);
        },
      ),
    );
  }

  it(
    'is never a foreign file that a link leads to',
    cloudSession({ env, files: { '.bashrc': 'export A=1\n', [CONFIG]: '-> ../../.bashrc' } }, async ({ fail }) => {
      for (const line of commands) assert.match(await fail(2, line, { input }), /isn't a botcli config file/);
    }),
  );

  it(
    'may be empty, such as one from mktemp',
    cloudSession({ env: { ...env, BOTCLI_CONFIG: 'tmp.x' }, files: { 'tmp.x': '\n' } }, async ({ succeed, read }) => {
      await succeed(login, { input });
      assert.equal(JSON.parse(read('tmp.x')).token, LOCAL_TOKEN);
    }),
  );

  it(
    'is not read if it is larger than 1 MiB',
    cloudSession({ env, files: { [CONFIG]: '' } }, async ({ directory, run }) => {
      // A sparse file that doesn't fit into memory.
      truncateSync(join(directory, CONFIG), 2 ** 32);
      for (const line of commands) {
        const { code, stderr } = await run(line, { input });
        assert.equal(code, 2);
        assert.match(stderr, /config\.json is larger than 1 MiB, so it isn't a botcli config file\nMove it away/);
      }
    }),
  );
});
