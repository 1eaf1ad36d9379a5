import assert from 'node:assert/strict';
import { failureOf, statusError, unreachable } from '../../src/platform/errors.ts';

/** What a code says of the request: whether it may have taken effect, and whether another try may help. */
const failures: [code: string, isUnsure: boolean, isRetriable: boolean, message: RegExp][] = [
  ...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].map(
    (code): [string, boolean, boolean, RegExp] => [code, false, true, /^Can't reach api\.test: ./],
  ),
  ['ECONNRESET', true, true, /^Can't reach api\.test: ./],
  ['EPIPE', true, true, /^Can't reach api\.test: ./],
  ['timeout', true, true, /^api\.test didn't send a complete response in time/],
  ['too-long', true, false, /^api\.test doesn't respond like the platform/],
  ['HPE_INVALID_CONSTANT', true, false, /^api\.test doesn't respond like the platform/],
  ['ERR_INVALID_PROTOCOL', true, false, /^api\.test doesn't respond like the platform/],
  ...['CERT_HAS_EXPIRED', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID', 'SELF_SIGNED_CERT'].map(
    (code): [string, boolean, boolean, RegExp] => [
      code,
      false,
      false,
      /^The certificate of api\.test can't be trusted/,
    ],
  ),
];

describe('a request without an answer', () => {
  for (const [code, isUnsure, isRetriable, message] of failures) {
    it(`${code}: ${isUnsure ? 'perhaps done' : 'not done'}, ${isRetriable ? 'tried again' : 'not tried again'}`, () => {
      const failure = failureOf(code);
      assert.deepEqual(failure, { code, isUnsure, isRetriable });
      const error = unreachable('api.test', code, { tries: 4, isUnsure });
      assert.match(error.message, message);
      assert.equal(error.isUnsure, isUnsure);
    });
  }
});

/** What a request is about, and what a 404 says of it. */
const absent: [what: string, message: string][] = [
  ['organization acme', 'There is no organization acme (HTTP 404)'],
  ['a build', 'There is no build (HTTP 404)'],
  ['an upload in us-west', 'There is no upload in us-west (HTTP 404)'],
  ['the organizations', "The platform can't find the organizations (HTTP 404)"],
  ['the log of build 06b9dbf4', "The platform can't find the log of build 06b9dbf4 (HTTP 404)"],
];

describe('an answer that something does not exist', () => {
  for (const [what, message] of absent) {
    it(`names ${what}`, () => {
      assert.equal(statusError(404, what, { isUnsure: false }).message, message);
    });
  }
});
