import assert from 'node:assert/strict';
import fc from 'fast-check';
import { quotes } from '../../../src/secrets-cli/platform/leaks.ts';

describe('a text that quotes a secret', () => {
  const secret = 'p@ss "word"/é+1';
  const cases: [text: string, is: boolean][] = [
    [`Bad value ${secret}`, true],
    [`Bad value 'p@ss "w…'`, true],
    [JSON.stringify({ value: secret }), true],
    [`?value=${encodeURIComponent(secret)}`, true],
    [Buffer.from(secret).toString('base64'), true],
    [Buffer.from(secret).toString('base64url'), true],
    ['Invalid region or organization does not have access', false],
    ['', false],
  ];
  for (const [text, is] of cases)
    it(`${is ? 'is found' : 'is not found'} in: ${text}`, () =>
      assert.equal(quotes(text, ['other-secret', secret]), is));

  it('is found for secrets of any length, anywhere in the text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string(), fc.string(), (secret, before, after) => {
        assert(quotes(before + secret + after, [secret]));
      }),
    );
  });

  it('is found quickly for a long secret', () => {
    const start = performance.now();
    assert(!quotes('Invalid request format', ['x'.repeat(128 * 1024)]));
    assert(performance.now() - start < 1000);
  });
});
