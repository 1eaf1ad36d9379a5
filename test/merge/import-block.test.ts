import assert from 'node:assert/strict';
import { localName } from '../../src/formats/python/imports.ts';
import { findImports } from '../../src/merge/python/imports.ts';

/** Lines with `/` between them; the lines of their imports, by section; what these import, and what others do. */
const found: [file: string, start: number, sections: string[][], names: string, others?: string][] = [
  ['import a', 0, [['import a']], 'a'],
  [
    '"""A bot."""//import a, b as c/from d import (/    e,/)',
    2,
    [['import a, b as c', 'from d import (/    e,/)']],
    'a c e',
  ],
  ['x = 1/import a//import b', 1, [['import a'], ['import b']], 'a b'],
  ['import a//# Why/# this/import b', 0, [['import a'], ['# Why/# this/import b']], 'a b'],
  ['import a/# Why/import b/# More', 0, [['import a', '# Why/import b']], 'a b'],
  ['# Not mine//# Why/import a', 3, [['import a']], 'a'],
  ['import a  # Mine/import b', 0, [['import a  # Mine !', 'import b']], 'a b'],
  ['import a/x = 1/import b/y = 2/z = 3', 0, [['import a', 'x = 1 !', 'import b']], 'a b'],
  [
    'import a/try:/    import b/except E:/    b = None/import c',
    0,
    [['import a', 'try:/    import b !', 'except E:/    b = None !', 'import c']],
    'a c',
    'b',
  ],
  ['if x:/    import a/import b/if x:/    import c', 2, [['import b']], 'b'],
  ['import a/def f():/    import b/import c', 0, [['import a']], 'a', 'c'],
  ['import a/async def f(): pass/import c', 0, [['import a']], 'a', 'c'],
  ['import a/class B: pass/import c', 0, [['import a']], 'a', 'c'],
  ['import a/@b/def f(): pass/import c', 0, [['import a']], 'a', 'c'],
  ['x = 1; y = 2/z = 1/import a/b = 1/x = 1; y = 2', 2, [['import a']], 'a'],
  ['a = "from b import c"/import d', 1, [['import d']], 'd'],
];

/** Imports that stay as they are. */
const none: [about: string, file: string][] = [
  ['there are none', 'x = 1'],
  ['there are none at the top', 'def f():/    import a'],
  ['two are in one line', 'import a; import b'],
  ['one shares its line with what is before it', 'x = 1; import a'],
  ['one shares its line with what is after it', 'import a; x = 1'],
  ['a comment is indented', 'import a/  # Why/import b'],
  ['blank lines are around a comment', 'import a//# Why//import b'],
  ['a comment is below an import', 'import a/# Why//import b'],
];

describe('the imports of a module', () => {
  for (const [file, start, sections, names, others = ''] of found) {
    it(`are found: ${file}`, () => {
      const block = findImports(file.split('/'));
      const shown = block?.sections.map(section =>
        section.map(({ lines, hasComment }) => `${lines.join('/')}${hasComment ? ' !' : ''}`),
      );
      const [own, more] = [block?.names, block?.others].map(all => all?.map(localName).join(' '));
      assert.deepEqual(
        { start: block?.start, sections: shown, own, more },
        { start, sections, own: names, more: others },
      );
      const count = sections.flat().join('/').split('/').length + sections.length - 1;
      assert.equal(block?.end, start + count);
    });
  }
  for (const [about, file] of none) {
    it(`stay as they are if ${about}`, () => assert.equal(findImports(file.split('/')), undefined));
  }
});
