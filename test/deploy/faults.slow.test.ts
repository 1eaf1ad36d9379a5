import assert from 'node:assert/strict';
import type { FaultRule } from '../../scripts/local-cloud/faults.ts';
import { withClock } from '../support/clock.ts';
import { answer, deploySession } from '../support/deploys.ts';

describe('a lasting fault during a deploy', () => {
  /** Requests of a deploy that may fail for good. */
  const places: [name: string, place: Omit<FaultRule, 'fault'>][] = [
    ['the look at the agent', { method: 'GET', path: '/services/bot' }],
    ['the look at the set', { method: 'GET', path: '/secrets/' }],
    ['the regions', { path: '/regions' }],
    ['the list of builds', { method: 'GET', path: '/builds?' }],
    ['the address for the upload', { path: '/upload-url' }],
    ['the upload', { path: '/_uploads' }],
    ['the start of the build', { method: 'POST', path: /\/builds$/ }],
    ['the second look', { method: 'GET', path: '/services/bot', after: 1 }],
    ['the creation', { method: 'POST', path: '/services' }],
    ['the watch', { method: 'GET', path: '/services/bot', after: 2 }],
  ];
  const faults: FaultRule['fault'][] = [
    answer(500),
    answer(401),
    answer(403),
    { kind: 'answer', status: 400, echo: true },
    answer(200, {}),
    { kind: 'reset' },
    { kind: 'html', status: 502 },
    { kind: 'redirect', to: 'http://127.0.0.1:1/' },
    { kind: 'broken-json' },
  ];
  for (const [name, place] of places) {
    it(`${name}: any lasting fault is an error, never a success`, async () => {
      for (const fault of faults) {
        // The storage's answer has no body that matters, and any good status is one.
        if (place.path === '/_uploads' && 'status' in fault && fault.status === 200) continue;
        if (place.path === '/_uploads' && fault.kind === 'broken-json') continue;
        await deploySession({}, async session => {
          session.cloud.fault({ ...place, fault });
          const { code, stdout, stderr } = await withClock(onWait =>
            session.run('cloud deploy --skip --timeout 0.5', { onWait }),
          );
          assert.deepEqual([code, stdout], [1, ''], JSON.stringify(fault));
          assert.doesNotMatch(stderr, /is ready|bug in botcli/, JSON.stringify(fault));
          if (name !== 'the watch') assert.equal(session.acme.agents.size, 0);
        })();
      }
    });
  }
});
