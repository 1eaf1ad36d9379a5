import assert from 'node:assert/strict';
import { judge } from '../../src/deploy/verdict.ts';
import type { Agent } from '../../src/platform/agent-schemas.ts';

const ID = '3f1c09aa-0000-4000-8000-000000000000';
const BUILD = 'b0000000-0000-4000-8000-000000000000';

type Health = NonNullable<NonNullable<Agent['currentRevision']>['health']>;

/** An agent that the platform calls ready, whose instances are in this state. */
const readyWith = (health: Health): Agent => ({
  name: 'bot',
  region: 'us-west',
  ready: true,
  available: true,
  desiredDeploymentId: ID,
  reconciledDeploymentId: ID,
  errors: [],
  deployment: { id: ID, buildId: BUILD },
  currentRevision: { deploymentID: ID, phase: 'Active', health },
});

describe('an agent that the platform calls ready', () => {
  const rows: [health: Health, verdict: string][] = [
    [{}, 'ready'],
    [{ ready: true, state: 'running', restartCount: 7 }, 'ready'],
    [{ state: 'terminated', reason: 'Completed' }, 'ready'],
    [{ ready: false }, 'waiting, Active'],
    [{ ready: true, state: 'waiting', reason: 'ContainerCreating' }, 'waiting, ContainerCreating'],
    [{ state: 'terminated', reason: 'OOMKilled', lastExitCode: 137 }, 'waiting, OOMKilled'],
    [
      { ready: true, state: 'waiting', reason: 'CrashLoopBackOff', restartCount: 7 },
      'failed, it was restarted 7 times (CrashLoopBackOff)',
    ],
  ];
  for (const [health, expected] of rows) {
    it(`${JSON.stringify(health)}: ${expected}`, () => {
      const verdict = judge(readyWith(health), { before: undefined, buildId: BUILD, hasScaling: () => true });
      const why = verdict.kind === 'waiting' ? verdict.phase : verdict.kind === 'failed' && verdict.failure.reason;
      assert.equal([verdict.kind, why || []].flat().join(', '), expected);
    });
  }
});
