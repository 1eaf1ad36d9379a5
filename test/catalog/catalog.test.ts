import assert from 'node:assert/strict';
import { callSetups } from '../../src/catalog/call-setup.ts';
import {
  extrasOf,
  findService,
  findTransport,
  isEnglish,
  moduleOf,
  SERVICE_KINDS,
  type ServiceKind,
  type ServiceRow,
  services,
  transportIds,
  transports,
  type VariableArgument,
  variablesOf,
} from '../../src/catalog/index.ts';
import { findOption, type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { listOptions } from '../../src/project/handover/option-details.ts';
import { inLanguage } from '../../src/project/variables.ts';

const rows = SERVICE_KINDS.flatMap(kind => services[kind].map(row => ({ kind, row })));

const unique = (items: readonly string[]) => assert.deepEqual(items, [...new Set(items)]);

function checkVariables(owner: string, variables: readonly VariableArgument[]): void {
  unique(variables.map(({ env }) => env));
  for (const { env, description } of variables) {
    assert.match(env, /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/, owner);
    assert.match(description, /^[A-Z0-9].*[^.]$/, `${owner}: ${env}`);
  }
}

describe('the services of the catalog', () => {
  it('have unique ids', () => unique(rows.map(({ row }) => row.id)));

  for (const { kind, row } of rows) {
    it(row.id, () => {
      const { args = [], settings = [], ambient = [] } = row;
      assert.match(row.id, new RegExp(`^[a-z][a-z0-9]*(_[a-z0-9]+)*_${kind}$`));
      assert.equal(findService(kind, row.id), row);
      assert.match(row.label, /^[A-Za-z][\w .-]*$/);
      assert.match(moduleOf(row), /^pipecat\.services(\.[a-z][a-z0-9_]*)+$/);
      assert.match(row.className, /^[A-Z]\w+Service(MLX)?$/);
      assert(extrasOf(row).length > 0);
      for (const extra of extrasOf(row)) assert.match(extra, /^[a-z][a-z0-9-]*$/);
      checkVariables(row.id, variablesOf(row));
      unique([...args, ...settings].map(({ name }) => name));
      for (const { name } of [...args, ...settings]) assert.match(name, /^[a-z][a-z0-9_]*$/);
      for (const { name } of ambient) assert.equal(name, '', "what the provider's library reads isn't an argument");
    });
  }

  it('give the size of an avatar', () => assert(services.video.every(row => row.picture)));

  it('are not found under an unknown id', () => {
    assert.throws(() => findService('stt', 'openai_llm'), /The catalog has no openai_llm/);
    assert.throws(() => findTransport('rtc_hosted_pstn'), /The catalog has no rtc_hosted_pstn/);
  });
});

describe('the transports of the catalog', () => {
  it('have unique ids', () => unique(transports.map(({ id }) => id)));

  for (const row of transports) {
    it(row.id, () => {
      assert.equal(findTransport(row.id), row);
      assert.match(row.runnerKey, /^[a-z]+$/);
      checkVariables(row.id, row.ambient);
      assert.equal(callSetups[row.id] !== undefined, row.family !== 'web', 'people read how a phone reaches it');
      const { generic, direction, modeKey } = row;
      assert([generic, direction, modeKey].every(Boolean) || ![generic, direction, modeKey].some(Boolean));
      if (direction) assert.equal(row.id, `${generic}_${direction.replace('-', '')}`);
      if (modeKey) assert.deepEqual(findOption(modeKey).values, ['dial-in', 'dial-out']);
    });
  }
});

describe('the options of a scaffold', () => {
  it('have unique flags, short flags and keys', () => {
    unique(scaffoldOptions.map(({ flag }) => flag));
    unique(scaffoldOptions.map(({ key }) => key));
    unique(scaffoldOptions.flatMap(({ short }: ScaffoldOption) => short ?? []));
  });

  it('are listed by kind', () => {
    const listed = listOptions(false) as Record<string, string[]>;
    assert.deepEqual(Object.keys(listed), ['bot_type', 'transports', 'stt', 'llm', 'tts', 'realtime', 'video']);
    assert.deepEqual(listed.bot_type, ['web', 'telephony']);
    assert.deepEqual(listed.transports, {
      web: ['rtc_hosted', 'rtc_local'],
      telephony: [
        ...['tel_a', 'tel_b', 'tel_c', 'tel_d', 'rtc_hosted_pstn', 'tel_a_rtc_sip'],
        ...['rtc_hosted_pstn_dialin', 'rtc_hosted_pstn_dialout', 'tel_a_rtc_sip_dialin', 'tel_a_rtc_sip_dialout'],
      ],
    });
    for (const kind of SERVICE_KINDS) assert.deepEqual(listed[kind], findOption(`${kind}_service`).values);
  });

  it('take every transport that is listed', () => {
    const listed = [...transportIds('web'), ...transportIds('telephony')];
    assert.deepEqual([...(findOption('transports').values ?? [])].sort(), listed.sort());
  });
});

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
