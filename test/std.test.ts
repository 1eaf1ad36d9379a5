import assert from 'node:assert/strict';
import { portIn } from '../src/std.ts';

const cases: [text: string | undefined, port: number | undefined][] = [
  ['1', 1],
  ['8080', 8080],
  ['65535', 65_535],
  ['65536', undefined],
  ['0', undefined],
  ['100000', undefined],
  ['80.5', undefined],
  ['-80', undefined],
  ['0x50', undefined],
  [' 80', undefined],
  ['', undefined],
  [undefined, undefined],
];

describe('the port in', () => {
  for (const [text, port] of cases) it(JSON.stringify(text) ?? 'nothing', () => assert.equal(portIn(text), port));
});
