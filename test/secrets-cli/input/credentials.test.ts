import assert from 'node:assert/strict';
import { credentialsProblem, isPair, pullContent } from '../../../src/secrets-cli/input/credentials.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the credentials of an image registry', () => {
  const pairs: [text: string, is: boolean][] = [
    ['a:b', true],
    ['a:b:', true],
    [':b', false],
    ['a:', false],
    [':', false],
    ['ab', false],
    ['', false],
  ];
  for (const [text, is] of pairs) {
    it(`${JSON.stringify(text)} ${is ? 'has' : 'lacks'} a user and a password`, () => assert.equal(isPair(text), is));
  }

  const notPair =
    'the credentials must be USERNAME:PASSWORD, with neither part empty; if they are already base64, pass --no-encode';
  const checks: [text: string, isEncoded: boolean, problem: string | undefined][] = [
    ['a:b', true, undefined],
    ['a', true, notPair],
    ['', true, notPair],
    ['a:b\0', true, 'the credentials contain a NUL character'],
    ['a', false, undefined],
    ['a\0', false, undefined],
    ['', false, 'the credentials are empty'],
  ];
  for (const [text, isEncoded, problem] of checks) {
    it(`${JSON.stringify(text)}${isEncoded ? '' : ', already encoded'}: ${problem ?? 'fine'}`, () =>
      assert.equal(credentialsProblem(text, isEncoded), problem));
  }

  const contents: [about: string, text: string, isEncoded: boolean, sent: string, ...hidden: string[]][] = [
    ['are sent as base64; they and the password are hidden', 'me:pw:2', true, base64('me:pw:2'), 'me:pw:2', 'pw:2'],
    [
      'that are already base64 are sent unchanged; their decoded form is hidden, too',
      base64('me:pw'),
      false,
      base64('me:pw'),
      base64('me:pw'),
      'me:pw',
    ],
  ];
  for (const [about, text, isEncoded, sent, ...hidden] of contents) {
    it(about, () => assert.deepEqual(pullContent(text, isEncoded), { sent, hidden }));
  }
});
