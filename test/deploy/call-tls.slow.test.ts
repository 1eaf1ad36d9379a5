import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { assertSecretive } from '../support/cloud-session.ts';
import { acmeWith, deployIt } from '../support/deploys.ts';
import { runShell } from '../support/shell.ts';

const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
const ID = '3f1c09aa-0000-4000-8000-000000000000';

describe('cloud call over TLS', () => {
  const acme = acmeWith();
  const deployments = [{ id: ID, createdAt: new Date().toISOString(), settings: {} }];
  const rest = { region: 'us-west', looks: 99, settings: {}, log: [], sessions: [] };
  acme.agents.set('bot', { name: 'bot', ready: ID, deployments, ...rest } as never);
  const tls = { key: readFileSync(tlsFile('key'), 'utf8'), cert: readFileSync(tlsFile('certificate'), 'utf8') };
  const title = 'reaches API and gateway without a proxy, if their certificate is trusted';
  deployIt(title, { acme, cloud: { tls } }, async ({ cloud, env, directory }) => {
    const here = { ...env, BOTCLI_API_URL: cloud.url.replace('cloud.test', '127.0.0.1') };
    const type = (line: string, more: object) =>
      runShell(`botcli cloud ${line}`, { cwd: directory, env: { ...here, ...more } });
    const trust = { NODE_EXTRA_CA_CERTS: tlsFile('certificate') };
    const trusting = await type('call -t tel_a', trust);
    assert.deepEqual([trusting.code, /^✓ It spoke after /.test(trusting.stdout)], [0, true], trusting.stderr);
    const doubting = await type('call -t tel_a', {});
    assert.equal(doubting.code, 1);
    assert.match(doubting.stderr, /^error: The certificate of 127\.0\.0\.1:\d+ can't be trusted/);
    assertSecretive(trusting.stdout + trusting.stderr + doubting.stderr);
  });
});
