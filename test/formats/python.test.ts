import assert from 'node:assert/strict';
import { format } from '@wasm-fmt/ruff_fmt';
import type { PythonImport } from '../../src/catalog/index.ts';
import { renderCall, renderImports, renderList } from '../../src/formats/python/render.ts';

/** Imports, with each module's names after a colon, and how they are written. */
const imports: [about: string, imports: string, lines: string][] = [
  ['nothing', '', ''],
  ['modules first, in order, once each', 'sys b:x os sys', 'import os/import sys/from b import x'],
  ['names of one module are merged', 'm:b m:a,b', 'from m import a, b'],
  [
    'constants, then classes, then the rest',
    'm:run,Aggregator,Zebra,VAD,MAX_2,any',
    'from m import MAX_2, VAD, Aggregator, Zebra, any, run',
  ],
  ['modules as bytes sort', 'p.s.x:a p.s:a p.Z:a', 'from p.Z import a/from p.s import a/from p.s.x import a'],
];

/** An import as it's written above. */
function read(text: string): PythonImport {
  const [module = '', names] = text.split(':');
  return names === undefined ? { module } : { module, names: names.split(',') };
}

describe('Python imports', () => {
  for (const [about, given, lines] of imports) {
    it(about, () =>
      assert.equal(renderImports(given.split(' ').filter(Boolean).map(read)), lines.replaceAll('/', '\n')),
    );
  }

  it('break after column 100, like ruff', () => {
    for (let length = 60; length < 110; length++) {
      const text = renderImports([{ module: 'm', names: ['A', 'x'.repeat(length)] }]);
      assert.equal(`${text}\n`, format(`from m import A, ${'x'.repeat(length)}\n`, 'x.py', { line_width: 100 }));
    }
  });
});

describe('a Python call', () => {
  it('stays on one line if it fits, like ruff', () => {
    for (let length = 60; length < 100; length++) {
      const args = ['first=1', `second=${'x'.repeat(length)}`];
      const line = `    service = Service(${args.join(', ')})\n`;
      const text = `    service = ${renderCall('Service', args, 4, 'service = '.length)}\n`;
      assert.equal(text === line, line.length <= 101);
      assert.equal(format(`def f():\n${text}`, 'x.py', { line_width: 100 }), `def f():\n${text}`);
    }
  });

  it('is broken if a call inside it is broken', () => {
    const inner = renderCall('Settings', [`a=${'x'.repeat(60)}`, `b=${'y'.repeat(40)}`], 4);
    const text = `service = ${renderCall('Service', [`settings=${inner}`], 0, 10)}\n`;
    assert.equal(text.split('\n').length, 7);
    assert.equal(format(text, 'x.py', { line_width: 100 }), text);
  });

  it('without arguments has empty parentheses', () => assert.equal(renderCall('Service', [], 4), 'Service()'));
});

describe('a Python list', () => {
  it('stays on one line if it fits, like ruff', () => {
    for (let length = 70; length < 100; length++) {
      const items = ['"A"', `"${'x'.repeat(length)}"`];
      const text = `${renderList('NAMES', items)}\n`;
      assert.equal(text, format(`NAMES = [${items.join(', ')}]\n`, 'x.py', { line_width: 100 }));
    }
  });

  it('may be empty', () => assert.equal(renderList('NAMES', []), 'NAMES = []'));
});
