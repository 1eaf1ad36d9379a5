import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { format } from '@wasm-fmt/ruff_fmt';
import { parse } from 'smol-toml';
import { QUOTING } from '../../src/project/quote.ts';
import { HOSTILE_NAMES } from '../support/many-configs.ts';

/** In addition to names: texts that a value may contain, and a name may not. */
const TEXTS = [...HOSTILE_NAMES, '', 'a\nb\tc', '\u0000\u001b\u2028', `"`, `'`, `''""`, `"'"`, '\\', '\\"', "\\'"];

const { html, js, json, md, py, pydoc, toml } = QUOTING;

const short = (text: string) => JSON.stringify(text).slice(0, 40);

/** What programs read in quoted texts. */
const readers: [language: string, texts: readonly string[], read: (text: string) => unknown][] = [
  ['Python', TEXTS, text => readPython(py(text))],
  ['TOML', TEXTS, text => parse(`x = ${toml(text)}`).x],
  ['JavaScript', TEXTS, text => runInNewContext(js(text))],
  ['JSON', TEXTS, text => JSON.parse(json({ text })).text],
  ['HTML', HOSTILE_NAMES, text => html(text).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))],
];

for (const [language, texts, read] of readers) {
  describe(`a text in ${language} means the same:`, () => {
    for (const text of texts) it(short(text), () => assert.equal(read(text), text));
  });
}

describe('quoted text has the right form:', () => {
  for (const text of TEXTS) {
    it(`a string of Python, formatted like ruff: ${short(text)}`, () => {
      const line = `x = ${py(text)}\n`;
      assert.equal(format(line, 'x.py', { line_width: 200 }), line);
    });
  }

  for (const text of HOSTILE_NAMES) {
    it(`a docstring formatted like ruff, which ends where it should, and no markup: ${short(text)}`, () => {
      const module = `"""${pydoc(text)}: a bot.\n\nMore.\n"""\n\nx = 1\n`;
      assert.equal(format(module, 'x.py'), module);
      const [docstring = ''] = /^"""(?:[^\\]|\\.)*?"""/s.exec(module) ?? [];
      assert.equal(readPython(docstring.slice(2, -2)), `${text}: a bot.\n\nMore.\n`);
      assert.doesNotMatch(html(text), /[<>"']|&(?!#\d+;)/);
    });
  }
});

describe('text in Markdown', () => {
  const lines: [text: string, markdown: string][] = [
    ['a[b](c)', 'a\\[b\\](c)'],
    ['*a* _b_ ~c~ |d|', '\\*a\\* \\_b\\_ \\~c\\~ \\|d\\|'],
    ['<!-- x --> & <b>', '\\<!-- x --\\> \\& \\<b\\>'],
    ['# title', '\\# title'],
    ['C #', 'C \\#'],
    ['- item', '\\- item'],
    ['`code` $x$', '\\`code\\` \\$x\\$'],
    ['back\\slash', 'back\\\\slash'],
    ["it's (plain), 100%!", "it's (plain), 100%!"],
  ];
  for (const [text, markdown] of lines) it(text, () => assert.equal(md(text), markdown));
});

/** The value of a Python string literal without a prefix. */
function readPython(literal: string): string {
  const body = literal.slice(1, -1);
  const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' };
  return body.replace(/\\(?:u([0-9a-f]{4})|(.))/gs, (_, code, sign) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : (escapes[sign] ?? sign),
  );
}
