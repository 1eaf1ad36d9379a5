import assert from 'node:assert/strict';
import { statusError } from '../../src/platform/errors.ts';
import { isRetriable, readRetryAfter, retryDelay } from '../../src/platform/http.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

describe('a retry', () => {
  it('is made if the result may be different', () => {
    const statuses = [200, 301, 400, 401, 404, 408, 409, 413, 429, 500, 503, 599];
    assert.deepEqual(statuses.filter(isRetriable), [408, 409, 429, 500, 503, 599]);
  });

  const delays: [about: string, signs: Parameters<typeof retryDelay>[0], delay: number | undefined][] = [
    ['is not made if it cannot help', { isRetriable: false }, undefined],
    [
      'is not made if it cannot help, even if the platform asks to wait',
      { isRetriable: false, retryAfterMs: 1 },
      undefined,
    ],
    ['waits for a random pause by default', { isRetriable: true }, 250],
    ['waits as long as the platform asks', { isRetriable: true, retryAfterMs: 30_000 }, 30_000],
    ['is not made if the platform asks to wait too long', { isRetriable: true, retryAfterMs: 30_001 }, undefined],
    ['is made at once if the platform asks for that', { isRetriable: true, retryAfterMs: 0 }, 0],
  ];
  for (const [about, signs, delay] of delays) {
    it(about, () => assert.equal(retryDelay(signs, 1, 20_000, 0.5), delay));
  }

  it('doubles its pause each time, up to a fifth of the timeout', () =>
    assert.deepEqual(
      [1, 2, 3, 4, 5].map(number => retryDelay({ isRetriable: true }, number, 20_000, 1)),
      [500, 1000, 2000, 4000, 4000],
    ));

  const headers: [header: string, ms: number | undefined][] = [
    ['', undefined],
    ['soon', undefined],
    ['-1', undefined],
    ['1.5', undefined],
    [' 3 ', 3000],
    ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ];
  for (const [header, ms] of headers)
    it(`Retry-After: ${header || 'nothing'}`, () => assert.equal(readRetryAfter(header, NOW), ms));
});

describe('an answer that something does not exist', () => {
  const absent: [what: string, message: string][] = [
    ['organization acme', 'There is no organization acme (HTTP 404)'],
    ['an upload in us-west', 'There is no upload in us-west (HTTP 404)'],
    ['the organizations', "The platform can't find the organizations (HTTP 404)"],
  ];
  for (const [what, message] of absent)
    it(`names ${what}`, () => assert.equal(statusError(404, what, { isUnsure: false }).message, message));
});
