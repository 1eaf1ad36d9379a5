import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fold } from '../../src/platform/encodings.ts';
import { Leaks } from '../../src/platform/leaks.ts';
import { oneLine } from '../../src/platform/plain-text.ts';

const TOKEN = `pcc_pat_${'0123456789abcdef'.repeat(2)}`;

/** What is shown of a reason after these values were sent. */
function shownReason(reason: string, values: readonly string[], allowed: readonly string[] = []): string | undefined {
  const leaks = new Leaks(TOKEN);
  leaks.hide(values);
  leaks.allow(allowed);
  return leaks.reason(oneLine(reason));
}

const bytesOf = (text: string) => [...Buffer.from(text)];
const hexOf = (byte: number, digits = 2) => byte.toString(16).padStart(digits, '0');

/** How services and logs write a value. */
const encodings: Readonly<Record<string, (value: string) => string>> = {
  'as it is': value => value,
  'in JSON': value => JSON.stringify(value),
  'in JSON in JSON': value => JSON.stringify(JSON.stringify(value)),
  'in escaped characters': value =>
    value
      .split('')
      .map(unit => `\\u${hexOf(unit.charCodeAt(0), 4)}`)
      .join(''),
  'in escaped code points': value => [...value].map(sign => `\\u{${hexOf(sign.codePointAt(0) ?? 0, 1)}}`).join(''),
  'in octal bytes': value =>
    bytesOf(value)
      .map(byte => `\\${byte.toString(8).padStart(3, '0')}`)
      .join(''),
  'in HTML': value =>
    value.replace(/[<>&"']/g, sign => ({ '<': '&lt;', '>': '&GT;', '&': '&amp;', '"': '&#34;' })[sign] ?? '&#x27;'),
  'in JSON in HTML': value => JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  'in a URL': value => encodeURIComponent(value),
  'in a URL in lower case': value => encodeURIComponent(value).toLowerCase(),
  'in a URL in a URL': value => encodeURIComponent(encodeURIComponent(value)),
  'in a form': value => new URLSearchParams({ value }).toString(),
  'in an email': value =>
    bytesOf(value)
      .map(byte => `=${hexOf(byte)}`)
      .join(''),
  'in upper case': value => value.toUpperCase(),
  'in lower case': value => value.toLowerCase(),
  'in Base64': value => Buffer.from(value).toString('base64'),
  'in Base64, after a name': value => Buffer.from(`me:${value}`).toString('base64'),
  'in Base64 for URLs': value => Buffer.from(value).toString('base64url'),
  'in Base64 of JSON': value => Buffer.from(JSON.stringify({ value })).toString('base64'),
  'as hexadecimal digits': value => Buffer.from(value).toString('hex'),
  'as capital digits with colons': value =>
    bytesOf(value)
      .map(byte => hexOf(byte).toUpperCase())
      .join(':'),
  'as escaped bytes': value =>
    bytesOf(value)
      .map(byte => `\\x${hexOf(byte)}`)
      .join(''),
  'on several lines': value => value.replace(/(.{5})/gu, '$1\n'),
  'with control characters': value => value.replace(/(.{3})/gu, '$1\u0007\u200b'),
};

describe('a reason of the platform', () => {
  // Shorter ones may lose too many characters at their ends.
  const secretive = (value: string) => fold(value).length >= 12 && value.length <= 24;
  // Most characters of these are escaped in some encoding.
  const special = fc.constantFrom('"', '&#34;', '\\u0041', '\\', "'", '<', '&', '%', '+', '=', 'é', '😀', 'a');
  const values = fc
    .oneof(
      fc.string({ minLength: 12, maxLength: 24 }),
      fc.string({ unit: 'grapheme', minLength: 12, maxLength: 20 }),
      fc.string({ unit: special, minLength: 12, maxLength: 20 }),
    )
    .filter(secretive);
  const words = fc.constantFrom('', 'Invalid value: ', 'No: "', "b'");
  for (const [how, encode] of Object.entries(encodings)) {
    it(`isn't shown if it quotes a value ${how}`, () => {
      fc.assert(
        fc.property(values, words, (value, before) => {
          fc.pre(Buffer.byteLength(encode(value)) <= 290);
          assert.equal(shownReason(`${before}${encode(value)} is bad`, ['other', value]), undefined);
        }),
      );
    });
  }

  const secret = 'p@ss "w<o>rd"/é+1';
  const strange: readonly [how: string, form: string][] = [
    ['in Base32', 'OBAHG4ZAEJ3TY3Z6OJSCEL6DVEVTC==='],
    ['in Ascii85', 'E,]Z$-tl%E4s4<o0fB'],
    ['spelled', 'p-@-s-s-w-o-r-d'],
    ['as a hash', 'b14a7b8059d9c055954c92674ce60032'],
    ['as its first characters', 'p@ss…'],
    ['as numbers', '1121 6411 5115'],
    ['as bytes', '[112 64 115 115]'],
    ['as bytes in a list', '[112, 64, 115, 115]'],
    ['as bytes in octal', '160 100 163 163'],
    ['as characters', "'s', 's', 'w', 'o'"],
  ];
  for (const [how, form] of strange) {
    it(`is shown without a word that may be a value ${how}`, () => {
      const shown = shownReason(`Bad value ${form} in the request`, [secret]);
      assert.equal(shown, 'Bad value … in the request');
    });
  }

  const ordinary: [reason: string, values: string[], shown: string][] = [
    ["Secret set 'my-set_1' was modified concurrently. Please retry.", ['x1y2z3'], '='],
    ["Secret already exists in region 'pce-acme-1'.", ['sip.pce-acme-1.example.com'], '='],
    ['Invalid region or organization does not have access: resource 1 (HTTP 400)', ['1', 'e'], '='],
    ['Must provide isImagePullSecret, host, and secretValue', ['true'], '='],
    ['must be true or false', ['true'], 'must be … or false'],
    ['must not be 4711', ['4711'], 'must not be …'],
    ['must not be (abc!), or abc', ['abc!'], 'must not be … or …'],
    ['', ['secret-1'], '='],
  ];
  for (const [reason, values, shown] of ordinary) {
    it(`after the values ${values.join(', ')}: ${reason}`, () => {
      assert.equal(shownReason(reason, values, ['my-set_1', 'pce-acme-1']), shown === '=' ? reason : shown);
    });
  }

  it('is shown as it is before values are sent, unless it quotes the token', () => {
    const leaks = new Leaks(TOKEN);
    assert.equal(leaks.reason('Request 7f3a-22 failed'), 'Request 7f3a-22 failed');
    assert.equal(leaks.reason('A token begins with pcc_pat_'), 'A token begins with pcc_pat_');
    assert.equal(leaks.reason(`Not ${TOKEN.slice(5, 20)}`), undefined);
  });

  it('is cut if it is long', () => assert.equal(shownReason('no '.repeat(1000), [])?.length, 301));

  it('is checked against many long values', () => {
    const leaks = new Leaks(TOKEN);
    const values = Array.from({ length: 100 }, (_, at) => `${(at + 1) * 7919}`.repeat(10_000));
    leaks.hide(values);
    assert.equal(leaks.reason('The region is not available.'), 'The region is not available.');
    assert.equal(leaks.reason(`Not ${values[70]?.slice(20_000, 20_030)}`), undefined);
  });
});

describe('a region of the platform', () => {
  it("isn't shown if it is part of a value, unless it is known", () => {
    const leaks = new Leaks(TOKEN);
    assert.equal(leaks.name('pce-early-1'), 'pce-early-1');
    leaks.hide(['https://pce-early-1.test', 'https://pce-late-1.test', 'https://pce-typed-1.test', 'us-west-2']);
    leaks.allow(['pce-typed-1']);
    const shown = ['pce-early-1', 'pce-late-1', 'pce-typed-1', 'us-west'].map(name => leaks.name(name));
    assert.deepEqual(shown, ['pce-early-1', undefined, 'pce-typed-1', 'us-west']);
  });

  it("isn't shown if it may be a value in an unknown encoding", () => {
    const leaks = new Leaks(TOKEN);
    leaks.hide(['hunter2-swordfish']);
    const shown = ['uhagre2-fjbeqsvfu', 'NB2W45DFOIZC243XN5ZGIZTJONUA', 'provisioning', 'eu-central'].map(name =>
      leaks.name(name),
    );
    assert.deepEqual(shown, [undefined, undefined, 'provisioning', 'eu-central']);
  });
});
