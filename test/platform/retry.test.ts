import assert from 'node:assert/strict';
import { retryDelay } from '../../src/platform/http.ts';

describe('a retry', () => {
  it('doubles its longest pause each time, up to a fifth of the timeout', () => {
    const { random } = Math;
    Math.random = () => 1;
    try {
      const pauses = [1, 2, 3, 4, 5].map(number => retryDelay({ isRetriable: true }, number, 20_000));
      assert.deepEqual(pauses, [500, 1000, 2000, 4000, 4000]);
    } finally {
      Math.random = random;
    }
  });

  it('waits as long as the platform asks, up to 30 seconds', () => {
    const waits = [0, 30_000, 30_001].map(retryAfterMs => retryDelay({ isRetriable: true, retryAfterMs }, 1, 20_000));
    assert.deepEqual(waits, [0, 30_000, undefined]);
  });
});
