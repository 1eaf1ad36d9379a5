import assert from 'node:assert/strict';
import { createHiddenValues, keysIn } from '../src/hidden-values.ts';

const KEY = '-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg\r\nkqhkiG9w0BAQEF\n-----END PRIVATE KEY-----\n';
const ACCOUNT = '{"private_key": "-----BEGIN PRIVATE KEY-----\\nQUFBQUFBQUFB\\n"}';
const LONG = Array.from({ length: 300 }, (_, at) => `${at * 7919}`).join('x');

function hiding(values: readonly string[], names: readonly string[] = []) {
  const hidden = createHiddenValues();
  hidden.hide(values);
  hidden.allow(names);
  return hidden;
}

describe('a word of a command line', () => {
  const rows: [word: string, isKey: boolean][] = [
    ['sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12', true],
    ['sk-ant-api03-abcdefghijklmnop', true],
    ['sk_live_abcdefghijklmnopqrst', true],
    ['gsk_T4kR9wQ2zX7bN5mV8cL1pJ6hG3fD0sA', true],
    ['hf_aBcDeFgH1jKlMnOpQrStUvWxYz012345', true],
    ['3f9a1c27e5b8d04f6a2c9e17b35d80f4', true],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl', true],
    ['--stt=3f9a1c27e5b8d04f6a2c9e17b35d80f4', true],
    ['-t3f9a1c27e5b8d04f6a2c9e17b35d80f4', true],
    ['OPENAI_API_KEY=sk-proj-Ab12Cd34Ef56Gh78Ij90Kl12', true],
    ['my-very-long-voice-bot-for-the-shop', false],
    ['MyVeryLongVoiceBotForTheShop', false],
    ['acme-voicebot2024v2', false],
    ['bot2024Release3X', false],
    ['sk-bot', false],
    ['gpt-4o-mini-tts-2025-12-15', false],
    ['Qwen3-30B-A3B-Instruct-2507', false],
    ['meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8', false],
    ['twilio_daily_sip_dialout', false],
    ['3f1c09aa-1111-4222-8333-444455556666', false],
    ['2026-11-27T10-11-12.345Z-a1b2c3', false],
    ['20261127T101500Z', false],
    ['+15551234567', false],
    ['/tmp/3f9a1c27e5b8d04f6a2c9e17b35d80f4/bot', false],
  ];
  for (const [word, isKey] of rows) {
    it(`${word} ${isKey ? 'looks' : "doesn't look"} like a key`, () => assert.equal(keysIn([word]).length > 0, isKey));
  }
});

describe('a log', () => {
  const rows: [about: string, log: string, shown: string][] = [
    ['a value', 'key is sk-12345678!', 'key is …!'],
    ['a value in another', 'key is sk-123456789!', 'key is …!'],
    ['a short value', 'stage is prod', 'stage is prod'],
    ['a value of several lines', `key is ${KEY}!`, 'key is …!'],
    ['a line of a value', 'invalid: kqhkiG9w0BAQEF', 'invalid: …'],
    ['lines that Python has written as one', 'MIIEvQIBADANBg\\r\\nkqhkiG9w0BAQEF\\n', '…\\r\\n…\\n'],
    ['a value with escapes', `account is ${ACCOUNT}`, 'account is …'],
    ['a line of an escaped text in a value', 'invalid: QUFBQUFBQUFB', 'invalid: …'],
    ['escapes that Python has escaped', '\\\\nQUFBQUFBQUFB\\\\n', '\\\\n…\\\\n'],
    ['a long value', `value ${LONG} and more`, 'value … and more'],
  ];
  for (const [about, log, shown] of rows) {
    it(`hides or shows ${about}`, () => {
      const all = ['prod', 'sk-12345678', 'sk-123456789', KEY, ACCOUNT, LONG];
      assert.equal(hiding(all).inLog(log).replace(/…+/g, '…'), shown);
    });
  }
});

