import assert from 'node:assert/strict';
import { mergeTexts, readCases, testMerges } from './merging.ts';

/** The merge of JSON documents, which are written like a program would. */
function merge(...versions: [user: string, base: string, botcli: string]): string {
  const [user = '', base = '', botcli = ''] = versions.map(one => `${JSON.stringify(JSON.parse(one), null, 2)}\n`);
  const { text, conflicts } = mergeTexts('client/package.json', user, base, botcli);
  return conflicts.length > 0 ? 'conflict' : JSON.stringify(JSON.parse(text));
}

/** Versions of package.json; D is for its dependencies. */
const cases = readCases(
  `
each side added a key
  {"a":1,"m":1} <-- {"a":1} --> {"a":1,"o":2} ==> {"a":1,"m":1,"o":2}
each side changed a key
  {"a":2,"b":1} <-- {"a":1,"b":1} --> {"a":1,"b":2} ==> {"a":2,"b":2}
each side removed a key
  {"b":1,"c":1} <-- {"a":1,"b":1,"c":1} --> {"a":1,"c":1} ==> {"c":1}
both changed one key
  {"a":2} <-- {"a":1} --> {"a":3} ==> conflict
both added one key
  {"a":1,"x":2} <-- {"a":1} --> {"a":1,"x":3} ==> conflict
both added one first key
  {"x":2,"a":1} <-- {"a":1} --> {"x":3,"a":1} ==> conflict
both added one first key, the user without a value
  {"x":null,"a":1} <-- {"a":1} --> {"x":3,"a":1} ==> conflict
both added one first key, ours without a value
  {"x":"","a":1} <-- {"a":1} --> {"x":null,"a":1} ==> conflict
the user removed all keys, and ours has a new first one
  {} <-- {"a":1} --> {"b":1,"a":1} ==> {"b":1}
a key has the name of a method
  {"toString":2} <-- {"toString":1} --> {"b":1} ==> {"toString":2,"b":1}
the user removed a key that changed
  {"b":1} <-- {"a":1,"b":1} --> {"a":2,"b":1} ==> conflict
the user changed a key that is gone
  {"a":2,"b":1} <-- {"a":1,"b":1} --> {"b":2} ==> {"a":2,"b":2}
lists are values
  {"a":[1,2]} <-- {"a":[1]} --> {"a":[1],"b":[]} ==> {"a":[1,2],"b":[]}
a key has a hostile name
  {"a":1,"b":1} <-- {"a":1} --> {"a":1,"__proto__":{"x":1}} ==> {"__proto__":{"x":1},"a":1,"b":1}
both added an object
  {"s":{"m":1}} <-- {} --> {"s":{"o":1}} ==> {"s":{"m":1,"o":1}}
both changed an object
  {"s":{"a":1,"b":1,"m":1}} <-- {"s":{"a":1,"b":1}} --> {"s":{"b":1}} ==> {"s":{"b":1,"m":1}}
the user made it an object
  {"a":{"x":1}} <-- {"a":1} --> {"a":2} ==> conflict
botcli made it an object
  {"a":2} <-- {"a":1} --> {"a":{"x":1}} ==> conflict
the user removed all keys
  {} <-- {"a":1} --> {"a":1,"b":1} ==> {"b":1}
both changed a version that is no package
  {"v":"^1.6.0"} <-- {"v":"^1.4.0"} --> {"v":"^1.5.0"} ==> conflict
both changed a package of something else
  {"x":{D:{"a":"^1.6.0"}}} <-- {"x":{D:{"a":"^1.4.0"}}} --> {"x":{D:{"a":"^1.5.0"}}} ==> conflict
the user wrote something else than a version
  {D:{"a":{"x":1}}} <-- {D:{"a":"^1.4.0"}} --> {D:{"a":"^1.5.0"}} ==> conflict
packages stay in order
  {D:{"a":"1","m":"1"}} <-- {D:{"a":"1"}} --> {D:{"a":"1","c":"1"}} ==> {D:{"a":"1","c":"1","m":"1"}}
the user raised a package
  {D:{"a":"^1.6.0"}} <-- {D:{"a":"^1.4.0"}} --> {D:{"a":"^1.5.0"}} ==> {D:{"a":"^1.6.0"}}
the user raised a package too far
  {D:{"a":"^2.0.0"}} <-- {D:{"a":"^1.4.0"}} --> {D:{"a":"^1.5.0"}} ==> conflict
the user lowered a package
  {D:{"a":"^1.3.0"}} <-- {D:{"a":"^1.4.0"}} --> {D:{"a":"^1.5.0"}} ==> conflict
the user has a package of their own
  {D:{"a":"file:../a"}} <-- {D:{"a":"^1.4.0"}} --> {D:{"a":"^1.5.0"}} ==> {D:{"a":"file:../a"}}
both added a package
  {D:{"a":"1","b":"^2.1.0"}} <-- {D:{"a":"1"}} --> {D:{"a":"1","b":"^2.0.0"}} ==> {D:{"a":"1","b":"^2.1.0"}}
`.replaceAll('{D:', '{"dependencies":'),
);

