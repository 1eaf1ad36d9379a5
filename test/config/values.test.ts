import assert from 'node:assert/strict';
import type { ConfigKey } from '../../src/config/options.ts';
import { problemOf } from '../../src/config/values.ts';

describe('a single value', () => {
  const cases: [key: ConfigKey, value: unknown, problem: string | undefined][] = [
    ['project_name', 'my bot', undefined],
    ['project_name', '', 'It is empty'],
    ['project_name', '  ', 'It is empty'],
    ['project_name', 'x'.repeat(100), undefined],
    ['project_name', 'x'.repeat(101), 'It is 101 characters long; the maximum is 100'],
    ['mode', 'cascade', undefined],
    ['recording', true, undefined],
  ];
  for (const [key, value, problem] of cases) {
    it(`${key} ${String(value).slice(0, 20)}: ${problem ?? 'valid'}`, () =>
      assert.equal(problemOf(key, value), problem));
  }
});
