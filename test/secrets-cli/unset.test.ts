import assert from 'node:assert/strict';
import { cloudItWith, SECRET } from '../support/cloud-session.ts';
import { accountWith, refuses, stored } from './accounts.ts';

const KEYS = ['API_KEY', 'B'];
const account = () =>
  accountWith([
    stored('prod', KEYS),
    stored('old_set.1', KEYS),
    stored('hub', KEYS, { type: 'imagePullSecret' }),
    stored('theirs', KEYS, { source: 'referenced' }),
  ]);

const unsetIt = cloudItWith(() => ({ cloud: account() }));

describe('cloud secrets unset', () => {
  unsetIt('prints the result as JSON', async ({ succeed }) => {
    const result = JSON.parse(await succeed('cloud secrets unset prod B --skip --json -o acme'));
    assert.deepEqual(result, { organization: 'acme', name: 'prod', region: 'us-west', removed: ['B'] });
  });

  for (const [name, keys, removed, kept] of [
    ['prod', 'B', 'B', '1 other key'],
    ['old_set.1', 'B API_KEY B', 'API_KEY, B', '0 other keys'],
  ] as const) {
    unsetIt(`removes ${keys} from ${name}, each key once`, async ({ run, requests }) => {
      assert.deepEqual(await run(`cloud secrets unset ${name} ${keys} -s`), {
        code: 0,
        stdout: `✓ Removed ${removed} from ${name} in organization acme\n`,
        stderr: `${name} in organization acme, region us-west: removing ${removed}; keeping ${kept}.\nAgents that use this set keep the key${removed.includes(',') ? 's' : ''} until their next deploy.\n`,
        waits: [],
      });
      const deletes = removed.split(', ').map(key => `DELETE /secrets/${name}/${key} 200`);
      assert.deepEqual(requests(), [`GET /secrets/${name} 200`, ...deletes, `GET /secrets/${name} 200`]);
    });
  }

  unsetIt('lists the state of every key if one fails', async ({ run, cloud }) => {
    cloud.fault({ method: 'DELETE', after: 1, fault: { kind: 'answer', status: 403 } });
    const { code, stderr, stdout } = await run('cloud secrets unset prod API_KEY B -s');
    assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
    assert.match(
      stderr,
      /error: Could not remove B\. This account has no access to key B in prod.*\n {2}removed: API_KEY\n {2}not removed: B\n[\s\S]*To check, run: botcli cloud secrets list prod -o acme\n/,
    );
  });

  unsetIt('accepts that somebody else removed a key in the meantime', async ({ succeed, cloud }) => {
    const body = { error: 'Secret not found', code: 'NOT_FOUND' };
    cloud.fault({ method: 'DELETE', times: 1, fault: { kind: 'answer', status: 404, body, done: true } });
    assert.match(await succeed('cloud secrets unset prod API_KEY B -s'), /Removed API_KEY, B/);
  });

  refuses('secrets unset', {
    code: 1,
    cloud: account,
    messages: {
      'prod API_KEYS -s':
        /^error: Argument 1: there is no such key in prod in organization acme \(API_KEYS\)\nDid you mean API_KEY\?\n$/,
      [`prod ${SECRET} -s`]:
        /^error: Argument 1: there is no such key in prod in organization acme\nIts keys: API_KEY, B\n$/,
      [`prod B API_KYE ${SECRET} -s`]:
        /^error: 2 problems; nothing was removed:\n {2}argument 2: there is no such key in prod in organization acme \(API_KYE\)\. Did you mean API_KEY\?\n {2}argument 3: there is no such key in prod in organization acme\nIts keys: API_KEY, B\n$/,
      'prd B -s': /There is no secret "prd" in organization acme\nDid you mean prod\?/,
      'theirs B -s': /theirs is managed in your own cluster and can only be changed there/,
      'hub B -s': /hub is an image pull secret, which has no keys/,
    },
  });
  const rule = /^error: <secret_key> must be 1 to 64 letters, digits, underscores, or hyphens\n$/;
  const illegal = ['../other/X', "'A#x'", 'A/B', '..', 'a.b', '%41', "''", 'k'.repeat(65)];
  refuses('secrets unset', {
    cloud: account,
    isEarly: true,
    messages: {
      'prod B': /this isn't a terminal\nPass --skip/,
      'prod -s': /Missing argument <secret_key\.\.\.>/,
      ...Object.fromEntries(illegal.map(key => [`prod ${key} -s`, rule])),
    },
  });
});

describe('cloud secrets delete', () => {
  const losses: [name: string, loss: RegExp, ...requests: string[]][] = [
    ['prod', /region us-west: its 2 keys \(API_KEY, B\) will be lost\. This cannot be undone/, 'GET /secrets/prod 200'],
    ['old_set.1', /its 2 keys/, 'GET /secrets/old_set.1 200'],
    ['hub', /the credentials of this image pull secret will be lost/, 'GET /secrets/hub 400', 'GET /secrets 200'],
  ];
  for (const [name, loss, ...requests] of losses) {
    unsetIt(`deletes ${name} after showing what will be lost`, async session => {
      const { code, stdout, stderr } = await session.run(`cloud secrets delete ${name} --skip`);
      assert.deepEqual({ code, stdout }, { code: 0, stdout: `✓ Deleted ${name} in organization acme\n` });
      assert.match(stderr, loss);
      assert.deepEqual(session.requests(), [...requests, `DELETE /secrets/${name} 200`, `GET /secrets/${name} 404`]);
    });
  }

  const rule =
    /^error: The name must be 1 to 128 letters, digits, hyphens, underscores, or dots \(but not only dots\)\n$/;
  const illegal = ['..', '.', '../services/prod-agent', 'prod/B', '%2e%2e', 'prod?x', 'prod#'];
  refuses('secrets delete', {
    cloud: account,
    isEarly: true,
    messages: {
      prod: /this isn't a terminal\nPass --skip/,
      ...Object.fromEntries(illegal.map(name => [`${name} -s`, rule])),
    },
  });
  const messages = { 'prdo -s': /There is no secret "prdo" in organization acme\nDid you mean prod\?/ };
  refuses('secrets delete', { code: 1, cloud: account, messages });
});
