import assert from 'node:assert/strict';
import { hasSettings } from '../../src/deploy/settings.ts';
import { judge } from '../../src/deploy/verdict.ts';
import type { Agent } from '../../src/platform/answers.ts';

const ID = '3f1c09aa-0000-4000-8000-000000000000';
const BUILD = 'b0000000-0000-4000-8000-000000000000';

type Revision = NonNullable<Agent['currentRevision']>;

/** An agent that the platform calls ready, whose instances are in this state. */
const readyWith = (revision: Revision, minReplicas?: number): Agent => ({
  name: 'bot',
  region: 'us-west',
  ready: true,
  available: true,
  desiredDeploymentId: ID,
  reconciledDeploymentId: ID,
  errors: [],
  deployment: { id: ID, buildId: BUILD },
  currentRevision: { deploymentID: ID, phase: 'Active', ...revision },
  ...(minReplicas === undefined ? {} : { autoScaling: { minReplicas } }),
});

function outcomeOf(agent: Agent): string {
  const verdict = judge(agent, { buildId: BUILD });
  const why = verdict.kind === 'waiting' ? verdict.phase : verdict.kind === 'failed' && verdict.failure.reason;
  return [verdict.kind === 'ready' && verdict.isIdle ? 'idle' : verdict.kind, why || []].flat().join(', ');
}

describe('an agent that the platform calls ready', () => {
  const looping = { ready: true, state: 'waiting', reason: 'CrashLoopBackOff', restartCount: 7 };
  const rows: [health: Revision['health'], outcome: string][] = [
    [{}, 'ready'],
    [{ ready: true, state: 'running', restartCount: 7 }, 'ready'],
    [{ state: 'terminated', reason: 'Completed' }, 'ready'],
    [{ ready: false }, 'waiting, Active'],
    [{ ready: true, state: 'waiting', reason: 'ContainerCreating' }, 'waiting, ContainerCreating'],
    [{ state: 'terminated', reason: 'OOMKilled', lastExitCode: 137 }, 'waiting, OOMKilled'],
    [looping, 'failed, it was restarted 7 times (CrashLoopBackOff)'],
  ];
  for (const [health, outcome] of rows)
    it(`${JSON.stringify(health)}: ${outcome}`, () => assert.equal(outcomeOf(readyWith({ health })), outcome));
});

describe('an agent that the platform calls ready, of which nothing must run', () => {
  const waiting = { state: 'waiting', restartCount: 0 };
  const running = { state: 'running', restartCount: 0, replicasStarted: 1 };
  const crash = { reason: 'CrashLoopBackOff', restartCount: 7, lastExitCode: 1 };
  const crashed = 'failed, it was restarted 7 times (CrashLoopBackOff, exit code 1)';
  const none = (health: Revision['health']): Revision => ({ readyReplicas: 0, health });
  const rows: [revision: Revision, outcome: string, least?: number | undefined][] = [
    // Nothing runs.
    [none({ ready: false, ...waiting }), 'idle'],
    [none(waiting), 'idle'],
    [none({ ready: true, ...waiting }), 'idle'],
    [{ readyReplicas: 0 }, 'idle'],
    [none({ ready: false, state: 'terminated', reason: 'Completed', lastExitCode: 0 }), 'idle'],
    [{ health: { ready: false, ...waiting } }, 'idle'],
    [none({ ready: false, ...waiting }), 'idle', undefined],
    // An instance runs because of a call, or was started.
    [{ readyReplicas: 1, health: { ready: true, ...running } }, 'ready'],
    [{ readyReplicas: 1, health: running }, 'ready'],
    [{ readyReplicas: 1, health: { ready: false, ...running } }, 'waiting, Active'],
    [none({ ready: false, ...waiting, replicasStarted: 1 }), 'waiting, Active'],
    [none({ ready: false, ...waiting, reason: 'ContainerCreating' }), 'waiting, ContainerCreating'],
    // It failed.
    [none({ ready: false, ...waiting, restartCount: 1 }), 'waiting, Active'],
    [none({ ready: false, ...waiting, lastExitCode: 1 }), 'waiting, Active'],
    [none({ ready: false, state: 'terminated', reason: 'OOMKilled' }), 'waiting, OOMKilled'],
    [none({ ready: false, state: 'waiting', ...crash }), crashed],
    // It isn't active yet, or one instance must run.
    [{ phase: 'Creating', ...none({ ready: false, ...waiting }) }, 'waiting, Creating'],
    [none({ ready: false, ...waiting }), 'waiting, Active', 1],
  ];
  for (const [revision, outcome, ...least] of rows) {
    const minReplicas = least.length > 0 ? least[0] : 0;
    it(`${JSON.stringify(revision)}, at least ${minReplicas}: ${outcome}`, () =>
      assert.equal(outcomeOf(readyWith(revision, minReplicas)), outcome));
  }

  for (const flags of [{ ready: false }, { available: false }, { reconciledDeploymentId: BUILD }]) {
    it(`isn't ready with ${JSON.stringify(flags)}`, () => {
      const agent = readyWith(none({ ready: false, ...waiting }), 0);
      assert.equal(outcomeOf({ ...agent, ...flags }), 'waiting, Active');
    });
  }
});

it('an agent with more than one secret set has each', () => {
  const deployment = { id: ID, manifest: { spec: { envFromSecretNames: ['one', 'two'] } } };
  const sets = ['one', 'two', 'three'].filter(secretSet =>
    hasSettings({ ...readyWith({}), deployment }, { secretSet }),
  );
  assert.deepEqual(sets, ['one', 'two']);
});
