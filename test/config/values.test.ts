import assert from 'node:assert/strict';
import { problemOf } from '../../src/config/config.ts';
import type { ConfigKey } from '../../src/config/options.ts';

describe('a single value', () => {
  const cases: [key: ConfigKey, value: unknown, problem: string | undefined][] = [
    ['project_name', 'my bot', undefined],
    ['project_name', '', 'It is empty'],
    ['project_name', '  ', 'It is empty'],
    ['project_name', 'x'.repeat(100), undefined],
    ['project_name', 'x'.repeat(101), 'It is 101 characters long; the maximum is 100'],
    ['project_name', ' my bot ', undefined],
    ['project_name', '\u200B', 'It has no visible characters'],
    ['project_name', 'a\u200B', undefined],
    ['project_name', '\u200Ba', undefined],
    ['project_name', 'caf\ufffd', `It "caf\ufffd" contains bytes that aren't UTF-8 (or U+FFFD)`],
    ['project_name', 'a\nb', 'It "a\\nb" contains a line break, a control character or an invisible direction mark'],
    ['project_name', 7, 'It must be a string, not 7'],
    ['mode', 'cascade', undefined],
    ['mode', ['cascade'], 'It can\'t be ["cascade"]. Did you mean cascade? Allowed: cascade, realtime'],
    ['mode', '', 'It can\'t be "". Allowed: cascade, realtime'],
    ['transports', ['rtc_local', 'tel_a'], undefined],
    ['transports', 'rtc_local', 'It must be a list, such as ["rtc_local"], not "rtc_local"'],
    ['transports', [], 'It is an empty list'],
    ['transports', undefined, 'It must be a list, such as ["rtc_local"], not undefined'],
    ['language', 'pt-br', undefined],
    ['language', '', 'It is empty'],
    ['language', null, 'It must be a string, not null'],
    ['language', 'xyzzy', 'It can\'t be "xyzzy". Use a BCP 47 code, such as de or pt-BR'],
    ['recording', true, undefined],
    ['recording', 'yes', 'It must be true or false, not "yes"'],
    ['stt_service', 'xyzzy', 'It can\'t be "xyzzy". List the allowed values: botcli init --list-options'],
    ['stt_service', 'deepgram', 'It can\'t be "deepgram". Did you mean deepgram_stt?'],
    ['client_framework', 'x', 'It can\'t be "x". Allowed: component (React), vanilla (TypeScript), none'],
  ];
  for (const [key, value, problem] of cases) {
    it(`${key} ${String(value).slice(0, 20)}: ${problem ?? 'valid'}`, () =>
      assert.equal(problemOf(key, value), problem));
  }
});
