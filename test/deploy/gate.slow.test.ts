import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { withClock } from '../support/clock.ts';
import { answer, DEPLOY_FILE, type DeploySession } from '../support/deploys.ts';
import { become, changedIt, fake, gated, gateIt, isTalking, SCENARIO, until } from '../support/gated.ts';

const GATE = 'cloud deploy --gate --skip';

/** How to go back to this deployment, at the end of a line. */
const backTo = (deployment: string) => `To go back: botcli cloud rollback bot ${deployment.slice(0, 8)} -o acme$`;

/** Builds of the deployments, the first one first. */
const buildsOf = ({ agent }: DeploySession, name?: string) =>
  agent(name).deployments.map(({ settings }) => settings.buildId);

describe('cloud deploy --gate', () => {
  changedIt('keeps a deployment whose conversations pass', 'better', async (session, before) => {
    const { code, stdout, stderr } = await session.run(GATE);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^bot runs deployment [0-9a-f]{8}\n$/);
    assert.match(stderr, /\nDecides: {6}starter_text, with the new deployment; each conversation is a session\n/);
    assert.match(stderr, /\n✓ bot is ready: .*\n✓ 1 of 1 conversations passed, after \d+s\n/);
    assert.doesNotMatch(stderr, /hasn't called it/);
    const { ready, sessions } = session.agent();
    assert.notEqual(ready, before);
    assert.deepEqual(
      sessions.map(({ deploymentId, endState }) => [deploymentId, endState]),
      [[ready, 'completed']],
    );
  });

  const turn = 'starter_text/greeting: turn 1 response eval —';
  const slow = "The bot may be silent, or only slow to start: .*\nIf it's slow, run the same command again, or set";
  for (const [kind, why] of [
    ['crashes at its start', '^error: The session ended before the bot was ready \\(code 1011\\)$'],
    ['is too old', '^error: The session ended before the bot was ready'],
    ['crashes in its first turn', `${turn} the bot hung up$`],
    ['stays silent', `${turn} no response$`],
    ['says something else', `${turn} it said "Goodbye\\."$`],
    ['starts too slowly', `${turn} bot-ready not received\n${slow} min_agents = 1 in server/cloud-deploy\\.toml\\.$`],
  ] as const) {
    changedIt(`brings the previous deployment back if the new bot ${kind}`, kind, async (session, before) => {
      fake(session, 'waits 3000');
      const stderr = await session.fail(1, GATE);
      assert.match(stderr, new RegExp(why, 'm'));
      const again = `of deployment ${before.slice(0, 8)} again, as [0-9a-f]{8}\\. Secrets stay as they are\\.`;
      const said = `bot runs the image and the settings ${again}\nThe new one served for \\d+s\\.`;
      assert.match(stderr, new RegExp(said));
      assert.equal(session.agent().ready, session.agent().deployments[2]?.id);
      const [first, second, third] = buildsOf(session);
      assert.equal(third, first);
      assert.notEqual(second, first);
    });
  }

  gateIt('brings it back if the gateway accepts and stays silent', gated('bot-silent'), async session => {
    fake(session, 'waits 3000');
    await session.succeed('cloud deploy --skip');
    become(session, 'better');
    assert.match(await session.fail(1, GATE), /— bot-ready not received$/m);
    const [first, , third] = buildsOf(session, 'bot-silent');
    assert.equal(third, first);
  });

  const busy = /\(HTTP 429\)\nAll instances may be busy\. Raise max_agents, or try again later\.$/m;
  const unlisted = /^error: It's unknown whether .* doesn't list the sessions of all conversations$/m;
  const faults: [name: string, goesBack: boolean, fault: FaultRule, message: RegExp][] = [
    ['all instances stay busy', true, { path: '/ws/generic', fault: answer(429) }, busy],
    ['the gateway never reaches the bot', true, { path: '/ws/generic', fault: answer(502) }, /502/],
    ['the credit is spent', true, { path: '/start', fault: answer(402) }, /asks for a payment/],
    ["the platform can't list sessions", true, { path: '/sessions?', fault: answer(500) }, /500/],
    ["it doesn't list the sessions", false, { path: '/sessions?', fault: answer(200, { sessions: [] }) }, unlisted],
  ];
  for (const [name, goesBack, fault, message] of faults) {
    const does = goesBack ? 'brings it back' : 'leaves the new one, and says that it may not have passed,';
    changedIt(`${does} if ${name}`, 'better', async (session, before) => {
      session.cloud.fault(fault);
      const stderr = await session.fail(1, GATE);
      assert.match(stderr, message);
      const stays = `^Nobody knows whether the new deployment has passed, so it stays\\.\n${backTo(before)}`;
      const again = `of deployment ${before.slice(0, 8)} again, as [0-9a-f]{8}\\.`;
      assert.match(stderr, new RegExp(goesBack ? again : stays, 'm'));
      assert.equal(session.agent().deployments.length, goesBack ? 3 : 2);
    });
  }

  const other = gated('bot', { 'server/evals/other.yaml': 'name: other\n# fake: expects Hello\n' });
  for (const path of ['/ws/generic', '/start']) {
    const waits = async (session: DeploySession) => {
      session.cloud.fault({ path, after: 1, times: 8, fault: answer(429) });
      const { code, stderr } = await session.run(GATE);
      assert.equal(code, 0, stderr);
      assert.match(stderr, /^No instance takes the session yet\. Trying again\.\n✓ 2 of 2 conversations passed/m);
    };
    changedIt(`waits for an instance if ${path} has none for a while`, 'better', waits, other);
  }

  const bad = /^error: .* failed\. The previous deployment isn't back: Somebody else deployed bot meanwhile$/m;
  for (const [what, kind, line, message] of [
    ['a good bot', 'better', '', /^error: Somebody else deployed bot during the conversations$/m],
    ['one that runs already', 'better', 'cloud deploy --skip', /^error: Somebody else deployed bot during /m],
    ['a bad bot', 'says something else', '', bad],
  ] as const) {
    const title = `leaves what somebody else deploys during the conversations with ${what}`;
    changedIt(title, kind, async session => {
      if (line !== '') await session.succeed(line);
      const work = session.run(GATE);
      await until(() => isTalking(session));
      const { deployments, sessions } = session.agent();
      const id = randomUUID();
      deployments.push({ ...deployments[1], id } as (typeof deployments)[number]);
      for (const one of sessions) one.deploymentId = id;
      const { code, stderr } = await work;
      assert.equal(code, 1);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /it stays|To go back/);
      assert.equal(deployments.length, 3);
    });
  }

  changedIt('brings settings back, too', 'says something else', async session => {
    session.write(DEPLOY_FILE, `${session.read(DEPLOY_FILE)}\n[krisp_viva]\naudio_filter = "tel"\n`);
    await session.fail(1, GATE);
    const [, ...filters] = session.agent().deployments.map(({ settings }) => settings.krispViva);
    assert.deepEqual(filters, [{ audioFilter: 'tel' }, { audioFilter: null }]);
  });

  const partial = gated('bot', { 'server/evals/other.yaml': 'name: other\n# fake: is not reported\n' });
  const lacking = async (session: DeploySession) =>
    assert.match(await session.fail(1, GATE), /^error: It's unknown .*: it was ready in 1 of 2 conversations$/m);
  changedIt("doesn't take a report for a success that lacks a file", 'better', lacking, partial);

  changedIt('says how to go back if an earlier run has sent the deployment', 'says something else', async session => {
    const { code } = await session.interrupt(GATE, () => session.agent().deployments.length === 2);
    assert.equal(code, 130);
    session.agent().looks = -3;
    const earlier = /An earlier run deployed it, so nothing was brought back\.\nTo go back: .* rollback bot -o acme$/m;
    assert.match(await session.fail(1, GATE), earlier);
  });

  gateIt('says so if there is nothing to go back to, and leaves the new agent', gated(), async session => {
    become(session, 'says something else');
    const error = await session.error(GATE);
    assert.deepEqual([error.code, error.phase, error.rolled_back], ['gate-failed', 'gate', null]);
    const reason = 'turn 1 response eval — it said "Goodbye."';
    const scenario = { name: 'starter_text/greeting', result: 'failed', seconds: 0.04, reason };
    assert.deepEqual(error.scenarios, [scenario]);
    assert.match(error.hint, /bot is new, so there's nothing to go back to: it stays as it is\.\nTo delete it: /);
    assert.equal(session.agent().deployments.length, 1);
  });

  changedIt('--json says what is deployed again', 'says something else', async (session, before) => {
    const error = await session.error('cloud deploy --gate starter_text --skip');
    const [, failed, again] = session.agent().deployments;
    assert.deepEqual([error.code, error.deployment], ['gate-failed', failed?.id]);
    assert.deepEqual(error.rolled_back, { to: before, deployment: again?.id });
    // A rollback doesn't go forward to what has failed.
    const stderr = await session.fail(1, 'cloud rollback --skip');
    assert.match(stderr, new RegExp(`^bot went back from ${failed?.id.slice(0, 8)} `, 'm'));
  });

  changedIt('also goes back if the new deployment never becomes ready', 'better', async (session, before) => {
    const agent = session.agent();
    // The one before has no such trouble, and neither has it once it's back.
    Object.defineProperty(agent, 'trouble', { get: () => (agent.deployments.length === 2 ? '-crash' : undefined) });
    const stderr = await session.fail(1, GATE);
    assert.match(stderr, /^error: Deployment [0-9a-f]{8} of bot failed: it was restarted 3 times/m);
    assert.match(stderr, new RegExp(`of deployment ${before.slice(0, 8)} again, as [0-9a-f]{8}\\.`));
    assert.doesNotMatch(stderr, /served for/);
    assert.equal(agent.ready, agent.deployments[2]?.id);
  });

  const unpassed = (before: string) =>
    new RegExp(`The new deployment hasn't passed its conversations\\.\n${backTo(before)}`, 'm');

  const lostTitle = 'says how to go back if the network is lost after it was sent, and has the conversations next time';
  changedIt(lostTitle, 'better', async (session, before) => {
    session.cloud.fault({ path: /services\/bot$/, after: 2, fault: { kind: 'reset', done: true } });
    const error = await withClock(onWait => session.error(`${GATE} --timeout 1`, { onWait }));
    assert.deepEqual([error.phase, error.rolled_back], ['rollout', null]);
    assert.match(error.hint, unpassed(before));
    session.cloud.clearFaults();
    assert.equal((await session.json(GATE)).scenarios?.length, 1);
  });

  changedIt("says how to go back if it's unclear whether it was deployed", 'better', async (session, before) => {
    session.cloud.fault({ method: 'PUT', path: '/services', fault: answer(500) });
    const stderr = await session.fail(1, GATE);
    assert.match(stderr, /^error: It's unclear whether bot was deployed\. /m);
    assert.match(stderr, unpassed(before));
  });

  changedIt('says how to go back if going back fails', 'says something else', async (session, before) => {
    session.cloud.fault({ method: 'PUT', path: '/services', after: 1, fault: answer(500) });
    const stderr = await session.fail(1, GATE);
    assert.match(stderr, /conversations with bot failed\. The previous deployment isn't back: /);
    assert.match(stderr, new RegExp(backTo(before), 'm'));
  });

  const stopped = 'says after Ctrl-C during the conversations how to go back, and has them again in the next run';
  changedIt(stopped, 'stays silent', async (session, before) => {
    const { code, stdout } = await session.interrupt(`${GATE} --json`, () => isTalking(session));
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code, error.phase, error.rolled_back], [130, 'interrupted', 'gate', null]);
    assert.match(error.hint, unpassed(before));
    fake(session, 'waits 3000');
    assert.match(await session.fail(1, GATE), /^error: 1 of 1 conversations with bot failed\n/m);
  });

  const scaled = /^The deployment ran before, so nothing was brought back\. Its new scaling stays\.\nTo go back: /m;
  for (const [title, more, said] of [
    ['has the conversations even if nothing changed, but takes nothing back then', '', /It ran before, so it stays\./],
    ['says that only the scaling is new, and stays', 'max_agents = 7\n', scaled],
  ] as const) {
    gateIt(title, gated(), async session => {
      become(session, 'says something else');
      await session.succeed('cloud deploy --skip');
      session.write(DEPLOY_FILE, session.read(DEPLOY_FILE).replace('[scaling]\n', `[scaling]\n${more}`));
      const stderr = await session.fail(1, GATE);
      assert.match(stderr, said);
      assert.match(stderr, /To go back: botcli cloud rollback bot -o acme$/m);
      assert.equal(session.agent().deployments.length, 1);
    });
  }

  const noText = /^error: No test conversation of .*\nName others after --gate: starter_audio, starter_simulation\.\n$/;
  const empty =
    /^error: Not every file in .*\n.*starter_text\.yaml is empty\n.* Or name the conversations to run after /;
  const directory =
    /^error: There is no scenario "server"\n[\s\S]*"server" is a directory\. To deploy it, put it before --gate\.\n/;
  const otherImage = /^error: Conversations can only decide about an image of these files\n/;
  const tooOld = /^error: pipecat-ai 1\.12 can't be talked to in the cloud: it needs 1\.13 or newer\n/;
  const noEval = /^error: This bot can't be spoken to in text yet\n.*botcli update --eval/;
  const change = (path: string, from: string | RegExp, to: string) => (session: DeploySession) =>
    session.write(path, session.read(path).replaceAll(from, to));
  const nothing = () => {};
  const refusals: [name: string, line: string, prepare: (session: DeploySession) => void, message: RegExp][] = [
    ['a bot without the eval row', '--gate', change('server/bot.py', '"eval"', '"other"'), noEval],
    ['an image of other files', '--gate --build 3f1c09aa-0000-4000-8000-000000000000', nothing, otherImage],
    ['an unknown scenario', '--gate other', nothing, /^error: There is no scenario "other"\n/],
    ['an empty name', '--gate=', nothing, /^error: There is no scenario ""\nserver\/evals has .*\n$/],
    ['a file that cannot be a conversation', '--gate', change(SCENARIO, /[\s\S]+/g, ''), empty],
    ['a project without conversations in text', '--gate', change(SCENARIO, /[\s\S]+/g, '# A part of others\n'), noText],
    ['a directory after it', '--gate server', nothing, directory],
    [
      'a framework that is too old',
      '--gate-first',
      change('server/pyproject.toml', /(pipecat-ai\[.*\])==[\d.]+/g, '$1==1.12.3'),
      tooOld,
    ],
  ];
  for (const [name, line, prepare, message] of refusals) {
    gateIt(`refuses ${name} before anything is sent`, gated(), async session => {
      prepare(session);
      assert.match(await session.fail(2, `cloud deploy ${line} --skip`), message);
      assert.deepEqual(session.requests(), []);
    });
  }
});
