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
    const reply = await fetch(cloud.url + path, {
      method,
      headers,
      body: body && JSON.stringify(body),
      redirect: 'manual',
    });
    return [reply.status, await reply.json()];
  }
  const secrets = '/v1/organizations/acme/secrets';

  it('responds like the platform', async () => {
    const put = { name: 'a', isImagePullSecret: false, secretKey: 'K', secretValue: 'v' };
    const exchanges: [line: string, body: object | undefined, status: number, answer: RegExp][] = [
      ['GET /v1/users', undefined, 200, /"emails":\[\{"emailAddress":/],
      ['GET /v1/organizations', undefined, 200, /"name":"acme","verboseName":"Acme"/],
      ['GET /v1/organizations/other/secrets', undefined, 403, /PCC-1001/],
      ['GET /v1/organizations/acme/properties', undefined, 200, /"defaultRegion":"us-west"/],
      ['GET /v1/organizations/acme/properties/schema', undefined, 200, /"availableValues":\["us-west"/],
      ['PATCH /v1/organizations/acme/properties', { defaultRegion: 'us-east' }, 200, /us-east/],
      [`GET ${secrets}`, undefined, 200, /\{"sets":\[\]\}/],
      [`GET ${secrets}/a`, undefined, 404, /"Set not found","code":"NOT_FOUND"/],
      [`PUT ${secrets}/a`, put, 202, /\{"status":"OK","region":"us-east"\}/],
      [`PUT ${secrets}/a`, { ...put, region: 'us-west' }, 400, /Cannot change region to 'us-west'/],
      [`PUT ${secrets}/b`, { ...put, region: 'mars' }, 400, /Invalid region or organization/],
      [
        `PUT ${secrets}/a`,
        { isImagePullSecret: true, secretValue: 'x', host: 'h' },
        400,
        /Cannot update existing regular/,
      ],
      [`PUT ${secrets}/b`, { ...put, secretKey: 'not ok' }, 400, /Invalid request format/],
      [`PUT ${secrets}/hub`, { isImagePullSecret: true, secretValue: 'x', host: 'h' }, 202, /OK/],
      [`GET ${secrets}/hub`, undefined, 400, /Cannot retrieve image pull secrets by name/],
      [`PUT ${secrets}/hub`, put, 400, /Must provide isImagePullSecret/],
      [
        'GET /v1/organizations/acme/regions',
        undefined,
        200,
        /"code":"pce-acme-us-east".*"default_architecture":"amd64"/,
      ],
      [`POST ${secrets}/references`, { name: 'k', region: 'pce-acme-us-east' }, 200, /"OK".*"type":"secret"/],
      [
        `POST ${secrets}/references`,
        { name: 'k', region: 'us-west' },
        400,
        /only be referenced in self-hosted regions/,
      ],
      [`POST ${secrets}/references`, { name: 'k', region: 'mars' }, 400, /Invalid region or organization/],
      [`POST ${secrets}/references`, { name: 'a', region: 'pce-acme-us-east' }, 409, /already exists/],
      [`GET ${secrets}/k`, undefined, 200, /^\{"region":"pce-acme-us-east","status":"ready","source":"referenced"\}$/],
      [`PUT ${secrets}/k`, put, 409, /read-only/],
      [`DELETE ${secrets}/k/K`, undefined, 409, /read-only/],
      [`DELETE ${secrets}/k`, undefined, 200, /"OK"/],
      [`PUT ${secrets}/an-unknown`, put, 202, /OK/],
      [`GET ${secrets}/an-unknown`, undefined, 200, /"status":null,"source":"managed","secrets":\[\{"fieldName":"K"/],
      [`DELETE ${secrets}/a/X`, undefined, 404, /"Secret not found"/],
      [`DELETE ${secrets}/a/K`, undefined, 200, /"OK"/],
      [`DELETE ${secrets}/a`, undefined, 200, /"OK"/],
      [`DELETE ${secrets}/a`, undefined, 404, /"Set not found"/],
      ['GET /v2', undefined, 404, /Not found/],
    ];
    for (const [line, body, status, answer] of exchanges) {
      const [actual, response] = await ask(line, body);
      assert.equal(actual, status, line);
      assert.match(JSON.stringify(response), answer, line);
    }
    assert.equal((await ask('GET /v1/users', undefined, 'wrong'))[0], 401);
    assert.equal((await ask('GET /v1/users', undefined, '__proto__'))[0], 401);
  });

  it('accepts faults and serves its journal over HTTP, without values', async () => {
    await ask('POST /_local/faults', {
      method: 'PUT',
      path: 'secrets/',
      times: 1,
      fault: { kind: 'answer', status: 503 },
    });
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
