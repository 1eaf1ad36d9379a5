import assert from 'node:assert/strict';
import { cloudIt, cloudItWith, printOf, SECRET, storedValue } from '../support/cloud-session.ts';
import { runShell } from '../support/shell.ts';
import { accountWith, refuses, stored } from './accounts.ts';

// Where `set` takes its keys from, and what it does to the keys of a set.

const account = () => accountWith([stored('prod', ['OLD', 'API_KEY', 'OTHER'], { region: 'us-east' })]);
const files = {
  '.env': `NEW=${SECRET}\nAPI_KEY=${SECRET}\n`,
  'keys.json': `{"NEW": "${SECRET}",\n "API_KEY": "a\\nb"}`,
};

const planIt = cloudItWith(() => ({ cloud: account(), files }));

describe('cloud secrets set --prune', () => {
  planIt('sets all keys of the file, then removes the others', async ({ run, succeed, requests }) => {
    assert.deepEqual(await run('cloud secrets set prod --file .env --prune --skip'), {
      code: 0,
      stdout: '✓ prod in organization acme, region us-east: 1 added, 1 replaced, 2 removed, 0 kept. It is ready.\n',
      stderr:
        'prod in organization acme, region us-east: adding NEW; replacing API_KEY; removing OLD, OTHER; keeping 0 other keys.\n' +
        'Agents that use this set pick up the change at their next deploy.\n',
      waits: [],
    });
    assert.deepEqual(requests(), [
      'GET /secrets/prod 200',
      'PUT /secrets/prod 202',
      'PUT /secrets/prod 202',
      'DELETE /secrets/prod/OLD 200',
      'DELETE /secrets/prod/OTHER 200',
      'GET /secrets/prod 200',
    ]);
    assert.deepEqual(JSON.parse(await succeed('cloud secrets list prod --json')).secrets[0].keys, ['API_KEY', 'NEW']);
  });

  planIt('is never implied: without it, all other keys stay', async ({ succeed, cloud }) => {
    const { removed, kept } = JSON.parse(await succeed('cloud secrets set prod --file .env --skip --json'));
    assert.deepEqual([removed, kept], [[], ['OLD', 'OTHER']]);
    assert(!cloud.journal.some(({ method }) => method === 'DELETE'));
  });

  cloudIt('does nothing special for a new set, and works with stdin and JSON', {}, async ({ succeed }) => {
    const line = 'cloud secrets set demo --file - --prune --skip --json';
    const first = JSON.parse(await succeed(line, { input: 'A=1\nB=2\n' }));
    assert.deepEqual([first.added, first.removed], [['A', 'B'], []]);
    const second = JSON.parse(await succeed(line, { input: '{"B":"3"}' }));
    assert.deepEqual([second.replaced, second.removed, second.kept], [['B'], ['A'], []]);
  });

  const failures: [name: string, method: string, after: number, status: number, ...said: string[]][] = [
    ['a key that the platform refuses', 'PUT', 1, 400, 'set: NEW', 'not set: API_KEY', 'not removed: OLD, OTHER'],
    ['a removal that it refuses', 'DELETE', 1, 400, 'set: NEW, API_KEY', 'removed: OLD', 'not removed: OTHER'],
    ['an unclear removal', 'DELETE', 0, 500, 'set: NEW, API_KEY', 'possibly removed: OLD', 'not removed: OTHER'],
  ];
  for (const [name, method, after, status, ...said] of failures) {
    planIt(`reports the state of every key after ${name}`, async ({ fail, cloud }) => {
      cloud.fault({ method, after, fault: { kind: 'answer', status } });
      const stderr = await fail(1, 'cloud secrets set prod --file .env --prune --skip');
      assert.equal(stderr.match(/^ {2}.*\n/gm)?.join(''), said.map(line => `  ${line}\n`).join(''));
      assert.match(stderr, method === 'PUT' ? /error: Could not set API_KEY\. / : /error: Could not remove O\w+\. /);
      assert.match(stderr, /\nIt is safe to run the same command again: it sets all of them\.\n$/);
    });
  }

  planIt('lists the state of every key in JSON', async ({ run, cloud }) => {
    cloud.fault({ method: 'DELETE', after: 1, fault: { kind: 'answer', status: 400 } });
    const { code, stdout } = await run('cloud secrets set prod --file .env --prune --skip --json');
    const { applied, not_sent, removed, failed, not_removed } = JSON.parse(stdout).error;
    const states = [code, applied, not_sent, removed, failed, not_removed];
    assert.deepEqual(states, [1, ['NEW', 'API_KEY'], [], ['OLD'], ['OTHER'], []]);
  });

  planIt('detects a key that the platform only claims to have removed', async ({ fail, cloud }) => {
    cloud.fault({ method: 'DELETE', times: 1, fault: { kind: 'answer', status: 200, body: { status: 'OK' } } });
    assert.match(
      await fail(1, 'cloud secrets set prod --file .env --prune --skip'),
      /error: The platform accepted every key, but prod in organization acme still has keys that were removed\n {2}not removed: OLD\nRun the command again, then check: botcli cloud secrets list prod -o acme\n/,
    );
  });
});

