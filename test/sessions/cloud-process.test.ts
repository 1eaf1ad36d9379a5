import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { assertSecretive, type CloudSession, cloudSession, SECRET } from '../support/cloud-session.ts';
import { BIN } from '../support/program.ts';
import { runShell } from '../support/shell.ts';

// What depends on a process: signals, pipes, connections, proxies, what the list of processes shows.

const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));

function start({ directory, env }: CloudSession, words: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...words], {
    cwd: directory,
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 25_000,
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { child, ended: ended.then(([stdout, stderr, [code]]) => ({ code: code as number, stdout, stderr })) };
}

async function until(holds: () => boolean): Promise<void> {
  for (let turn = 0; !holds(); turn += 1) {
    assert(turn < 500, 'it never came to this');
    await sleep(20);
  }
}

const KEYS = Array.from({ length: 100 }, (_, at) => `KEY_${at}`);

describe('the program, talking to the platform', () => {
  it(
    'sets 100 keys over one connection',
    cloudSession({ files: { '.env': KEYS.map(key => `${key}=${SECRET}\n`).join('') } }, async session => {
      const { code, stderr } = await start(session, 'cloud secrets set demo --file .env --skip'.split(' ')).ended;
      assert.equal(code, 0, stderr);
      const { journal } = session.cloud;
      assert.deepEqual([...new Set(journal.map(({ connection }) => connection))], [1]);
      assert.equal(journal.length, 102);
      assert.match(journal[0]?.userAgent ?? '', /^botcli\/\d/);
    }),
  );

  for (const [signal, json] of [
    ['SIGINT', false],
    ['SIGTERM', true],
  ] as const) {
    it(
      `accounts for every key after ${signal}`,
      cloudSession({}, async session => {
        session.cloud.fault({ method: 'PUT', after: 2, fault: { kind: 'hang' } });
        const words = ['A=1', 'B=2', `C=${SECRET}`, 'D=4', '--skip', ...(json ? ['--json'] : [])];
        const { child, ended } = start(session, ['cloud', 'secrets', 'set', 'demo', ...words]);
        await until(() => session.cloud.journal.filter(({ method }) => method === 'PUT').length === 3);
        child.kill(signal);
        const { code, stdout, stderr } = await ended;
        assert.equal(code, 130);
        assertSecretive(stdout + stderr);
        if (json) {
          const { error } = JSON.parse(stdout);
          assert.deepEqual(
            [error.code, error.applied, error.unsure, error.notSent],
            ['interrupted', ['A', 'B'], ['C'], ['D']],
          );
        } else {
          assert.match(
            stderr,
            /^error: Interrupted\n {2}set: A, B\n {2}perhaps set: C\n {2}not sent: D\nThe same command again is safe/,
          );
        }
      }),
    );
  }

  it(
    'shows no argument in the list of processes',
    cloudSession({}, async session => {
      if (process.platform !== 'linux') return;
      session.cloud.fault({ fault: { kind: 'hang' } });
      const { child, ended } = start(session, ['cloud', 'secrets', 'set', 'demo', `K=${SECRET}`, '--skip']);
      await until(() => session.cloud.journal.length > 0);
      assertSecretive(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'));
      child.kill('SIGINT');
      assert.deepEqual(await ended, { code: 130, stdout: '', stderr: 'error: Interrupted.\n' });
    }),
  );

  const shell: [name: string, line: string, code: number, output: RegExp][] = [
    ['a reader that leaves', 'botcli cloud secrets list --json | true', 0, /^$/],
    ['stdin closed, where a value should come', 'botcli cloud secrets set demo K=- -s <&-', 2, /the value is empty/],
    ['stdin closed, where a question would be', 'botcli cloud secrets set demo K=1 <&-', 2, /Pass --skip/],
    ['stdin open, and nothing coming', 'botcli cloud secrets delete demo', 2, /Pass --skip/],
    ['a value from a pipe', `echo ${SECRET} | botcli cloud secrets set demo K=- -s`, 0, /1 added/],
    ['a file from a pipe', `mkfifo p; (echo K=${SECRET} >p) & botcli cloud secrets set demo -f p -s`, 0, /1 added/],
    ['a file from a descriptor', `botcli cloud secrets set demo -sf /dev/fd/3 3<<END\nK=${SECRET}\nEND`, 0, /1 added/],
    ['a file that never ends', 'botcli cloud secrets set demo -sf /dev/zero', 2, /\/dev\/zero is larger than 1 MiB/],
    [
      'a token from a file',
      `printf '%s\\n' "$BOTCLI_TOKEN" >t; BOTCLI_TOKEN= botcli cloud auth login --token-stdin <t`,
      0,
      /Logged in/,
    ],
    [
      'a proxy, which loopback has no need of',
      'HTTP_PROXY=http://127.0.0.1:1 http_proxy=http://127.0.0.1:1 botcli cloud secrets list',
      0,
      /No secrets/,
    ],
  ];
  for (const [name, line, code, output] of shell) {
    it(
      name,
      cloudSession({}, async ({ directory, env }) => {
        const outcome = await runShell(line, { cwd: directory, env });
        assert.equal(outcome.code, code, outcome.stderr);
        assert.match(outcome.stdout + outcome.stderr, output);
        assertSecretive(outcome.stdout + outcome.stderr);
      }),
    );
  }

  const tls = { key: readFileSync(tlsFile('key'), 'utf8'), cert: readFileSync(tlsFile('certificate'), 'utf8') };
  it(
    'goes through a proxy, and trusts what NODE_EXTRA_CA_CERTS names',
    cloudSession({ cloud: { tls } }, async ({ cloud, env, directory }) => {
      const tunnels: string[] = [];
      const proxy = createServer().on('connect', (request, socket) => {
        tunnels.push(`${request.url} ${request.headers['proxy-authorization']}`);
        const onward = connect(Number(new URL(cloud.url).port), '127.0.0.1', () => {
          socket.write('HTTP/1.1 200 OK\r\n\r\n');
          onward.pipe(socket).pipe(onward);
        });
        for (const end of [onward, socket]) end.on('error', () => {});
      });
      await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve));
      const { port } = proxy.address() as AddressInfo;
      try {
        const throughProxy = { ...env, HTTPS_PROXY: `http://me:${SECRET}@127.0.0.1:${port}` };
        const line = `botcli cloud secrets set demo K=${SECRET} --skip`;
        const trusting = await runShell(line, {
          cwd: directory,
          env: { ...throughProxy, NODE_EXTRA_CA_CERTS: tlsFile('certificate') },
        });
        assert.equal(trusting.code, 0, trusting.stderr);
        assert.equal(tunnels[0], `${new URL(cloud.url).host} Basic ${Buffer.from(`me:${SECRET}`).toString('base64')}`);
        const doubting = await runShell(line, { cwd: directory, env: throughProxy });
        assert.equal(doubting.code, 1);
        assert.match(
          doubting.stderr,
          /^error: The certificate of cloud\.test:\d+ can't be trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\n.*NODE_EXTRA_CA_CERTS/,
        );
        const gone = { ...throughProxy, HTTPS_PROXY: `http://me:${SECRET}@127.0.0.1:1` };
        const lost = await runShell(`${line} --debug`, {
          cwd: directory,
          env: { ...gone, BOTCLI_HTTP_TIMEOUT: '0.5' },
        });
        assert.match(lost.stderr, /Can't reach cloud\.test:\d+.*ECONNREFUSED[\s\S]*the proxy in HTTPS_PROXY/);
        for (const { stdout, stderr } of [trusting, doubting, lost]) assertSecretive(stdout + stderr);
      } finally {
        proxy.closeAllConnections();
        proxy.close();
      }
    }),
  );
}).timeout(120_000);
