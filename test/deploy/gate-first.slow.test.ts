import assert from 'node:assert/strict';
import { answer, changesOf, DEPLOY_FILE, type DeploySession, SET } from '../support/deploys.ts';
import { become, changedIt, fake, gated, gateIt, isTalking, until } from '../support/gated.ts';

const FIRST = 'cloud deploy --gate-first --skip';

/** Deploys the project under the name of the other agent. */
async function deployNext(session: DeploySession): Promise<void> {
  const file = session.read(DEPLOY_FILE);
  session.write(DEPLOY_FILE, file.replace('"bot"', '"bot-next"'));
  await session.succeed('cloud deploy --skip');
  session.write(DEPLOY_FILE, file);
  session.requests();
}

const namesIn = ({ acme }: DeploySession) => [...acme.agents.keys()];

describe('cloud deploy --gate-first', () => {
  const europe = ({ read, write }: DeploySession) => write(DEPLOY_FILE, `region = "eu-central"\n${read(DEPLOY_FILE)}`);
  const refusals: [name: string, prepare: (session: DeploySession) => void, message: string][] = [
    ['a secret set that lacks a key', ({ acme }) => acme.sets.get(SET)?.values.clear(), 'lacks OPENAI_API_KEY\n'],
    ['another region than that of the secret set', europe, 'is in us-west, but the deploy goes to eu-central\n'],
  ];
  for (const [name, prepare, message] of refusals) {
    gateIt(`refuses ${name} before anything is changed`, gated(), async session => {
      prepare(session);
      assert.match(await session.fail(1, FIRST), new RegExp(`^error: Secret set bot-secrets ${message}`, 'm'));
      assert.deepEqual(changesOf(session), []);
    });
  }

  gateIt("says that a new agent wasn't created if the other one fails", gated(), async session => {
    become(session, 'says something else');
    assert.match(await session.fail(1, FIRST), /^bot wasn't created\.\n/m);
    assert.deepEqual(namesIn(session), []);
  });

  const passed = async (session: DeploySession) => {
    const { code, stderr } = await session.run(FIRST);
    assert.equal(code, 0, stderr);
    const decides = 'starter_text, with bot-next that is deleted afterwards; each conversation is a session';
    assert(stderr.includes(`\nDecides:      ${decides}\n`), stderr);
    assert.match(stderr, /✓ bot-next is ready.*\n✓ 1 of 1 conversations passed, .*\n✓ bot is ready/);
    assert.deepEqual(namesIn(session), ['bot']);
    const writes = session.cloud.journal.filter(({ method, path }) => method !== 'GET' && path.includes('/services'));
    const [, next, gone, real] = writes.map(({ method, body = {} }) => ({ method, ...(body as { buildId: string }) }));
    const { maxSessionDuration, ...others } = next as NonNullable<typeof next> & { maxSessionDuration: number };
    assert(maxSessionDuration > 0);
    const sent = { ...real, method: 'POST', serviceName: 'bot-next', region: 'us-west', autoScaling: { minAgents: 0 } };
    assert.deepEqual([others, gone, real?.method], [sent, { method: 'DELETE' }, 'PUT']);
  };
  changedIt('deploys only after another agent has passed, which it deletes', 'better', passed);

  changedIt('deploys nothing if the other agent fails', 'says something else', async (session, before) => {
    const stderr = await session.fail(1, FIRST);
    assert.match(stderr, /^error: 1 of 1 conversations with bot-next failed\n[\s\S]*bot is as it was\.\n/m);
    assert.doesNotMatch(stderr, /cloud logs bot-next/);
    assert.deepEqual([namesIn(session), session.agent().ready], [['bot'], before]);
  });

  const left = 'says what is left without a network, and takes it over in the next run';
  changedIt(left, 'says something else', async session => {
    session.cloud.fault({ method: 'DELETE', path: 'bot-next', fault: answer(500) });
    const remains = 'bot-next is left. The next run takes it over, or delete it: botcli cloud delete bot-next -o acme';
    assert((await session.fail(1, FIRST)).includes(`${remains}\nbot is as it was.`));
    const status = await session.run('cloud status');
    assert.match(status.stderr, /^bot-next exists: .*botcli cloud delete bot-next -o acme\n/);
    session.cloud.clearFaults();
    become(session, 'better');
    session.write('server/bot.py', session.read('server/bot.py').replace('# bot: says something else\n', ''));
    const second = await session.run(FIRST);
    assert.equal(second.code, 0, second.stderr);
    assert.match(second.stderr, /with bot-next, which exists and is replaced, that is deleted afterwards/);
    assert.deepEqual(namesIn(session), ['bot']);
    assert.doesNotMatch((await session.run('cloud status')).stderr, /bot-next/);
  });

  changedIt('says that the other agent may still appear if its creation is unclear', 'better', async session => {
    session.cloud.fault({ method: 'POST', path: '/services', fault: answer(500) });
    const { phase, left, hint } = await session.error(FIRST);
    assert.deepEqual([phase, left], ['deploy', 'bot-next']);
    assert.match(hint, /^bot-next may still appear\. The next run takes it over\. To check: /m);
    assert.equal(hint.match(/cloud status bot-next/g).length, 1, hint);
  });

  changedIt("refuses to replace or delete somebody's agent of that name", 'better', async session => {
    await deployNext(session);
    const stderr = await session.fail(1, FIRST);
    assert.match(stderr, /^error: bot-next exists, and nothing shows that --gate-first created it\n/m);
    assert.deepEqual(changesOf(session), []);
    const deployments = ['bot', 'bot-next'].map(name => session.agent(name).deployments.length);
    assert.deepEqual(deployments, [1, 1]);
    assert.doesNotMatch((await session.run('cloud status')).stderr, /bot-next/);
  });

  gateIt("leaves an agent that another run has created before this one's was sent", gated(), async session => {
    await deployNext(session);
    const path = /services\/bot-next$/;
    session.cloud.fault({ path, times: 1, fault: answer(404) });
    session.cloud.fault({ path, after: 1, times: 1, fault: answer(403) });
    const { code, left } = await session.error(FIRST);
    assert.deepEqual([code, left, namesIn(session)], ['forbidden', null, ['bot-next']]);
  });

  changedIt("leaves another run's agent", 'stays silent', async session => {
    fake(session, 'waits 3000');
    const work = session.run(FIRST);
    await until(() => isTalking(session, 'bot-next'));
    const { deployments } = session.agent('bot-next');
    const id = '3f1c09ab-0000-4000-8000-000000000000';
    deployments.push({ ...deployments[0], id } as (typeof deployments)[number]);
    const { code, stderr } = await work;
    assert.equal(code, 1);
    assert.match(stderr, /bot-next belongs to another run, so it stays\./);
    assert(session.acme.agents.has('bot-next'));
  });

  changedIt('deletes the other agent after Ctrl-C, too', 'stays silent', async (session, before) => {
    const { code, stderr } = await session.interrupt(FIRST, () => isTalking(session, 'bot-next'));
    assert.equal(code, 130);
    assert.match(stderr, /^Interrupted\.\nbot is as it was\.\n/m);
    assert.deepEqual([namesIn(session), session.agent().ready], [['bot'], before]);
  });

  gateIt('needs a short name', gated('b'.repeat(50)), async session => {
    assert.match(await session.fail(2, FIRST), /^error: --gate-first needs an agent called b+-next, /);
  });
});
