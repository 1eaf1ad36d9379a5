import assert from 'node:assert/strict';
import { redact } from '../../src/deploy/causes.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\r\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n';
const ACCOUNT = '{"private_key": "-----BEGIN PRIVATE KEY-----\\nQUFBQUFBQUFB\\n"}';

const logs: [about: string, log: string, shown: string][] = [
  ['a value', 'key is sk-12345678!', 'key is …!'],
  ['a value in another', 'key is sk-123456789!', 'key is …!'],
  ['a short value', 'stage is prod', 'stage is prod'],
  ['a value of several lines', `key is ${KEY}!`, 'key is …!'],
  ['a line of a value', 'invalid: kqhkiG9w0BAQEF', 'invalid: …'],
  ['lines that Python has written as one', 'MIIEvQIBADANBg\\r\\nkqhkiG9w0BAQEF\\n', '…\\r\\n…\\n'],
  ['a value with escapes', `account is ${ACCOUNT}`, 'account is …'],
  ['a line of an escaped text in a value', 'invalid: QUFBQUFBQUFB', 'invalid: …'],
  ['escapes that Python has escaped', '\\\\nQUFBQUFBQUFB\\\\n', '\\\\n…\\\\n'],
];

describe('a log', () => {
  for (const [about, log, shown] of logs) {
    it(`hides or shows ${about}`, () => {
      assert.equal(redact(log, ['prod', 'sk-12345678', 'sk-123456789', KEY, ACCOUNT]), shown);
    });
  }
});
