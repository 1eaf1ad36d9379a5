import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { assertSecretive, type CloudSession, cloudIt, SECRET } from '../support/cloud-session.ts';
import { BIN, DEADLINE_MS } from '../support/program.ts';
import { startProxy } from '../support/proxy.ts';
import { runShell } from '../support/shell.ts';

// Behavior that needs a real process: signals, pipes, connections, proxies, and the process list.

const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));

function start({ directory, env }: CloudSession, words: readonly string[]) {
  const child = spawn(process.execPath, [BIN, ...words], {
    cwd: directory,
    env: { ...env, PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: DEADLINE_MS,
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { child, ended: ended.then(([stdout, stderr, [code]]) => ({ code: code as number, stdout, stderr })) };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

const KEYS = Array.from({ length: 100 }, (_, at) => `KEY_${at}`);

describe('the program, talking to the platform', () => {
  cloudIt(
    'sets 100 keys over one connection',
    { files: { '.env': KEYS.map(key => `${key}=${SECRET}\n`).join('') } },
    async session => {
      const { code, stderr } = await start(session, 'cloud secrets set demo --file .env --skip'.split(' ')).ended;
      assert.equal(code, 0, stderr);
      const { journal } = session.cloud;
      assert.deepEqual([...new Set(journal.map(({ connection }) => connection))], [1]);
      assert.equal(journal.length, 102);
      assert.match(journal[0]?.userAgent ?? '', /^botcli\/\d/);
    },
  );

  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    cloudIt(`lists the state of every key after ${signal}`, {}, async session => {
      session.cloud.fault({ method: 'PUT', after: 2, fault: { kind: 'hang' } });
      const words = ['A=1', 'B=2', `C=${SECRET}`, 'D=4', '--skip', ...(signal === 'SIGTERM' ? ['--json'] : [])];
      const { child, ended } = start(session, ['cloud', 'secrets', 'set', 'demo', ...words]);
      await until(() => session.cloud.journal.filter(({ method }) => method === 'PUT').length === 3);
      child.kill(signal);
      const { code, stdout, stderr } = await ended;
      assert.equal(code, status);
      assertSecretive(stdout + stderr);
      const states = '  set: A, B\n  possibly set: C\n  not sent: D\nIt is safe to run the same command again';
      if (signal === 'SIGINT') return assert(stderr.includes(`\nerror: Interrupted\n${states}`), stderr);
      const { code: reason, applied, unsure, not_sent } = JSON.parse(stdout).error;
      assert.deepEqual([reason, applied, unsure, not_sent], ['interrupted', ['A', 'B'], ['C'], ['D']]);
    });
  }

  cloudIt('shows no arguments in the process list', {}, async session => {
    if (process.platform !== 'linux') return;
    session.cloud.fault({ fault: { kind: 'hang' } });
    const { child, ended } = start(session, ['cloud', 'secrets', 'set', 'demo', `K=${SECRET}`, '--skip']);
    await until(() => session.cloud.journal.length > 0);
    assertSecretive(readFileSync(`/proc/${child.pid}/cmdline`, 'utf8'));
    child.kill('SIGINT');
    assert.deepEqual(await ended, { code: 130, stdout: '', stderr: 'Interrupted.\n' });
  });

  const set = 'botcli cloud secrets set demo';
  const login = `printf '%s\\n' "$BOTCLI_TOKEN" >t; BOTCLI_TOKEN= botcli cloud auth login --token-stdin <t`;
  const loopback = 'HTTP_PROXY=http://127.0.0.1:1 http_proxy=http://127.0.0.1:1 botcli cloud secrets list';
  const shell: [name: string, line: string, code: number, output: RegExp][] = [
    ['a reader stops early', 'botcli cloud secrets list --json | true', 0, /^$/],
    ['stdin is closed instead of providing a value', `${set} K=- -s <&-`, 2, /the value is empty/],
    ['stdin is closed and a confirmation is needed', `${set} K=1 <&-`, 2, /Pass --skip/],
    ['stdin is open but empty and a confirmation is needed', 'botcli cloud secrets delete demo', 2, /Pass --skip/],
    ['a value comes from a pipe', `echo ${SECRET} | ${set} K=- -s`, 0, /1 added/],
    ['a file is a named pipe', `mkfifo p; (echo K=${SECRET} >p) & ${set} -f p -s`, 0, /1 added/],
    ['a file is a descriptor', `${set} -sf /dev/fd/3 3<<END\nK=${SECRET}\nEND`, 0, /1 added/],
    ['a file never ends', `${set} -sf /dev/zero`, 2, /\/dev\/zero is larger than 1 MiB/],
    ['a token comes from a file', login, 0, /Logged in/],
    ['loopback ignores the proxy', loopback, 0, /No secrets/],
  ];
  for (const [name, line, code, output] of shell) {
    cloudIt(name, {}, async ({ directory, env }) => {
      const outcome = await runShell(line, { cwd: directory, env });
      assert.equal(outcome.code, code, outcome.stderr);
      assert.match(outcome.stdout + outcome.stderr, output);
      assertSecretive(outcome.stdout + outcome.stderr);
    });
  }

  const tls = { key: readFileSync(tlsFile('key'), 'utf8'), cert: readFileSync(tlsFile('certificate'), 'utf8') };
  const line = `botcli cloud secrets set demo K=${SECRET} --skip`;
  const trust = { NODE_EXTRA_CA_CERTS: tlsFile('certificate') };
  cloudIt(
    'goes through a proxy, and trusts the certificate in NODE_EXTRA_CA_CERTS',
    { cloud: { tls } },
    async ({ cloud, env, directory }) => {
      const proxy = await startProxy(Number(new URL(cloud.url).port));
      const word = `${SECRET}@:`;
      const address = `me:${encodeURIComponent(word)}@127.0.0.1:${proxy.port}`;
      try {
        for (const HTTPS_PROXY of [`http://${address}`, address]) {
          const trusting = await runShell(line, { cwd: directory, env: { ...env, ...trust, HTTPS_PROXY } });
          assert.equal(trusting.code, 0, trusting.stderr);
          const login = Buffer.from(`me:${word}`).toString('base64');
          assert.equal(proxy.seen.tunnels.at(-1), `${new URL(cloud.url).host} Basic ${login}`);
        }
        const doubting = await runShell(line, { cwd: directory, env: { ...env, HTTPS_PROXY: `http://${address}` } });
        assert.equal(doubting.code, 1);
        assert.match(
          doubting.stderr,
          /^error: The certificate of cloud\.test:\d+ can't be trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)\n.*NODE_EXTRA_CA_CERTS.*\nRequests go through the proxy 127\.0\.0\.1:\d+ \(from HTTPS_PROXY\)\.\nThe API is https:\/\/cloud\.test:\d+ \(from BOTCLI_API_URL\)\.\n$/,
        );
        assertSecretive(doubting.stdout + doubting.stderr);
      } finally {
        proxy.close();
      }
    },
  );

  const settings: [variable: string, message: RegExp][] = [
    ['NODE_DEBUG=net,http', /^error: NODE_DEBUG makes Node\.js print every request, with your token\nUnset it\./],
    ['NODE_TLS_REJECT_UNAUTHORIZED=0', /error: NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone on the network pose as/],
  ];
  for (const [variable, message] of settings) {
    cloudIt(`refuses ${variable} before anything is sent`, { cloud: { tls } }, async ({ cloud, env, directory }) => {
      const { code, stderr } = await runShell(`${variable} ${line}`, { cwd: directory, env });
      assert.equal(code, 2);
      assert.match(stderr, message);
      assertSecretive(stderr);
      assert.deepEqual(cloud.journal, []);
    });
  }

  const http = (status: string) => `HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`;
  const DOWN = `http://me:${SECRET}@127.0.0.1:1`;
  const down = String.raw`^error: Can't reach the proxy 127\.0\.0\.1:1 \(from HTTPS_PROXY\)`;
  const locked =
    /^error: The proxy 127\.0\.0\.1:\d+ \(from HTTPS_PROXY\) requires a username and password \(HTTP 407\)\nWrite them as in HTTPS_PROXY=http:\/\/USER:PASSWORD@127/;
  const refused = /^error: The proxy .* refuses to connect to cloud\.test:\d+ \(HTTP 403\)\nFix HTTPS_PROXY/;
  const late = /didn't send a complete response in time[\s\S]*Requests go through the proxy .* \(from HTTPS_PROXY\)\./;
  const noHost = /^error: Can't reach cloud\.test:\d+: (?:no such host|its name could not be resolved)/;
  const unused = { HTTPS_PROXY: '127.0.0.1:1', NO_PROXY: '.test' };
  /** The proxy's response, or the variables that set it, and the message. */
  const inTheWay: [name: string, proxy: string | Record<string, string>, code: 1 | 2, message: RegExp][] = [
    ['requires a password', http('407 Proxy Authentication Required'), 1, locked],
    ['refuses to connect', http('403 Forbidden'), 1, refused],
    ['has a problem', http('502 Bad Gateway'), 1, /\(HTTP 502\) \(4 tries\)/],
    ['hangs up', '', 1, late],
    ['is down', { HTTPS_PROXY: DOWN }, 1, new RegExp(`${down}: connection refused \\(ECONNREFUSED\\) \\(4 tries\\)`)],
    ['is down, while packages log what they do', { HTTPS_PROXY: DOWN, DEBUG: '*' }, 1, new RegExp(down)],
    ['is down, set in ALL_PROXY', { ALL_PROXY: '127.0.0.1:1' }, 1, /the proxy 127\.0\.0\.1:1 \(from ALL_PROXY\)/],
    ['has an unknown scheme', { https_proxy: `x://${SECRET}` }, 2, /^error: The proxy in https_proxy isn't valid\n/],
    ['has an invalid address', { HTTPS_PROXY: `:${SECRET}:` }, 2, /^error: The proxy in HTTPS_PROXY isn't valid\n/],
    ['NO_PROXY excludes, by ignoring it', unused, 1, noHost],
  ];
  for (const [name, set, code, message] of inTheWay) {
    cloudIt(
      `reports a proxy that ${name}`,
      { cloud: { tls }, env: name === 'hangs up' ? { BOTCLI_HTTP_TIMEOUT: '2' } : {} },
      async ({ cloud, env, directory }) => {
        const proxy = await startProxy(Number(new URL(cloud.url).port), typeof set === 'string' ? set : undefined);
        const here = { HTTPS_PROXY: `http://me:${SECRET}@127.0.0.1:${proxy.port}` };
        const own = typeof set === 'string' ? here : set;
        try {
          const outcome = await runShell(line, { cwd: directory, env: { ...env, ...trust, ...own } });
          assert.deepEqual([outcome.code, outcome.stdout], [code, '']);
          assert.match(outcome.stderr, message);
          assertSecretive(outcome.stderr);
        } finally {
          proxy.close();
        }
      },
    );
  }
});
