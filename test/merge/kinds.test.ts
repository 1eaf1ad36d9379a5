import assert from 'node:assert/strict';
import { kindOf } from '../../src/merge/kinds.ts';

const others = [
  ...['pyproject.toml.orig', 'my-pyproject.tom', 'a.json5', '.env.example.txt', '.gitignore.txt', 'a.pyi', 'a.mdx'],
  ...['a.ts.txt', 'a.css.map', 'LICENSE'],
];

describe('a file that is of no kind is', () => {
  for (const path of others) it(path, () => assert.deepEqual(kindOf(path), {}));
});
