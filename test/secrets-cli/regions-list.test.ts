import assert from 'node:assert/strict';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { cloudIt } from '../support/cloud-session.ts';

const other = newOrganization('other', { defaultRegion: 'eu-central' });
const none = newOrganization('none', { regions: [] });
const cloud = { accounts: { [LOCAL_TOKEN]: [newOrganization('acme'), other, none] } };

describe('cloud regions list', () => {
  cloudIt('lists code, name and architectures, and marks the default', { cloud }, async ({ succeed, requests }) => {
    const listing = [
      "us-west\tUS West (Oregon)\tarm64\tthe organization's default",
      'us-east\tUS East (Virginia)\tarm64\t',
      'eu-central\tEU Central (Frankfurt)\tarm64\t',
      'ap-south\tAP South (Mumbai)\tarm64\t',
      'pce-acme-us-east\tAcme (self-hosted)\tamd64, arm64\t',
    ];
    assert.equal(await succeed('cloud regions list'), `${listing.join('\n')}\n`);
    assert.deepEqual(requests(), ['GET /regions 200', 'GET /properties 200']);
  });

  cloudIt('prints them as JSON, for the organization in -o', { cloud }, async ({ succeed }) => {
    const { organization, regions } = JSON.parse(await succeed('cloud regions list -o other --json'));
    assert.equal(organization, 'other');
    assert.deepEqual(regions.slice(1, 3), [
      { code: 'us-east', name: 'US East (Virginia)', architectures: ['arm64'], default: false },
      { code: 'eu-central', name: 'EU Central (Frankfurt)', architectures: ['arm64'], default: true },
    ]);
  });

  cloudIt('says that there are none', { cloud }, async ({ run, succeed }) => {
    assert.equal((await run('cloud regions list -o none')).stderr, 'Organization none has no regions.\n');
    assert.deepEqual(JSON.parse(await succeed('cloud regions list -o none --json')).regions, []);
  });

  const answers: [name: string, regions: object[], properties: number, stdout: string][] = [
    ['only codes', [{ code: 'us-west' }], 200, "us-west\t\t\tthe organization's default\n"],
    ['nulls', [{ code: 'x', display_name: null, supported_architectures: null }], 200, 'x\t\t\t\n'],
    [
      'several architectures, and no default',
      [{ code: 'x', display_name: 'X', supported_architectures: ['arm64', 'amd64'] }],
      404,
      'x\tX\tarm64, amd64\t\n',
    ],
  ];
  for (const [name, regions, status, stdout] of answers) {
    cloudIt(`lists what an older or newer platform responds: ${name}`, { cloud }, async ({ succeed, cloud }) => {
      cloud.fault({ path: '/regions', fault: { kind: 'answer', status: 200, body: { regions } } });
      if (status !== 200) cloud.fault({ path: '/properties', fault: { kind: 'answer', status } });
      assert.equal(await succeed('cloud regions list'), stdout);
    });
  }

  cloudIt('refuses an invalid organization before anything is sent', { cloud }, async ({ fail, requests }) => {
    assert.match(await fail(2, 'cloud regions list -o a/b'), /--organization must be the name/);
    assert.deepEqual(requests(), []);
  });
});
