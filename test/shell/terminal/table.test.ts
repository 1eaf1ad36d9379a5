import assert from 'node:assert/strict';
import { renderTable } from '../../../src/text.ts';

const style = { bold: (text: string) => text };

describe('a table', () => {
  const rows = [
    ['a', 'long cell'],
    ['longer', 'b'],
  ];

  it('has aligned columns in a terminal', () => {
    const table = renderTable(['NAME', 'X'], rows, { columns: 80, style });
    assert.equal(table, 'NAME    X\na       long cell\nlonger  b');
  });

  it('has tabs elsewhere', () => assert.equal(renderTable(['NAME', 'X'], rows, { style }), 'a\tlong cell\nlonger\tb'));

  it('may have any number of rows', () => {
    const table = renderTable(['NAME'], Array(200_000).fill(['row']), { columns: 80, style });
    assert.equal(table.length, 'NAME'.length + 200_000 * '\nrow'.length);
  });
});
