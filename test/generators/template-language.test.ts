import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { quickstart } from '../../src/config/quickstart.ts';
import { clientFactsOf } from '../../src/project/client.ts';
import { factsOf } from '../../src/project/facts.ts';
import { conditionsOf, faultsOf } from './template-language.ts';

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

const allowed: string[] = [
  'a page without tags\n',
  '<%- name %>, <%- service.label %>, <%- py(name) %>, <%- toml(phone.row.id) %>\n',
  '<% for (const row of rows) { -%>\n<%- row %>\n<% } -%>\n',
  '<% if (isOn) { -%>\n\none\n<% } else if (!isOff) { -%>\ntwo\n<% } else { -%>\nthree\n<% } -%>\n',
  '<% for (const row of rows) { -%>\n<% if (row.isOn) { -%>\none\n<% } -%>\n<% } -%>\n',
  'in a line<% if (isOn) { %>, on<% } %>\n',
  '<% if (isOn) { -%>\nat the top\n\n<% } -%>\none\n',
  "<%- include('parts/one.py.ejs') -%>\n<%- include(part) -%>\n",
];

const EXPRESSION = 'an expression';
const NESTED = 'a condition in a condition';
const BLANK = 'a block that ends with a blank line';

const refused: [text: string, line: number, problem: string, tag: string][] = [
  ["one\n<% if (kind === 'stt') { -%>\n<% } -%>\n", 2, EXPRESSION, "<% if (kind === 'stt') { -%>"],
  ['<% if (a && b) { -%>\n<% } -%>\n', 1, EXPRESSION, '<% if (a && b) { -%>'],
  ['<% if (count > 1) { -%>\n<% } -%>\n', 1, EXPRESSION, '<% if (count > 1) { -%>'],
  ['<% if (a) { -%>\n<% } else if (!a && b) { -%>\n<% } -%>\n', 2, EXPRESSION, '<% } else if (!a && b) { -%>'],
  ["one\ntwo <%- isOn ? 'on' : 'off' %>\n", 2, EXPRESSION, "<%- isOn ? 'on' : 'off' %>"],
  ["<%- name || 'bot' %>\n", 1, EXPRESSION, "<%- name || 'bot' %>"],
  ['<%- toml(`$' + '{name}-secrets`) %>\n', 1, EXPRESSION, '<%- toml(`$' + '{name}-secrets`) %>'],
  ["<%- py(isOn ? 'a' : 'b') %>\n", 1, EXPRESSION, "<%- py(isOn ? 'a' : 'b') %>"],
  ['<% const rows = []; -%>\n', 1, EXPRESSION, '<% const rows = []; -%>'],
  ['<%= name %>\n', 1, EXPRESSION, '<%= name %>'],
  ['<% if (a) { -%>\n<% if (b) { -%>\n<% } -%>\n<% } -%>\n', 2, NESTED, '<% if (b) { -%>'],
  [
    '<% for (const a of b) { -%>\n<% for (const c of a.d) { -%>\n<% if (c.e) { -%>\n<% } -%>\n<% } -%>\n<% } -%>\n',
    3,
    'a third level',
    '<% if (c.e) { -%>',
  ],
  ['one\n<% if (a) { -%>\ntwo\n\n<% } -%>\n', 5, BLANK, '<% } -%>'],
  ['one\n<% if (a) { -%>\ntwo\n\n<% } else { -%>\nthree\n<% } -%>\n', 5, BLANK, '<% } else { -%>'],
];

describe('the check of templates', () => {
  it('finds the names that conditions test', () => {
    const text = '<% if (isOn) { -%>\n<% } else if (!isOff) { -%>\n<% } -%>\n<% if (row.isOn) { -%>\n<% } -%>\n';
    assert.deepEqual(conditionsOf(text), ['isOn', 'isOff']);
  });

  for (const text of allowed) {
    it(`allows ${JSON.stringify(text)}`, () => assert.deepEqual(faultsOf('one.ejs', text), []));
  }

  for (const [text, line, problem, tag] of refused) {
    it(`refuses ${JSON.stringify(text)}`, () => {
      assert.deepEqual(faultsOf('one.ejs', text), [`one.ejs:${line}: ${problem}: ${tag}`]);
    });
  }
});
