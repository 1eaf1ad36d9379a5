import assert from 'node:assert/strict';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { withClock } from '../support/clock.ts';
import { SECRET } from '../support/cloud-session.ts';
import {
  acmeWith,
  answer,
  changesOf,
  DEPLOY_FILE,
  type DeploySession,
  deployable,
  deployIt,
  deploySession,
  KEY,
  SET,
  storedSet,
} from '../support/deploys.ts';

const BUILD = /\/builds\/[0-9a-f-]{36}$/;

/** Runs a deploy, during which the clock jumps instead of waiting. */
const deployLong = (session: DeploySession, options: string) =>
  withClock(onWait => session.run(`cloud deploy --skip ${options}`, { onWait }));

/** The error of a deploy that fails in a phase. */
async function failing(session: DeploySession, reason: string, phase: string | undefined, options = '') {
  const error = await withClock(onWait => session.error(`cloud deploy --skip ${options}`, { onWait }));
  assert.deepEqual([error.code, error.phase], [reason, phase], error.message);
  return error;
}

/** A deployment, build or session of which nobody knows. */
const ID = '3f1c09aa-0000-4000-8000-000000000000';
const IMAGE = { files: deployable('bot', 'image = "me/bot:1.0"') };
const STUCK = { files: deployable('bot-stuck') };

const withBuildFile = (name: string) => {
  const files = deployable();
  const { 'server/container-file': contents = '', ...others } = files;
  return {
    ...others,
    [`server/${name}`]: contents,
    [DEPLOY_FILE]: (files[DEPLOY_FILE] ?? '').replace('"container-file"', `"${name}"`),
  };
};

/** Agents whose deployments fail, and what botcli says. */
const crashed =
  /^Deployment [0-9a-f]{8} of bot-crash failed: it was restarted \d times \(CrashLoopBackOff, exit code 1\)$/;
const noModule = /module requests\. If it's in a package named like that, run `uv add requests` in server\//;
const crashes: [name: string, message: RegExp, hint: RegExp][] = [
  ['bot-crash', crashed, /bot-crash is new, so nothing answers calls\./],
  ['bot-module', /CrashLoopBackOff/, noModule],
  ['bot-oom', /OOMKilled, exit code 137/, /Set a larger agent_profile/],
  ['bot-pull', /PCC_IMAGE_PULL_UNAUTHORIZED: Not authorized to pull/, /The log: botcli cloud logs bot-pull -o acme/],
  ['bot-failed', /the platform says Failed/, /nothing answers calls/],
];

