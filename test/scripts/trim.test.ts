import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AxiosStatic } from 'axios';
import type { Root } from 'joi';
import { type Plugin, rolldown } from 'rolldown';
import { parts, trimmed } from '../../scripts/trim.ts';
import { inTree } from '../support/trees.ts';

/** joi and axios as they are in the bundle. */
interface Trimmed {
  Joi: Root;
  axios: AxiosStatic;
}

/** Nothing listens here, so an error about a missing part is thrown before any request. */
const NOWHERE = 'http://127.0.0.1:9';

const DIRECT = { adapter: 'http', proxy: false } as const;

/** A package as the bundle has it, with one of the bundle's plugins. */
async function bundle(name: string, trim: Plugin): Promise<unknown> {
  const entry = join(import.meta.dirname, 'entry.js');
  const plugin = {
    name: 'entry',
    resolveId: (id: string) => (id === entry ? id : null),
    load: (id: string) => (id === entry ? `export { default } from '${name}';` : null),
  };
  const build = await rolldown({ input: entry, platform: 'node', plugins: [plugin, trim] });
  const { output } = await build.generate({ codeSplitting: false });
  await build.close();
  const module = await inTree(
    { 'trimmed.mjs': output[0].code },
    directory => import(pathToFileURL(join(directory, 'trimmed.mjs')).href),
  );
  return module.default;
}

const USES: readonly [what: string, missing: string, use: (packages: Trimmed) => unknown][] = [
  ['a date', 'joi/lib/types/date.js', ({ Joi }) => Joi.date()],
  ['a number', 'joi/lib/types/number.js', ({ Joi }) => Joi.number()],
  ['one of two types', 'joi/lib/types/alternatives.js', ({ Joi }) => Joi.alternatives(Joi.string(), Joi.boolean())],
  ['bytes', 'joi/lib/types/binary.js', ({ Joi }) => Joi.binary()],
  ['an address', '@hapi/address', ({ Joi }) => Joi.string().uri()],
  ['preferences', 'joi/lib/schemas.js', ({ Joi }) => Joi.string().prefs({ convert: false })],
  ['a description of a schema', 'joi/lib/manifest.js', ({ Joi }) => Joi.string().describe()],
  ['a request as browsers make it', 'axios/lib/adapters/xhr.js', ({ axios }) => axios.get(NOWHERE, { adapter: 'xhr' })],
  ['a request by fetch', 'axios/lib/adapters/fetch.js', ({ axios }) => axios.get(NOWHERE, { adapter: 'fetch' })],
  ['redirects', 'follow-redirects', ({ axios }) => axios.get(NOWHERE, DIRECT)],
  ['HTTP/2', 'http2', ({ axios }) => axios.get(NOWHERE, { ...DIRECT, httpVersion: 2 } as object)],
  ['a form with files', 'form-data', ({ axios }) => axios.postForm(NOWHERE, { a: 'b' }, DIRECT)],
];

describe('packages without their unused parts', () => {
  let packages: Trimmed;
  before(async () => {
    packages = { Joi: await bundle('joi', trimmed), axios: await bundle('axios', parts) } as Trimmed;
  });

  for (const [what, missing, use] of USES) {
    it(`report that ${missing} is missing: ${what}`, () =>
      assert.rejects(async () => use(packages), { message: `botcli comes without ${missing}.` }));
  }

  it('keep the messages of joi', () => {
    const { Joi } = packages;
    const schema = Joi.object({ name: Joi.string().valid('a', 'b').required() });
    assert.equal(schema.validate({}).error?.message, '"name" is required');
    assert.equal(schema.validate({ name: 'c' }).error?.message, '"name" must be one of [a, b]');
  });
});
