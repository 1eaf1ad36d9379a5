import assert from 'node:assert/strict';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { cloudIt, cloudItWith, SECRET } from '../support/cloud-session.ts';
import { accountWith, stored } from './accounts.ts';

// What the platform claims, and what it shows afterwards. A command succeeds only if both agree.

const account = () => accountWith([stored('prod', ['A']), stored('hub', ['A'], { type: 'imagePullSecret' })]);

const claimIt = cloudItWith(() => ({ cloud: account() }));

const answer = (status: number, body: unknown) => ({ kind: 'answer', status, body }) as const;

/** Each change: its command, its request, and what an unclear outcome says. */
const changes: [line: string, method: string, unclear: string][] = [
  [`set prod A=${SECRET} --skip`, 'PUT', ''],
  ['unset prod A --skip', 'DELETE', '  possibly removed: A\n'],
  ['delete prod --skip', 'DELETE', "It's unclear whether prod was deleted."],
  ['delete hub --skip', 'DELETE', "It's unclear whether hub was deleted."],
  [`image-pull-secret hub ghcr.io u:${SECRET}`, 'PUT', "It's unclear whether hub was stored."],
];

describe('a change', () => {
  const claims: [name: string, status: number, body: unknown][] = [
    ['an empty object', 200, {}],
    ['something else', 200, { unexpected: 1 }],
    ['a failure with 200', 200, { success: false, message: 'denied' }],
    ['an error next to OK', 200, { status: 'OK', error: 'denied' }],
    ['another status', 202, { status: 'NO' }],
    ['null', 200, null],
  ];
  for (const [line, method, unclear] of changes) {
    for (const [name, status, body] of claims) {
      claimIt(`${line.replace(SECRET, '…')}: ${name} is no success`, async ({ fail, cloud }) => {
        cloud.fault({ method, fault: answer(status, body) });
        const stderr = await fail(1, `cloud secrets ${line}`);
        assert.match(stderr, new RegExp(`sent an unexpected response \\(HTTP ${status}\\)`));
        assert(stderr.includes(unclear), stderr);
      });
    }

    claimIt(`${line.replace(SECRET, '…')}: succeeds with an empty response (HTTP 204)`, async ({ succeed, cloud }) => {
      cloud.fault({ method, fault: { kind: 'empty', done: true } });
      assert.match(await succeed(`cloud secrets ${line}`), /^✓ /);
    });
  }

  /** Changes that the platform confirms and doesn't make. */
  const lost: [line: string, method: string, message: RegExp][] = [
    ['unset prod A --skip', 'DELETE', /accepted the request to remove A, but prod in organization acme still has A\n/],
    ['delete prod --skip', 'DELETE', /accepted the request to delete prod, but it still exists\n/],
    ['delete hub --skip', 'DELETE', /accepted the request to delete hub, but it still exists\n/],
    [`image-pull-secret new ghcr.io u:${SECRET}`, 'PUT', /accepted the credentials of new, but doesn't list it\n/],
  ];
  for (const [line, method, message] of lost) {
    claimIt(`${line.replace(SECRET, '…')}: fails if the change doesn't show`, async ({ run, cloud }) => {
      cloud.fault({ method, fault: answer(200, { status: 'OK' }) });
      const { code, stdout, stderr, waits } = await run(`cloud secrets ${line}`);
      assert.deepEqual({ code, stdout, waits }, { code: 1, stdout: '', waits: [500, 500] });
      assert.match(stderr, message);
      assert.match(
        stderr,
        /\nThe platform may need more time\. To check, run: botcli cloud secrets list \w+ -o acme\n/,
      );
      const { error } = JSON.parse((await run(`cloud secrets ${line} --json`)).stdout);
      assert.equal(error.code, 'not-verified');
    });
  }

  const seen = (...names: string[]) =>
    answer(200, { region: 'r', status: 'ready', secrets: names.map(fieldName => ({ fieldName })) });
  /** Looks that show the state from before the change. */
  const late: [line: string, rule: Omit<FaultRule, 'after' | 'times'>][] = [
    ['unset prod A --skip', { path: '/prod', fault: seen('A') }],
    ['delete prod --skip', { path: '/prod', fault: seen() }],
    [`image-pull-secret new ghcr.io u:${SECRET}`, { path: '/secrets', fault: answer(200, { sets: [] }) }],
  ];
  for (const [line, rule] of late) {
    claimIt(`${line.replace(SECRET, '…')}: may take a moment to show`, async ({ run, cloud }) => {
      cloud.fault({ method: 'GET', after: 1, times: 2, ...rule });
      const { code, stderr, waits } = await run(`cloud secrets ${line}`);
      assert.deepEqual([code, waits], [0, [500, 500]], stderr);
    });
  }

  for (const [line, , message] of lost) {
    claimIt(`${line.replace(SECRET, '…')}: says so if it can't look`, async ({ fail, cloud }) => {
      // A pull secret is looked up twice: by its name, and in the list.
      cloud.fault({ method: 'GET', after: line.includes('hub') ? 2 : 1, fault: { kind: 'html', status: 403 } });
      const accepted = message.source.split(', but')[0];
      const blind = `${accepted}, but botcli could not check the result\\. This account has no access`;
      assert.match(await fail(1, `cloud secrets ${line}`), new RegExp(blind));
    });
  }

  cloudIt('fails if the platform could not provision an image pull secret', {}, async ({ fail }) => {
    assert.match(
      await fail(1, `cloud secrets image-pull-secret hub-fail ghcr.io u:${SECRET}`),
      /error: hub-fail in organization acme is stored, but provisioning failed\nTo see the platform's reason, run: botcli cloud secrets list hub-fail -o acme\n/,
    );
  });

  cloudIt('prints the status of an image pull secret', { cloud: { pendingMs: 60_000 } }, async ({ run }) => {
    const { stdout, stderr } = await run(`cloud secrets image-pull-secret hub ghcr.io u:${SECRET}`);
    assert.match(stdout, /^✓ hub in organization acme, region us-west: created for ghcr\.io\. It is pending\.\n$/);
    assert.match(stderr, /^To check its status, run: botcli cloud secrets list hub -o acme\n/);
  });
});

describe('a status that the platform leaves empty', () => {
  claimIt('is unknown', async ({ succeed, cloud }) => {
    const body = { region: '', status: '', secrets: [{ fieldName: 'A' }] };
    cloud.fault({ method: 'GET', fault: answer(200, body) });
    assert.match(
      await succeed('cloud secrets set prod A=1 --skip'),
      /^✓ prod in organization acme, region unknown: .* Its status is unknown\.\n$/,
    );
  });
});

describe('a page that says "not found"', () => {
  cloudIt('means that nothing has this name, if it is one of the platform', {}, async ({ fail, cloud }) => {
    cloud.fault({ path: '/secrets/', fault: answer(404, { error: 'Set not found' }) });
    assert.match(await fail(1, 'cloud secrets list demo'), /^error: There is no secret "demo" in organization acme\n/);
  });

  const pages: [name: string, fault: FaultRule['fault']][] = [
    ['in HTML', { kind: 'html', status: 404 }],
    ['of another API', answer(404, { detail: 'Not Found' })],
    ['without a reason', answer(404, { error: '', code: 'NOT_FOUND' })],
  ];
  for (const [name, fault] of pages) {
    const pull = `image-pull-secret demo ghcr.io u:${SECRET}`;
    for (const line of [`set demo A=${SECRET} --skip`, pull, 'delete demo --skip', 'list demo', 'list']) {
      cloudIt(`${name}: ${line.replace(SECRET, '…')} sends nothing`, {}, async ({ fail, cloud }) => {
        cloud.fault({ fault });
        const stderr = await fail(1, `cloud secrets ${line}`);
        assert.match(stderr, /^error: 127\.0\.0\.1:\d+ doesn't respond like the platform \(HTTP 404, for /);
        assert.match(stderr, /\nCheck any proxy between you and the platform\.\n$/);
        assert.equal(cloud.journal.length, 1);
      });
    }
  }
});

describe('a response that contains the token', () => {
  const T = LOCAL_TOKEN;
  const responses: [line: string, path: RegExp, body: unknown][] = [
    ['organizations list', /organizations$/, { organizations: [{ name: T, verboseName: T }] }],
    ['auth whoami', /users$/, { user: { emails: [{ emailAddress: T }] } }],
    ['regions list', /regions$/, { regions: [{ code: T, display_name: T, supported_architectures: [T] }] }],
    ['secrets list', /secrets$/, { sets: [{ name: T, type: T, region: 'us-west', status: 'ready' }] }],
    ['secrets list prod', /prod$/, { region: 'us-west', status: 'ready', secrets: [{ fieldName: `${T}_KEY` }] }],
  ];
  for (const [line, path, body] of responses) {
    // Sessions check that no output contains the token.
    claimIt(`${line} doesn't show it`, async ({ succeed, cloud }) => {
      cloud.fault({ path, fault: answer(200, body) });
      assert.match(await succeed(`cloud ${line}`), /not shown, because it may contain a secret/);
      assert.match(await succeed(`cloud ${line} --json`), /not shown, because it may contain a secret/);
    });
  }
});
