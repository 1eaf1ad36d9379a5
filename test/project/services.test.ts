import assert from 'node:assert/strict';
import {
  isEnglish,
  SERVICE_KINDS,
  type ServiceKind,
  type ServiceRow,
  services,
  variablesOf,
} from '../../src/catalog/index.ts';
import { inLanguage } from '../../src/project/variables.ts';

const rows = SERVICE_KINDS.flatMap(kind => services[kind].map(row => ({ kind, row })));

/** What two services of a bot may share: the account at the provider, and the region. */
const SHARED = ['', 'api_key', 'credentials', 'credentials_path', 'project_id', 'region', 'aws_region'];

/** Kinds whose services are never in the same bot. */
const APART: readonly ServiceKind[] = ['stt', 'llm', 'tts'];

const areTogether = (one: ServiceKind, other: ServiceKind) =>
  one !== other && !(one === 'realtime' && APART.includes(other)) && !(other === 'realtime' && APART.includes(one));

/** A service in a bot without a language, in an English bot, and in one that speaks another language. */
const inBots = (row: ServiceRow) =>
  [null, 'en', otherLanguage(row)].map(language => ({ row, ...inLanguage(row, language) }));

/** A language other than English that a service knows, if it knows one. */
const otherLanguage = ({ languages = ['de'] }: ServiceRow): string => languages.find(code => !isEnglish(code)) ?? 'en';

type Arguments = ReturnType<typeof inLanguage>['args'];

const argumentsOf = (list: Arguments): Arguments =>
  list.flatMap(one => ('className' in one ? [one, ...argumentsOf(one.args)] : [one]));

describe('the catalog', () => {
  for (const kind of SERVICE_KINDS) {
    it(`lists ${kind} services in the order of their labels, each a different one`, () => {
      const labels = services[kind].map(({ label }) => label);
      const sorted = [...new Set(labels)].sort((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1));
      assert.deepEqual(labels, sorted);
    });

    it(`recommends a few ${kind} services`, () => {
      const recommended = services[kind].filter(row => row.recommended);
      assert.ok(recommended.length >= 2 && recommended.length <= 5, `${recommended.length}`);
    });

    it(`says where to get the keys of the recommended ${kind} services`, () => {
      for (const { id, keys = '', recommended } of services[kind]) {
        if (recommended) assert.match(keys, /^https:\/\/[\w./-]+\w$/, id);
      }
    });
  }

  it('gives no variable two descriptions in one bot', () => {
    const uses = rows.flatMap(({ kind, row }) => {
      const variables = variablesOf(row);
      return variables.map(variable => ({ kind, id: row.id, ...variable }));
    });
    for (const one of uses.filter(({ name }) => !SHARED.includes(name))) {
      const other = uses.find(use => use.env === one.env && areTogether(use.kind, one.kind));
      assert.equal(other, undefined, `${one.env}: ${one.name} of ${one.id}, ${other?.name} of ${other?.id}`);
    }
  });

  it('describes a variable the same way everywhere', () => {
    const descriptions = new Map<string, string>();
    for (const { kind, row } of rows) {
      for (const { env, description } of variablesOf({ ...row, settings: [], ambient: [] })) {
        const key = env.endsWith('_API_KEY') ? env : `${kind} ${env}`;
        assert.equal(descriptions.get(key) ?? description, description, env);
        descriptions.set(key, description);
      }
    }
  });

  it('imports exactly what its objects and code use', () => {
    for (const { row, args, settings, imports } of rows.flatMap(({ row }) => inBots(row))) {
      const used = argumentsOf([...args, ...settings]).flatMap(one => {
        if ('className' in one) return [one.className];
        const code = 'code' in one ? one.code.replaceAll(/"[^"]*"/g, '') : '';
        return code.match(/\b([A-Z][a-z]\w+|\w+(?=\())/g) ?? [];
      });
      const known = ['True', 'False', 'None'];
      const imported = imports.flatMap(({ names }) => names);
      assert.deepEqual(new Set(used.filter(name => !known.includes(name))), new Set(imported), row.id);
    }
  });
});
