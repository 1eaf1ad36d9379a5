import assert from 'node:assert/strict';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { LOCAL_TOKEN } from '../../scripts/local-cloud/index.ts';
import { newOrganization } from '../../scripts/local-cloud/store.ts';
import { cloudIt, cloudItWith, printOf, SECRET } from '../support/cloud-session.ts';
import { git } from '../support/git.ts';
import { BOT } from '../support/session.ts';
import { account } from './accounts.ts';

const NEXT = 'Agents that use this set pick up the change at their next deploy.\n';

const HISTORY =
  'Values on the command line stay in your shell history. To keep them out, use --file, KEY=-, or a bare KEY.\n';

const setIt = cloudItWith(() => ({ cloud: account() }));

describe('cloud secrets set', () => {
  setIt('sends the keys in order, then checks that they are stored', async ({ run, requests, cloud }) => {
    assert.deepEqual(await run(`cloud secrets set prod B=${SECRET} OLD=2 A=3 -s`), {
      code: 0,
      stdout: '✓ prod in organization acme, region us-west: 2 added, 1 replaced, 0 kept. It is ready.\n',
      stderr: `prod in organization acme, region us-west: adding B, A; replacing OLD; keeping 0 other keys.\n${NEXT}${HISTORY}`,
      waits: [],
    });
    assert.deepEqual(requests(), [
      'GET /secrets/prod 200',
      'PUT /secrets/prod 202',
      'PUT /secrets/prod 202',
      'PUT /secrets/prod 202',
      'GET /secrets/prod 200',
    ]);
    const bodies = cloud.journal.filter(({ method }) => method === 'PUT').map(({ body }) => body);
    const sent = (secretKey: string, value: string) => {
      return { name: 'prod', isImagePullSecret: false, secretKey, secretValue: printOf(value) };
    };
    assert.deepEqual(bodies, [sent('B', SECRET), sent('OLD', '2'), sent('A', '3')]);
  });

  setIt('prints the result as JSON', async ({ succeed }) => {
    const set = { name: 'eu', organization: 'acme', region: 'eu-central', status: 'ready' };
    const changes = { added: ['K'], replaced: [], removed: [], kept: ['OLD'], warnings: [] };
    const result = JSON.parse(await succeed(`cloud secrets set eu K=${SECRET} --skip --json`));
    assert.deepEqual(result, { ...set, ...changes });
  });

  setIt('warns about an address that the cloud cannot reach, before it sends it', async ({ run }) => {
    const warning = "URL points to this computer or its network, which the cloud can't reach.";
    const line = `cloud secrets set eu URL=http://127.0.0.1:11434/v1 K=${SECRET} --json`;
    for (const option of ['--dry-run', '--skip']) {
      const { stderr, stdout, code } = await run(`${line} ${option}`);
      assert.equal(code, 0, stderr);
      assert.deepEqual(JSON.parse(stdout).warnings, [warning]);
      assert.equal(stderr.split(warning).length, 2, stderr);
    }
  });

  // biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are references in env files
  const otherwise = ['URL=${HOST}/v1', "URL='${HOST:-x}'", 'URL=a\u00a0', 'URL="a\\${b}"'];
  const alike = [
    ...["URL='a\\\\b'", 'URL="C:\\app"', 'URL=$HOST', 'URL="a\r\nb"\r', "URL='a\\nb $c'", 'URL="a\\n\\t\\"\\\\b"'],
    ...['URL="a\\$b"', "URL='a\\$b'", 'URL=a\\$b', 'export URL = a#b # c\r'],
  ];
  const OTHERWISE =
    'The platform gets these values as written: URL (line 1). A bot that reads the file itself gets others, because python-dotenv replaces ${…} and trims all kinds of spaces.';
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same
  cloudIt('warns about values that bots read otherwise', { files: { '.env': '' } }, async ({ succeed, write }) => {
    for (const line of [...otherwise, ...alike]) {
      write('.env', `${line}\nK=1\n`);
      const { warnings } = JSON.parse(await succeed('cloud secrets set demo -f .env --dry-run --json'));
      assert.deepEqual(warnings, otherwise.includes(line) ? [OTHERWISE] : [], line);
    }
  });

  const blank = {
    'example.env': `OLD=\nK=${SECRET}\nexport EMPTY_KEY = "" # optional\nx9Kd3=\n`,
    'example.json': `{"OLD":"","K":"${SECRET}",\n\n"EMPTY_KEY":"",\n"x9Kd3":""}`,
    'none.env': 'K=\n',
    'none.json': '{"K":""}',
  };
  const here = { cloud: account(), files: blank };
  cloudIt('leaves out the lines of a file that have no value, and names them', here, async ({ succeed, fail }) => {
    for (const [kind, set] of [
      ['env', 'eu'],
      ['json', 'prod'],
    ]) {
      const line = `cloud secrets set ${set} --file example.${kind} --prune --skip --json`;
      const { added, replaced, removed, kept, warnings } = JSON.parse(await succeed(line));
      assert.deepEqual([added, replaced, removed, kept], [['K'], [], [], ['OLD']]);
      const places = 'OLD (line 1), EMPTY_KEY (line 3), line 4';
      assert.deepEqual(warnings, [`Not set, because the file has no value: ${places}`]);
      assert.match(await fail(2, `cloud secrets set ${set} --file none.${kind} -s`), /: it contains no secrets\n/);
    }
  });

  setIt('sends a region only if one is passed', async ({ succeed, cloud, requests }) => {
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
  });

  const tracked =
    'git tracks tree/tracked.env, so anyone with the repository can read these values. To untrack it, use git rm --cached.\n';
  const long = 'Longer than 64 KiB, which may be too much for an environment variable: LONG\n';
  /** The warnings after a change. */
  const warnings: [line: string, warning: string, input?: string][] = [
    [`K=${SECRET}`, HISTORY],
    ['K=-', '', SECRET],
    ['-f .env', ''],
    ['-f tree/tracked.env', tracked],
    ['-f -', long, `LONG=${'x'.repeat(65_537)}\n`],
  ];
  const clone = { '.env': 'K=1', 'tree/tracked.env': 'K=1', '-': '' };
  for (const [line, warning, input] of warnings) {
    const title = `warns after set ${line.replace(SECRET, '…')}: ${warning}`;
    cloudIt(title, { files: clone }, async ({ directory, run }) => {
      git(directory, 'init', '--quiet');
      git(directory, 'add', 'tree/tracked.env', './-');
      const words = `cloud secrets set demo ${line} --skip`;
      const { code, stderr } = await run(words, { input });
      assert.equal(code, 0, stderr);
      assert.equal(stderr.split('\n').slice(2).join('\n'), warning);
      const quiet = await run(words, { input, env: { CI: 'true' } });
      assert.equal(quiet.stderr.split('\n').length, 3);
    });
  }

  const lacking: [title: string, env: string, more: string, lacking: string][] = [
    ['a key that the bot needs', 'OTHER=1', '', 'OPENAI_API_KEY'],
    ['nothing, if the file has them all', 'OPENAI_API_KEY=1', '', ''],
    ['nothing, if the set has it already', 'OTHER=1', 'cloud secrets set my-bot-secrets OPENAI_API_KEY=1 -s', ''],
  ];
  for (const [title, env, before, keys] of lacking) {
    cloudIt(`warns before it sets a file about ${title}`, {}, async ({ succeed, run, write }) => {
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
    });
  }

  const then = (method: string, status: number, body: object): FaultRule => ({
    ...{ path: '/secrets/demo', method, after: 1 },
    fault: { kind: 'answer', status, body },
  });
  const secrets = ['A', 'B'].map(fieldName => ({ fieldName }));
  const shown = (text: string, status = text) =>
    then('GET', 200, { region: text, status, errorMessage: text, secrets });
  const notAgain = { error: `not ${SECRET} again`, code: 'GENERIC_BAD_REQUEST' };
  const unknown = /The platform accepted every key \(A, B\).* in organization acme \(HTTP 400\)\n/;
  const next = /Could not set B\. .* in organization acme \(HTTP 400, GENERIC_BAD_REQUEST\)\n/;
  const coded = /Could not set B\. .* in organization acme \(HTTP 400\)\n/;
  const failed = /error: All keys are set in demo .* provisioning failed\nTo see/;
  /** Responses that contain the value after it was sent. */
  const quoting: [name: string, rule: FaultRule, code: number, said: RegExp][] = [
    ['the details of the set', shown(SECRET, 'failed'), 1, failed],
    ['an unknown status', shown(SECRET), 0, /It is not shown/],
    ['the reason why the check failed', then('GET', 400, { error: SECRET }), 1, unknown],
    ['the rejection of the next key', then('PUT', 400, notAgain), 1, next],
    ['the code of the rejection', then('PUT', 400, { error: 'no', code: SECRET }), 1, coded],
    ['a region in another encoding', shown('uhagre2-fjbeqsvfu'), 0, /region not shown, .* It is not shown/],
  ];
  for (const [name, rule, code, said] of quoting) {
    cloudIt(`hides a value that is returned in ${name}`, {}, async ({ run, cloud }) => {
      cloud.fault(rule);
      const outcome = await run(`cloud secrets set demo A=${SECRET} B=2 --skip`);
      assert.equal(outcome.code, code);
      assert.match(outcome.stdout + outcome.stderr, said);
    });
  }

  cloudIt('shows a status and a region even if a value is the same', {}, async ({ succeed }) => {
    const line = 'cloud secrets set demo A=ready AWS_REGION=us-west-2 --skip --wait';
    assert.match(await succeed(line), /region us-west: 2 added.* It is ready\./);
  });

  const looks = ['GET /secrets/demo 404', 'PUT /secrets/demo 202', 'GET /secrets/demo 200'];
  for (const [option, requests] of [
    ['', [...looks, 'GET /regions 200']],
    ['-r pce-acme-us-east', ['GET /regions 200', ...looks]],
  ] as const) {
    const acme = newOrganization('acme', { defaultRegion: 'pce-acme-us-east' });
    const start = { cloud: { accounts: { [LOCAL_TOKEN]: [acme] } } };
    cloudIt(`shows a self-hosted region that is part of a value ${option}`, start, async session => {
      const line = `cloud secrets set demo SIP_HOST=sip.acme-us-east.example.com --skip --json ${option}`;
      assert.equal(JSON.parse(await session.succeed(line)).region, 'pce-acme-us-east');
      assert.deepEqual(session.requests(), requests);
    });
  }
});