describe('cloud secrets set --dry-run', () => {
  planIt('shows the preview, and changes nothing, without a question', async ({ run, requests }) => {
    const stdout = `Organization: acme
Region:       us-east
Secret set:   prod (exists)
  + NEW      add
  ~ API_KEY  replace
  - OLD      remove
  - OTHER    remove
`;
    const outcome = { code: 0, stdout, stderr: 'This was a dry run: nothing was changed.\n', waits: [] };
    assert.deepEqual(await run('cloud secrets set prod --file .env --prune --dry-run'), outcome);
    assert.deepEqual(requests(), ['GET /secrets/prod 200']);
  });

  type Plan = [region: string, name: string, add: string, replace?: string, remove?: string, keep?: string];
  const plans: [line: string, ...Plan][] = [
    ['prod --file .env', 'us-east', 'prod', 'NEW', 'API_KEY', '', 'OLD OTHER'],
    ['prod --file keys.json --prune', 'us-east', 'prod', 'NEW', 'API_KEY', 'OLD OTHER'],
    ['fresh A=1 --skip --wait', 'us-west', 'fresh', 'A'],
    ['fresh A=1 -r eu-central', 'eu-central', 'fresh', 'A'],
  ];
  for (const [line, region, name, ...changes] of plans) {
    planIt(`prints the plan of set ${line} as JSON`, async ({ succeed, cloud }) => {
      const [add, replace, remove, keep] = [0, 1, 2, 3].map(at => changes[at]?.match(/\w+/g) ?? []);
      const result = JSON.parse(await succeed(`cloud secrets set ${line} --dry-run --json`));
      assert.deepEqual(result, { organization: 'acme', region, name, add, replace, remove, keep, warnings: [] });
      assert(cloud.journal.every(({ method }) => method === 'GET'));
    });
  }

  cloudIt('fails where the real run would', { cloud: account(), files: { '.env': 'nonsense' } }, async ({ fail }) => {
    assert.match(await fail(2, 'cloud secrets set prod --file .env --dry-run'), /line 1: it has no "="/);
    assert.match(await fail(1, 'cloud secrets set prod A=1 -r us-west --dry-run'), /can't be moved to us-west/);
  });
});

describe('cloud secrets set --from-env', () => {
  const env = { API_KEY: SECRET, PEM: `l1\n${SECRET} x=1\n` };

  cloudIt('takes the values of bare keys from the environment', { cloud: account() }, async ({ run, cloud }) => {
    const { code, stderr } = await run('cloud secrets set prod --from-env API_KEY MODE=live PEM --skip', { env });
    assert.equal(code, 0);
    assert.match(stderr, /^prod in .*: adding MODE, PEM; replacing API_KEY; keeping 2 other keys\.\n/);
    assert.deepEqual(
      ['API_KEY', 'MODE', 'PEM'].map(key => storedValue(cloud, key)),
      [env.API_KEY, 'live', env.PEM].map(printOf),
    );
  });

  refuses('secrets set', {
    cloud: account,
    files,
    env,
    isEarly: true,
    messages: {
      'prod --from-env API_KEY DB_KEY AUTH_TOKEN -s':
        /^error: 2 problems; nothing was sent:\n {2}argument 2: no environment variable has this name \(DB_KEY\)\n {2}argument 3: no environment variable has this name \(AUTH_TOKEN\)\n$/,
      'prod --from-env -s': /^error: --from-env needs at least one bare KEY: the name of an environment variable\n$/,
      'prod --from-env A=1 -s': /^error: --from-env needs at least one bare KEY/,
      'prod --from-env API_KEY --file .env -s': /^error: Pass KEY=VALUE pairs or --file, not both\n$/,
      'prod --from-env API_KEY --prune -s':
        /^error: --prune needs --file: it removes the keys that are not in the file\n$/,
      'prod --prune -s': /2 problems[\s\S]*Nothing to set[\s\S]*--prune needs --file/,
      'prod --from-env=API_KEY -s': /--from-env takes true or false/,
    },
  });
});

describe('cloud secrets set --file with JSON', () => {
  const broken = { 'a.json': `{"A": "${SECRET}",\n"API_KEY": {"x": "${SECRET}"},\n"A": ""}` };
  cloudIt('reads a file, stdin or a pipe', { files }, async ({ succeed, cloud, env, directory }) => {
    await succeed('cloud secrets set demo --file keys.json --skip');
    assert.deepEqual([storedValue(cloud, 'NEW'), storedValue(cloud, 'API_KEY')], [SECRET, 'a\nb'].map(printOf));
    await succeed('cloud secrets set demo -sf -', { input: ` {"NEW": "from stdin"}` });
    assert.equal(storedValue(cloud, 'NEW'), printOf('from stdin'));
    const line = `bash -c '"$NODE" "$BIN" cloud secrets set demo --skip -f <(echo "{\\"NEW\\": \\"$1\\"}")' _ piped`;
    const { code, stderr } = await runShell(line, { cwd: directory, env });
    assert.equal(code, 0, stderr);
    assert.equal(storedValue(cloud, 'NEW'), printOf('piped'));
  });

  cloudIt('reports every problem with its line, and sends nothing', { files: broken }, async session => {
    assert.match(
      await session.fail(2, 'cloud secrets set demo --file a.json --skip'),
      /^error: Nothing was sent, because of 2 problems in a\.json:\n {2}line 2, column 1: the value must be a string, in quotes \(API_KEY\)\n {2}line 3, column 1: it repeats the key of line 1, column 2\n$/,
    );
    assert.deepEqual(session.requests(), []);
  });
});
