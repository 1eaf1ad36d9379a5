import assert from 'node:assert/strict';
import { cloudIt, cloudItWith, SECRET } from '../support/cloud-session.ts';
import { account } from './accounts.ts';

const setIt = cloudItWith(() => ({ cloud: account() }));

describe('after cloud secrets set has sent the keys, it', () => {
  cloudIt('fails if the platform could not provision the set, after it had time to try again', {}, async ({ run }) => {
    const { code, stdout, waits } = await run('cloud secrets set demo-fail K=1 -s --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, waits, error.code, error.applied], [1, [500, 500], 'provisioning-failed', ['K']]);
    assert.match(error.message, /provisioning failed$/);
  });

  cloudIt("doesn't wait if the platform reports no status", {}, async ({ run, cloud }) => {
    const body = { region: 'us-west', status: null, secrets: [{ fieldName: 'K' }] };
    cloud.fault({ method: 'GET', after: 1, fault: { kind: 'answer', status: 200, body } });
    const { code, stdout, stderr, waits } = await run('cloud secrets set demo K=1 -s --wait');
    assert.deepEqual([code, waits], [0, []], stderr);
    assert.match(stdout, /1 added, 0 replaced, 0 kept\. Its status is unknown\.\n$/);
    assert.match(stderr, /\nThe platform reports no status for demo, so botcli didn't wait\.\n/);
  });

  cloudIt('waits until the set is ready, or has failed', { cloud: { pendingMs: 1500 } }, async ({ run, succeed }) => {
    const pending = await run('cloud secrets set demo K=1 -s');
    assert.match(pending.stdout, /It is pending/);
    assert.match(pending.stderr, /\nTo check its status, run: botcli cloud secrets list demo -o acme\n/);
    assert.match(await succeed('cloud secrets set demo K=1 -s --wait'), /It is ready/);
    const { code, stderr } = await run('cloud secrets set demo-fail K=1 -s --wait');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /All keys are set in demo-fail in organization acme, but provisioning failed\nTo see the platform's reason, run: botcli cloud secrets list demo-fail -o acme\nThen run the same command again\.\n/,
    );
  });

  setIt('lists the state of every key if one fails', async ({ run, cloud, requests }) => {
    cloud.fault({ method: 'PUT', after: 2, fault: { kind: 'answer', status: 400, echo: true } });
    const words = ['cloud', 'secrets', 'set', 'demo', 'A=1', 'B=2', `BOOM=${SECRET}`, 'C=3', 'D=4', '--skip'];
    const { code, stdout, stderr } = await run(words);
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    const why = 'The platform rejected the request for demo in organization acme (HTTP 400, INJECTED)';
    const states = '  set: A, B\n  not set: BOOM\n  not sent: C, D\nIt is safe to run the same command again';
    assert(stderr.includes(`error: Could not set BOOM. ${why}\n${states}`), stderr);
    assert.equal(requests().filter(line => line.startsWith('PUT')).length, 3);
    const { error } = JSON.parse((await run([...words, '--json'])).stdout);
    const { applied, failed, not_sent } = error;
    assert.deepEqual([error.code, applied, failed, not_sent], ['refused', [], ['A'], ['B', 'BOOM', 'C', 'D']]);
  });

  setIt('detects a key that the platform only claims to have stored', async ({ fail, cloud }) => {
    const fault = { kind: 'answer', status: 200, body: { status: 'OK', region: 'us-west' } } as const;
    cloud.fault({ method: 'PUT', after: 1, times: 1, fault });
    const stderr = await fail(1, `cloud secrets set prod A=1 LOST=${SECRET} C=3 -s`);
    assert.match(
      stderr,
      /error: The platform accepted every key, but prod in organization acme is missing some of them\n {2}missing: LOST\nSet them again, then check: botcli cloud secrets list prod -o acme\n/,
    );
  });

  cloudIt('reports the accepted keys if the final check fails', {}, async ({ fail, cloud }) => {
    cloud.fault({ method: 'GET', path: '/secrets/demo', after: 1, fault: { kind: 'html', status: 403 } });
    assert.match(
      await fail(1, 'cloud secrets set demo A=1 B=2 -s'),
      /The platform accepted every key \(A, B\), but botcli could not check the result\. This account has no access/,
    );
  });

  cloudIt('checks three times before it reports missing keys', {}, async ({ run, cloud }) => {
    const body = { region: 'us-west', status: 'ready', secrets: [] };
    const lacking = { kind: 'answer', status: 200, body } as const;
    cloud.fault({ method: 'GET', path: '/secrets/demo', after: 1, times: 2, fault: lacking });
    const { code, stderr, waits } = await run('cloud secrets set demo A=1 --skip');
    assert.deepEqual([code, waits], [0, [500, 500]], stderr);
  });
});
