import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

/** The merge of JSON documents, or `conflict`. */
function merge(user: object, base: object, botcli: object): unknown {
  const [yours, old, ours] = [user, base, botcli].map(one => `${JSON.stringify(one, null, 2)}\n`);
  const { text, conflicts } = mergeTexts('client/package.json', yours ?? '', old ?? '', ours ?? '');
  return conflicts.length > 0 ? 'conflict' : JSON.stringify(JSON.parse(text));
}

const dependencies = (text: string) => ({
  dependencies: Object.fromEntries(text.split(' ').map(one => one.split('='))),
});

const cases: [about: string, user: object, base: object, botcli: object, merged: string | object][] = [
  ['each side added a key', { a: 1, m: 1 }, { a: 1 }, { a: 1, o: 2 }, { a: 1, m: 1, o: 2 }],
  ['each side changed a key', { a: 2, b: 1 }, { a: 1, b: 1 }, { a: 1, b: 2 }, { a: 2, b: 2 }],
  ['each side removed a key', { b: 1, c: 1 }, { a: 1, b: 1, c: 1 }, { a: 1, c: 1 }, { c: 1 }],
  ['both changed one key', { a: 2 }, { a: 1 }, { a: 3 }, 'conflict'],
  ['both added one key', { a: 1, x: 2 }, { a: 1 }, { a: 1, x: 3 }, 'conflict'],
  ['the user removed a key that changed', { b: 1 }, { a: 1, b: 1 }, { a: 2, b: 1 }, 'conflict'],
  ['the user changed a key that is gone', { a: 2, b: 1 }, { a: 1, b: 1 }, { b: 2 }, { a: 2, b: 2 }],
  ['lists are values', { a: [1, 2] }, { a: [1] }, { a: [1], b: [] }, { a: [1, 2], b: [] }],
  [
    'a key has a hostile name',
    { a: 1, b: 1 },
    { a: 1 },
    JSON.parse('{"a":1,"__proto__":{"x":1}}'),
    JSON.parse('{"__proto__":{"x":1},"a":1,"b":1}'),
  ],
  [
    'packages stay in order',
    dependencies('a=1 m=1'),
    dependencies('a=1'),
    dependencies('a=1 c=1'),
    dependencies('a=1 c=1 m=1'),
  ],
  [
    'the user raised a package',
    dependencies('a=^1.6.0'),
    dependencies('a=^1.4.0'),
    dependencies('a=^1.5.0'),
    dependencies('a=^1.6.0'),
  ],
  [
    'the user raised a package too far',
    dependencies('a=^2.0.0'),
    dependencies('a=^1.4.0'),
    dependencies('a=^1.5.0'),
    'conflict',
  ],
  [
    'the user lowered a package',
    dependencies('a=^1.3.0'),
    dependencies('a=^1.4.0'),
    dependencies('a=^1.5.0'),
    'conflict',
  ],
  [
    'the user has a package of their own',
    dependencies('a=file:../a'),
    dependencies('a=^1.4.0'),
    dependencies('a=^1.5.0'),
    dependencies('a=file:../a'),
  ],
  [
    'both added a package',
    dependencies('a=1 b=^2.1.0'),
    dependencies('a=1'),
    dependencies('a=1 b=^2.0.0'),
    dependencies('a=1 b=^2.1.0'),
  ],
];

describe('merging package.json when', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () =>
      assert.equal(merge(user, base, botcli), typeof merged === 'string' ? merged : JSON.stringify(merged)),
    );
  }

  it('it is indented with tabs: they stay', () => {
    const write = (value: object, indent: string | number) => JSON.stringify(value, null, indent);
    const { text } = mergeTexts('package.json', write({ a: 1, m: 1 }, '\t'), write({ a: 1 }, 2), write({ a: 2 }, 2));
    assert.equal(text, write({ a: 2, m: 1 }, '\t'));
  });

  it('it is formatted by hand: by lines', () => {
    const user = '{\n  "list": [1,2],\n  "a": 1,\n  "b": 1\n}\n';
    const { text } = mergeTexts(
      'package.json',
      user,
      user.replace('1,2', '1'),
      user.replace('1,2', '1').replace('"b": 1', '"b": 2'),
    );
    assert.equal(text, user.replace('"b": 1', '"b": 2'));
  });

  it('values contradict: the conflict is that one line', () => {
    const write = (a: number, more: object) => JSON.stringify({ x: { a }, ...more }, null, 2);
    const { conflicts } = mergeTexts('package.json', write(2, { m: 1 }), write(1, {}), write(3, { o: 1 }));
    assert.deepEqual(
      conflicts.map(({ lines, yours, ours }) => [lines, yours, ours]),
      [[[3, 3], '    "a": 2', '    "a": 3']],
    );
  });

  it('the merge is no JSON', () => {
    const user = '{"a": 1,\n "m": 1,\n\n "b": 1}\n';
    const base = '{"a": 1,\n\n "b": 1}\n';
    const { conflicts } = mergeTexts('tsconfig.json', user, base, '{"a": 1}\n');
    assert.equal(conflicts.length, 1);
  });
});
