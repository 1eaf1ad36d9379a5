import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { assertSecretive } from '../support/cloud-session.ts';
import { acmeWith, deployIt } from '../support/deploys.ts';
import { runShell } from '../support/shell.ts';

const tlsFile = (name: string) => fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url));
const DEPLOYMENT = '3f1c09aa-0000-4000-8000-000000000000';
const NOW = new Date().toISOString();

/** An agent that is ready. */
const agent = (): StoredAgent => ({
  name: 'bot',
  region: 'us-west',
  createdAt: NOW,
  updatedAt: NOW,
  deployments: [{ id: DEPLOYMENT, createdAt: NOW, settings: {} }],
  ready: DEPLOYMENT,
  looks: 99,
  settings: {},
  log: [],
  sessions: [],
});

describe('cloud call over TLS', () => {
  const acme = acmeWith();
  acme.agents.set('bot', agent());
  const tls = { key: readFileSync(tlsFile('key'), 'utf8'), cert: readFileSync(tlsFile('certificate'), 'utf8') };
  deployIt(
    'reaches API and gateway without a proxy, if their certificate is trusted',
    { acme, cloud: { tls } },
    async ({ cloud, env, directory }) => {
      const here = { ...env, BOTCLI_API_URL: cloud.url.replace('cloud.test', '127.0.0.1') };
      const call = (more: object) =>
        runShell('botcli cloud call -t tel_a', { cwd: directory, env: { ...here, ...more } });
      const trusting = await call({ NODE_EXTRA_CA_CERTS: tlsFile('certificate') });
      assert.deepEqual([trusting.code, /^✓ It spoke after /.test(trusting.stdout)], [0, true], trusting.stderr);
      const doubting = await call({});
      assert.equal(doubting.code, 1);
      assert.match(doubting.stderr, /^error: The certificate of 127\.0\.0\.1:\d+ can't be trusted/);
      assertSecretive(trusting.stdout + trusting.stderr + doubting.stderr);
    },
  );
});
