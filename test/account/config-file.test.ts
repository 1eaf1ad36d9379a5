import assert from 'node:assert/strict';
import { chmodSync, lstatSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { configPath } from '../../src/account/user-config.ts';
import { type CloudSession, cloudIt, cloudItWith, cloudSession, SECRET } from '../support/cloud-session.ts';
import { runShell } from '../support/shell.ts';
import { assertMode, posixIt } from '../support/systems.ts';

const CONFIG = '.config/botcli/config.json';
/** No account in the environment. */
const env = { BOTCLI_TOKEN: '', BOTCLI_ORG: '' };
const login = 'cloud auth login --token-stdin';
const input = `${LOCAL_TOKEN}\n`;
const commands = [login, 'cloud auth logout', 'cloud auth whoami', 'cloud organizations select acme'];
/** An account for which the file isn't needed. */
const account = { BOTCLI_TOKEN: LOCAL_TOKEN, BOTCLI_ORG: 'acme' };

/** A login at the session's cloud, as the file stores it, with a key that a newer release may add. */
const stored = ({ cloud }: CloudSession, more = {}) =>
  JSON.stringify({ token: LOCAL_TOKEN, organization: 'acme', apiUrl: cloud.url, later: { kept: true }, ...more });

const start = { env, files: { [CONFIG]: '' } };
const configIt = cloudItWith(() => start);

describe('the configuration file', () => {
  const restricted = async (session: CloudSession) => {
    const { directory, run, write } = session;
    write(CONFIG, stored(session));
    chmodSync(join(directory, CONFIG), 0o644);
    const { code, stderr } = await run('cloud secrets list');
    assert.equal(code, 0);
    const note = 'was readable by other users. Now only you can read it. Anyone who read it before has your token.';
    assert(stderr.includes(`config.json ${note}`), stderr);
    assertMode(join(directory, CONFIG), '600');
    assert.doesNotMatch((await run('cloud secrets list')).stderr, /readable by other users/);
  };
  posixIt('is restricted to its owner, with a note', cloudSession(start, restricted));

  configIt('keeps unknown keys', async session => {
    const { succeed, read, write } = session;
    write(CONFIG, stored(session, { organization: 'old' }));
    await succeed('cloud organizations select acme');
    assert.deepEqual(JSON.parse(read(CONFIG)), JSON.parse(stored(session)));
    await succeed('cloud auth logout');
    assert.deepEqual(JSON.parse(read(CONFIG)), { later: { kept: true } });
    await succeed(login, { input });
    assert.deepEqual(JSON.parse(read(CONFIG)), JSON.parse(stored(session)));
  });

  const links: [name: string, files: Record<string, string>][] = [
    ['a link', { 'real/there.json': '', [CONFIG]: '-> ../../real/there.json' }],
    ['a link to a link', { [CONFIG]: '-> ../../one', one: '-> real/there.json', 'real/there.json': '' }],
  ];
  for (const [name, files] of links) {
    cloudIt(`stays ${name}`, { env, files }, async ({ directory, succeed, read }) => {
      await succeed(login, { input });
      assert(lstatSync(join(directory, CONFIG)).isSymbolicLink());
      assert.equal(JSON.parse(read('real/there.json')).token, LOCAL_TOKEN);
      assertMode(join(directory, 'real/there.json'), '600');
      await succeed('cloud auth logout');
      assert(lstatSync(join(directory, CONFIG)).isSymbolicLink());
      assert.equal(read('real/there.json'), '{}\n');
    });
  }

  const places = { env, files: { 'etc/x': '' } };
  cloudIt('is where BOTCLI_CONFIG or XDG_CONFIG_HOME says', places, async ({ succeed, exists, directory, tree }) => {
    await succeed(login, { input, env: { BOTCLI_CONFIG: 'mine.json' } });
    await succeed(login, { input, env: { XDG_CONFIG_HOME: join(directory, 'etc') } });
    await succeed(login, { input, env: { XDG_CONFIG_HOME: 'relative' } });
    assert.deepEqual(Object.keys(tree()).sort(), [CONFIG, 'etc/botcli/config.json', 'etc/x', 'mine.json']);
    assert(!exists('relative'));
  });

  it('is never below the working directory because HOME is relative', () => {
    assert(!configPath({ env: { HOME: 'home' }, cwd: '/work' }).startsWith('/work'));
  });

  cloudIt("can't be written below a file, and says why", { env, files: { 'notes.txt': '' } }, async ({ fail }) => {
    assert.match(
      await fail(1, login, { input, env: { BOTCLI_CONFIG: 'notes.txt/botcli/config.json' } }),
      /config\.json can't be written: part of its path is not a directory\nSet BOTCLI_CONFIG to use another file/,
    );
  });

  const full = async (session: CloudSession) => {
    const { directory: cwd, write, tree } = session;
    write(CONFIG, stored(session, { later: 'x'.repeat(3000) }));
    const before = tree();
    // No file can grow beyond this limit. As on a full disk, a part of the text is written first.
    const line = 'ulimit -f 2; botcli cloud organizations select acme';
    const { code, stdout, stderr } = await runShell(line, { ...session, cwd });
    assert.deepEqual([code, stdout], [1, ''], stderr);
    const reason = /^error: .*config\.json can't be written: file too large\nSet BOTCLI_CONFIG to use another file/;
    assert.match(stderr, reason);
    assert.deepEqual(tree(), before);
  };
  posixIt('stays whole if the disk fills up', cloudSession(start, full));

  const harmless = async ({ directory, run }: CloudSession) => {
    chmodSync(join(directory, CONFIG), 0o644);
    assert.equal((await run('cloud secrets list')).stderr, 'No secrets in organization acme.\n');
  };
  posixIt('keeps its permissions if it has no token', cloudSession({ files: start.files }, harmless));

  const broken: [name: string, content: string, problem: string][] = [
    ['invalid JSON', `{\n"token": "${SECRET}`, "it isn't valid JSON: it ends too soon"],
    ['truncated JSON', `{\n"token": "${SECRET}",\n`, "it isn't valid JSON: it ends too soon"],
    ['another format', `token = "${SECRET}"`, "it isn't valid JSON at line 1, column 2"],
    ['an array', `["${SECRET}"]`, "it isn't a JSON object"],
    ['a token that is not a string', `{"token": {"is": "${SECRET}"}}`, `"token" must be a non-empty string`],
    ['a token that is empty', '{"token": "", "apiUrl": 1}', `"token", "apiUrl" must be a non-empty string`],
  ];
  for (const [name, content, problem] of broken) {
    const files = { [CONFIG]: content };
    cloudIt(`is refused, never quoted, and stays: ${name}`, { env, files }, async ({ fail, run, read }) => {
      const message = `config\\.json isn't a valid botcli config file: (?:${problem})`;
      const advice = new RegExp(`${message}\nFix it, move it away, or set BOTCLI_CONFIG`);
      for (const line of [...commands, 'cloud secrets list']) assert.match(await fail(2, line, { input }), advice);
      const { code, stderr } = await run('cloud secrets list', { env: account });
      assert.equal(code, 0);
      assert.match(stderr, new RegExp(`${message}\\. This command doesn't need it\\.\nNo secrets in`));
      assert.equal(read(CONFIG), content);
    });
  }

  configIt('is named if its organization is invalid, and the command line overrides it', async session => {
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
  });

  const odd = { [CONFIG]: `{"token":"${LOCAL_TOKEN}","apiUrl":"http://x"}` };
  cloudIt('is named if its address is invalid', { env: { ...env, BOTCLI_API_URL: '' }, files: odd }, async ({ fail }) =>
    assert.match(await fail(2, 'cloud secrets list'), /The API address in .*config\.json isn't valid\n/),
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
          /isn't a regular file\nFix it, move it away, or set BOTCLI_CONFIG/,
        );
        if (path === '/dev/null') assert(statSync(path).isCharacterDevice());
      }),
    );
  }

  const other = {
    env: { ...env, BOTCLI_CONFIG: 'package.json' },
    files: { 'package.json': '{ "name": "x", "dependencies": { "token": "1" } }' },
  };
  cloudIt('is never a file of something else', other, async ({ fail, run, disk }) => {
    const before = disk();
    for (const line of commands)
      assert.match(await fail(2, line, { input }), /^error: \S+ isn't a botcli config file\nFix it, move it away/);
    assert.match((await run('cloud secrets list', { env: account })).stderr, /file\. This command doesn't need it\./);
    assert.deepEqual(disk(), before);
  });

  const empty = { env: { ...env, BOTCLI_CONFIG: 'tmp.x' }, files: { 'tmp.x': '\n' } };
  cloudIt('may be empty, such as one from mktemp', empty, async ({ succeed, read }) => {
    await succeed(login, { input });
    assert.equal(JSON.parse(read('tmp.x')).token, LOCAL_TOKEN);
  });

  configIt('is not read if it is larger than 1 MiB', async ({ directory, run }) => {
    // A sparse file that doesn't fit into memory.
    truncateSync(join(directory, CONFIG), 2 ** 32);
    for (const line of commands) {
      const { code, stderr } = await run(line, { input });
      assert.equal(code, 2);
      assert.match(stderr, /config\.json is larger than 1 MiB, so it isn't a botcli config file\nFix it, move it away/);
    }
  });
});