describe('a value', () => {
  const VALUE = 'p/w "d"+é\\8 &x9';
  const encodings: [name: string, encoded: string][] = [
    ['plain', VALUE],
    ['JSON', JSON.stringify(VALUE).slice(1, -1)],
    ['JSON in JSON', JSON.stringify(JSON.stringify(VALUE)).slice(3, -3)],
    ['JSON of ASCII', JSON.stringify(VALUE).slice(1, -1).replace('é', '\\u00E9')],
    ['Python', VALUE.replace('é', '\\xe9').replace('\\8', '\\\\8')],
    ['a URL', encodeURIComponent(VALUE)],
    ['a URL in small letters', encodeURIComponent(VALUE).replace(/%../g, code => code.toLowerCase())],
    ['a form', new URLSearchParams({ VALUE }).toString().slice('VALUE='.length)],
    ['HTML', VALUE.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
    ['hex', Buffer.from(VALUE).toString('hex')],
    ...['', 'u:', 'u:v'].flatMap((before): [string, string][] => {
      const bytes = Buffer.from(before + VALUE);
      return (['base64', 'base64url'] as const).map(code => [`${code} after ${before}`, bytes.toString(code)]);
    }),
  ];
  for (const [name, encoded] of encodings) {
    it(`is hidden as ${name}`, () => {
      const hidden = hiding([VALUE]);
      // In Base64, the characters at both ends belong to the neighbors, too.
      for (const shown of [hidden.inError(`is ${encoded}!`), hidden.inOwn(`is ${encoded}!`)])
        assert.match(shown, /^is [\w+/-]{0,5}…[\w=+/-]{0,3}!$/);
    });
  }

  const texts: [value: string, text: string, inOwn: string, inError: string][] = [
    ['hunter2', 'Invalid value hunter2', 'Invalid value hunter2', 'Invalid value …'],
    ['hunter2', 'hunter22 hunter2s', 'hunter22 hunter2s', 'hunter22 hunter2s'],
    ['4821', 'pin 4821, 48210', 'pin 4821, 48210', 'pin …, 48210'],
    ['p@ss', 'is "p@ss"', 'is "p@ss"', 'is "…"'],
    ['a1b', 'is a1b', 'is a1b', 'is a1b'],
    ['true', 'is true', 'is true', 'is true'],
    ['1', 'step 1 of 1', 'step 1 of 1', 'step 1 of 1'],
    ['ready', 'it is ready', 'it is ready', 'it is ready'],
    ['en-US', 'for en-US', 'for en-US', 'for en-US'],
    ['deployment', 'runs deployment 1', 'runs deployment 1', 'runs … 1'],
    ['swordfish', 'is swordfish', 'is swordfish', 'is …'],
    ['gpt-4o-mini', 'no gpt-4o-mini', 'no gpt-4o-mini', 'no …'],
    ['https://pipecat.daily.co', 'at https://pipecat.daily.co.', 'at https://pipecat.daily.co.', 'at ….'],
    ['hunter2-swordfish', 'no hunter2-swordfish', 'no …', 'no …'],
    ['my-bot-12345', 'runs my-bot-12345', 'runs my-bot-12345', 'runs …'],
    ['  ', 'a  b', 'a  b', 'a  b'],
    ['--------', '--------', '--------', '…'],
  ];
  for (const [value, text, inOwn, inError] of texts) {
    it(`${JSON.stringify(value)} in ${JSON.stringify(text)}`, () => {
      const hidden = hiding([value], ['my-bot-12345']);
      assert.deepEqual([hidden.inOwn(text), hidden.inError(text)], [inOwn, inError]);
    });
  }

  const TOKEN = 'sk-proj-Zq8Xw2Lm9Vt4Rb7Nc3Kd6Hf1Jg5Ps0TyUu6Ii4Oo2Pp1';
  const LONG_KEY = `${TOKEN}${TOKEN.slice(8)}${TOKEN.slice(8)}`;
  const ADDRESS = 'postgres://me:Pa55w0rdLong99@db.example.com/x';
  const inLines = (text: string, width: number) => text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n');
  const parts: [about: string, value: string, text: string, shown: string][] = [
    ['its beginning', TOKEN, `Invalid key ${TOKEN.slice(0, 24)}…`, 'Invalid key …'],
    ['its end', TOKEN, `Invalid key …${TOKEN.slice(-20)}.`, 'Invalid key ….'],
    ['what a person recognizes it by', TOKEN, 'Invalid key sk-proj-****2Pp1', 'Invalid key sk-proj-****2Pp1'],
    ['a header without its scheme', `Bearer ${TOKEN}`, `no ${TOKEN}`, 'no …'],
    ['one of a list', `${TOKEN},k${TOKEN.slice(9)}`, `no k${TOKEN.slice(9)}`, 'no …'],
    ['the password of an address', ADDRESS, 'no Pa55w0rdLong99', 'no …'],
    ['the rest of that address', ADDRESS, 'at db.example.com/x', 'at db.example.com/x'],
    ['words of a sentence', 'You are the assistant of the shop at Hill 12', 'the assistant of', 'the assistant of'],
    ['its lines', LONG_KEY, inLines(LONG_KEY, 80), '…\n…'],
    ['lines of its Base64', LONG_KEY, inLines(Buffer.from(`a${LONG_KEY}`).toString('base64'), 64), '…\n…\n…'],
  ];
  for (const [about, value, text, shown] of parts) {
    it(`is hidden or shown: ${about}`, () => {
      const plain = hiding([value]).inError(text);
      assert.equal(plain.replace(/[\w+/-]{0,5}…+[\w=+/-]{0,5}/g, '…'), shown);
    });
  }

  it('with many line breaks and backslashes is looked for in no time', () => {
    const value = `a${'\n \t'.repeat(50)}b${'\\'.repeat(50)}c${' \n'.repeat(50)}d1234567`;
    const text = `a${' \n'.repeat(20_000)}b${'\\'.repeat(20_000)}`;
    assert.equal(hiding([value]).inError(text), text);
  });
});
