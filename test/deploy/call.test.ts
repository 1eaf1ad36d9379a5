import assert from 'node:assert/strict';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import type { CloudSession } from '../support/cloud-session.ts';
import { type acmeWith, answer, changesOf, deployable, deployIt } from '../support/deploys.ts';
import { CASCADE, generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

const dialIn = generateProject(resolveFlags({ ...CASCADE, transports: ['rtc_hosted_pstn_dialin'] }));
const PHONES = ['tel_a', 'tel_b', 'tel_c', 'tel_d'] as const;

/** A test whose agent of this name is deployed. */
const deployedIt = (
  title: string,
  name: string,
  use: (session: CloudSession & { agent: StoredAgent }) => Promise<void>,
) =>
  deployIt(title, { files: deployable(name) }, async session => {
    await session.succeed('cloud deploy --skip');
    session.requests();
    await use({ ...session, agent: session.acme.agents.get(name) as StoredAgent });
  });

const statesOf = ({ sessions }: StoredAgent) => sessions.map(({ endState }) => endState);

describe('cloud call', () => {
  for (const transport of PHONES) {
    deployedIt(`hears the bot over ${transport}, hangs up, and sees the session end`, 'bot', async session => {
      const { code, stdout, stderr } = await session.run(`cloud call -t ${transport}`);
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^✓ It spoke after \d\.\d s\n$/);
      assert.match(stderr, /\nThe session has ended\.\n$/);
      assert.deepEqual(statesOf(session.agent), ['completed']);
      assert.deepEqual(changesOf(session), []);
    });
  }

  deployedIt('reports facts about a phone call as JSON', 'bot', async session => {
    const { seconds, session: id, ...facts } = JSON.parse(await session.succeed('cloud call -t twilio --json'));
    assert.equal(typeof seconds, 'number');
    assert.equal(id, session.agent.sessions[0]?.sessionId);
    const expected = { agent: 'bot', organization: 'acme', region: 'us-west', transport: 'tel_a', outcome: 'spoke' };
    assert.deepEqual(facts, { ...expected, ended: true });
  });

  for (const [name, message] of [
    ['bot-mute', /^The bot took the call and said nothing for 45 s$/],
    ['bot-hangup', /^The bot took the call and hung up after \d\.\d s, without a word$/],
  ] as const) {
    deployedIt(`fails with the log if ${name} says nothing`, name, async session => {
      const { code, stdout } = await session.run('cloud call -t tel_a --json');
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code, error.code, error.phase], [1, 'call-failed', 'call']);
      assert.match(error.message, message);
      assert.match(error.log.join('\n'), /Starting bot/);
      assert.ok(session.agent.sessions.every(({ endedAt }) => endedAt));
    });
  }

  deployedIt('watches a session in a Daily room with a public key that exists, and ends it', 'bot', async session => {
    const key = { id: 'k', key: 'pk_hunter2-swordfish', name: 'mine', createdAt: '', revoked: false };
    acmeOf(session).keys.push({ ...key, key: 'pk_revoked', revoked: true }, key);
    const stdout = await session.succeed('cloud call');
    assert.match(stdout, /^✓ It started after 0\.4 s and stayed up; botcli can't hear it\n$/);
    assert.deepEqual(statesOf(session.agent), ['terminated']);
    const changes = session.requests().filter(line => !line.startsWith('GET'));
    assert.deepEqual(
      changes.map(line => line.replace(/[0-9a-f-]{36}/, 'ID')),
      ['POST /v1/public/bot/start 200', 'DELETE /services/bot/sessions/ID 200'],
    );
  });

  deployedIt('creates a public key only with --skip, or if somebody agrees', 'bot', async session => {
    assert.match(await session.fail(2, 'cloud call'), /asks for confirmation/);
    assert.deepEqual(changesOf(session), []);
    assert.equal(JSON.parse(await session.succeed('cloud call --skip --json')).ended, true);
    assert.deepEqual(
      acmeOf(session).keys.map(({ name }) => name),
      ['botcli'],
    );
  });

  deployedIt('fails if a session in a Daily room ends by itself', 'bot-hangup', async session => {
    const { code, stdout } = await session.run('cloud call --skip --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code], [1, 'call-failed']);
    assert.equal(error.message, 'The session ended by itself (agent_error)');
    assert.match(error.log.at(-1), /Could not start: no key$/);
  });

  deployedIt(
    'never reports success if nothing says that the call reached the bot',
    'bot',
    async ({ agent, ...session }) => {
      const body = () => ({ sessionId: agent.sessions[0]?.sessionId, endState: 'active' });
      const path = /\/sessions\/[0-9a-f-]{36}$/;
      session.cloud.fault({ method: 'GET', path, times: 30, fault: answer(200, { toJSON: body }) });
      const { code, stdout, stderr } = await session.run('cloud call --skip');
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, /doesn't say that the session has reached the bot/);
    },
  );

  const ends: [name: string, rule: Parameters<CloudSession['cloud']['fault']>[0], message: RegExp][] = [
    [
      'its session goes on',
      { method: 'DELETE', path: '/sessions/', fault: answer(500) },
      /botcli could not see its session end[\s\S]*To end it: botcli cloud sessions stop [0-9a-f-]{36} bot -o acme/,
    ],
    [
      'a stopped session is still there',
      { method: 'DELETE', path: '/sessions/', fault: answer(200, { status: 'terminated' }) },
      /botcli could not see its session end\. The session goes on after the request to stop/,
    ],
    [
      "the platform doesn't name the session",
      { path: '/start', fault: answer(200, { dailyRoom: 'x' }) },
      /started a session of bot, but doesn't name it/,
    ],
    ['the key is rejected', { path: '/start', fault: answer(401) }, /rejects the organization's public API key/],
  ];
  for (const [name, rule, message] of ends) {
    deployedIt(`never reports success if ${name}`, 'bot', async session => {
      session.cloud.fault(rule);
      const { code, stdout, stderr } = await session.run('cloud call --skip');
      assert.deepEqual([code, stdout], [1, '']);
      assert.match(stderr, message);
    });
  }

  deployedIt('ends after a while if the log cannot be read, and says so', 'bot', async session => {
    session.cloud.fault({ path: '/logs', fault: answer(500) });
    const { code, stdout, stderr, waits } = await session.run('cloud call --skip');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^error: The bot started and stayed up, but its log is unknown/m);
    assert.equal(waits.filter(ms => ms === 2000).length, 8);
    assert.deepEqual(statesOf(session.agent), ['terminated']);
  });

  const LEFT = /\nTo list all that go on: botcli cloud sessions list bot --active -o acme\n/;

  deployedIt('says how to end a session that may have started although the response is lost', 'bot', async session => {
    session.cloud.fault({ path: '/start', fault: { kind: 'reset', done: true } });
    const { code, stdout, stderr } = await session.run('cloud call --skip');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^error: A session may have started, and may go on\. Can't reach /m);
    assert.match(stderr, LEFT);
    assert.deepEqual(statesOf(session.agent), ['active']);
  });

  deployedIt('says how to end a session that may have started before Ctrl-C', 'bot', async session => {
    session.cloud.fault({ path: '/start', fault: { kind: 'hang', done: true } });
    const timer = setInterval(() => {
      if (session.agent.sessions.length === 0) return;
      clearInterval(timer);
      process.emit('SIGINT', 'SIGINT');
    }, 5);
    const { code, stderr } = await session.run('cloud call --skip');
    assert.equal(code, 130);
    assert.match(stderr, /^(?:error: )?Interrupted\. A session may have started, and may go on\.$/m);
    assert.match(stderr, LEFT);
  });

  deployedIt('never reports success if the gateway does not take the call', 'bot', async session => {
    session.cloud.fault({ path: '/ws/', times: 1, fault: answer(403) });
    assert.match(await session.fail(1, 'cloud call -t tel_a'), /doesn't take the call \(HTTP 403\)/);
    session.cloud.fault({ path: '/ws/', times: 1, fault: { kind: 'reset' } });
    assert.match(await session.fail(1, 'cloud call -t tel_a'), /the connection was lost/);
    session.agent.settings.websocketAuth = 'token';
    assert.match(await session.fail(1, 'cloud call -t tel_a'), /hung up/);
  });

  deployedIt('refuses before anything is sent what nobody can call by machine', 'bot', async session => {
    assert.match(await session.fail(2, 'cloud call other'), /^error: No project in this directory deploys/);
    const several = 'cloud call a/b -t rtc_local -o c/d';
    assert.match(
      await session.fail(2, several),
      /^error: 3 problems; nothing was sent:\n.*agent.*\n.*--organization.*\n.*--transport/,
    );
    assert.match(await session.fail(2, "cloud call ''"), /^error: The name of the agent must be /);
    assert.match(
      await session.fail(2, 'cloud rollback bot x'),
      /^error: 2 problems.*\n.*<deployment>.*\n.*confirmation/,
    );
    assert.match(
      await session.fail(2, 'cloud logs bot --limit x -o c/d'),
      /^error: 2 problems.*\n.*--organization.*\n.*--limit/,
    );
    assert.match(await session.fail(2, 'cloud call -t rtc_local'), /^error: --transport must be one/);
    session.write('.botcli.json', dialIn['.botcli.json'] as string);
    const message = await session.fail(2, 'cloud call -o acme');
    assert.match(
      message,
      /botcli can't call this bot: Daily phone number, dial-in[^\n]*\n.*logs bot --follow -o acme\n/,
    );
    assert.deepEqual(session.requests(), []);
  });

  const acmeOf = (session: CloudSession) => (session as CloudSession & { acme: ReturnType<typeof acmeWith> }).acme;
});

describe('cloud deploy --call', () => {
  const twilio = generateProject(resolveFlags({ ...CASCADE, transports: ['tel_a'] }));
  const files = (name: string) => deployable(name, '', { '.botcli.json': twilio['.botcli.json'] as string });

  deployIt(
    'calls the bot at the end, and also if there is nothing to deploy',
    { files: files('bot') },
    async session => {
      const { code, stderr, stdout } = await session.run('cloud deploy --skip --call');
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^bot runs deployment/);
      assert.match(
        stderr,
        /✓ bot is ready: .*\n✓ It spoke after \d\.\d s\nNext:\n {2}botcli cloud phone bot -o acme\n/,
      );
      const again = await session.run('cloud deploy --skip --call --json');
      assert.equal(JSON.parse(again.stdout).outcome, 'unchanged');
      assert.match(again.stderr, /✓ It spoke/);
      assert.equal(session.acme.agents.get('bot')?.sessions.length, 2);
    },
  );

  deployIt('says that the bot is deployed if only the call fails', { files: files('bot-mute') }, async session => {
    const { code, stdout } = await session.run('cloud deploy --skip --call --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code, error.phase], [1, 'call-failed', 'call']);
    assert.match(error.message, /^bot-mute is deployed, but the test call failed\. The bot took the call/);
    assert.equal(error.deployment, session.acme.agents.get('bot-mute')?.ready);
  });

  deployIt(
    'refuses before anything is sent if nobody can call the bot by machine',
    { files: deployable('bot', '', { '.botcli.json': dialIn['.botcli.json'] as string }) },
    async session => {
      assert.match(await session.fail(2, 'cloud deploy --skip --call'), /botcli can't call this bot/);
      assert.deepEqual(session.requests(), []);
    },
  );
});

describe('cloud phone', () => {
  deployedIt("prints the platform's address with region, organization and agent", 'bot', async session => {
    const stdout = await session.succeed('cloud phone -t tel_a');
    assert.match(stdout, /^Twilio\n1\. In the Twilio console, create a TwiML Bin for the deployed bot:/);
    assert.match(stdout, /<Stream url="wss:\/\/us-west\.api\.pipecat\.daily\.co\/ws\/twilio">/);
    assert.match(stdout, /name="_pipecatCloudServiceHost" value="bot\.acme"/);
    assert.doesNotMatch(stdout, /YOUR-(?:REGION|ORG)|Deploy the bot|`/);
    const facts = JSON.parse(await session.succeed('cloud phone -t tel_d --json'));
    assert.equal(facts.service_host, 'bot.acme');
    assert.match(facts.phones[0].steps, /wss:\/\/us-west\.api\.pipecat\.daily\.co\/ws\/exotel\?serviceHost=bot\.acme/);
  });

  deployedIt('takes the names by which people know the providers, and several at once', 'bot', async session => {
    for (const name of ['twilio', 'Twilio', 'TEL_A']) {
      const { phones } = JSON.parse(await session.succeed(`cloud phone -t ${name} --json`));
      assert.deepEqual(
        phones.map(({ transport }: { transport: string }) => transport),
        ['tel_a'],
      );
    }
    const { phones } = JSON.parse(await session.succeed('cloud phone -t daily-pstn --json'));
    assert.equal(phones.length, 2);
    assert.match(await session.fail(2, 'cloud phone -t fax'), /^error: --transport must be one for phones/);
  });

  deployedIt('refuses an agent that does not exist, and a bot without a phone', 'bot', async session => {
    assert.match(await session.fail(1, 'cloud phone bto -t tel_a'), /There is no agent "bto"[\s\S]*Did you mean bot\?/);
    assert.match(await session.fail(2, 'cloud phone'), /This bot has no phone transport/);
    assert.match(await session.fail(2, 'cloud phone other'), /No project in this directory deploys this agent, so /);
  });
});
