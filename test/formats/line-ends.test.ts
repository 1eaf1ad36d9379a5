import assert from 'node:assert/strict';
import { isSameText, withLineEndsOf, withLineFeeds } from '../../src/formats/bytes.ts';

const text = (one: Buffer) => one.toString('latin1');

describe('line ends', () => {
  it('are read as line feeds', () => {
    for (const [from, to] of [
      ['a\r\nb\r\n', 'a\nb\n'],
      ['a\r\n\nb\r\r\n', 'a\n\nb\r\n'],
      ['\xff\r\n\x80', '\xff\n\x80'],
      ['\r', '\r'],
    ] as const) {
      assert.equal(text(withLineFeeds(Buffer.from(from, 'latin1'))), to);
    }
  });

  it("aren't a difference", () => {
    assert(isSameText(Buffer.from('a\r\nb\n'), Buffer.from('a\nb\r\n')));
    assert(!isSameText(Buffer.from('a\r'), Buffer.from('a\n')));
  });

  it('are those of most lines', () => {
    for (const [model, ends] of [
      ['x\r\ny\r\nz\n', 'a\r\nb\r\n'],
      ['x\r\ny\n', 'a\nb\n'],
      ['x', 'a\nb\n'],
      [undefined, 'a\nb\n'],
    ] as const) {
      assert.equal(
        text(withLineEndsOf(model === undefined ? undefined : Buffer.from(model), Buffer.from('a\nb\n'))),
        ends,
      );
    }
  });
});
