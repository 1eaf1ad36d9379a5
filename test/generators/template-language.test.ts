import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { quickstart } from '../../src/config/quickstart.ts';
import { clientFactsOf } from '../../src/project/client.ts';
import { factsOf } from '../../src/project/facts.ts';

const NAME = String.raw`[a-z]\w*(?:\.[a-z]\w*)*`;

/** The allowed tags: they loop over rows, test a boolean, or insert a value. */
const STATEMENTS = [
  new RegExp(String.raw`^for \(const [a-z]\w* of ${NAME}\) \{$`),
  new RegExp(String.raw`^(?:\} else )?if \(!?${NAME}\) \{$`),
  /^\} else \{$/,
  /^\}$/,
];
const VALUES = [
  new RegExp(`^${NAME}$`),
  new RegExp(String.raw`^(?:html|js|json|md|py|pydoc|toml)\(${NAME}\)$`),
  new RegExp(String.raw`^include\((?:'[\w./-]+\.ejs'|${NAME})\)$`),
];

/** The names that a template's conditions test, except those of a row. */
const conditionsOf = (text: string): string[] =>
  [...text.matchAll(/<%[^%]*\bif \(!?(\w+)\)/g)].map(([, name = '']) => name);

const allows = (patterns: readonly RegExp[], code: string) => patterns.some(pattern => pattern.test(code));

/**
 * Finds template code that is hard to read: expressions, nested conditions, and optional blocks that end with a blank
 * line. Each fault starts with the file and line.
 */
function faultsOf(path: string, text: string): string[] {
  const faults: string[] = [];
  const open: { kind: 'loop' | 'condition'; at: number }[] = [];
  for (const { 0: tag, 1: inside = '', index } of text.matchAll(/<%([\s\S]*?)%>/g)) {
    const [, kind = '', body = ''] = /^(-?) ([\s\S]*?) -?$/.exec(inside) ?? [];
    const before = text.slice(0, index);
    const fault = (problem: string) => faults.push(`${path}:${before.split('\n').length}: ${problem}: ${tag}`);
    if (!allows(kind === '-' ? VALUES : STATEMENTS, body)) fault('an expression');
    if (kind === '-') continue;
    if (body.startsWith('}')) {
      // A block at the top of a file may end with a blank line, because nothing comes before it.
      if (open.pop()?.at !== 0 && /(^|\n)\n$/.test(before)) fault('a block that ends with a blank line');
    }
    if (!body.endsWith('{')) continue;
    const opened = { kind: body.startsWith('for') ? ('loop' as const) : ('condition' as const), at: index };
    const isNew = !body.startsWith('}');
    const isInCondition = open.some(block => block.kind === 'condition');
    if (isNew && opened.kind === 'condition' && isInCondition) fault('a condition in a condition');
    if (isNew && open.length === 2) fault('a third level');
    open.push(opened);
  }
  return faults;
}

const GENERATORS = join(import.meta.dirname, '../../generators');

const templates = readdirSync(GENERATORS, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && /templates/.test(entry.parentPath))
  .map(entry => join(entry.parentPath, entry.name));

describe('a template', () => {
  it('only loops over rows, tests booleans and inserts values', () => {
    assert(templates.length > 80, `there are ${templates.length} templates`);
    const faults = templates.flatMap(path => faultsOf(relative(GENERATORS, path), readFileSync(path, 'utf8')));
    assert.deepEqual(faults, []);
  });

  it('tests only booleans', () => {
    const facts: [generator: string, facts: object][] = [
      ['bot', factsOf(quickstart, '1.0.0')],
      ['client', clientFactsOf(quickstart)],
      ['guide', { isPublished: false }],
    ];
    for (const [generator, values] of facts) {
      const own = templates.filter(path => relative(GENERATORS, path).startsWith(generator));
      const tested = own.flatMap(path => conditionsOf(readFileSync(path, 'utf8')));
      const booleans = Object.entries(values).filter(([, value]) => typeof value === 'boolean');
      const names = booleans.map(([name]) => name);
      assert.deepEqual(
        tested.filter(name => !names.includes(name)),
        [],
      );
    }
  });

  it('is named .ejs if it has tags', () => {
    const tagged = templates.filter(path => readFileSync(path, 'utf8').includes('<%'));
    assert.deepEqual(
      tagged.filter(path => !path.endsWith('.ejs')),
      [],
    );
  });
});

const refused: [text: string, line: number, problem: string, tag: string][] = [
  ["one\n<% if (kind === 'stt') { -%>\n<% } -%>\n", 2, 'an expression', "<% if (kind === 'stt') { -%>"],
  ["<%- name || 'bot' %>\n", 1, 'an expression', "<%- name || 'bot' %>"],
  ['<% const rows = []; -%>\n', 1, 'an expression', '<% const rows = []; -%>'],
  ['<% if (a) { -%>\n<% if (b) { -%>\n<% } -%>\n<% } -%>\n', 2, 'a condition in a condition', '<% if (b) { -%>'],
  ['one\n<% if (a) { -%>\ntwo\n\n<% } -%>\n', 5, 'a block that ends with a blank line', '<% } -%>'],
];

describe('the check of templates', () => {
  for (const [text, line, problem, tag] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.deepEqual(faultsOf('one.ejs', text), [`one.ejs:${line}: ${problem}: ${tag}`]);
    });
  }
});
