import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { format } from '@wasm-fmt/ruff_fmt';
import { parse } from 'smol-toml';
import { html, js, json, md, py, pydoc, toml } from '../../src/project/quote.ts';
import { HOSTILE_NAMES } from '../support/many-configs.ts';

/** In addition to names: texts that a value may contain, and a name may not. */
const TEXTS = [...HOSTILE_NAMES, '', 'a\nb\tc', '\u0000\u001b\u2028', `"`, `'`, `''""`, `"'"`, '\\', '\\"', "\\'"];

describe('a Python string', () => {
  for (const text of TEXTS) {
    it(`of ${JSON.stringify(text).slice(0, 40)} is formatted like ruff, and means the text`, () => {
      const line = `x = ${py(text)}\n`;
      assert.equal(format(line, 'x.py', { line_width: 200 }), line);
      assert.equal(readPython(py(text)), text);
    });
  }
});

describe('a Python docstring', () => {
  for (const text of HOSTILE_NAMES) {
    it(`of ${JSON.stringify(text).slice(0, 40)} is formatted like ruff, and ends where it should`, () => {
      const module = `"""${pydoc(text)}: a bot.\n\nMore.\n"""\n\nx = 1\n`;
      assert.equal(format(module, 'x.py'), module);
      const [docstring = ''] = /^"""(?:[^\\]|\\.)*?"""/s.exec(module) ?? [];
      assert.equal(readPython(docstring.slice(2, -2)), `${text}: a bot.\n\nMore.\n`);
    });
  }
});

describe('a TOML string', () => {
  for (const text of TEXTS) {
    it(`of ${JSON.stringify(text).slice(0, 40)} means the text`, () => {
      assert.equal(parse(`x = ${toml(text)}`).x, text);
    });
  }
});

describe('a JavaScript string', () => {
  for (const text of TEXTS) {
    it(`of ${JSON.stringify(text).slice(0, 40)} means the text`, () => {
      assert.equal(runInNewContext(js(text)), text);
    });
  }
});

describe('a JSON document', () => {
  for (const text of TEXTS) {
    it(`with ${JSON.stringify(text).slice(0, 40)} means the text`, () => {
      assert.deepEqual(JSON.parse(json({ name: text })), { name: text });
    });
  }
});

describe('text in HTML', () => {
  for (const text of HOSTILE_NAMES) {
    it(`of ${JSON.stringify(text).slice(0, 40)} contains no markup, and means the text`, () => {
      assert.doesNotMatch(html(text), /[<>"']|&(?!#\d+;)/);
      const read = html(text).replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
      assert.equal(read, text);
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
