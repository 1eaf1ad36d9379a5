import assert from 'node:assert/strict';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization, type StoredSet } from '../../scripts/local-cloud/store.ts';
import { assertSecretive, cloudSession, printOf, SECRET, storedValue } from '../support/cloud-session.ts';
import { git } from '../support/git.ts';
import { BOT } from '../support/session.ts';

const stored = (name: string, more: Partial<StoredSet> = {}): [string, StoredSet] => [
  name,
  { name, type: 'secret', region: 'us-west', values: new Map([['OLD', 'x']]), readyAt: 0, ...more },
];
/** A new account for each test. */
const account = () => {
  const sets = new Map([
    stored('prod'),
    stored('hub', { type: 'imagePullSecret' }),
    stored('eu', { region: 'eu-central' }),
    stored('theirs', { source: 'referenced' }),
  ]);
  const organizations = [newOrganization('acme', { sets, defaultRegion: 'us-east' }), newOrganization('other')];
  return { accounts: { [LOCAL_TOKEN]: organizations } };
};

const NEXT = 'Agents that use this set pick up the change at their next deploy.\n';

const HISTORY =
  'Values on the command line stay in your shell history. To keep them out, use --file, KEY=-, or a bare KEY.\n';

describe('cloud secrets set', () => {
  it(
    'sends the keys in order, then checks that they are stored',
    cloudSession({ cloud: account() }, async ({ run, requests, cloud }) => {
      const { code, stdout, stderr } = await run([
        'cloud',
        'secrets',
        'set',
        'prod',
        `B=${SECRET}`,
        'OLD=2',
        'A=3',
        '-s',
      ]);
      assert.deepEqual(
        { code, stdout, stderr },
        {
          code: 0,
          stdout: '✓ prod in organization acme, region us-west: 2 added, 1 replaced, 0 kept. It is ready.\n',
          stderr: `prod in organization acme, region us-west: adding B, A; replacing OLD; keeping 0 other keys.\n${NEXT}${HISTORY}`,
        },
      );
      assert.deepEqual(requests(), [
        'GET /secrets/prod 200',
        'PUT /secrets/prod 202',
        'PUT /secrets/prod 202',
        'PUT /secrets/prod 202',
        'GET /secrets/prod 200',
      ]);
      const bodies = cloud.journal.filter(({ method }) => method === 'PUT').map(({ body }) => body);
      assert.deepEqual(bodies[0], {
        name: 'prod',
        isImagePullSecret: false,
        secretKey: 'B',
        secretValue: printOf(SECRET),
      });
      assert.deepEqual(
        bodies.map(body => (body as { secretKey: string }).secretKey),
        ['B', 'OLD', 'A'],
      );
    }),
  );

  const values = [
    'v w',
    ' padded ',
    '"v"',
    "'v'",
    '=a=b=',
    'né😀\ud7ff',
    'a\nb\n',
    '$HOME `x` \\n',
    '\t',
    '--',
    'a\u001bb',
    'x'.repeat(100_000),
  ];
  it(
    'sends a value unchanged',
    cloudSession({}, async ({ succeed, cloud }) => {
      for (const value of values) {
        await succeed(['cloud', 'secrets', 'set', 'demo', '--skip', '--', `K=${value}`]);
        assert.equal(storedValue(cloud, 'K'), printOf(value), JSON.stringify(value).slice(0, 40));
      }
    }),
  );

  it(
    'reads a value from stdin, without the line break that echo adds',
    cloudSession({}, async ({ succeed, cloud }) => {
      for (const [input, value] of [
        ['a\n', 'a'],
        ['a\r\n', 'a'],
        ['a\n\n', 'a\n'],
        [' a', ' a'],
        ['\ufeffa', 'a'],
        ['\ufeff\ufeffa', '\ufeffa'],
      ] as const) {
        await succeed('cloud secrets set demo K=- --skip', { input });
        assert.equal(storedValue(cloud, 'K'), printOf(value), JSON.stringify(input));
      }
    }),
  );

  it(
    'reads a file from a relative path, an absolute path, or stdin',
    cloudSession(
      { files: { 'a/.env': `export K="${SECRET}\\n"\n`, '.env': 'K=1' } },
      async ({ succeed, cloud, directory }) => {
        await succeed('cloud secrets set demo --file .env -s', { cwd: 'a' });
        assert.equal(storedValue(cloud, 'K'), printOf(`${SECRET}\n`));
        await succeed(`cloud secrets set demo -f ${directory}/.env -s`, { cwd: 'a' });
        assert.equal(storedValue(cloud, 'K'), printOf('1'));
        await succeed('cloud secrets set demo -sf -', { input: '# comment\r\nK=2\r\n' });
        assert.equal(storedValue(cloud, 'K'), printOf('2'));
      },
    ),
  );

  it(
    'prints the result as JSON',
    cloudSession({ cloud: account() }, async ({ succeed }) => {
      assert.deepEqual(JSON.parse(await succeed(`cloud secrets set eu K=${SECRET} --skip --json`)), {
        name: 'eu',
        organization: 'acme',
        region: 'eu-central',
        status: 'ready',
        added: ['K'],
        replaced: [],
        removed: [],
        kept: ['OLD'],
      });
    }),
  );

  it(
    'sends a region only if one is passed',
    cloudSession({ cloud: account() }, async ({ succeed, cloud, requests }) => {
      assert.match(await succeed('cloud secrets set new1 K=1 -s'), /region us-east/);
      assert.match(await succeed('cloud secrets set new2 K=1 -s -r ap-south'), /region ap-south/);
      assert.match(await succeed('cloud secrets set eu K=1 -s -r eu-central'), /region eu-central/);
      const sent = cloud.journal
        .filter(({ method }) => method === 'PUT')
        .map(({ body }) => (body as { region?: string }).region);
      assert.deepEqual(sent, [undefined, 'ap-south', 'eu-central']);
      requests();
      await succeed('cloud secrets set demo K=1 -s -o other');
      assert.match(requests()[0] ?? '', /organizations\/other\/secrets\/demo 404/);
    }),
  );

  /** The warnings after a change. */
  const warnings: [line: string, warning: string, input?: string][] = [
    [`K=${SECRET}`, HISTORY],
    ['K=-', '', SECRET],
    ['-f .env', ''],
    [
      '-f tracked.env',
      'git tracks tracked.env, so anyone with the repository can read these values. To untrack it, use git rm --cached.\n',
    ],
    [
      '-f tree/tracked.env',
      'git tracks tree/tracked.env, so anyone with the repository can read these values. To untrack it, use git rm --cached.\n',
    ],
    ['-f - ', "Shells can't read variables with these names, but programs can: my-key, 1A\n", 'my-key=1\n1A=2\n_b=3\n'],
    [
      '-f -',
      'Longer than 64 KiB, which may be too much for an environment variable: LONG\n',
      `LONG=${'x'.repeat(65_537)}\n`,
    ],
  ];
  const clone = { '.env': 'K=1', 'tracked.env': 'K=1', 'tree/tracked.env': 'K=1' };
  for (const [line, warning, input] of warnings) {
    it(
      `${warning === '' ? 'does not warn' : 'warns'} after set ${line.replace(SECRET, '…')}`,
      cloudSession({ files: clone }, async ({ directory, run }) => {
        git(directory, 'init', '--quiet');
        git(directory, 'add', 'tracked.env', 'tree/tracked.env');
        const words = `cloud secrets set demo ${line} --skip`;
        const { code, stderr } = await run(words, { input });
        assert.equal(code, 0, stderr);
        assert.equal(stderr.split('\n').slice(2).join('\n'), warning);
        const quiet = await run(words, { input, env: { CI: 'true' } });
        assert.equal(quiet.stderr.split('\n').length, 3);
      }),
    );
  }

  const lacking: [title: string, env: string, more: string, lacking: string][] = [
    ['a key that the bot needs', 'OTHER=1', '', 'OPENAI_API_KEY'],
    ['nothing, if the file has them all', 'OPENAI_API_KEY=1', '', ''],
    ['nothing, if the set has it already', 'OTHER=1', 'cloud secrets set my-bot-secrets OPENAI_API_KEY=1 -s', ''],
  ];
  for (const [title, env, before, keys] of lacking) {
    it(
      `warns before it sets a file about ${title}`,
      cloudSession({}, async ({ succeed, run, write }) => {
        await succeed(`init my-bot ${BOT}`);
        write('my-bot/server/.env', `${env}\n`);
        if (before) await succeed(before);
        const warning = keys ? `The bot in this directory needs keys that my-bot-secrets won't have: ${keys}\n` : '';
        for (const cwd of ['my-bot', 'my-bot/server']) {
          const file = cwd === 'my-bot' ? 'server/.env' : '.env';
          const { code, stderr } = await run(`cloud secrets set my-bot-secrets -f ${file} --dry-run`, { cwd });
          assert.deepEqual([code, stderr], [0, `${warning}This was a dry run: nothing was changed.\n`]);
          const other = await run(`cloud secrets set other -f ${file} --dry-run`, { cwd });
          assert.equal(other.stderr, 'This was a dry run: nothing was changed.\n');
        }
      }),
    );
  }

  const removals: [input: string, report: string][] = [
    [`${SECRET}\n`, 'Removed the line break at the end of stdin.\n'],
    [`\ufeff${SECRET}`, 'Removed the byte order mark at the start of stdin.\n'],
    [SECRET, ''],
  ];
  for (const [input, report] of removals) {
    it(
      `reports what it removed from stdin: ${report.trim() || 'nothing'}`,
      cloudSession({}, async ({ run }) => {
        const { stderr } = await run('cloud secrets set demo K=- -s', { input });
        assert(stderr.startsWith(`${report}demo in organization acme: adding K`), stderr);
        const quiet = await run('cloud secrets set demo K=- -s', { input, env: { CI: '1' } });
        assert(quiet.stderr.startsWith('demo in'), quiet.stderr);
      }),
    );
  }

  it(
    'fails if the platform could not provision the set, after it had time to try again',
    cloudSession({}, async ({ run }) => {
      const { code, stdout, waits } = await run('cloud secrets set demo-fail K=1 -s --json');
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code, waits, error.code, error.applied], [1, [500, 500], 'provisioning-failed', ['K']]);
      assert.match(error.message, /provisioning failed$/);
    }),
  );

  it(
    "doesn't wait if the platform reports no status",
    cloudSession({}, async ({ run, cloud }) => {
      const body = { region: 'us-west', status: null, secrets: [{ fieldName: 'K' }] };
      cloud.fault({ method: 'GET', after: 1, fault: { kind: 'answer', status: 200, body } });
      const { code, stdout, stderr, waits } = await run('cloud secrets set demo K=1 -s --wait');
      assert.deepEqual([code, waits], [0, []], stderr);
      assert.match(stdout, /1 added, 0 replaced, 0 kept\. Its status is unknown\.\n$/);
      assert.match(stderr, /\nThe platform reports no status for demo, so botcli didn't wait\.\n/);
    }),
  );

  it(
    'waits until the set is ready, or has failed',
    cloudSession({ cloud: { pendingMs: 1500 } }, async ({ run, succeed }) => {
      const pending = await run('cloud secrets set demo K=1 -s');
      assert.match(pending.stdout, /It is pending/);
      assert.match(pending.stderr, /\nTo check its status, run: botcli cloud secrets list demo -o acme\n/);
      assert.match(await succeed('cloud secrets set demo K=1 -s --wait'), /It is ready/);
      const { code, stderr } = await run('cloud secrets set demo-fail K=1 -s --wait');
      assert.equal(code, 1);
      assert.match(
        stderr,
        /All keys are set in demo-fail in organization acme, but provisioning failed\nTo see the platform's reason, run: botcli cloud secrets list demo-fail -o acme\nThen run the same command again\.\n/,
      );
    }),
  );

  const literally = 'pass the value with --file, or with KEY=- from stdin';
  /** Refused before any request. */
  const refusals: [line: string, message: RegExp, input?: string | Buffer][] = [
    ['demo -s', /^error: Nothing to set: pass --file, a bare KEY, KEY=-, or KEY=VALUE\n$/],
    [`demo K=${SECRET} -s --file x`, /Pass KEY=VALUE pairs or --file, not both/],
    [
      `demo K=${SECRET}`,
      /This command asks for confirmation\. botcli can't ask, because this isn't a terminal\nPass --skip/,
    ],
    ['demo -f .env', /Pass --skip/],
    [`demo 'A=${SECRET} B=2' -s`, new RegExp(`Argument 1: it seems to contain several pairs; .* ${literally}`)],
    [`demo API_KEY ${SECRET} -s`, /argument 1: it has no "="[\s\S]*argument 2: it has no "="/],
    [`demo ${SECRET} -s`, /Argument 1: it has no "=", and botcli can't ask for a value here/],
    [`demo 'a b=${SECRET}' -s`, /Argument 1: a key must be 1 to 64 letters, digits, underscores, or hyphens/],
    [`demo K=${SECRET} K=2 -s`, /Argument 2: it repeats the key of argument 1/],
    [
      `demo K=${SECRET}\ufffd\ufffdword -s`,
      /^error: Argument 1: the value contains bytes that aren't UTF-8 \(or U\+FFFD\); pass the value with --file, or with KEY=- from stdin\n$/,
    ],
    ['demo K= -s', /Argument 1: the value is empty; to remove a key, use unset/],
    ['demo K=- -s', /the value is empty/, '\n'],
    ['demo K=- -s', /stdin isn't UTF-8 text/, Buffer.from([0xff])],
    ['demo K=- -s', /the value contains a NUL character/, 'a\0b'],
    ['demo K=- -s', /K=- reads stdin, which is larger than 1 MiB/, 'x'.repeat(2 ** 20 + 1)],
    ['demo -f - -s', /because of a problem in stdin: it contains no secrets/, ''],
    ['demo -f - -s', /because of a problem in stdin: it is UTF-16/, Buffer.from(`\ufeffK=${SECRET}`, 'utf16le')],
    ['demo -f nothere -s', /nothere can't be read: no such file or directory/],
    [
      `demo -f API_KEY=${SECRET} -s`,
      /^error: --file can't be read: no such file or directory\nThe path isn't shown, because it may be a secret\. Pass KEY=VALUE pairs without --file\.\n$/,
    ],
    [`demo '--file=-----BEGIN KEY-----\n${SECRET}' -s`, /^error: --file can't be read/],
    ['demo -f . -s', /\. can't be read: it is a directory/],
    ['demo --file= -s', /the path is empty/],
    ['demo --file /proc/self/mem -s', /^error: \/proc\/self\/mem can't be read: the disk reported an I\/O error\n$/],
    [
      'x_y -f nofile -s',
      /2 problems; nothing was sent:\n {2}<name> must be .*\n {2}nofile can't be read: no such file or directory\n/,
    ],
    [
      'x_y -f bad.env -s',
      /4 problems; nothing was sent:\n {2}<name> must be .*\n {2}bad\.env: line 1: it has no "="\n/,
    ],
    ['x_y -f - -s', /^error: <name> must be 1 to 128 letters/],
    [
      'demo -f bad.env -s',
      /because of 3 problems in bad\.env:\n {2}line 1: it has no "="\n {2}line 2: the value is empty.*\n {2}line 4: it repeats the key of line 3\n/,
    ],
    ['demo -f long.env -s', /because of 50 problems[\s\S]*line 20: it has no "="\n {2}and 30 more\n/],
    [`demo K=${SECRET} -s -o ../x`, /--organization must be the name in the organization's URL/],
    [`demo K=${SECRET} -s -r 'US West'`, /--region must be a code/],
    ...['..', '../services/x', 'a/b', '%2e%2e', 'a_b', 'a.b', "'a b'", "''", 'ä'].map((name): [string, RegExp] => [
      `${name} K=${SECRET} -s`,
      /^error: <name> must be 1 to 128 letters, digits, or hyphens\n$/,
    ]),
  ];
  const files = {
    '.env': 'K=1',
    'bad.env': `${SECRET}\nA=\nB=${SECRET}\nB=2\n`,
    'long.env': `${SECRET}\n`.repeat(50),
  };
  for (const [line, message, input] of refusals) {
    it(
      `refuses set ${line.replace(SECRET, '…')}`,
      cloudSession({ cloud: account(), files }, async ({ fail, requests }) => {
        assert.match(await fail(2, `cloud secrets set ${line}`, { input }), message);
        assert.deepEqual(requests(), []);
      }),
    );
  }

  /** Refused before anything is changed. */
  const conflicts: [line: string, code: 1 | 2, message: RegExp][] = [
    ['hub K=1', 1, /hub is an image pull secret, which has no keys\nChoose another name/],
    ['theirs K=1', 1, /theirs is managed in your own cluster/],
    ['eu K=1 -r us-west', 1, /eu is in eu-central and can't be moved to us-west\nOmit --region/],
    ['new K=1 -r us-wst', 2, /Organization acme has no region "us-wst"\. Did you mean us-west\?/],
    ['new K=1 -o nobodys', 1, /no access to new in organization nobodys/],
  ];
  for (const [line, code, message] of conflicts) {
    it(
      `refuses set ${line}`,
      cloudSession({ cloud: account() }, async ({ fail, cloud }) => {
        assert.match(await fail(code, `cloud secrets set ${line} --skip`), message);
        assert(!cloud.journal.some(({ method }) => method === 'PUT'));
      }),
    );
  }

  it(
    'lists the state of every key if one fails',
    cloudSession({ cloud: account() }, async ({ run, cloud, requests }) => {
      cloud.fault({ method: 'PUT', after: 2, fault: { kind: 'answer', status: 400, echo: true } });
      const words = ['cloud', 'secrets', 'set', 'demo', 'A=1', 'B=2', `BOOM=${SECRET}`, 'C=3', 'D=4', '--skip'];
      const { code, stdout, stderr } = await run(words);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' });
      assert.match(
        stderr,
        /error: Could not set BOOM\. The platform rejected the request for demo in organization acme \(HTTP 400, INJECTED\)\n/,
      );
      assert.match(
        stderr,
        /\n {2}set: A, B\n {2}not set: BOOM\n {2}not sent: C, D\nIt is safe to run the same command again/,
      );
      assert.equal(requests().filter(line => line.startsWith('PUT')).length, 3);
      const { error } = JSON.parse((await run([...words, '--json'])).stdout);
      assert.deepEqual(
        [error.code, error.applied, error.failed, error.not_sent],
        ['refused', [], ['A'], ['B', 'BOOM', 'C', 'D']],
      );
    }),
  );

  it(
    'detects a key that the platform only claims to have stored',
    cloudSession({ cloud: account() }, async ({ fail, cloud }) => {
      const fault = { kind: 'answer', status: 200, body: { status: 'OK', region: 'us-west' } } as const;
      cloud.fault({ method: 'PUT', after: 1, times: 1, fault });
      const stderr = await fail(1, `cloud secrets set prod A=1 LOST=${SECRET} C=3 -s`);
      assert.match(
        stderr,
        /error: The platform accepted every key, but prod in organization acme is missing some of them\n {2}missing: LOST\nSet them again, then check: botcli cloud secrets list prod -o acme\n/,
      );
    }),
  );

  it(
    'reports the accepted keys if the final check fails',
    cloudSession({}, async ({ fail, cloud }) => {
      cloud.fault({ method: 'GET', path: '/secrets/demo', after: 1, fault: { kind: 'html', status: 403 } });
      assert.match(
        await fail(1, 'cloud secrets set demo A=1 B=2 -s'),
        /The platform accepted every key \(A, B\), but botcli could not check the result\. This account has no access/,
      );
    }),
  );

  const failed = (text: string) => ({
    region: text,
    status: text,
    errorMessage: text,
    secrets: ['A', 'B'].map(fieldName => ({ fieldName })),
  });
  /** Responses that contain the value after it was sent. */
  const quoting: [name: string, rule: FaultRule, code: number, said: RegExp][] = [
    [
      'the details of the set',
      {
        method: 'GET',
        after: 1,
        fault: { kind: 'answer', status: 200, body: { ...failed(SECRET), status: 'failed' } },
      },
      1,
      /error: All keys are set in demo .* provisioning failed\nTo see/,
    ],
    [
      'an unknown status',
      { method: 'GET', after: 1, fault: { kind: 'answer', status: 200, body: failed(SECRET) } },
      0,
      /It is not shown/,
    ],
    [
      'the reason why the check failed',
      { method: 'GET', after: 1, fault: { kind: 'answer', status: 400, body: { error: SECRET } } },
      1,
      /The platform accepted every key \(A, B\).* in organization acme \(HTTP 400\)\n/,
    ],
    [
      'the rejection of the next key',
      {
        method: 'PUT',
        after: 1,
        fault: { kind: 'answer', status: 400, body: { error: `not ${SECRET} again`, code: 'GENERIC_BAD_REQUEST' } },
      },
      1,
      /Could not set B\. .* in organization acme \(HTTP 400, GENERIC_BAD_REQUEST\)\n/,
    ],
    [
      'the code of the rejection',
      { method: 'PUT', after: 1, fault: { kind: 'answer', status: 400, body: { error: 'no', code: SECRET } } },
      1,
      /Could not set B\. .* in organization acme \(HTTP 400\)\n/,
    ],
    [
      'a region and a status in another encoding',
      { method: 'GET', after: 1, fault: { kind: 'answer', status: 200, body: failed('uhagre2-fjbeqsvfu') } },
      0,
      /region not shown, .* It is not shown/,
    ],
  ];
  for (const [name, rule, code, said] of quoting) {
    it(
      `hides a value that is returned in ${name}`,
      cloudSession({}, async ({ run, cloud }) => {
        cloud.fault({ path: '/secrets/demo', ...rule });
        const outcome = await run(`cloud secrets set demo A=${SECRET} B=2 --skip`);
        assert.equal(outcome.code, code);
        assert.match(outcome.stdout + outcome.stderr, said);
      }),
    );
  }

  it(
    'shows a status and a region even if a value is the same',
    cloudSession({}, async ({ succeed }) => {
      const line = 'cloud secrets set demo A=ready AWS_REGION=us-west-2 --skip --wait';
      assert.match(await succeed(line), /region us-west: 2 added.* It is ready\./);
    }),
  );

  const selfHosted = () => {
    const acme = newOrganization('acme', { defaultRegion: 'pce-acme-us-east' });
    return { accounts: { [LOCAL_TOKEN]: [acme] } };
  };
  for (const [line, requests] of [
    ['', ['GET /secrets/demo 404', 'PUT /secrets/demo 202', 'GET /secrets/demo 200', 'GET /regions 200']],
    [
      '-r pce-acme-us-east',
      ['GET /regions 200', 'GET /secrets/demo 404', 'PUT /secrets/demo 202', 'GET /secrets/demo 200'],
    ],
  ] as const) {
    it(
      `shows a self-hosted region that is part of a value ${line}`,
      cloudSession({ cloud: selfHosted() }, async session => {
        const stdout = await session.succeed(
          `cloud secrets set demo SIP_HOST=sip.acme-us-east.example.com --skip --json ${line}`,
        );
        assert.equal(JSON.parse(stdout).region, 'pce-acme-us-east');
        assert.deepEqual(session.requests(), requests);
      }),
    );
  }

  it(
    'checks three times before it reports missing keys',
    cloudSession({}, async ({ run, cloud }) => {
      const body = { region: 'us-west', status: 'ready', secrets: [] };
      const lacking = { kind: 'answer', status: 200, body } as const;
      cloud.fault({ method: 'GET', path: '/secrets/demo', after: 1, times: 2, fault: lacking });
      const { code, stderr, waits } = await run('cloud secrets set demo A=1 --skip');
      assert.deepEqual([code, waits], [0, [500, 500]], stderr);
    }),
  );

  it('never prints a secret in an error', async () => {
    const { inspect } = await import('node:util');
    const { Cloud } = await import('../../src/platform/cloud.ts');
    await cloudSession({}, async ({ cloud }) => {
      cloud.fault({ fault: { kind: 'answer', status: 400, echo: true } });
      const options = {
        apiUrl: cloud.url,
        token: LOCAL_TOKEN,
        userAgent: 'x',
        timeoutMs: 300,
        signal: new AbortController().signal,
      };
      const store = (apiUrl: string) => {
        const client = new Cloud({ ...options, apiUrl, sleep: async () => {} });
        return client.setKey({ organization: 'acme', name: 'demo' }, { key: 'K', value: SECRET }).then(
          () => assert.fail('it was stored'),
          error => error,
        );
      };
      const errors = [await store(cloud.url), await store('http://127.0.0.1:1')];
      for (const kind of ['hang', 'reset', 'html', 'broken-json'] as const) {
        cloud.fault({ fault: { kind } });
        errors.push(await store(cloud.url));
      }
      for (const error of errors) {
        assertSecretive(inspect(error, { depth: 20, showHidden: true }));
        assertSecretive(JSON.stringify(error) + String(error) + error.stack);
        assert.equal(error.cause, undefined);
      }
    })();
  });
});
