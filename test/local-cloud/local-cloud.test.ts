import assert from 'node:assert/strict';
import { LOCAL_TOKEN, type LocalCloud, startLocalCloud } from '../../scripts/local-cloud/index.ts';

describe('the local cloud', () => {
  let cloud: LocalCloud;
  beforeEach(async () => {
    cloud = await startLocalCloud();
  });
  afterEach(() => cloud.close());

  async function ask(line: string, body?: object, token = LOCAL_TOKEN): Promise<[status: number, body: unknown]> {
    const [method, path] = line.split(' ');
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = body && JSON.stringify(body);
    const reply = await fetch(cloud.url + path, { method, headers, body: sent, redirect: 'manual' });
    return [reply.status, await reply.json()];
  }
  const secrets = '/v1/organizations/acme/secrets';

  it('responds like the platform', async () => {
    const put = { name: 'a', isImagePullSecret: false, secretKey: 'K', secretValue: 'v' };
    const pull = { isImagePullSecret: true, secretValue: 'x', host: 'h' };
    const unknown = /"status":null,"source":"managed","secrets":\[\{"fieldName":"K"/;
    const exchanges: [line: string, status: number, answer: RegExp, body?: object][] = [
      ['GET /v1/users', 200, /"emails":\[\{"emailAddress":/],
      ['GET /v1/organizations', 200, /"name":"acme","verboseName":"Acme"/],
      ['GET /v1/organizations/other/secrets', 403, /PCC-1001/],
      ['GET ORG/properties', 200, /"defaultRegion":"us-west"/],
      ['GET ORG/properties/schema', 200, /"availableValues":\["us-west"/],
      ['PATCH ORG/properties', 200, /us-east/, { defaultRegion: 'us-east' }],
      ['GET ORG/secrets', 200, /\{"sets":\[\]\}/],
      ['GET ORG/secrets/a', 404, /"Set not found","code":"NOT_FOUND"/],
      ['PUT ORG/secrets/a', 202, /\{"status":"OK","region":"us-east"\}/, put],
      ['PUT ORG/secrets/a', 400, /Cannot change region to 'us-west'/, { ...put, region: 'us-west' }],
      ['PUT ORG/secrets/b', 400, /Invalid region or organization/, { ...put, region: 'mars' }],
      ['PUT ORG/secrets/a', 400, /Cannot update existing regular/, pull],
      ['PUT ORG/secrets/b', 400, /Invalid request format/, { ...put, secretKey: 'not ok' }],
      ['PUT ORG/secrets/hub', 202, /OK/, pull],
      ['GET ORG/secrets/hub', 400, /Cannot retrieve image pull secrets by name/],
      ['PUT ORG/secrets/hub', 400, /Must provide isImagePullSecret/, put],
      ['GET ORG/regions', 200, /"code":"pce-acme-us-east".*"default_architecture":"amd64"/],
      ['POST ORG/secrets/references', 200, /"OK".*"type":"secret"/, { name: 'k', region: 'pce-acme-us-east' }],
      ['POST ORG/secrets/references', 400, /referenced in self-hosted regions/, { name: 'k', region: 'us-west' }],
      ['POST ORG/secrets/references', 400, /Invalid region or organization/, { name: 'k', region: 'mars' }],
      ['POST ORG/secrets/references', 409, /already exists/, { name: 'a', region: 'pce-acme-us-east' }],
      ['GET ORG/secrets/k', 200, /^\{"region":"pce-acme-us-east","status":"ready","source":"referenced"\}$/],
      ['PUT ORG/secrets/k', 409, /read-only/, put],
      ['DELETE ORG/secrets/k/K', 409, /read-only/],
      ['DELETE ORG/secrets/k', 200, /"OK"/],
      ['PUT ORG/secrets/an-unknown', 202, /OK/, put],
      ['GET ORG/secrets/an-unknown', 200, unknown],
      ['DELETE ORG/secrets/a/X', 404, /"Secret not found"/],
      ['DELETE ORG/secrets/a/K', 200, /"OK"/],
      ['DELETE ORG/secrets/a', 200, /"OK"/],
      ['DELETE ORG/secrets/a', 404, /"Set not found"/],
      ['GET /v2', 404, /Not found/],
    ];
    for (const [line, status, answer, body] of exchanges) {
      const [actual, response] = await ask(line.replace('ORG', '/v1/organizations/acme'), body);
      assert.equal(actual, status, line);
      assert.match(JSON.stringify(response), answer, line);
    }
    assert.equal((await ask('GET /v1/users', undefined, 'wrong'))[0], 401);
    assert.equal((await ask('GET /v1/users', undefined, '__proto__'))[0], 401);
  });

  it('accepts faults and serves its journal over HTTP, without values', async () => {
    const fault = { kind: 'answer', status: 503 };
    await ask('POST /_local/faults', { method: 'PUT', path: 'secrets/', times: 1, fault });
    const put = { secretKey: 'K', secretValue: 'hunter2' };
    assert.equal((await ask(`PUT ${secrets}/a`, put))[0], 503);
    assert.equal((await ask(`PUT ${secrets}/a`, put))[0], 202);
    const [, journal] = await ask('GET /_local/journal');
    assert.equal((journal as unknown[]).length, 2);
    assert.doesNotMatch(JSON.stringify(journal), /hunter2|pcc_pat/);
    await ask('POST /_local/faults', { fault: { kind: 'answer', status: 500 } });
    await ask('DELETE /_local/faults');
    assert.equal((await ask('GET /v1/users'))[0], 200);
  });
});
