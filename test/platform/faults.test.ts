import assert from 'node:assert/strict';
import type { Fault } from '../../scripts/local-cloud/faults.ts';
import { cloudIt, SECRET } from '../support/cloud-session.ts';

// How commands behave when the platform, or something in front of it, fails. Sessions search all output for
// secrets. Pauses between attempts are real but short.

const SET = ['cloud', 'secrets', 'set', 'demo', 'BEFORE=1', `K=${SECRET}`, 'AFTER=3', '--skip'];
/** A limit, in seconds, for requests that reach it: long enough for a busy machine to answer the others. */
const QUICK = { BOTCLI_HTTP_TIMEOUT: '1.5' };
/** A response with this status. */
const answer = (status: number, more: object = {}): Fault => ({ kind: 'answer', status, ...more });
const isEndless = ({ kind }: Fault): boolean => kind === 'hang' || kind === 'drip';

describe('when the platform misbehaves', () => {
  const redirect = (status: number, to: string): Fault => ({ kind: 'redirect', status, to });
  const waiting = (header: string) => answer(429, { headers: { 'retry-after': header } });
  const lost = /Can't reach 127\.0\.0\.1:\d+: the connection was lost \(ECONNRESET\) \(4 tries\)/;
  const conflict = { error: "Secret set 'demo' was modified concurrently.", code: 'CONFLICT' };
  const nested = { error: { message: 'Too odd \u001b[31m' } };
  const elsewhere = '/v1/organizations/acme/secrets/demo';
  const unsafe = /redirects \(HTTP 307\)\. botcli doesn't follow redirects/;
  /** Faults that affect every attempt, the message, and the number of attempts. */
  const unsure: [name: string, fault: Fault, message: RegExp, tries?: number][] = [
    ['500', answer(500, { echo: true }), /The platform had a problem with .* \(HTTP 500, INJECTED\)\n/, 4],
    ['a 502 from a gateway', { kind: 'html', status: 502 }, /The platform had a problem with .* \(HTTP 502\)/, 4],
    ['408', answer(408), /The platform had a problem with .* \(HTTP 408, INJECTED\)\n/, 4],
    ['an HTML page', { kind: 'html', status: 200 }, /sent a response that isn't JSON \(HTTP 200\)/],
    ['broken JSON', { kind: 'broken-json' }, /sent a response that isn't JSON/],
    ['an error with 200', answer(200, { body: { error: 'no' } }), /sent an unexpected response \(HTTP 200\)/],
    ['a list with 200', answer(200, { body: [] }), /sent an unexpected response/],
    ['null with 200', { kind: 'text', text: 'null' }, /\(HTTP 200\), [^\n]*, with null$/m],
    ['a lost connection', { kind: 'reset' }, lost, 4],
    ['a response that ends in the middle', { kind: 'cut' }, lost, 4],
    ['no response', { kind: 'hang' }, /127\.0\.0\.1:\d+ didn't send a complete response in time \(4 tries\)/, 4],
    ['a response that never ends', { kind: 'drip', ms: 50 }, /didn't send a complete response in time \(3 tries\)/, 3],
    ['a huge response', answer(200, { body: 'x'.repeat(6_000_000) }), /doesn't respond like the platform \(too-long\)/],
  ];
  /** Those after which the change surely wasn't made. */
  const sure: typeof unsure = [
    ['429', answer(429), /Too many requests to the platform \(HTTP 429/, 4],
    ['429 with a wait that is no time', waiting('soon'), /Too many requests[\s\S]*\nTry again later\.\n/, 4],
    // JavaScript takes it for a day in January.
    ['429 with a wait that is no whole number', waiting('1.5'), /Too many requests[\s\S]*\nTry again later\.\n/, 4],
    ['429 with a date', waiting('Fri, 01 Jan 2100 00:00:00 GMT'), /Too many requests[\s\S]*Try again later\./],
    ['429 with a long wait', waiting('3600'), /Too many requests[\s\S]*Try again in 3600 seconds\./],
    ['429 with an endless wait', waiting('9'.repeat(400)), /Too many requests[\s\S]*\nTry again later\.\n/],
    ['409', answer(409, { body: conflict }), /Another change to demo .* \(HTTP 409, CONFLICT\)\n/, 4],
    ['400', answer(400, { echo: true }), /rejected the request for demo in organization acme \(HTTP 400, INJECTED\)\n/],
    ['400 with a nested reason', answer(400, { body: nested }), /in organization acme \(HTTP 400\)\n/],
    ['401', answer(401, { echo: true }), /rejected the token \(HTTP 401, INJECTED\)[\s\S]*botcli cloud auth login/],
    ['403', answer(403), /no access to demo in organization acme/],
    ['413', { kind: 'html', status: 413 }, /The request is too large for the platform \(HTTP 413\)/],
    ['418', answer(418), /The platform rejected the request for demo/],
    ['a redirect', redirect(307, 'http://127.0.0.1:1/elsewhere'), unsafe],
    ['an endless redirect', redirect(301, elsewhere), /redirects \(HTTP 301\)/],
  ];
  for (const [name, fault, message, tries = 1] of [...unsure, ...sure]) {
    const isUnsure = unsure.some(([one]) => one === name);
    const env = isEndless(fault) ? QUICK : {};
    cloudIt(`${name}: set lists the state of every key`, { env }, async ({ fail, cloud }) => {
      cloud.fault({ method: 'PUT', after: 1, fault });
      const stderr = await fail(1, [...SET, '--debug']);
      assert.match(stderr, message);
      const states = `\n  set: BEFORE\n  ${isUnsure ? 'possibly set' : 'not set'}: K\n  not sent: AFTER\n`;
      assert(stderr.includes(states), stderr);
      assert.equal(cloud.journal.filter(({ method }) => method === 'PUT').length, 1 + tries);
      assert.doesNotMatch(stderr, /\n {4}at /);
    });

    cloudIt(`${name}: list fails`, { env }, async ({ run, cloud }) => {
      cloud.fault({ fault });
      const { code, stdout, stderr } = await run('cloud secrets list --json');
      assert.equal(code, 1);
      assert.match(stderr, /^(?:Waiting for 127\.0\.0\.1:\d+ to respond\.\n)?$/);
      const { error } = JSON.parse(stdout);
      assert.deepEqual([typeof error.code, typeof error.message], ['string', 'string']);
    });
  }

  const passing: [name: string, fault: Fault, times: number][] = [
    ['500', answer(500), 3],
    ['503 with a wait', answer(503, { headers: { 'retry-after': '1' } }), 1],
    ['429 with a date', answer(429, { headers: { 'retry-after': new Date(0).toUTCString() } }), 3],
    ['a lost connection', { kind: 'reset' }, 2],
    ['a lost response', { kind: 'reset', done: true }, 1],
    ['no response after the change was made', { kind: 'hang', done: true }, 1],
    ['a slow response', { kind: 'delay', ms: 100 }, 5],
  ];
  for (const [name, fault, times] of passing) {
    const env = isEndless(fault) ? QUICK : {};
    cloudIt(`${name}: the command succeeds once it is over`, { env }, async ({ run, cloud }) => {
      cloud.fault({ method: 'PUT', times, fault });
      const { code, stderr, waits } = await run(SET);
      assert.equal(code, 0, stderr);
      if (name.endsWith('a wait')) assert.deepEqual(waits, [1000]);
    });
  }

  const limited = { env: { BOTCLI_HTTP_TIMEOUT: '10' } };
  cloudIt('waits no longer than the limit for all attempts', limited, async ({ run, cloud }) => {
    cloud.fault({ fault: waiting('20') });
    const { stderr, waits } = await run('cloud secrets list');
    assert.match(stderr, /Too many requests.*\nTry again in 20 seconds\.\n/);
    assert.deepEqual(waits, [20_000]);
    assert.equal(cloud.journal.length, 2);
  });

  cloudIt('treats a delete with a lost response as done, and reports an unclear one', {}, async session => {
    const { succeed, fail, cloud } = session;
    await succeed(SET);
    cloud.fault({ method: 'DELETE', times: 1, fault: { kind: 'reset', done: true } });
    await succeed('cloud secrets unset demo K --skip');
    cloud.fault({ method: 'DELETE', fault: { kind: 'hang' } });
    const unclear =
      /didn't send a complete response in time[\s\S]*It's unclear whether demo was deleted\. To check, run: botcli cloud secrets list demo -o acme\n/;
    assert.match(await fail(1, 'cloud secrets delete demo --skip', { env: QUICK }), unclear);
  });

  const at = (address: string) => ({ BOTCLI_API_URL: address });
  const unsafeAddresses = [
    ...['http://example.com', 'http://127.0.0.1.example.com', `https://u:${SECRET}@example.com`, 'example.com'],
    'file:///x',
  ];
  const noTls = /doesn't respond like the platform|can't be trusted|the connection was lost/;
  const twoLines = `pcc_pat_${SECRET}\nX-Evil: 1`;
  const unreachable: [name: string, env: Record<string, string>, code: 1 | 2, message: RegExp][] = [
    ['fails if the connection is refused', at('http://127.0.0.1:1'), 1, /Can't reach .*: connection refused \(ECONN/],
    ['fails if the server does not speak TLS', {}, 1, noTls],
    ...unsafeAddresses.map((address): (typeof unreachable)[number] => {
      const name = `refuses the address ${address.replace(SECRET, '…')}`;
      return [name, at(address), 2, /The API address in BOTCLI_API_URL isn't valid/];
    }),
    ['refuses a private key as the token', { BOTCLI_TOKEN: `sk_${SECRET}` }, 2, /_TOKEN is a private API key \(sk_…/],
    ['refuses a public key as the token', { BOTCLI_TOKEN: `pk_${SECRET}` }, 2, /a public API key/],
    ['refuses a token of two lines', { BOTCLI_TOKEN: twoLines }, 2, /_TOKEN isn't a token: it is empty, or contains/],
    ['refuses a token with a space', { BOTCLI_TOKEN: `${SECRET} x` }, 2, /isn't a token/],
    ['reports a wrong token', { BOTCLI_TOKEN: `pcc_pat_${SECRET}` }, 1, /rejected the token: Unauthorized/],
    ['treats an empty token as missing', { BOTCLI_TOKEN: '' }, 1, /You aren't logged in/],
    ['refuses an invalid organization', { BOTCLI_ORG: '../x' }, 2, /in BOTCLI_ORG isn't a valid name/],
    ['refuses an invalid timeout', { BOTCLI_HTTP_TIMEOUT: 'soon' }, 2, /_TIMEOUT must be a number of seconds/],
  ];
  for (const [name, env, code, message] of unreachable) {
    cloudIt(name, {}, async ({ fail, cloud }) => {
      const address = name.endsWith('TLS') ? at(cloud.url.replace('http', 'https')) : {};
      assert.match(await fail(code, SET, { env: { ...address, ...env } }), message);
    });
  }
});
