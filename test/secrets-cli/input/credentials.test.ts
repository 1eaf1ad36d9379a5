import assert from 'node:assert/strict';
import {
  credentialsProblem,
  encodingProblem,
  pullContent,
  typedProblem,
} from '../../../src/secrets-cli/commands/image-pull-secret.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('the credentials of an image registry', () => {
  const notPair =
    'the credentials must be USERNAME:PASSWORD, with neither part empty; if they are already base64, pass --no-encode';
  const checks: [text: string, isEncoded: boolean, problem: string | undefined][] = [
    ['a:b', true, undefined],
    ['a:b:', true, undefined],
    [':b', true, notPair],
    ['a:', true, notPair],
    [':', true, notPair],
    ['a', true, notPair],
    ['', true, notPair],
    ['a:b\0', true, 'the credentials contain a NUL character'],
    ['a', false, undefined],
    ['a\0', false, undefined],
    ['', false, 'the credentials are empty'],
  ];
  for (const [text, isEncoded, problem] of checks) {
    it(`${JSON.stringify(text)}${isEncoded ? '' : ', already encoded'}: ${problem ?? 'fine'}`, () =>
      assert.deepEqual([credentialsProblem(text, isEncoded), typedProblem(text, isEncoded)], [problem, problem]));
  }

  for (const isEncoded of [true, false]) {
    it(`that were typed and contain U+FFFD are refused${isEncoded ? '' : ', already encoded'}`, () =>
      assert.equal(
        typedProblem('a:\ufffd', isEncoded),
        "the argument contains bytes that aren't UTF-8 (or U+FFFD); pass the credentials as - and pipe them in",
      ));
  }

  const good = base64('me:p>w?');
  /** Why a registry can't use encoded credentials. */
  const encodings: [encoded: string, problem: string | undefined][] = [
    [good, undefined],
    [base64('me:pw1'), undefined],
    [base64(`me:${'x'.repeat(100)}`), undefined],
    [Buffer.from('me:p\xff', 'latin1').toString('base64'), undefined],
    ['me:pw', "they aren't USERNAME:PASSWORD in base64"],
    [base64('me'), "they aren't USERNAME:PASSWORD in base64"],
    [base64(':me'), "they aren't USERNAME:PASSWORD in base64"],
    [good.replace(/=+$/, ''), 'they lack the = at the end'],
    [base64('me:>>>').replaceAll('+', '-'), 'they use the alphabet of URLs, with - and _ instead of + and /'],
    [base64('me:???').replaceAll('/', '_'), 'they use the alphabet of URLs, with - and _ instead of + and /'],
    [`${good.slice(0, 4)}\n${good.slice(4)}`, 'they contain line breaks; encode them with base64 -w0'],
    [`${good}\r\n`, 'they contain line breaks; encode them with base64 -w0'],
    [`%${good}#`, 'they contain characters that are not base64'],
    [` ${good}`, 'they contain characters that are not base64'],
    [`${good}=`, 'they are not standard base64'],
  ];
  for (const [encoded, problem] of encodings) {
    it(`${JSON.stringify(encoded).slice(0, 40)} in base64: ${problem ?? 'fine'}`, () =>
      assert.equal(encodingProblem(encoded), problem));
  }

  const contents: [about: string, text: string, isEncoded: boolean, sent: string][] = [
    ['are sent as base64', 'me:pw:2', true, base64('me:pw:2')],
    ['that are already base64 are sent unchanged', base64('me:pw'), false, base64('me:pw')],
  ];
  for (const [about, text, isEncoded, sent] of contents) {
    it(about, () => assert.equal(pullContent(text, isEncoded), sent));
  }
});
