import assert from 'node:assert/strict';
import { answer, DEPLOY_FILE, SET } from '../support/deploys.ts';
import { BOT, change, type Gated, gated, gateIt, interrupted, SCENARIO, talking } from '../support/gated.ts';

describe('cloud deploy --gate-first', () => {
  const refusals: [name: string, prepare: (session: Gated) => void, message: RegExp][] = [
    [
      'a secret set that lacks a key',
      ({ acme }) => acme.sets.get(SET)?.values.clear(),
      /^error: Secret set bot-secrets lacks OPENAI_API_KEY\n/m,
    ],
    [
      'another region than that of the secret set',
      session => session.write(DEPLOY_FILE, `region = "eu-central"\n${session.read(DEPLOY_FILE)}`),
      /^error: Secret set bot-secrets is in us-west, but the deploy goes to eu-central\n/m,
    ],
  ];
  for (const [name, prepare, message] of refusals) {
    gateIt(`refuses ${name} before anything is changed`, gated(), async session => {
      prepare(session);
      const { code, stderr } = await session.run('cloud deploy --gate-first --skip');
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.deepEqual(
        session.requests().filter(line => !line.startsWith('GET ')),
        [],
      );
    });
  }

  gateIt("says that a new agent wasn't created if the other one fails", gated(), async session => {
    session.write(BOT, `${session.read(BOT)}\n# bot: says something else\n`);
    const { code, stderr } = await session.run('cloud deploy --gate-first --skip');
    assert.equal(code, 1);
    assert.match(stderr, /^bot wasn't created\.\n/m);
    assert.deepEqual([...session.acme.agents.keys()], []);
  });

  gateIt('deploys only after another agent has passed, which it deletes', gated('bot', {}, ''), async session => {
    await change(session, 'better');
    const { code, stderr } = await session.run('cloud deploy --gate-first --skip');
    assert.equal(code, 0, stderr);
    assert.match(
      stderr,
      /\nDecides: {6}starter_text, with bot-next that is deleted afterwards; each conversation is a session\n/,
    );
    assert.match(stderr, /✓ bot-next is ready.*\n✓ 1 of 1 conversations passed, .*\n✓ bot is ready/);
    assert.deepEqual([...session.acme.agents.keys()], ['bot']);
    const writes = session.cloud.journal.filter(({ method, path }) => method !== 'GET' && path.includes('/services'));
    assert.deepEqual(
      writes.slice(1).map(({ method, body }) => [method, (body as { serviceName?: string } | undefined)?.serviceName]),
      [
        ['POST', 'bot-next'],
        ['DELETE', undefined],
        ['PUT', 'bot'],
      ],
    );
    const [, next, , real] = writes.map(({ body = {} }) => body as Record<string, unknown>);
    assert.deepEqual(
      [next?.autoScaling, next?.secretSet, next?.buildId],
      [{ minAgents: 0 }, real?.secretSet, real?.buildId],
    );
  });

  gateIt('deploys nothing if the other agent fails', gated(), async session => {
    const before = await change(session, 'says something else');
    const { code, stderr } = await session.run('cloud deploy --gate-first --skip');
    assert.equal(code, 1);
    assert.match(stderr, /^error: 1 of 1 conversations with bot-next failed\n[\s\S]*bot is as it was\.\n/m);
    assert.doesNotMatch(stderr, /cloud logs bot-next/);
    assert.deepEqual([...session.acme.agents.keys()], ['bot']);
    assert.equal(session.acme.agents.get('bot')?.ready, before);
  });

  gateIt('says what is left without a network, and takes it over in the next run', gated(), async session => {
    await change(session, 'says something else');
    session.cloud.fault({ method: 'DELETE', path: 'bot-next', fault: answer(500) });
    const { stderr } = await session.run('cloud deploy --gate-first --skip');
    assert.match(
      stderr,
      /bot-next is left\. The next run takes it over, or delete it: botcli cloud delete bot-next -o acme\nbot is as it was\./,
    );
    const status = await session.run('cloud status');
    assert.match(status.stderr, /^bot-next exists: .*botcli cloud delete bot-next -o acme\n/);
    session.cloud.clearFaults();
    session.write(BOT, session.read(BOT).replace('says something else', 'better'));
    const second = await session.run('cloud deploy --gate-first --skip');
    assert.equal(second.code, 0, second.stderr);
    assert.match(second.stderr, /with bot-next, which exists and is replaced, that is deleted afterwards/);
    assert.deepEqual([...session.acme.agents.keys()], ['bot']);
    assert.doesNotMatch((await session.run('cloud status')).stderr, /bot-next/);
  });

  gateIt('says that the other agent may still appear if nobody knows whether it is created', gated(), async session => {
    await change(session, 'better');
    session.cloud.fault({ method: 'POST', path: '/services', fault: answer(500) });
    const { code, stdout } = await session.run('cloud deploy --gate-first --skip --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.phase, error.left], [1, 'deploy', 'bot-next']);
    assert.match(error.hint, /^bot-next may still appear\. The next run takes it over\. To check: /m);
    assert.equal(error.hint.match(/cloud status bot-next/g).length, 1, error.hint);
  });

  gateIt("refuses to replace or delete somebody's agent of that name", gated(), async session => {
    await change(session, 'better');
    const file = session.read(DEPLOY_FILE);
    session.write(DEPLOY_FILE, file.replace('"bot"', '"bot-next"'));
    await session.succeed('cloud deploy --skip');
    session.write(DEPLOY_FILE, file);
    const before = session.acme.agents.get('bot')?.deployments.length;
    session.requests();
    const { code, stderr } = await session.run('cloud deploy --gate-first --skip');
    assert.equal(code, 1);
    assert.match(stderr, /^error: bot-next exists, and nothing shows that --gate-first created it\n/m);
    assert.deepEqual(
      session.requests().filter(line => !line.startsWith('GET ')),
      [],
    );
    assert.equal(session.acme.agents.get('bot-next')?.deployments.length, 1);
    assert.equal(session.acme.agents.get('bot')?.deployments.length, before);
    assert.doesNotMatch((await session.run('cloud status')).stderr, /bot-next/);
  });

  gateIt("leaves an agent that another run has created before this one's was sent", gated(), async session => {
    const file = session.read(DEPLOY_FILE);
    session.write(DEPLOY_FILE, file.replace('"bot"', '"bot-next"'));
    await session.succeed('cloud deploy --skip');
    session.write(DEPLOY_FILE, file);
    const path = /services\/bot-next$/;
    session.cloud.fault({ path, times: 1, fault: answer(404) });
    session.cloud.fault({ path, after: 1, times: 1, fault: answer(403) });
    const { code, stdout } = await session.run('cloud deploy --gate-first --skip --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code, error.left], [1, 'forbidden', null]);
    assert(session.acme.agents.has('bot-next'));
  });

  gateIt("leaves another run's agent", gated(), async session => {
    await change(session, 'stays silent');
    session.write(SCENARIO, `${session.read(SCENARIO)}# fake: waits 3000\n`);
    const work = session.run('cloud deploy --gate-first --skip');
    await talking(session, 'bot-next');
    const next = session.acme.agents.get('bot-next');
    assert(next?.deployments[0]);
    next.deployments.push({ ...next.deployments[0], id: '3f1c09ab-0000-4000-8000-000000000000' });
    const { code, stderr } = await work;
    assert.equal(code, 1);
    assert.match(stderr, /bot-next belongs to another run, so it stays\./);
    assert(session.acme.agents.has('bot-next'));
  });

  gateIt('deletes the other agent after Ctrl-C, too', gated(), async session => {
    const before = await change(session, 'stays silent');
    const { code, stderr } = await interrupted(session, 'bot-next', 'cloud deploy --gate-first --skip');
    assert.equal(code, 130);
    assert.match(stderr, /^Interrupted\.\nbot is as it was\.\n/m);
    assert.deepEqual([...session.acme.agents.keys()], ['bot']);
    assert.equal(session.acme.agents.get('bot')?.ready, before);
  });

  gateIt('needs a short name', gated('b'.repeat(50)), async session => {
    assert.match(
      await session.fail(2, 'cloud deploy --gate-first --skip'),
      /^error: --gate-first needs an agent called b+-next, /,
    );
  });
});
