import assert from 'node:assert/strict';
import { callSetups } from '../../src/catalog/call-setup.ts';
import {
  extrasOf,
  findService,
  findTransport,
  moduleOf,
  SERVICE_KINDS,
  services,
  transportIds,
  transports,
  type VariableArgument,
  variablesOf,
} from '../../src/catalog/index.ts';
import { findOption, type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { listOptions } from '../../src/project/handover/option-details.ts';

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