describe('a deploy that fails', () => {
  for (const [name, message, hint] of crashes) {
    deployIt(`says why ${name} does not come up, with its log`, { files: deployable(name) }, async session => {
      const error = await failing(session, 'rollout-failed', 'rollout');
      assert.match(error.message, message);
      assert.match(error.hint, hint);
      assert.ok(error.log.length > 0 && error.log.length <= 20);
    });
  }

  // A bot that hides from botcli what it reads.
  const secretive = deployable('bot-crash', '', { 'server/bot.py': 'async def bot(args):\n    pass\n' });
  const withHub = acmeWith([storedSet(SET, [KEY]), storedSet('hub', [], { type: 'imagePullSecret' })]);
  const lacked =
    /\n {2}KeyError: 'OPENAI_API_KEY'\n[\s\S]*The bot needs OPENAI_API_KEY, which bot-secrets lacks\. Run: botcli cloud secrets set bot-secrets OPENAI_API_KEY -o acme\n/;
  const rejected =
    /The registry rejects the credentials\. Set them again: botcli cloud secrets image-pull-secret hub ghcr\.io -o acme\n/;
  const small = /\nIt ran out of memory\. Set a larger agent_profile in prod\.toml, such as agent-2x\.\n/;
  const pulled = deployable('bot-pull', 'image = "ghcr.io/me/bot:1"\nimage_credentials = "hub"');
  const production = { ...deployable('bot-oom'), 'server/prod.toml': deployable('bot-oom')[DEPLOY_FILE] ?? '' };
  const without = acmeWith([storedSet(SET, ['OTHER'])]);
  const causes: [about: string, start: Parameters<typeof deployIt>[1], line: string, cause: RegExp][] = [
    ['the key that the crash misses, if the set lacks it', { files: secretive, acme: without }, '', lacked],
    ['the deploy file that is in use', { files: production }, '--config server/prod.toml', small],
    ['the command that sets the credentials of the registry again', { files: pulled, acme: withHub }, '', rejected],
  ];
  for (const [about, start, line, cause] of causes) {
    deployIt(`names ${about}`, start, async session =>
      assert.match(await session.fail(1, `cloud deploy --skip ${line}`), cause),
    );
  }

  const restarted = { files: deployable('bot-restarted') };
  deployIt('is none if the bot came up in the end, but the restarts are said', restarted, async session => {
    const { code, stdout, stderr } = await session.run('cloud deploy --skip');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^bot-restarted runs deployment /);
    assert.match(stderr, /The platform has restarted it 3 times\. Why: botcli cloud logs bot-restarted -o acme\n/);
  });

  deployIt('says whether callers still reach the previous deployment', {}, async session => {
    await session.succeed('cloud deploy --skip');
    session.agent().trouble = 'bot-crash';
    session.write('server/extra.py', 'X = 1\n');
    assert.match(await session.fail(1, 'cloud deploy --skip'), /\nCallers still reach the previous deployment\.\n/);
  });

  deployIt('hides values of server/.env in what the bot printed', { files: deployable('bot-pull') }, async session => {
    const log = { logs: [{ log: `key is ${SECRET}!`, timestamp: '1764000000000000000' }] };
    session.cloud.fault({ path: '/logs', fault: answer(200, log) });
    assert.deepEqual((await session.error('cloud deploy --skip')).log, ['key is …!']);
  });

  const badBuild = { files: withBuildFile('container-file-fail') };
  deployIt('shows the failed step of a build, and its cause', badBuild, async session => {
    const error = await failing(session, 'build-failed', 'build');
    assert.deepEqual(error.log, [
      '[3/4] RUN uv sync --no-install-project --no-dev --locked',
      'Resolved 118 packages in 3ms',
      'error: The lockfile at `uv.lock` needs to be updated, but `--locked` was provided.',
      'ERROR: process "/bin/sh -c uv sync --no-install-project --no-dev --locked" did not complete: exit code: 1',
    ]);
    assert.match(
      error.hint,
      /^uv\.lock is outdated\. Run `uv lock` in server\/, then deploy again\.\nNothing was deployed: bot is as it was\.\n/,
    );
    assert.equal(session.acme.agents.size, 0);
  });

  const stuckBuild = /^The build goes on, but it isn't finished after \d+s\. Nothing is deployed\.$/;
  const stuckBot = /^bot-stuck isn't ready after \d+s \(Creating\)\. The rollout goes on\.$/;
  const slow: [name: string, files: ReturnType<typeof deployable>, phase: string, message: RegExp][] = [
    ['a build that never ends', withBuildFile('container-file-stuck'), 'build', stuckBuild],
    ['a build in a state that nobody knows', withBuildFile('container-file-new-state'), 'build', stuckBuild],
    ['a deployment that never starts', STUCK.files, 'rollout', stuckBot],
  ];
  for (const [name, files, phase, message] of slow) {
    deployIt(`gives up on ${name}, and says how to watch it`, { files }, async session => {
      const error = await failing(session, 'timeout', phase, '--timeout 0.5');
      assert.match(error.message, message);
      assert.match(error.hint, /botcli cloud (?:status|logs)/);
    });
  }

  deployIt('joins a rollout that goes on, and sends nothing again', STUCK, async session => {
    assert.equal((await deployLong(session, '--timeout 0.5')).code, 1);
    session.requests();
    const stuck = await deployLong(session, '--timeout 0.5');
    assert.equal(stuck.code, 1);
    assert.match(stuck.stderr, /bot-stuck is being deployed like this already: deployment [0-9a-f]{8}\. botcli waits/);
    const agent = session.agent('bot-stuck');
    agent.trouble = 'none';
    const { deployment } = await session.json('cloud deploy --skip');
    assert.deepEqual([deployment, agent.deployments.length], [agent.ready, 1]);
    assert.deepEqual(changesOf(session), []);
  });

  const failed = { files: deployable('bot-failed') };
  deployIt('deploys anew instead of joining with --force, or if the rollout has failed', failed, async session => {
    await session.run('cloud deploy --skip');
    await session.run('cloud deploy --skip');
    const agent = session.agent('bot-failed');
    assert.equal(agent.deployments.length, 2);
    agent.trouble = 'bot-stuck';
    await deployLong(session, '--timeout 0.5 --force');
    assert.equal(agent.deployments.length, 3);
  });

  deployIt('does not call a deployment ready of which the platform does not say what it runs', {}, async session => {
    const ready = { ready: true, available: true, reconciledDeploymentId: ID };
    const body = { name: 'bot', desiredDeploymentId: ID, ...ready, deployment: { id: ID } };
    session.cloud.fault({ method: 'GET', path: '/services/bot', after: 2, fault: answer(200, body) });
    const error = await failing(session, 'timeout', 'rollout', '--timeout 0.5');
    assert.equal(error.deployment, ID);
    assert.match(error.message, /^It's unknown whether bot runs this: its newest deployment is ready, but after 28s,/);
    assert.equal(error.hint.split('\n')[0], 'Watch: botcli cloud status bot -o acme');
  });

  deployIt('invents no phase', {}, async session => {
    const body = { name: 'bot', desiredDeploymentId: ID, currentRevision: null };
    session.cloud.fault({ method: 'GET', path: '/services/bot', after: 2, fault: answer(200, body) });
    const { stderr } = await deployLong(session, '--timeout 0.5');
    assert.match(stderr, /^error: bot isn't ready after 28s \(phase unknown\)\. The rollout goes on\.$/m);
  });

  deployIt('says so if only the scaling changes, and the platform does not show that', IMAGE, async session => {
    await session.succeed('cloud deploy --skip');
    session.write(DEPLOY_FILE, session.read(DEPLOY_FILE).replace('min_agents = 0', 'min_agents = 1'));
    session.cloud.fault({ method: 'PUT', path: /\/services$/, fault: answer(200, {}) });
    const { message } = await failing(session, 'timeout', 'rollout', '--timeout 0.5');
    assert.match(message, /^The new scaling of bot doesn't show after 32s\. What it runs stays as it was\.$/);
  });

  deployIt('stops if somebody deployed between the plan and the change', {}, async session => {
    await session.succeed('cloud deploy --skip');
    session.requests();
    const body = { name: 'bot', region: 'us-west', desiredDeploymentId: ID };
    session.cloud.fault({ method: 'GET', path: '/services/bot', after: 1, fault: answer(200, body) });
    await failing(session, 'superseded', 'deploy', '--force');
    assert.deepEqual(changesOf(session), []);
  });

  deployIt('never takes the deployment of somebody else for its own', IMAGE, async session => {
    const deployment = { id: ID, manifest: { spec: { image: 'me/other:1.0' } } };
    const ids = { desiredDeploymentId: ID, reconciledDeploymentId: ID };
    const body = { name: 'bot', region: 'us-west', ready: true, available: true, ...ids, deployment };
    session.cloud.fault({ method: 'GET', path: '/services/bot', after: 2, fault: answer(200, body) });
    await failing(session, 'superseded', 'rollout');
  });

  deployIt('does not believe a deployment that does not stay up', {}, async session => {
    const onWait = () => {
      // Just after it was ready for the first time.
      if (session.agent()?.ready) session.agent().trouble = 'bot-crash';
    };
    assert.doesNotMatch(await session.fail(1, 'cloud deploy --skip', { onWait }), /is ready/);
  });
});

describe('a platform that is wrong about a build', () => {
  deployIt('is believed only about the build that was asked for', {}, async session => {
    session.cloud.fault({ path: BUILD, fault: answer(200, { build: { id: ID, status: 'success' } }) });
    assert.match(
      (await deployLong(session, '--timeout 0.5')).stderr,
      new RegExp(`^error: .*sent build ${ID} instead of`, 'm'),
    );
    assert.equal(session.acme.agents.size, 0);
  });

  const others: [name: string, key: string, value: string, message: RegExp][] = [
    ['files', 'contextHash', 'f'.repeat(16), /contextHash ffffffffffffffff instead of [0-9a-f]{16}/],
    ['build file', 'dockerfilePath', 'other-file', /dockerfilePath other-file instead of container-file/],
    ['region', 'region', 'eu-central', /region eu-central instead of us-west/],
  ];
  for (const [name, key, value, message] of others) {
    for (const [status, cached] of [['success'], ['building', true]] as const) {
      const title = `is not believed if it names one of another ${name} (${status}) instead of building`;
      deployIt(title, {}, async session => {
        const body = { build: { id: ID, status, [key]: value }, cached: cached ?? false };
        session.cloud.fault({ method: 'POST', path: /\/builds$/, fault: answer(200, body) });
        const error = await failing(session, 'bad-answer', 'build');
        assert.match(error.message, /^The platform names a build of other files \(3f1c09aa\): /);
        assert.match(error.message, message);
        assert.equal(session.acme.agents.size, 0);
      });
    }
  }
});

describe('a deploy that takes long', () => {
  deployIt('says after ten minutes without a change that the platform may be throttling', STUCK, async session => {
    const { code, stderr } = await deployLong(session, '--timeout 15');
    assert.equal(code, 1);
    assert.match(stderr, /error: bot-stuck isn't ready after 14m 5\ds \(Creating\)\. The rollout goes on\.\n/);
    assert.match(stderr, /\nNothing happened for 14m 5\ds: the platform may be throttling\.\n/);
    const notes = [...stderr.matchAll(/^Still deploying, (\d+)m/gm)].map(match => Number(match[1]));
    assert(notes.length >= 13 && notes.every((minutes, at) => minutes === at + 1), `${notes}`);
    const sooner = await deployLong(session, '--timeout 9 --force');
    assert.match(sooner.stderr, /error: bot-stuck isn't ready after 9m \ds/);
    assert.doesNotMatch(sooner.stderr, /throttling/);
  });

  for (const [name, rule] of [
    ['a build', { path: BUILD }],
    ['a rollout', { method: 'GET', path: '/services/bot', after: 2 }],
  ] as const) {
    const title = `says once that the platform can't be reached during ${name}, and once that it can be again`;
    deployIt(title, {}, async session => {
      session.cloud.fault({ ...rule, times: 40, fault: { kind: 'reset' } });
      const { code, stderr } = await deployLong(session, '--timeout 60');
      assert.equal(code, 0, stderr);
      const lost = stderr.match(/^Can't reach .*: the connection was lost .*\. Trying again\.$/gm)?.length;
      assert.deepEqual([lost, stderr.match(/^The platform responds again\.$/gm)?.length], [1, 1], stderr);
    });
  }

  deployIt('never says that a build goes on while the platform cannot be reached', {}, async session => {
    session.cloud.fault({ path: BUILD, fault: { kind: 'reset' } });
    const { code, stderr } = await deployLong(session, '--timeout 5');
    assert.equal(code, 1);
    assert.match(stderr, /^Still trying to reach the platform, \dm/m);
    assert.doesNotMatch(stderr, /Still building|goes on, but/);
    assert.match(stderr, /^error: The state of the build is unknown, and nothing is deployed\. Can't reach /m);
  });

  deployIt('says how to go on if the token is rejected during a build', {}, async session => {
    session.cloud.fault({ path: BUILD, fault: answer(401) });
    assert.match(
      await session.fail(1, 'cloud deploy --skip'),
      /^error: The state of the build is unknown, and nothing is deployed\. The platform rejected the token[^\n]*\nLog in again[^\n]*\nTo watch it, run: botcli cloud logs bot --build [0-9a-f-]{36} -o acme\nRun the same command to continue\.\n$/m,
    );
  });

  /** A test whose set is pending for this long, in milliseconds. */
  const lateIt = (title: string, ms: number, use: (session: DeploySession) => Promise<void>) =>
    it(title, () => deploySession({ acme: acmeWith([storedSet(SET, [KEY], { readyAt: Date.now() + ms })]) }, use)());

  for (const [options, ending, least, most] of [
    ['', /still pending after two minutes$/, 100_000, 123_000],
    ['--timeout 0.5', /still pending at the end of --timeout$/, 0, 33_000],
  ] as const) {
    lateIt(`waits ${most} ms for a set that is pending, and deploys nothing then`, Infinity, async session => {
      const { stdout, waits } = await deployLong(session, `--json ${options}`);
      const { error } = JSON.parse(stdout);
      assert.deepEqual([error.code, error.phase], ['timeout', 'secrets']);
      assert.match(error.message, ending);
      assert.match(error.hint, /^Nothing was deployed\. It is safe to run the same command again\.$/m);
      const waited = waits.reduce((sum, ms) => sum + ms, 0);
      assert.ok(waited >= least && waited < most, `${waited}`);
      assert.deepEqual(changesOf(session), []);
    });
  }

  lateIt('sends nothing to a pending set that has all keys, and says so if waiting fails', Infinity, async session => {
    session.cloud.fault({ path: `/secrets/${SET}`, after: 1, fault: { kind: 'html', status: 403 } });
    const stderr = await session.fail(1, 'cloud deploy --skip');
    assert.match(stderr, /^error: All keys are set in .*, but waiting for it failed\. [\s\S]*Nothing was deployed\./m);
  });

  lateIt('deploys once a pending set is ready', 90_000, async session => {
    const { code, stderr } = await deployLong(session, '');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /✓ bot is ready/);
  });
});

describe('a fault during a deploy', () => {
  /** Ctrl-C while the platform works on a change. */
  const unclear = /^Interrupted\. bot may have been deployed nevertheless\.$/;
  const check = /^To check, run: botcli cloud status bot -o acme$/;
  const starting = /^Interrupted\. The build may have started; nothing is deployed\.$/;
  const again = /^Run the same command again: it joins the build if it runs\.$/;
  const interrupted: [name: string, request: string, line: string, message: RegExp, hint: RegExp][] = [
    ['a build starts', 'POST /builds', 'cloud deploy --skip', starting, again],
    ['an agent is created', 'POST /services', 'cloud deploy --skip --force', unclear, check],
    ['an agent changes', 'PUT /services', 'cloud deploy --skip --force', unclear, check],
    ['an agent is rolled back', 'PUT /services', 'cloud rollback --skip', unclear, check],
  ];
  for (const [name, request, line, message, hint] of interrupted) {
    deployIt(`says after Ctrl-C while ${name} that it may have taken effect`, {}, async session => {
      const [method = '', path = ''] = request.split(' ');
      if (method === 'PUT') await session.succeed('cloud deploy --skip');
      if (line.includes('rollback')) {
        session.write('server/extra.py', 'X = 1\n');
        await session.succeed('cloud deploy --skip');
      }
      session.requests();
      session.cloud.fault({ method, path: new RegExp(`${path}$`), fault: { kind: 'hang', done: true } });
      const isSent = () => session.requests().includes(`${request} 0`);
      const { code, stdout } = await session.interrupt(`${line} --json`, isSent);
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code, error.code], [130, 'interrupted']);
      assert.match(error.message, message);
      assert.match(error.hint, hint);
    });
  }

  deployIt('says after Ctrl-C before an agent changes that nothing changed', {}, async session => {
    session.cloud.fault({ method: 'GET', path: /services\/bot$/, after: 1, fault: { kind: 'hang' } });
    const isSent = () => session.requests().includes('GET /services/bot 0');
    const { code, stderr } = await session.interrupt('cloud deploy --skip', isSent);
    assert.equal(code, 130);
    assert.match(stderr, /^Interrupted\. bot wasn't changed\.$/m);
  });

  deployIt('looks for a while whether a change took effect whose response was lost', {}, async session => {
    session.cloud.fault({ method: 'POST', path: '/services', times: 1, fault: { kind: 'reset', done: true } });
    const absent = answer(404, { error: 'Service not found', code: 'NOT_FOUND' });
    session.cloud.fault({ method: 'GET', path: '/services/bot', after: 2, times: 2, fault: absent });
    const { code, stderr } = await session.run('cloud deploy --skip');
    assert.equal(code, 0, stderr);
  });

  deployIt('says after Ctrl-C during an upload that nothing was deployed', {}, async session => {
    session.cloud.fault({ path: '/_uploads', fault: { kind: 'hang' } });
    const isSent = () => session.requests().includes('POST /_uploads 0');
    const { code, stdout } = await session.interrupt('cloud deploy --skip --json', isSent);
    const message = 'Interrupted. Nothing was deployed.';
    const error = { code: 'interrupted', message, hint: 'Run the same command again.', phase: 'upload' };
    assert.deepEqual([code, JSON.parse(stdout).error], [130, error]);
  });

  deployIt('names the phase of an error in the first look', {}, async session => {
    session.cloud.fault({ path: '/regions', fault: answer(403) });
    await failing(session, 'forbidden', 'look');
  });

  deployIt('waits as long as the storage asks, and tries four times, each with its own address', {}, async session => {
    const headers = { 'retry-after': '7' };
    session.cloud.fault({ path: '/_uploads', fault: { kind: 'answer', status: 503, headers } });
    const { stdout, waits } = await session.run('cloud deploy --skip --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([error.code, error.phase], ['platform-problem', 'upload']);
    assert.match(error.message, /storage rejected the upload \(HTTP 503\)/);
    assert.deepEqual(waits, [7000, 7000, 7000]);
    const sent = changesOf(session).map(line => line.replace(/ \d+$/, ''));
    assert.deepEqual(sent, Array(4).fill(['POST /builds/upload-url', 'POST /_uploads']).flat());
  });

  deployIt("doesn't wait for the storage beyond --timeout", {}, async session => {
    const headers = { 'retry-after': '20' };
    session.cloud.fault({ path: '/_uploads', fault: { kind: 'answer', status: 429, headers } });
    const { code, stdout, waits } = await deployLong(session, '--json --timeout 0.2');
    assert.deepEqual([code, JSON.parse(stdout).error.code, waits], [1, 'rate-limited', []]);
  });

  const html = { kind: 'html', status: 502 } as const;
  const [lost, empty] = [{ kind: 'reset', done: true } as const, { kind: 'empty', done: true } as const];
  const late = { kind: 'text', status: 400, text: '<Code>RequestTimeout</Code>' } as const;
  const busy = { kind: 'answer', status: 429, headers: { 'retry-after': '0' } } as const;
  const [start, creation] = [
    { method: 'POST', path: /\/builds$/ },
    { method: 'POST', path: '/services' },
  ];
  const survived: [name: string, rule: FaultRule][] = [
    ['one 502 while the build runs', { path: BUILD, fault: html }],
    ['a lost connection while the build runs', { path: BUILD, fault: { kind: 'reset' } }],
    ['nonsense instead of a build', { path: BUILD, fault: answer(200, { build: 1 }) }],
    ['a start of the build that is done but not confirmed', { ...start, fault: lost }],
    ['a 500 for a build that started', { ...start, fault: { kind: 'answer', status: 500, done: true } }],
    ['a creation that is done but not confirmed', { ...creation, fault: lost }],
    ['an empty answer to the creation', { ...creation, fault: empty }],
    ['an upload that breaks off', { path: '/_uploads', fault: { kind: 'reset' } }],
    ['a 503 of the storage', { path: '/_uploads', fault: html }],
    ['two 429s of the storage', { times: 2, path: '/_uploads', fault: busy }],
    ['a storage that waited too long for bytes', { path: '/_uploads', fault: late }],
    ['a 502 at the rollout', { method: 'GET', path: '/services/bot', after: 3, fault: html }],
  ];
  for (const [name, rule] of survived) {
    deployIt(`deploys in spite of ${name}`, {}, async session => {
      session.cloud.fault({ times: 1, ...rule });
      const { code, stderr } = await session.run('cloud deploy --skip');
      assert.equal(code, 0, stderr);
      assert.match(stderr, /✓ bot is ready/);
      assert.equal(session.acme.builds.size, 1);
      assert.equal(session.acme.agents.get('bot')?.deployments.length, 1);
    });
  }
});
