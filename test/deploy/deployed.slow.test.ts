import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { answer } from '../support/deploys.ts';
import { BOT, type Gated, gated, gateIt, SCENARIO } from '../support/gated.ts';

/** A session with a deployed bot of this kind. */
const deployedIt = (
  title: string,
  kind: string,
  use: (session: Gated, deployment: string) => Promise<void>,
  more = '',
) =>
  gateIt(title, gated('bot', {}, more), async session => {
    session.write(BOT, `${session.read(BOT)}\n# bot: ${kind}\n`);
    await session.succeed('cloud deploy --skip');
    session.requests();
    await use(session, session.acme.agents.get('bot')?.ready ?? '');
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
    const { sessions = [] } = session.acme.agents.get('bot') ?? {};
    assert.deepEqual(
      sessions.map(({ deploymentId, endState }) => [deploymentId, endState]),
      [[deployment, 'completed']],
    );
  });

  const useToken = async (session: Gated) => {
    for (let run = 0; run < 2; run++) assert.equal((await session.run('test --deployed bot')).code, 0);
    const paths = session.cloud.journal.map(({ path }) => path).filter(path => path.startsWith('/ws/'));
    assert.deepEqual(paths, ['/ws/generic/bot.acme', '/ws/generic/bot.acme']);
  };
  deployedIt('uses the token of a session once, and shows it nowhere', 'good', useToken, 'websocket_auth = "token"');

  deployedIt('--json names the deployment', 'good', async (session, deployment) => {
    const outcome = await session.run('test --deployed --json');
    assert.equal(outcome.code, 0, outcome.stdout);
    const { seconds, ...result } = JSON.parse(outcome.stdout);
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
  const another = answer(200, {
    sessions: [
      {
        sessionId: '3f1c09aa-0000-4000-8000-000000000000',
        deploymentId: '3f1c09ab-0000-4000-8000-000000000000',
      },
    ],
  });
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
      'sessions of which the platform names another deployment',
      { ...listing, after: 1, fault: another },
      'not-verified',
      /a session since then was one of 3f1c09ab$/,
    ],
  ];
  for (const [name, fault, reason, message] of refusals) {
    deployedIt(`doesn't take ${name} for a success`, 'good', async session => {
      if (typeof fault !== 'string') session.cloud.fault(fault);
      else session.write(SCENARIO, `${session.read(SCENARIO)}# fake: ${fault}\n`);
      const { code, stdout } = await session.run('test --deployed --json');
      const { error } = JSON.parse(stdout);
      assert.deepEqual({ code, reason: error.code }, { code: 1, reason }, stdout);
      assert.match(error.message, message);
    });
  }

  const needKey = async (session: Gated) => {
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
    assert.equal(session.acme.agents.get('bot')?.sessions.length, 1);
  });

  deployedIt('--keep tries what it keeps with the deployed bot', 'good', async session => {
    const line = 'talk --deployed --say hello --keep hours --plain --json --timeout 3600';
    const { code, stdout, stderr } = await session.run(line);
    assert.equal(code, 0, stdout + stderr);
    const lines = stdout.trim().split('\n');
    const objects = lines.map(one => JSON.parse(one));
    assert.deepEqual(objects[0].deployed.agent, 'bot');
    const { path, tried, passed } = objects.find(({ event }) => event === 'kept');
    assert.deepEqual({ path, tried, passed }, { path: 'server/evals/hours.yaml', tried: true, passed: true });
    assert.equal(session.acme.agents.get('bot')?.sessions.length, 2);
  });

  const gone = { fault: answer(404) };
  const failures: [about: string, kind: string, rule: FaultRule | undefined, message: RegExp][] = [
    [
      'is gone',
      'crashes in its first turn',
      undefined,
      /^✗ The bot ended the conversation without an answer\n {2}The bot's log: botcli cloud logs bot -o acme$/m,
    ],
    [
      'is never ready',
      'starts too slowly',
      undefined,
      /^error: The bot wasn't ready within 120 seconds\nAllow more with --timeout SECONDS\.\nThe bot's log: /m,
    ],
    [
      'was deleted before the session',
      'good',
      { ...toStart, ...gone },
      /^error: There is no agent bot in organization acme: Injected fault$/m,
    ],
    [
      'was deleted before its gateway is reached',
      'good',
      { path: '/ws/generic', ...gone },
      /^error: The gateway .* doesn't take the session \(HTTP 404\)\nThe agent may have been deleted\.$/m,
    ],
  ];
  for (const [about, kind, rule, message] of failures) {
    deployedIt(`fails if the bot ${about}`, kind, async session => {
      if (rule) session.cloud.fault(rule);
      const { code, stderr } = await session.run('talk --deployed --say hello');
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
      while (session.acme.agents.get('bot')?.sessions.some(({ endedAt }) => !endedAt)) await sleep(5);
    });
  }

  deployedIt('says nothing to a bot that is gone', 'crashes in its first turn', async session => {
    const { code, stderr } = await session.run('talk --deployed --say hello --say again --timeout 3600');
    assert.equal(code, 1);
    assert.match(stderr, /The bot ended the conversation\n.*The bot's log: botcli cloud logs bot -o acme/s);
  });
});
