import assert from 'node:assert/strict';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { answer, changesOf, type DeploySession, deployable, deployIt } from '../support/deploys.ts';
import { CASCADE, generateProject } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

const stateOf = (...transports: string[]) =>
  generateProject(resolveFlags({ ...CASCADE, transports }))['.botcli.json'] as string;
const DIAL_IN = stateOf('rtc_hosted_pstn_dialin');

type Called = Omit<DeploySession, 'agent'> & { agent: StoredAgent };

/** A test whose agent of this name is deployed. */
const deployedIt = (title: string, name: string, use: (session: Called) => Promise<void>) =>
  deployIt(title, { files: deployable(name) }, async session => {
    await session.succeed('cloud deploy --skip');
    session.requests();
    await use({ ...session, agent: session.agent(name) });
  });

const statesOf = ({ sessions }: StoredAgent) => sessions.map(({ endState }) => endState);

describe('cloud call', () => {
  for (const transport of ['tel_a', 'tel_b', 'tel_c', 'tel_d']) {
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
    const { seconds, session: id, ...facts } = await session.json('cloud call -t twilio');
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
      const error = await session.error('cloud call -t tel_a');
      assert.deepEqual([error.code, error.phase], ['call-failed', 'call']);
      assert.match(error.message, message);
      assert.match(error.log.join('\n'), /Starting bot/);
      assert.ok(session.agent.sessions.every(({ endedAt }) => endedAt));
    });
  }

  deployedIt('watches a session in a Daily room with a public key that exists, and ends it', 'bot', async session => {
    const key = { id: 'k', key: 'pk_hunter2-swordfish', name: 'mine', createdAt: '', revoked: false };
    session.acme.keys.push({ ...key, key: 'pk_revoked', revoked: true }, key);
    const stdout = await session.succeed('cloud call');
    assert.match(stdout, /^✓ It started after 0\.4 s and stayed up; botcli can't hear it\n$/);
    assert.deepEqual(statesOf(session.agent), ['terminated']);
    const changes = changesOf(session).map(line => line.replace(/[0-9a-f-]{36}/, 'ID'));
    assert.deepEqual(changes, ['POST /v1/public/bot/start 200', 'DELETE /services/bot/sessions/ID 200']);
  });

  deployedIt('creates a public key only with --skip, or if somebody agrees', 'bot', async session => {
    assert.match(await session.fail(2, 'cloud call'), /asks for confirmation/);
    assert.deepEqual(changesOf(session), []);
    assert.equal((await session.json('cloud call --skip')).ended, true);
    assert.equal(session.acme.keys.map(({ name }) => name).join(), 'botcli');
  });

  deployedIt('fails if a session in a Daily room ends by itself', 'bot-hangup', async session => {
    const error = await session.error('cloud call --skip');
    assert.deepEqual([error.code, error.message], ['call-failed', 'The session ended by itself (agent_error)']);
    assert.match(error.log.at(-1), /Could not start: no key$/);
  });

  const LEFT = /\nTo list all that go on: botcli cloud sessions list bot --active -o acme\n/;
  const stopping = { method: 'DELETE', path: '/sessions/' };
  const goesOn =
    /botcli could not see its session end[\s\S]*To end it: botcli cloud sessions stop [0-9a-f-]{36} bot -o acme/;
  const stillThere = /botcli could not see its session end\. The session goes on after the request to stop/;
  const mayHaveStarted = new RegExp(
    `^error: A session may have started, and may go on\\. Can't reach [\\s\\S]*${LEFT.source}`,
    'm',
  );
  const silent = ({ sessions }: StoredAgent): FaultRule => ({
    method: 'GET',
    path: /\/sessions\/[0-9a-f-]{36}$/,
    times: 30,
    fault: answer(200, { toJSON: () => ({ sessionId: sessions[0]?.sessionId, endState: 'active' }) }),
  });
  const starting = { path: '/start' };
  const nameless = /started a session of bot, but doesn't name it/;
  const unreached = /doesn't say that the session has reached the bot/;
  const rejected = /rejects the organization's public API key/;
  const stopped = answer(200, { status: 'terminated' });
  const ends: [name: string, rule: FaultRule | typeof silent, message: RegExp, ...states: string[]][] = [
    ['nothing says that the call reached the bot', silent, unreached, 'terminated'],
    ['its session goes on', { ...stopping, fault: answer(500) }, goesOn, 'active'],
    ['a stopped session is still there', { ...stopping, fault: stopped }, stillThere, 'active'],
    ["the platform doesn't name the session", { ...starting, fault: answer(200, { dailyRoom: 'x' }) }, nameless],
    ['the key is rejected', { ...starting, fault: answer(401) }, rejected],
    ['its response is lost', { ...starting, fault: { kind: 'reset', done: true } }, mayHaveStarted, 'active'],
  ];
  for (const [name, rule, message, ...states] of ends) {
    deployedIt(`never reports success if ${name}`, 'bot', async session => {
      session.cloud.fault(typeof rule === 'function' ? rule(session.agent) : rule);
      assert.match(await session.fail(1, 'cloud call --skip'), message);
      assert.deepEqual(statesOf(session.agent), states);
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

  deployedIt('says how to end a session that may have started before Ctrl-C', 'bot', async session => {
    session.cloud.fault({ path: '/start', fault: { kind: 'hang', done: true } });
    const { code, stderr } = await session.interrupt('cloud call --skip', () => session.agent.sessions.length > 0);
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
    const three = /^error: 3 problems; nothing was sent:\n.*agent.*\n.*--organization.*\n.*--transport/;
    const rows: [line: string, message: RegExp][] = [
      ['call other', /^error: No project in this directory deploys/],
      ['call a/b -t rtc_local -o c/d', three],
      ["call ''", /^error: The name of the agent must be /],
      ['rollback bot x', /^error: 2 problems.*\n.*<deployment>.*\n.*confirmation/],
      ['logs bot --limit x -o c/d', /^error: 2 problems.*\n.*--organization.*\n.*--limit/],
      ['call -t rtc_local', /^error: --transport must be one/],
    ];
    for (const [line, message] of rows) assert.match(await session.fail(2, `cloud ${line}`), message);
    session.write('.botcli.json', DIAL_IN);
    const uncallable = /botcli can't call this bot: Daily phone number, dial-in[^\n]*\n.*logs bot --follow -o acme\n/;
    assert.match(await session.fail(2, 'cloud call -o acme'), uncallable);
    assert.deepEqual(session.requests(), []);
  });
});

describe('cloud deploy --call', () => {
  const withState = (name: string, state: string) => ({ files: deployable(name, '', { '.botcli.json': state }) });
  const twilio = stateOf('tel_a');

  const callable = withState('bot', twilio);
  deployIt('calls the bot at the end, and also if there is nothing to deploy', callable, async session => {
    const { code, stderr, stdout } = await session.run('cloud deploy --skip --call');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^bot runs deployment/);
    const next = /✓ bot is ready: .*\n✓ It spoke after \d\.\d s\nNext:\n {2}botcli cloud phone bot -o acme\n/;
    assert.match(stderr, next);
    const again = await session.run('cloud deploy --skip --call --json');
    assert.equal(JSON.parse(again.stdout).outcome, 'unchanged');
    assert.match(again.stderr, /✓ It spoke/);
    assert.equal(session.agent().sessions.length, 2);
  });

  deployIt('says that the bot is deployed if only the call fails', withState('bot-mute', twilio), async session => {
    const { code, phase, message, deployment } = await session.error('cloud deploy --skip --call');
    assert.deepEqual([code, phase], ['call-failed', 'call']);
    assert.match(message, /^bot-mute is deployed, but the test call failed\. The bot took the call/);
    assert.equal(deployment, session.agent('bot-mute').ready);
  });

  const dialIn = withState('bot', DIAL_IN);
  deployIt('refuses before anything is sent if nobody can call the bot by machine', dialIn, async session => {
    assert.match(await session.fail(2, 'cloud deploy --skip --call'), /botcli can't call this bot/);
    assert.deepEqual(session.requests(), []);
  });
});

describe('cloud phone', () => {
  deployedIt("prints the platform's address with region, organization and agent", 'bot', async session => {
    const stdout = await session.succeed('cloud phone -t tel_a');
    assert.match(stdout, /^Twilio\n1\. In the Twilio console, create a TwiML Bin for the deployed bot:/);
    assert.match(stdout, /<Stream url="wss:\/\/us-west\.api\.pipecat\.daily\.co\/ws\/twilio">/);
    assert.match(stdout, /name="_pipecatCloudServiceHost" value="bot\.acme"/);
    assert.doesNotMatch(stdout, /YOUR-(?:REGION|ORG)|Deploy the bot|`/);
    const facts = await session.json('cloud phone -t tel_d');
    assert.equal(facts.service_host, 'bot.acme');
    assert.match(facts.phones[0].steps, /wss:\/\/us-west\.api\.pipecat\.daily\.co\/ws\/exotel\?serviceHost=bot\.acme/);
  });

  deployedIt('takes the names by which people know the providers, and several at once', 'bot', async session => {
    for (const name of ['twilio', 'Twilio', 'TEL_A']) {
      const { phones } = await session.json(`cloud phone -t ${name}`);
      assert.deepEqual([phones.length, phones[0].transport], [1, 'tel_a']);
    }
    assert.equal((await session.json('cloud phone -t daily-pstn')).phones.length, 2);
    assert.match(await session.fail(2, 'cloud phone -t fax'), /^error: --transport must be one for phones/);
  });

  deployedIt('refuses an agent that does not exist, and a bot without a phone', 'bot', async session => {
    assert.match(await session.fail(1, 'cloud phone bto -t tel_a'), /There is no agent "bto"[\s\S]*Did you mean bot\?/);
    assert.match(await session.fail(2, 'cloud phone'), /This bot has no phone transport/);
    assert.match(await session.fail(2, 'cloud phone other'), /No project in this directory deploys this agent, so /);
  });
});
