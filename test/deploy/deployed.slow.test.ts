import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from '../support/deploys.ts';
import { BOT, type Gated, gated, gateIt, SCENARIO } from '../support/gated.ts';

/** A session with a deployed bot of this kind. */
const deployedIt = (
  title: string,
  kind: string,
  use: (session: Gated, deployment: string) => Promise<void>,
  more = '',
  name = 'bot',
) =>
  gateIt(title, gated(name, {}, more), async session => {
    session.write(BOT, `${session.read(BOT)}\n# bot: ${kind}\n`);
    await session.succeed('cloud deploy --skip');
    session.requests();
    await use(session, session.acme.agents.get(name)?.ready ?? '');
  });

const ANSWERS =
  /^bot in us-west answers: deployment [0-9a-f]{8}, organization acme\. Each conversation is a session, and costs what a session costs\.$/m;

describe('botcli test --deployed', () => {
  deployedIt(
    'has the conversations with the deployed bot, and says which one answers',
    'good',
    async (session, deployment) => {
      const { code, stdout, stderr } = await session.run('test --deployed');
      assert.equal(code, 0, stderr + stdout);
      assert.match(stderr, ANSWERS);
      assert.match(stdout, /\n✓ 1 of 1 conversations passed, in /);
      const { sessions = [] } = session.acme.agents.get('bot') ?? {};
      assert.deepEqual(
        sessions.map(({ deploymentId, endState }) => [deploymentId, endState]),
        [[deployment, 'completed']],
      );
    },
  );

  deployedIt(
    'uses the token of a session once, and shows it nowhere',
    'good',
    async session => {
      for (let run = 0; run < 2; run++) assert.equal((await session.run('test --deployed bot')).code, 0);
      const paths = session.cloud.journal.map(({ path }) => path).filter(path => path.startsWith('/ws/'));
      assert.deepEqual(paths, ['/ws/generic/bot.acme', '/ws/generic/bot.acme']);
    },
    'websocket_auth = "token"',
  );

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

  const refusals: [name: string, fault: (session: Gated) => void, reason: string, message: RegExp][] = [
    [
      'a gateway that refuses',
      ({ cloud }) => cloud.fault({ path: '/ws/generic', fault: answer(429) }),
      'limit',
      /doesn't take the session \(HTTP 429\)/,
    ],
    [
      'a start that is refused',
      ({ cloud }) => cloud.fault({ method: 'POST', path: '/start', fault: answer(429) }),
      'rate-limited',
      /./,
    ],
    [
      'a revoked key',
      ({ cloud }) => cloud.fault({ method: 'POST', path: '/start', fault: answer(401) }),
      'unauthorized',
      /public API key \(HTTP 401\)/,
    ],
    [
      'an address elsewhere',
      ({ cloud }) =>
        cloud.fault({
          method: 'POST',
          path: '/start',
          fault: {
            kind: 'answer',
            status: 200,
            body: { wsUrl: 'wss://evil.example/ws/generic/other.acme', token: 't' },
          },
        }),
      'bad-answer',
      /isn't one for a session of bot\.acme$/,
    ],
    [
      "a framework that doesn't begin with eval-connect",
      session => session.write(SCENARIO, `${session.read(SCENARIO)}# fake: is old\n`),
      'part-ended',
      /can't talk to deployed bots/,
    ],
    [
      'evals that pass without a conversation',
      session => session.write(SCENARIO, `${session.read(SCENARIO)}# fake: lies\n`),
      'not-verified',
      /^It's unknown whether deployment [0-9a-f]{8} of bot answered: it was ready in 0 of 1 conversations$/,
    ],
    [
      'sessions that the platform does not list',
      ({ cloud }) => cloud.fault({ method: 'GET', path: '/sessions?', fault: answer(200, { sessions: [] }) }),
      'not-verified',
      /the platform doesn't list the sessions of all conversations$/,
    ],
    [
      'sessions of which the platform names another deployment',
      ({ cloud }) => {
        const other = {
          sessionId: '3f1c09aa-0000-4000-8000-000000000000',
          deploymentId: '3f1c09ab-0000-4000-8000-000000000000',
        };
        cloud.fault({ method: 'GET', path: '/sessions?', after: 1, fault: answer(200, { sessions: [other] }) });
      },
      'not-verified',
      /a session since then was one of 3f1c09ab$/,
    ],
  ];
  for (const [name, fault, reason, message] of refusals) {
    deployedIt(`doesn't take ${name} for a success`, 'good', async session => {
      fault(session);
      const { code, stdout } = await session.run('test --deployed --json');
      const { error } = JSON.parse(stdout);
      assert.deepEqual({ code, reason: error.code }, { code: 1, reason }, stdout);
      assert.match(error.message, message);
    });
  }

  gateIt(
    'needs a public key',
    gated(),
    async session => {
      await session.succeed('cloud deploy --skip');
      assert.match(
        await session.fail(1, 'test --deployed'),
        /^error: Organization acme has no public API key, which starts sessions\n.*Create one in the dashboard/s,
      );
    },
    true,
  );

  deployedIt('names the closest agent, and needs the key of the judge', 'good', async session => {
    assert.match(
      await session.fail(1, 'test --deployed bott'),
      /^error: There is no agent "bott" .*\n.*Did you mean bot\?/s,
    );
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
    const objects = stdout
      .trim()
      .split('\n')
      .map(one => JSON.parse(one));
    assert.deepEqual(objects[0].deployed.agent, 'bot');
    const { path, tried, passed } = objects.find(({ event }) => event === 'kept');
    assert.deepEqual({ path, tried, passed }, { path: 'server/evals/hours.yaml', tried: true, passed: true });
    assert.equal(session.acme.agents.get('bot')?.sessions.length, 2);
  });

  const failures: [about: string, kind: string, prepare: (session: Gated) => void, message: RegExp][] = [
    [
      'is gone',
      'crashes in its first turn',
      () => {},
      /^✗ The bot ended the conversation without an answer\n {2}The bot's log: botcli cloud logs bot -o acme$/m,
    ],
    [
      'is never ready',
      'starts too slowly',
      () => {},
      /^error: The bot wasn't ready within 120 seconds\nAllow more with --timeout SECONDS\.\nThe bot's log: /m,
    ],
    [
      'was deleted before the session',
      'good',
      ({ cloud }) => cloud.fault({ method: 'POST', path: '/start', fault: answer(404) }),
      /^error: There is no agent bot in organization acme: Injected fault$/m,
    ],
    [
      'was deleted before its gateway is reached',
      'good',
      ({ cloud }) => cloud.fault({ path: '/ws/generic', fault: answer(404) }),
      /^error: The gateway .* doesn't take the session \(HTTP 404\)\nThe agent may have been deleted\.$/m,
    ],
  ];
  for (const [about, kind, prepare, message] of failures) {
    deployedIt(`fails if the bot ${about}`, kind, async session => {
      prepare(session);
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
