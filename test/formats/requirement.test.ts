import assert from 'node:assert/strict';
import { normalize, type Requirement, readRequirement, writeRequirement } from '../../src/formats/requirement.ts';

const requirements: [text: string, read: Partial<Requirement> & { name: string }, written?: string][] = [
  ['aiohttp', { name: 'aiohttp' }],
  ['aiohttp>=3,<4', { name: 'aiohttp', version: '>=3,<4' }],
  [' 3to2 ~= 1.0 ', { name: '3to2', version: '~= 1.0' }, '3to2~= 1.0'],
  ['zope.interface_x', { name: 'zope.interface_x' }],
  [
    'pipecat-ai [daily, silero,]==1.4',
    { name: 'pipecat-ai', extras: ['daily', 'silero'], version: '==1.4' },
    'pipecat-ai[daily,silero]==1.4',
  ],
  ['a[]', { name: 'a' }, 'a'],
  [
    'a>=1 ; python_version < "3.12" ',
    { name: 'a', version: '>=1', marker: 'python_version < "3.12"' },
    'a>=1; python_version < "3.12"',
  ],
  ['a; b == "x;y"', { name: 'a', marker: 'b == "x;y"' }],
  ['a @ https://x.org/a.whl', { name: 'a', version: '@ https://x.org/a.whl' }],
  [
    'a[b]@https://x.org/a.whl',
    { name: 'a', extras: ['b'], version: '@https://x.org/a.whl' },
    'a[b] @https://x.org/a.whl',
  ],
  ['a @ https://x.org/a.whl ; m', { name: 'a', version: '@ https://x.org/a.whl', marker: 'm' }],
];

describe('the requirement', () => {
  for (const [text, read, written = text] of requirements) {
    it(text, () => {
      const requirement = readRequirement(text);
      assert.deepEqual(requirement, { extras: [], version: '', marker: '', ...read });
      assert.equal(writeRequirement(requirement as Requirement), written);
    });
  }

  for (const text of ['', '-r other.txt', '.', 'a @ https://x.org/a;b.whl', 'a>=1 @ x', 'a; b\nc']) {
    it(`${JSON.stringify(text)} is none`, () => assert.equal(readRequirement(text), undefined));
  }
});

it('packages are the same by their normalized names', () =>
  assert.deepEqual(['Pipecat_AI', 'zope.interface', 'a-_.B_c'].map(normalize), [
    'pipecat-ai',
    'zope-interface',
    'a-b-c',
  ]));
