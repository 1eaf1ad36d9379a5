import assert from 'node:assert/strict';
import fc from 'fast-check';
import { denseJson } from '../../src/formats/json.ts';

describe('dense JSON', () => {
  it('has a line for each row', () =>
    assert.equal(
      denseJson({ ids: ['a', 'b'], rows: [{ id: 'a', tags: [1, null] }, { id: 'b' }], none: [], empty: {} }),
      [
        '{',
        '  "ids": ["a","b"],',
        '  "rows": [',
        '    {"id":"a","tags":[1,null]},',
        '    {"id":"b"}',
        '  ],',
        '  "none": [],',
        '  "empty": {}',
        '}',
      ].join('\n'),
    ));

  it('has a line for an object in a list, and for what has two levels', () => {
    assert.equal(denseJson([{ id: 'a' }]), '[\n  {"id":"a"}\n]');
    assert.equal(denseJson({ a: { b: { c: 1 } } }), '{\n  "a": {"b":{"c":1}}\n}');
  });

  it('means the same as any JSON', () =>
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        assert.deepEqual(JSON.parse(denseJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    ));
});
