import assert from 'node:assert/strict';
import { cloudIt, SECRET } from '../support/cloud-session.ts';
import { accountWith, refuses, stored } from './accounts.ts';

const EU = { region: 'eu-central' };
const cloud = accountWith([
  stored('prod', ['API_KEY', 'DB_KEY']),
  stored('hub', [''], { type: 'imagePullSecret', ...EU }),
  stored('new', ['A'], { readyAt: Number.POSITIVE_INFINITY }),
  stored('bad-fail', ['A'], EU),
  stored('old_name.1', []),
  stored('theirs', [], { source: 'referenced' }),
]);

const PROD = 'prod\tsecret set\tus-west\tready\n';
const HUB = 'hub\timage pull secret\teu-central\tready\n';
const NEW = 'new\tsecret set\tus-west\tpending\n';
const BAD = 'bad-fail\tsecret set\teu-central\tfailed: The secret could not be provisioned in its region.\n';
const REST = 'old_name.1\tsecret set\tus-west\tready\ntheirs\tsecret set\tus-west\tready\n';
const ALL = PROD + HUB + NEW + BAD + REST;
const SETS = PROD + NEW + BAD + REST;

describe('cloud secrets list', () => {
  const listings: Record<string, string> = {
    '': ALL,
    '--sets': SETS,
    '-s': SETS,
    '--sets=true': SETS,
    '--sets true': SETS,
    '--no-sets': ALL,
    '--sets=false': ALL,
    '--sets false': ALL,
    '--region eu-central': HUB + BAD,
    '-sr eu-central': BAD,
    '-o other': '',
    '--organization=other -r us-east': '',
    prod: 'prod: secret set in us-west, ready\n  API_KEY\n  DB_KEY\n',
    new: 'new: secret set in us-west, pending\n  A\n',
    hub: 'hub: image pull secret in eu-central, ready\n',
    'old_name.1': 'old_name.1: secret set in us-west, ready\n',
    theirs: 'theirs: secret set in us-west, ready\n',
    'bad-fail': 'bad-fail: secret set in eu-central, failed: The secret could not be provisioned in its region.\n  A\n',
  };
  for (const [line, stdout] of Object.entries(listings)) {
    cloudIt(`list ${line}`, { cloud }, async ({ succeed }) =>
      assert.equal(await succeed(`cloud secrets list ${line}`), stdout),
    );
  }

  const other = 'GET /v1/organizations/other';
  for (const [line, ...requests] of [
    ['-s', 'GET /secrets 200'],
    ['-r eu-central', 'GET /regions 200', 'GET /secrets 200'],
    ['-o other -r us-east', `${other}/regions 200`, `${other}/secrets 200`],
    ['old_name.1', 'GET /secrets/old_name.1 200'],
    ['hub', 'GET /secrets/hub 400', 'GET /secrets 200'],
  ]) {
    cloudIt(`list ${line} sends ${requests.join(', ')}`, { cloud }, async session => {
      await session.succeed(`cloud secrets list ${line}`);
      assert.deepEqual(session.requests(), requests);
    });
  }

  cloudIt('prints the list as JSON', { cloud }, async ({ succeed }) => {
    const row = { name: 'prod', type: 'secret', region: 'us-west', status: 'ready' };
    const hub = { name: 'hub', type: 'imagePullSecret', region: 'eu-central', status: 'ready' };
    const list = async (line: string) => JSON.parse(await succeed(`cloud secrets list ${line} --json`));
    const { secrets } = await list('');
    assert.deepEqual([secrets.length, ...secrets.slice(0, 2)], [6, row, hub]);
    assert.deepEqual(await list('prod'), { secrets: [{ ...row, keys: ['API_KEY', 'DB_KEY'] }] });
    assert.deepEqual(await list('hub'), { secrets: [hub] });
    assert.deepEqual(await list('-o other'), { secrets: [] });
  });

  const own = { cloud: () => cloud };
  refuses('secrets list', {
    ...own,
    code: 1,
    messages: {
      prodd: /^error: There is no secret "prodd" in organization acme\nDid you mean prod\?/,
      'prodd -o acme -r eu-central':
        /There is no secret "prodd"[\s\S]*To list all, run: botcli cloud secrets list -o acme\n/,
      'hub --sets':
        /hub is an image pull secret, which --sets excludes\nTo show it, run: botcli cloud secrets list hub -o acme\n/,
      'prod -r eu-central':
        /prod is in us-west, not in eu-central\nTo show it, run: botcli cloud secrets list prod -o acme\n/,
      '-o nobodys':
        /This account has no access to organization nobodys: Organization access denied\n.*organizations list/,
    },
  });
  const noRegion = { '-r eu-west': /Organization acme has no region "eu-west"\nIts regions: us-west, us-east/ };
  refuses('secrets list', { ...own, messages: noRegion });
  const rule =
    /^error: The name must be 1 to 128 letters, digits, hyphens, underscores, or dots \(but not only dots\)\n$/;
  const illegal = [...'.. . a/b ../services/x %2e%2e a%2fb a#b a?b ä'.split(' '), "'a b'", "''", `'a\u001b[31m'`];
  refuses('secrets list', {
    ...own,
    isEarly: true,
    messages: {
      '--sets=yes': /--sets takes true or false/,
      'a b': /Too many arguments/,
      ...Object.fromEntries(
        illegal.flatMap(name => [
          [name, rule],
          [`-o ${name}`, /^error: --organization must be the name in the organization's URL/],
          [`-r ${name}`, /^error: --region must be a code such as us-west\n$/],
        ]),
      ),
    },
  });

  const body = (sets: unknown[]) => ({ kind: 'answer', status: 200, body: { sets } }) as const;

  cloudIt('shows no control characters or unexpected fields', { cloud }, async ({ cloud, succeed }) => {
    const names = { name: 'a\u001b]0;x\u0007\nb', region: 'r\u202e', status: 'ready\u009b' };
    cloud.fault({ fault: body([{ ...names, type: 'secret', value: SECRET }]) });
    assert.equal(await succeed('cloud secrets list'), 'a\ufffd]0;x\ufffd b\tsecret set\tr\ufffd\tready\ufffd\n');
    assert.doesNotMatch(await succeed('cloud secrets list --json'), /(?!\n)\p{Cc}/u);
  });

  cloudIt('shows odd rows, and the others with them', { cloud }, async ({ cloud, succeed }) => {
    const odd = [
      { name: 'a', type: 'secret', region: null, status: null, errorMessage: null },
      { name: 'b', type: 'vault', region: 'pce-acme-us-east', status: 'archived', deep: { er: [{}] } },
      { name: 'c', type: 'secret', region: 7, status: {}, errorMessage: ['x'] },
      { type: 'secret', region: 'us-west', status: 'ready' },
      'nonsense',
    ];
    cloud.fault({ fault: body(odd) });
    const known =
      'a\tsecret set\tunknown\tunknown\nb\tvault\tpce-acme-us-east\tarchived\nc\tsecret set\tunknown\tunknown\n';
    const unnamed = '(unnamed)\tsecret set\tus-west\tready\n(unnamed)\tunknown\tunknown\tunknown\n';
    assert.equal(await succeed('cloud secrets list'), known + unnamed);
    const { secrets } = JSON.parse(await succeed('cloud secrets list --json'));
    assert.deepEqual(secrets[0], { name: 'a', type: 'secret', region: 'unknown', status: 'unknown' });
  });

  const referenced: [name: string, body: object, stdout: string][] = [
    ['without keys', { region: 'pce-acme-1', status: 'ready', source: 'referenced' }, 'pce-acme-1, ready'],
    ['with null', { region: null, status: null, source: 'referenced', secrets: null }, 'unknown, unknown'],
  ];
  for (const [name, body, details] of referenced) {
    cloudIt(`shows a referenced set ${name}`, { cloud }, async ({ cloud, run, fail }) => {
      cloud.fault({ fault: { kind: 'answer', status: 200, body } });
      const { code, stdout, stderr } = await run('cloud secrets list theirs');
      assert.deepEqual([code, stdout], [0, `theirs: secret set in ${details}\n`]);
      assert.equal(stderr, "Its keys are stored in your own cluster and can't be shown.\n");
      const { secrets } = JSON.parse((await run('cloud secrets list theirs --json')).stdout);
      assert.deepEqual([secrets[0].source, secrets[0].keys], ['referenced', []]);
      assert.match(await fail(1, 'cloud secrets set theirs K=1 --skip'), /managed in your own cluster/);
      assert(!cloud.journal.some(({ method }) => method !== 'GET'));
    });
  }

  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  cloudIt('shows lists of any length, depth and wordiness', { cloud }, async ({ cloud, run, succeed }) => {
    const row = { name: 'a', type: 'secret', region: 'us-west', status: 'failed' };
    const many = { sets: Array(40_000).fill({ ...row, errorMessage: '' }) };
    const wordy = { sets: [{ ...row, errorMessage: 'no '.repeat(700_000) }] };
    const lists: [body: string, expected: (stdout: string) => boolean][] = [
      [JSON.stringify(many), text => text.split('\n').length === 40_001],
      [`{"sets":[],"deep":${nested(50_000)}}`, text => text === ''],
      [JSON.stringify(wordy), text => text.length < 400 && text.endsWith('…\n')],
    ];
    for (const [text, isExpected] of lists) {
      cloud.fault({ fault: { kind: 'text', text } });
      const stdout = await succeed('cloud secrets list');
      assert(isExpected(stdout), stdout.slice(0, 1000));
    }
    const errors = `{"error":${nested(50_000).replaceAll('"a"', '"error"')}}`;
    cloud.fault({ fault: { kind: 'text', status: 400, text: errors } });
    assert.match((await run('cloud secrets list')).stderr, /^error: The platform rejected the request/);
  });

  cloudIt('replaces invisible characters, which make names look alike', { cloud }, async ({ cloud, succeed }) => {
    const names = ['pr\u200bod', 'pr\u{e0061}od', 'pr\u00adod', 'pr\u2028od'];
    const sets = names.map(name => ({ name, type: 'secret', region: 'us-west', status: 'ready' }));
    cloud.fault({ fault: body(sets) });
    assert.equal(await succeed('cloud secrets list'), 'pr\ufffdod\tsecret set\tus-west\tready\n'.repeat(4));
  });

  cloudIt('reports how many secrets other regions have if a region has none', { cloud }, async ({ run }) => {
    for (const [line, elsewhere] of [
      ['-r ap-south', '; 6 in other regions'],
      ['-sr ap-south', '; 5 in other regions'],
      ['-r ap-south -o other', ''],
    ] as const) {
      const { code, stdout, stderr } = await run(`cloud secrets list ${line}`);
      const where = line.includes('other') ? 'other' : 'acme';
      assert.deepEqual([code, stdout], [0, '']);
      assert.equal(stderr, `No secrets in organization ${where}, region ap-south${elsewhere}.\n`);
    }
  });

  const empty = { cloud, env: { BOTCLI_ORG: 'other' } };
  cloudIt('knows an empty organization from a missing one', empty, async ({ run, cloud, fail }) => {
    const none = { code: 0, stdout: '', stderr: 'No secrets in organization other.\n', waits: [] };
    assert.deepEqual(await run('cloud secrets list'), none);
    const body = { error: 'Nope', code: 'NOT_FOUND' };
    cloud.fault({ path: '/secrets', fault: { kind: 'answer', status: 404, body } });
    assert.equal((await run('cloud secrets list')).code, 0);
    assert.match(await fail(1, 'cloud secrets list -o nobodys'), /There is no organization nobodys: Nope/);
  });
});