describe('merging package.json when', () => {
  for (const [about, user, base, botcli, merged] of cases)
    it(about, () => assert.equal(merge(user, base, botcli), merged));

  it('the user took a value away that changed: the conflict shows that, and the merge keeps it', () => {
    const write = (a: unknown, more: object) => JSON.stringify({ a, ...more }, null, 2);
    const { text, conflicts } = mergeTexts('package.json', write(null, { m: 1 }), write(1, {}), write(2, {}));
    assert.equal(text, write(null, { m: 1 }));
    assert.deepEqual(
      conflicts.map(({ lines, yours, ours }) => [lines, yours, ours]),
      [[[2, 2], '  "a": null,', '  "a": 2']],
    );
  });

  it('values contradict: the conflict is that one line', () => {
    const write = (a: number, more: object) => JSON.stringify({ x: { a }, ...more }, null, 2);
    const { conflicts } = mergeTexts('package.json', write(2, { m: 1 }), write(1, {}), write(3, { o: 1 }));
    assert.deepEqual(
      conflicts.map(({ lines, yours, ours }) => [lines, yours, ours]),
      [[[3, 3], '    "a": 2', '    "a": 3']],
    );
  });

  const commented: [about: string, user: string, merged: string][] = [
    [
      'has comments',
      '{\n  // Mine\n  "a": 1, // one\n  /* two */ "b": 1\n}\n',
      '{\n  // Mine\n  "a": 2, // one\n  /* two */ "b": 1\n}\n',
    ],
    ['has commented one out', '{\n  "a": 1,\n  // "b": 1\n}\n', '{\n  "a": 2,\n  // "b": 1\n}\n'],
  ];
  for (const [about, user, merged] of commented) {
    it(`the user ${about}: they stay`, () => {
      const write = (a: number) => `{\n  "a": ${a},\n  "b": 1\n}\n`;
      const { text, conflicts } = mergeTexts('tsconfig.json', user, write(1), write(2));
      assert.deepEqual([text, conflicts], [merged, []]);
    });
  }
});

const DEEP = '['.repeat(20_000) + ']'.repeat(20_000);

testMerges('merging lines of JSON when', 'tsconfig.json')`
it is indented with tabs: they stay
  {/\t"a": 1,/\t"m": 1/} <-- {/  "a": 1/} --> {/  "a": 2/} ==> {/\t"a": 2,/\t"m": 1/}
it is formatted by hand: so it stays
  {/  "l": [1,2],/  "a": 1,/  "b": 1/} <-- {/  "l": [1],/  "a": 1,/  "b": 1/} --> {/  "l": [1],/  "a": 1,/  "b": 2/}
  ==> {/  "l": [1,2],/  "a": 1,/  "b": 2/}
each side has removed or added one, on lines of any form
  {/"a": 1,/ "m": 1,// "b": 1} <-- {/"a": 1,// "b": 1} --> {/"a": 1//} ==> {/"a": 1,/ "m": 1}
the user's is no JSON
  {"a": 1,// "b": } <-- {"a": 1,// "b": 1} --> {"a": 2,// "b": 1} ==> {"a": 2,// "b": }
the user removed all keys
  {} <-- {/  "a": 1/} --> {/  "a": 1,/  "b": 1/} ==> {/  "b": 1/}
the user removed a key that changed
  {/  "b": 1/} <-- {/  "a": 1,/  "b": 1/} --> {/  "a": 2,/  "b": 1/}
  ==> conflict: You removed or moved these lines, and botcli changes them.
it is nested too deeply
  {/"a": 1,/"x": ${DEEP}/} <-- {/"x": ${DEEP}/} --> {/"x": ${DEEP},/"o": 1/} ==> {/"a": 1,/"o": 1,/"x": ${DEEP}/}
it is formatted by hand, and ours has a new key
  {"a":1 ,/"m" : [1,2]} <-- {"a": 1} --> {"a": 1, "o": 2} ==> {"a":1 ,/"m" : [1,2],/"o": 2}
both added a key on another line
  {"m": 1, "a": 1} <-- {"a": 1} --> {"a": 1,/"m": 1} ==> {"m": 1, "a": 1}
it is a list
  [/  "m",/  "a"/] <-- [/  "a"/] --> [/  "a",/  "o"/] ==> [/  "m",/  "a",/  "o"/]
there was no base
  {/  "m": 1/} <-- (empty) --> {/  "o": 1/} ==> conflict: You and botcli changed the same lines.
ours is no JSON
  {/  "a": 1,/  "b": 2/} <-- {/  "a": 1,/  "b": 1/} --> {/  "a": 2,/  "b": 1,/} ==> {/  "a": 2,/  "b": 2/}
`;
