import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { withClock } from '../support/clock.ts';
import { answer, DEPLOY_FILE } from '../support/deploys.ts';
import { BOT, change, type Gated, gated, gateIt, interrupted, SCENARIO, talking } from '../support/gated.ts';

describe('cloud deploy --gate', () => {
  gateIt('keeps a deployment whose conversations pass', gated(), async session => {
    const before = await change(session, 'better');
    const { code, stdout, stderr } = await session.run('cloud deploy --gate --skip');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^bot runs deployment [0-9a-f]{8}\n$/);
    assert.match(stderr, /\nDecides: {6}starter_text, with the new deployment; each conversation is a session\n/);
    assert.match(stderr, /\n✓ bot is ready: .*\n✓ 1 of 1 conversations passed, after \d+s\n/);
    assert.doesNotMatch(stderr, /hasn't called it/);
    const agent = session.acme.agents.get('bot');
    assert.notEqual(agent?.ready, before);
    assert.deepEqual(
      agent?.sessions.map(({ deploymentId, endState }) => [deploymentId, endState]),
      [[agent?.ready, 'completed']],
    );
  });

  for (const [kind, why] of [
    ['crashes at its start', /^error: The session ended before the bot was ready \(code 1011\)$/m],
    ['is too old', /^error: The session ended before the bot was ready/m],
    ['crashes in its first turn', /starter_text\/greeting: turn 1 response eval — the bot hung up$/m],
    ['stays silent', /starter_text\/greeting: turn 1 response eval — no response$/m],
    ['says something else', /starter_text\/greeting: turn 1 response eval — it said "Goodbye\."$/m],
    [
      'starts too slowly',
      /starter_text\/greeting: turn 1 response eval — bot-ready not received\nThe bot may be silent, or only slow to start: .*\nIf it's slow, run the same command again, or set min_agents = 1 in server\/cloud-deploy\.toml\.$/m,
    ],
  ] as const) {
    gateIt(`brings the previous deployment back if the new bot ${kind}`, gated(), async session => {
      session.write(SCENARIO, `${session.read(SCENARIO)}# fake: waits 3000\n`);
      const before = await change(session, kind);
      const { code, stdout, stderr } = await session.run('cloud deploy --gate --skip');
      assert.deepEqual({ code, stdout }, { code: 1, stdout: '' }, stderr);
      assert.match(stderr, why);
      assert.match(
        stderr,
        new RegExp(
          `bot runs the image and the settings of deployment ${before.slice(0, 8)} again, as [0-9a-f]{8}\\. Secrets stay as they are\\.\nThe new one served for \\d+s\\.`,
        ),
      );
      const agent = session.acme.agents.get('bot');
      const [first, second, third] = agent?.deployments ?? [];
      assert.equal(agent?.ready, third?.id);
      assert.equal(third?.settings.buildId, first?.settings.buildId);
      assert.notEqual(second?.settings.buildId, first?.settings.buildId);
    });
  }

  gateIt(
    'brings the previous deployment back if the gateway accepts and stays silent',
    gated('bot-silent'),
    async session => {
      session.write(SCENARIO, `${session.read(SCENARIO)}# fake: waits 3000\n`);
      await session.succeed('cloud deploy --skip');
      session.write(BOT, `${session.read(BOT)}\n# bot: better\n`);
      const { code, stderr } = await session.run('cloud deploy --gate --skip');
      assert.equal(code, 1);
      assert.match(stderr, /— bot-ready not received$/m);
      const [first, , third] = session.acme.agents.get('bot-silent')?.deployments ?? [];
      assert.equal(third?.settings.buildId, first?.settings.buildId);
    },
  );

  const faults: [name: string, goesBack: boolean, fault: FaultRule, message: RegExp][] = [
    [
      'all instances stay busy',
      true,
      { path: '/ws/generic', fault: answer(429) },
      /\(HTTP 429\)\nAll instances may be busy\. Raise max_agents, or try again later\.$/m,
    ],
    ['the gateway never reaches the bot', true, { path: '/ws/generic', fault: answer(502) }, /502/],
    [
      'the public key is refused',
      true,
      { path: '/start', fault: answer(401) },
      /^error: The platform rejects .* public API key \(HTTP 401\)$/m,
    ],
    ['the credit is spent', true, { path: '/start', fault: answer(402) }, /asks for a payment/],
    ["the platform can't list sessions", true, { path: '/sessions?', fault: answer(500) }, /500/],
    [
      "the platform doesn't list the sessions",
      false,
      { path: '/sessions?', fault: answer(200, { sessions: [] }) },
      /^error: It's unknown whether .* doesn't list the sessions of all conversations$/m,
    ],
    [
      'the session is one of another agent',
      true,
      { path: '/start', fault: answer(200, { wsUrl: 'wss://a.example/ws/generic/other.acme', token: 't' }) },
      /^error: The platform sent an address that isn't one for a session of bot\.acme$/m,
    ],
  ];
  for (const [name, goesBack, fault, message] of faults) {
    gateIt(
      `${goesBack ? 'brings the previous deployment back' : 'leaves the new one, and says that it may not have passed,'} if ${name}`,
      gated(),
      async session => {
        const before = (await change(session, 'better')).slice(0, 8);
        session.cloud.fault(fault);
        const { code, stderr } = await session.run('cloud deploy --gate --skip');
        assert.equal(code, 1);
        assert.match(stderr, message);
        assert.match(
          stderr,
          goesBack
            ? new RegExp(`of deployment ${before} again, as [0-9a-f]{8}\\.`)
            : new RegExp(
                `^Nobody knows whether the new deployment has passed, so it stays\\.\nTo go back: botcli cloud rollback bot ${before} -o`,
                'm',
              ),
        );
        assert.equal(session.acme.agents.get('bot')?.deployments.length, goesBack ? 3 : 2);
      },
    );
  }

  for (const [where, path] of [
    ['the gateway', '/ws/generic'],
    ['a start', '/start'],
  ] as const) {
    gateIt(
      `waits for an instance if ${where} has none for a while`,
      gated('bot', { 'server/evals/other.yaml': 'name: other\n# fake: expects Hello\n' }),
      async session => {
        await change(session, 'better');
        session.cloud.fault({ path, after: 1, times: 8, fault: answer(429) });
        const { code, stderr } = await session.run('cloud deploy --gate --skip');
        assert.equal(code, 0, stderr);
        assert.match(stderr, /^No instance takes the session yet\. Trying again\.\n✓ 2 of 2 conversations passed/m);
      },
    );
  }

  for (const [what, kind, line, message] of [
    ['a good bot', 'better', '', /^error: Somebody else deployed bot during the conversations$/m],
    ['one that runs already', 'better', 'cloud deploy --skip', /^error: Somebody else deployed bot during /m],
    [
      'a bad bot',
      'says something else',
      '',
      /^error: .* failed\. The previous deployment isn't back: Somebody else deployed bot meanwhile$/m,
    ],
  ] as const) {
    gateIt(`leaves what somebody else deploys during the conversations with ${what}`, gated(), async session => {
      await change(session, kind);
      if (line !== '') await session.succeed(line);
      const work = session.run('cloud deploy --gate --skip');
      await talking(session, 'bot');
      const agent = session.acme.agents.get('bot');
      const newest = agent?.deployments.at(-1);
      assert(agent && newest);
      agent.deployments.push({ ...newest, id: randomUUID() });
      for (const one of agent.sessions) one.deploymentId = agent.deployments.at(-1)?.id ?? '';
      const { code, stderr } = await work;
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /it stays|To go back/);
      assert.equal(agent.deployments.length, 3);
    });
  }

  gateIt('brings settings back, too', gated(), async session => {
    await change(session, 'says something else');
    const file = session.read(DEPLOY_FILE);
    session.write(DEPLOY_FILE, `${file}\n[krisp_viva]\naudio_filter = "tel"\n`);
    assert.equal((await session.run('cloud deploy --gate --skip')).code, 1);
    const [, second, third] = session.acme.agents.get('bot')?.deployments ?? [];
    assert.deepEqual(
      [second, third].map(one => one?.settings.krispViva),
      [{ audioFilter: 'tel' }, { audioFilter: null }],
    );
  });

  gateIt(
    "doesn't take a report for a success that lacks a file",
    gated('bot', { 'server/evals/other.yaml': 'name: other\n# fake: is not reported\n' }),
    async session => {
      await change(session, 'better');
      const { code, stderr } = await session.run('cloud deploy --gate --skip');
      assert.equal(code, 1);
      assert.match(stderr, /^error: It's unknown .*: it was ready in 1 of 2 conversations$/m);
    },
  );

  gateIt('says how to go back if an earlier run has sent the deployment', gated(), async session => {
    await change(session, 'says something else');
    const agent = session.acme.agents.get('bot');
    assert(agent);
    const work = session.run('cloud deploy --gate --skip');
    while (agent.deployments.length < 2) await sleep(5);
    process.emit('SIGINT', 'SIGINT');
    assert.equal((await work).code, 130);
    agent.looks = -3;
    const { code, stderr } = await session.run('cloud deploy --gate --skip');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /An earlier run deployed it, so nothing was brought back\.\nTo go back: botcli cloud rollback bot -o acme$/m,
    );
  });

  gateIt('says so if there is nothing to go back to, and leaves the new agent', gated(), async session => {
    session.write(BOT, `${session.read(BOT)}\n# bot: says something else\n`);
    const { code, stdout } = await session.run('cloud deploy --gate --skip --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code, error.phase, error.rolled_back], [1, 'gate-failed', 'gate', null]);
    assert.deepEqual(error.scenarios, [
      {
        name: 'starter_text/greeting',
        result: 'failed',
        seconds: 0.04,
        reason: 'turn 1 response eval — it said "Goodbye."',
      },
    ]);
    assert.match(error.hint, /bot is new, so there's nothing to go back to: it stays as it is\.\nTo delete it: /);
    assert.equal(session.acme.agents.get('bot')?.deployments.length, 1);
  });

  gateIt('--json says what is deployed again', gated(), async session => {
    const before = await change(session, 'says something else');
    const { stdout } = await session.run('cloud deploy --gate starter_text --skip --json');
    const { error } = JSON.parse(stdout);
    const [, failed, again] = session.acme.agents.get('bot')?.deployments ?? [];
    assert.deepEqual([error.code, error.deployment], ['gate-failed', failed?.id]);
    assert.deepEqual(error.rolled_back, { to: before, deployment: again?.id });
    // A rollback doesn't go forward to what has failed.
    const { code, stderr } = await session.run('cloud rollback --skip');
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`^bot went back from ${failed?.id.slice(0, 8)} `, 'm'));
  });

  gateIt('also goes back if the new deployment never becomes ready', gated(), async session => {
    const before = await change(session, 'better');
    const agent = session.acme.agents.get('bot');
    assert(agent);
    // The one before has no such trouble, and neither has it once it's back.
    Object.defineProperty(agent, 'trouble', { get: () => (agent.deployments.length === 2 ? '-crash' : undefined) });
    const { code, stderr } = await session.run('cloud deploy --gate --skip');
    assert.equal(code, 1);
    assert.match(stderr, /^error: Deployment [0-9a-f]{8} of bot failed: it was restarted 3 times/m);
    assert.match(stderr, new RegExp(`of deployment ${before.slice(0, 8)} again, as [0-9a-f]{8}\\.`));
    assert.doesNotMatch(stderr, /served for/);
    assert.equal(agent.ready, agent.deployments[2]?.id);
  });

  gateIt(
    'says how to go back if the network is lost after the deployment was sent, and has the conversations in the next run',
    gated(),
    async session => {
      const before = await change(session, 'better');
      const lost = { kind: 'reset', done: true } as const;
      session.cloud.fault({ path: /services\/bot$/, after: 2, fault: lost });
      const { code, stdout } = await withClock(onWait =>
        session.run('cloud deploy --gate --skip --json --timeout 1', { onWait }),
      );
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code, error.phase, error.rolled_back], [1, 'rollout', null]);
      assert.match(
        error.hint,
        new RegExp(
          `^Watch: .*\\nThe new deployment hasn't passed its conversations\\.\\nTo go back: botcli cloud rollback bot ${before.slice(0, 8)} -o acme`,
        ),
      );
      session.cloud.clearFaults();
      const again = await session.run('cloud deploy --gate --skip --json');
      assert.deepEqual([again.code, JSON.parse(again.stdout).scenarios?.length], [0, 1], again.stdout);
    },
  );

  gateIt("says how to go back if it's unclear whether it was deployed", gated(), async session => {
    const before = await change(session, 'better');
    session.cloud.fault({ method: 'PUT', path: '/services', fault: answer(500) });
    const { code, stderr } = await session.run('cloud deploy --gate --skip');
    assert.equal(code, 1);
    assert.match(
      stderr,
      new RegExp(
        `^error: It's unclear whether bot was deployed\\. [\\s\\S]*\\nThe new deployment hasn't passed its conversations\\.\nTo go back: botcli cloud rollback bot ${before.slice(0, 8)} -o acme$`,
        'm',
      ),
    );
  });

  gateIt('says how to go back if going back fails', gated(), async session => {
    const before = await change(session, 'says something else');
    session.cloud.fault({ method: 'PUT', path: '/services', after: 1, fault: answer(500) });
    const { code, stderr } = await session.run('cloud deploy --gate --skip');
    assert.equal(code, 1);
    assert.match(stderr, /conversations with bot failed\. The previous deployment isn't back: /);
    assert.match(stderr, new RegExp(`To go back: botcli cloud rollback bot ${before.slice(0, 8)} -o acme`));
  });

  gateIt(
    'says after Ctrl-C during the conversations how to go back, and has them again in the next run',
    gated(),
    async session => {
      const before = await change(session, 'stays silent');
      const { code, stdout } = await interrupted(session, 'bot', 'cloud deploy --gate --skip --json');
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code, error.code, error.phase, error.rolled_back], [130, 'interrupted', 'gate', null]);
      assert.equal(
        error.hint,
        `The new deployment hasn't passed its conversations.\nTo go back: botcli cloud rollback bot ${before.slice(0, 8)} -o acme`,
      );
      session.write(SCENARIO, `${session.read(SCENARIO)}# fake: waits 3000\n`);
      const again = await session.run('cloud deploy --gate --skip');
      assert.match(again.stderr, /^error: 1 of 1 conversations with bot failed\n/m);
    },
  );

  gateIt('has the conversations even if nothing changed, but takes nothing back then', gated(), async session => {
    session.write(BOT, `${session.read(BOT)}\n# bot: says something else\n`);
    await session.succeed('cloud deploy --skip');
    const { code, stderr } = await session.run('cloud deploy --gate --skip');
    assert.equal(code, 1);
    assert.match(stderr, /It ran before, so it stays\. To go back: botcli cloud rollback bot -o acme/);
    assert.equal(session.acme.agents.get('bot')?.deployments.length, 1);
  });

  gateIt('says that only the scaling is new, and stays', gated(), async session => {
    session.write(BOT, `${session.read(BOT)}\n# bot: says something else\n`);
    await session.succeed('cloud deploy --skip');
    session.write(DEPLOY_FILE, session.read(DEPLOY_FILE).replace('[scaling]', '[scaling]\nmax_agents = 7'));
    const { code, stderr } = await session.run('cloud deploy --gate --skip');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /^The deployment ran before, so nothing was brought back\. Its new scaling stays\.\nTo go back: botcli cloud rollback bot -o acme$/m,
    );
    assert.equal(session.acme.agents.get('bot')?.deployments.length, 1);
  });

  const refusals: [name: string, line: string, prepare: (session: Gated) => void, message: RegExp][] = [
    [
      'a bot without the eval row',
      'cloud deploy --gate --skip',
      session => session.write(BOT, session.read(BOT).replaceAll('"eval"', '"other"')),
      /^error: This bot can't be spoken to in text yet\n.*botcli update --eval/,
    ],
    [
      'an image of other files',
      'cloud deploy --gate --build 3f1c09aa-0000-4000-8000-000000000000 --skip',
      () => {},
      /^error: Conversations can only decide about an image of these files\n/,
    ],
    ['an unknown scenario', 'cloud deploy --gate other --skip', () => {}, /^error: There is no scenario "other"\n/],
    [
      'an empty name',
      'cloud deploy --gate= --skip',
      () => {},
      /^error: There is no scenario ""\nserver\/evals has .*\n$/,
    ],
    [
      'a file that cannot be a conversation',
      'cloud deploy --gate --skip',
      session => session.write(SCENARIO, ''),
      /^error: Not every file in .*\n.*starter_text\.yaml is empty\n.* Or name the conversations to run after --gate\.\n$/,
    ],
    [
      'a project without conversations in text',
      'cloud deploy --gate --skip',
      session => session.write(SCENARIO, '# A part of others\n'),
      /^error: No test conversation of .*\nName others after --gate: starter_audio, starter_simulation\.\n$/,
    ],
    [
      'a directory after it',
      'cloud deploy --gate server --skip',
      () => {},
      /^error: There is no scenario "server"\n[\s\S]*"server" is a directory\. To deploy it, put it before --gate\.\n/,
    ],
    [
      'a framework that is too old',
      'cloud deploy --gate-first --skip',
      session =>
        session.write(
          'server/pyproject.toml',
          session.read('server/pyproject.toml').replace(/(pipecat-ai\[.*\])==[\d.]+/, '$1==1.12.3'),
        ),
      /^error: pipecat-ai 1\.12 can't be talked to in the cloud: it needs 1\.13 or newer\n/,
    ],
  ];
  for (const [name, line, prepare, message] of refusals) {
    gateIt(`refuses ${name} before anything is sent`, gated(), async session => {
      prepare(session);
      const { code, stderr } = await session.run(line);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
      assert.deepEqual(session.requests(), []);
    });
  }
});
