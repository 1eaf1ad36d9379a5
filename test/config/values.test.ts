import assert from 'node:assert/strict';
import { problemOf } from '../../src/config/config.ts';
import type { ConfigKey } from '../../src/config/options.ts';

describe('a single value', () => {
  const cases: [key: ConfigKey, value: unknown, problem: string | undefined][] = [
    ['project_name', 'my bot', undefined],
    ['project_name', '', 'It is empty'],
    ['project_name', 'x'.repeat(101), 'It is 101 characters long; the maximum is 100'],
    ['project_name', 'caf\ufffd', `It "caf\ufffd" contains bytes that aren't UTF-8 (or U+FFFD)`],
    ['project_name', 7, 'It must be a string, not 7'],
    ['mode', 'cascade', undefined],
    ['mode', '', 'It can\'t be "". Allowed: cascade, realtime'],
    ['transports', ['rtc_local', 'tel_a'], undefined],
    ['transports', 'rtc_local', 'It must be a list, such as ["rtc_local"], not "rtc_local"'],
    ['transports', undefined, 'It must be a list, such as ["rtc_local"], not undefined'],
    ['language', 'pt-br', undefined],
    ['language', null, 'It must be a string, not null'],
    ['language', 'xyzzy', 'It can\'t be "xyzzy". Use a BCP 47 code, such as de or pt-BR'],
    ['recording', true, undefined],
    ['stt_service', 'xyzzy', 'It can\'t be "xyzzy". List the allowed values: botcli init --list-options'],
  ];
  for (const [key, value, problem] of cases) {
    it(`${key} ${String(value).slice(0, 20)}: ${problem ?? 'valid'}`, () =>
      assert.equal(problemOf(key, value), problem));
  }
});
