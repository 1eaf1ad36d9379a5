import assert from 'node:assert/strict';
import { mergeRows } from './merging.ts';

describe('merging the functions of a file one by one when', () => {
  it('a merge of all lines has a conflict', () => {
    const merged = mergeRows(
      'bot.py',
      'def f():/    z()/    y()/def g():/    a()/    b()/    c()/    d()',
      'def f():/    a()/    b()/    c()/    y()/def g():/    d()',
      'def f():/    a()/    b()/    c()/    y()/    x()/def g():/    e()',
    );
    assert.equal(merged, 'def f():/    z()/    y()/    x()/def g():/    a()/    b()/    c()/    e()');
  });
});
