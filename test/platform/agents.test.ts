import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { LOCAL_TOKEN, type LocalCloud, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { Agents } from '../../src/platform/agents.ts';
import { Cloud } from '../../src/platform/cloud.ts';
import { answer } from '../support/deploys.ts';

describe('builds and agents', () => {
  let cloud: LocalCloud;
  let connection: Cloud;
  let agents: Agents;
  beforeEach(async () => {
    cloud = await startLocalCloud();
    connection = new Cloud({
      apiUrl: cloud.url,
      token: LOCAL_TOKEN,
      userAgent: 'test',
      timeoutMs: 60_000,
      signal: new AbortController().signal,
      sleep: async () => {},
    });
    agents = new Agents(connection, 'acme');
  });
  afterEach(async () => {
    connection.close();
    await cloud.close();
  });

  const file = { bytes: 5, content: () => Readable.from([Buffer.from('hello')]) };

  it('finds builds of the same files only with the same build file', async () => {
    const target = await agents.prepareUpload('us-west');
    await connection.upload(target, file);
    const { build } = await agents.startBuild(target.uploadId, 'us-west', 'container-file');
    const key = { contextHash: '5d41402abc4b2a76', region: 'us-west' };
    for (const [dockerfilePath, found] of Object.entries({ 'container-file': build.id, other: undefined }))
      assert.equal((await agents.builds({ ...key, dockerfilePath }))[0]?.id, found);
  });

  it('stops an upload whose content fails, with its error', async () => {
    const content = async function* () {
      yield Buffer.from('he');
      throw new Error('changed');
    };
    const target = await agents.prepareUpload('us-west');
    await assert.rejects(connection.upload(target, { bytes: 5, content }), { message: 'changed' });
    await assert.rejects(agents.startBuild(target.uploadId, 'us-west', 'container-file'), /Upload not found/);
  });

  it('uploads only to an https address', async () => {
    for (const uploadUrl of ['http://storage.test/x', 'ftp://127.0.0.1/x', 'nowhere', 'file:///etc/passwd']) {
      const target = { uploadId: 'x', uploadUrl, uploadFields: {} };
      await assert.rejects(connection.upload(target, file), /address for the upload that is not https/);
    }
  });

  it('shows the code of a refused upload, and nothing else of the answer', async () => {
    const target = await agents.prepareUpload('us-west');
    const wrong = { ...target, uploadFields: { key: 'hunter2' } };
    await assert.rejects(connection.upload(wrong, file), /^CloudError|rejected the upload \(HTTP 403, AccessDenied\)$/);
  });

  it('reads an agent that is not wrapped, with details it does not know', async () => {
    const odd = { ready: 'yes', errors: [null, { code: 'X' }], autoScaling: 3, more: [1] };
    cloud.fault({ fault: answer(200, { name: 'bot', region: 'us-west', ...odd }) });
    assert.deepEqual(await agents.find('bot'), { name: 'bot', region: 'us-west', errors: [{ code: 'X' }] });
  });

  it('reads the errors of an agent in any shape', async () => {
    const coded = { code: 'X', message: 'why' };
    const uncoded = { code: 'unknown', message: 'PCC_X' };
    for (const [errors, ...read] of [
      [coded, coded],
      [['PCC_X'], uncoded],
      [[{ reason: 'X' }, 3], { code: 'unknown' }, { code: 'unknown' }],
      ['PCC_X', uncoded],
      [{}],
      [null],
    ]) {
      cloud.fault({ fault: answer(200, { name: 'bot', region: 'us-west', errors }) });
      assert.deepEqual((await agents.find('bot'))?.errors, read);
      cloud.clearFaults();
    }
  });

  it('takes no other agent and no other session for the one that it asked for', async () => {
    const [asked, other] = ['3f1c09aa-0000-4000-8000-000000000000', '3f1c09aa-0000-4000-8000-000000000001'];
    const body = { name: 'other', region: 'us-west', sessionId: other };
    cloud.fault({ fault: answer(200, body) });
    await assert.rejects(agents.find('bot'), { message: 'The platform sent agent other instead of bot' });
    const message = `The platform sent session ${other} instead of ${asked}`;
    await assert.rejects(agents.session('bot', asked), { message });
  });

  it('says what does not exist', async () => {
    cloud.fault({ fault: answer(404) });
    await assert.rejects(connection.regions('acme'), /: There is no organization acme: Injected fault$/);
    await assert.rejects(agents.prepareUpload('us-west'), /: There is no upload in us-west: Injected fault$/);
    await assert.rejects(connection.organizations(), /: The platform can't find the organizations: Injected fault$/);
  });

  it('says which fields came instead of an agent', async () => {
    cloud.fault({ fault: answer(200, { body: { service: 1, token: 'hunter2' } }) });
    await assert.rejects(
      agents.find('bot'),
      /unexpected response \(HTTP 200\), for agent bot in organization acme, with the fields service, token$/,
    );
  });

  it('repeats a change only if the first one had no effect', async () => {
    for (const [status, tries] of [
      [500, 1],
      [429, 4],
    ] as const) {
      cloud.fault({ method: 'PUT', fault: answer(status) });
      const before = cloud.journal.length;
      await assert.rejects(agents.deploy('PUT', { serviceName: 'bot' }));
      assert.equal(cloud.journal.length - before, tries);
    }
  });

  it('keeps IDs out of the path that are not UUIDs', async () => {
    await assert.rejects(agents.build('../services/bot'), /not a UUID/);
    await assert.rejects(agents.stopSession('bot', '..'), /not a UUID/);
    assert.deepEqual(cloud.journal, []);
  });
});
