import assert from 'node:assert/strict';
import { decodeUtf8 } from '../../src/formats/bytes.ts';

const MARK = '\uFEFF';

describe('bytes in UTF-8', () => {
  it('are a text', () => assert.equal(decodeUtf8(Buffer.from('é🦜\n')), 'é🦜\n'));

  it('have a byte order mark only if it should stay', () => {
    const bytes = Buffer.from(`${MARK}a`);
    assert.deepEqual([decodeUtf8(bytes), decodeUtf8(bytes, { keepsMark: true })], ['a', `${MARK}a`]);
  });

  it('are no text in another encoding', () => assert.equal(decodeUtf8(Buffer.from('caf\u00e9', 'latin1')), undefined));
});
