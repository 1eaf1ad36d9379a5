import assert from 'node:assert/strict';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { answer, type DeploySession } from '../support/deploys.ts';
import { become, fake, gated, gateIt, isTalking, until } from '../support/gated.ts';

/** A session with a deployed bot of this kind. */
const deployedIt = (
  title: string,
  kind: string,
  use: (session: DeploySession, deployment: string) => Promise<void>,
  more = '',
) =>
  gateIt(title, gated('bot', {}, more), async session => {
    become(session, kind);
    await session.succeed('cloud deploy --skip');
    session.requests();
    await use(session, session.agent().ready ?? '');
  });

const toStart = { method: 'POST', path: '/start' };
const ANSWERS =
  /^bot in us-west answers: deployment [0-9a-f]{8}, organization acme\. Each conversation is a session, and costs what a session costs\.$/m;

describe('botcli test --deployed', () => {
  deployedIt('has the conversations with the deployed bot, and says which one', 'good', async (session, deployment) => {
    const { code, stdout, stderr } = await session.run('test --deployed');
    assert.equal(code, 0, stderr + stdout);
    assert.match(stderr, ANSWERS);
    assert.match(stdout, /\n✓ 1 of 1 conversations passed, in /);
    const held = session.agent().sessions.map(({ deploymentId, endState }) => [deploymentId, endState]);
    assert.deepEqual(held, [[deployment, 'completed']]);
  });

  const useToken = async (session: DeploySession) => {
    for (let run = 0; run < 2; run++) await session.succeed('test --deployed bot');
    const paths = session.cloud.journal.map(({ path }) => path).filter(path => path.startsWith('/ws/'));
    assert.deepEqual(paths, ['/ws/generic/bot.acme', '/ws/generic/bot.acme']);
  };
  deployedIt('uses the token of a session once, and shows it nowhere', 'good', useToken, 'websocket_auth = "token"');

  deployedIt('--json names the deployment', 'good', async (session, deployment) => {
    const { seconds, ...result } = await session.json('test --deployed');
    assert.deepEqual(result, {
      ok: true,
      scenarios: [{ name: 'starter_text/greeting', result: 'passed', seconds: 0.04 }],
      deployed: { agent: 'bot', organization: 'acme', region: 'us-west', deployment },
    });
  });

  deployedIt('fails if a conversation fails, and names the log in the cloud', 'says something else', async session => {
    const { code, stdout, stderr } = await session.run('test --deployed');
    assert.equal(code, 1);
    assert.match(stdout, /• turn 1 response eval — it said "Goodbye\."\n[\s\S]*✗ 0 of 1 conversations passed/);
    assert.match(stderr, /^The bot's log: botcli cloud logs bot -o acme$/m);
  });

  const listing = { method: 'GET', path: '/sessions?' };
  const elsewhere = answer(200, { wsUrl: 'wss://evil.example/ws/generic/other.acme', token: 't' });
  const [sessionId, deploymentId] = ['a', 'b'].map(sign => `3f1c09a${sign}-0000-4000-8000-000000000000`);
  const another = answer(200, { sessions: [{ sessionId, deploymentId }] });
  const none = answer(200, { sessions: [] });
  const unready = /^It's unknown whether deployment [0-9a-f]{8} of bot answered: it was ready in 0 of 1 conversations$/;
  const unlisted = /the platform doesn't list the sessions of all conversations$/;
  /** What goes wrong: a fault of the platform, or what the framework does. */
  const refusals: [name: string, fault: FaultRule | string, reason: string, message: RegExp][] = [
    ['a gateway that refuses', { path: '/ws/generic', fault: answer(429) }, 'limit', /take the session \(HTTP 429\)/],
    ['a start that is refused', { ...toStart, fault: answer(429) }, 'rate-limited', /./],
    ['a revoked key', { ...toStart, fault: answer(401) }, 'unauthorized', /public API key \(HTTP 401\)/],
    ['an address elsewhere', { ...toStart, fault: elsewhere }, 'bad-answer', /isn't one for a session of bot\.acme$/],
    ["a framework that doesn't begin with eval-connect", 'is old', 'part-ended', /can't talk to deployed bots/],
    ['evals that pass without a conversation', 'lies', 'not-verified', unready],
    ['sessions that the platform does not list', { ...listing, fault: none }, 'not-verified', unlisted],
    [
      'sessions of another deployment',
      { ...listing, after: 1, fault: another },
      'not-verified',
      /was one of 3f1c09ab$/,
    ],
  ];
  for (const [name, fault, reason, message] of refusals) {
    deployedIt(`doesn't take ${name} for a success`, 'good', async session => {
      if (typeof fault !== 'string') session.cloud.fault(fault);
      else fake(session, fault);
      const error = await session.error('test --deployed');
      assert.equal(error.code, reason);
      assert.match(error.message, message);
    });
  }

  const needKey = async (session: DeploySession) => {
    await session.succeed('cloud deploy --skip');
    const keyless =
      /^error: Organization acme has no public API key, which starts sessions\n.*Create one in the dashboard/s;
    assert.match(await session.fail(1, 'test --deployed'), keyless);
  };
  gateIt('needs a public key', gated(), needKey, true);

  deployedIt('names the closest agent, and needs the key of the judge', 'good', async session => {
    const typo = await session.fail(1, 'test --deployed bott');
    assert.match(typo, /^error: There is no agent "bott" .*\n.*Did you mean bot\?/s);
    session.remove('server/.env');
    assert.match(await session.fail(1, 'test --deployed'), /^error: The judge .* needs OPENAI_API_KEY\n/);
  });
});

describe('botcli talk --deployed', () => {
  deployedIt('talks with the deployed bot, and says which one answers', 'good', async session => {
    const { code, stdout, stderr } = await session.run('talk --deployed --say hello --say again --timeout 3600');
    assert.equal(code, 0, stderr);
    assert.match(stderr, ANSWERS);
    assert.match(stdout, /^you {2}hello\nbot {2}Hello! .*\nyou {2}again\nbot {2}Hello! .*\n$/);
    assert.equal(session.agent().sessions.length, 1);
  });

  deployedIt('--keep tries what it keeps with the deployed bot', 'good', async session => {
    const line = 'talk --deployed --say hello --keep hours --plain --json --timeout 3600';
    const objects = (await session.succeed(line))
      .trim()
      .split('\n')
      .map(one => JSON.parse(one));
    assert.deepEqual(objects[0].deployed.agent, 'bot');
    const { path, tried, passed } = objects.find(({ event }) => event === 'kept');
    assert.deepEqual({ path, tried, passed }, { path: 'server/evals/hours.yaml', tried: true, passed: true });
    assert.equal(session.agent().sessions.length, 2);
  });

  const noAnswer =
    /^✗ The bot ended the conversation without an answer\n {2}The bot's log: botcli cloud logs bot -o acme$/m;
  const unready =
    /^error: The bot wasn't ready within 120 seconds\nAllow more with --timeout SECONDS\.\nThe bot's log: /m;
  const noAgent = /^error: There is no agent bot in organization acme: Injected fault$/m;
  const refused = /^error: The gateway .* doesn't take the session \(HTTP 404\)\nThe agent may have been deleted\.$/m;
  const gone = { fault: answer(404) };
  const failures: [about: string, kind: string, rule: FaultRule | undefined, message: RegExp][] = [
    ['is gone', 'crashes in its first turn', undefined, noAnswer],
    ['is never ready', 'starts too slowly', undefined, unready],
    ['was deleted before the session', 'good', { ...toStart, ...gone }, noAgent],
    ['was deleted before its gateway is reached', 'good', { path: '/ws/generic', ...gone }, refused],
  ];
  for (const [about, kind, rule, message] of failures) {
    deployedIt(`fails if the bot ${about}`, kind, async session => {
      if (rule) session.cloud.fault(rule);
      const { code, stderr } = await session.run('talk --deployed --say hello');
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
      await until(() => !isTalking(session));
    });
  }

  deployedIt('says nothing to a bot that is gone', 'crashes in its first turn', async session => {
    const { code, stderr } = await session.run('talk --deployed --say hello --say again --timeout 3600');
    assert.equal(code, 1);
    assert.match(stderr, /The bot ended the conversation\n.*The bot's log: botcli cloud logs bot -o acme/s);
  });
});
