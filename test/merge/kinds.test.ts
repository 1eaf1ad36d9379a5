import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { kindOf } from '../../src/merge/index.ts';
import { mergeLines } from '../../src/merge/lines.ts';

const others = [
  ...['pyproject.toml.orig', 'my-pyproject.tom', 'a.json5', '.env.example.txt', '.gitignore.txt', 'a.pyi', 'a.mdx'],
  ...['a.ts.txt', 'a.css.map', 'LICENSE'],
];

describe('a file that is of no kind is merged by lines:', () => {
  for (const path of others) it(path, () => assert.equal(kindOf(path).merge, mergeLines));
});

/** Parts of which a few are read as what they are, and thousands would take a parser the square of the time. */
const parts: [about: string, path: string, part: string][] = [
  ['brackets in brackets', 'a.ts', 'a = [\n'],
  ['functions in functions', 'a.js', 'a => '],
  ['calls of what was called', 'a.ts', '(a)'],
  ['elements in elements', 'a.tsx', '<p>'],
  ['syntax errors', 'a.ts', '*\n'],
  ['rules in rules', 'a.css', 'a {\n'],
  ['references that never end', 'a.html', '&a'],
];

describe('a file is merged by lines if it has thousands of', () => {
  const isByLines = (path: string, own: string) => {
    const [base, botcli] = ['/* a */', '/* b */'].map(line => [line, '', '']) as [string[], string[]];
    const versions = { user: [...base, ...own.split('\n')], base, botcli };
    return isDeepStrictEqual(kindOf(path).merge(versions), mergeLines(versions));
  };
  for (const [about, path, part] of parts)
    it(about, () =>
      assert.deepEqual(
        [5, 5000].map(times => isByLines(path, part.repeat(times))),
        [false, true],
      ),
    );
});
