import assert from 'node:assert/strict';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { SECRET } from '../support/cloud-session.ts';
import { acmeWith, answer, deployable, deployIt, KEY } from '../support/deploys.ts';

// The platform may quote a value long after it was sent.

const LINES = 'first-line-77-of-it\nsecond-line-78-of-it';
const SHORT = 'hunt3r';

/** What the platform quotes, with what must not be printed of it. `test/hidden-values.test.ts` has more encodings. */
const quotes: [name: string, value: string, quoted: string, ...parts: string[]][] = [
  ['as it is', SECRET, SECRET],
  ['in Base64', SECRET, Buffer.from(`KEY=${SECRET}`).toString('base64')],
  ['of several lines', LINES, LINES, ...LINES.split('\n')],
  ['that is short', SHORT, `"${SHORT}"`, SHORT],
];

const later = ['\\?', '/upload-url$', '$', '/[0-9a-f-]{36}$'].map(end => new RegExp(`/builds${end}`));
later.push(/\/services$/);

describe('a value that was sent', () => {
  const withoutSet = () => ({ acme: acmeWith([]) });

  for (const [name, value, quoted, ...parts] of quotes) {
    const title = `is not in what deploy prints, if the platform quotes it ${name}`;
    deployIt(title, withoutSet(), async session => {
      session.write('keys.json', JSON.stringify({ [KEY]: value }));
      const line = 'cloud deploy --secrets keys.json --skip --force --timeout 0.02';
      for (const path of later) {
        const body = { error: `Invalid value ${quoted}`, code: 'GENERIC_BAD_REQUEST' };
        session.cloud.fault({ path, fault: answer(400, body) });
        for (const more of ['', ' --json --debug']) {
          const { code, stdout, stderr } = await session.run(line + more);
          assert.equal(code, 1, stderr);
          assert.match(stdout + stderr, /Invalid value/, String(path));
          for (const part of parts) assert(!(stdout + stderr).includes(part), stdout + stderr);
        }
        session.cloud.clearFaults();
      }
    });
  }

  const remark = 'is not in the remark of a change, nor in the error of a build or an agent';
  deployIt(remark, withoutSet(), async session => {
    session.write('keys', `${KEY}=${SECRET}\n`);
    const fault = { ...answer(200, { warning: `${SECRET} is odd` }), done: true };
    session.cloud.fault({ path: /\/services$/, fault });
    for (const more of ['', ' --json']) {
      const { code, stdout, stderr } = await session.run(`cloud deploy --secrets keys --skip --force${more}`);
      assert.equal(code, 0, stderr);
      assert.match(more ? stdout : stderr, /… is odd/);
    }
    const agent = session.agent();
    const body = { body: { ...agent, desiredDeploymentId: agent.deployments[0]?.id, errors: [SECRET] } };
    session.cloud.fault({ method: 'GET', path: /\/services\/bot$/, fault: answer(200, body) });
    assert.match(await session.succeed('cloud status'), /^bot: failed: unknown: …, in us-west\n/);
  });

  deployIt('is not in an error about the token', {}, async session => {
    const encoded = Buffer.from(`Bearer ${LOCAL_TOKEN}`).toString('base64');
    for (const quoted of [LOCAL_TOKEN, encoded, encodeURIComponent(`"${LOCAL_TOKEN}"`)]) {
      session.cloud.fault({ path: '/services', fault: answer(400, { error: `No ${quoted}` }) });
      await session.fail(1, 'cloud status --all');
      await session.run('cloud status --all --json --debug');
    }
  });

  const named = { ...withoutSet(), files: deployable('my-deployed-bot-1') };
  deployIt('hides no word and no name if it is one', named, async session => {
    for (const value of ['true', '1', 'ready', 'deployment', 'my-deployed-bot-1', 'container-file', 'us-west']) {
      session.write('keys', `${KEY}=${value}\n`);
      session.write('server/.env', `${KEY}=${value}\n`);
      const { code, stdout, stderr } = await session.run('cloud deploy --secrets keys --skip --force');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^my-deployed-bot-1 runs deployment [0-9a-f]{8}\n$/);
      assert.doesNotMatch(stderr, /…/);
      const { agent, ready, region } = await session.json('cloud status');
      assert.deepEqual([agent, ready, region], ['my-deployed-bot-1', true, 'us-west']);
    }
  });
});

describe('the credentials of a registry', () => {
  deployIt('are not in errors, raw or in Base64', {}, async session => {
    const input = `me:${SECRET}`;
    const line = 'cloud secrets image-pull-secret registry ghcr.io - --debug';
    for (const quoted of [input, SECRET, Buffer.from(input).toString('base64')]) {
      for (const method of ['PUT', 'GET']) {
        const fault = answer(400, { error: `Invalid value ${quoted}` });
        session.cloud.fault({ method, path: '/secrets', after: method === 'GET' ? 2 : 0, fault });
        await session.run(line, { input });
        await session.run(`${line} --json`, { input });
        session.cloud.clearFaults();
      }
    }
  });
});
