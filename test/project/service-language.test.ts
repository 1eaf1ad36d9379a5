import assert from 'node:assert/strict';
import type { Argument, PythonImport, ServiceRow } from '../../src/catalog/index.ts';
import { renderService } from '../../src/project/bot/facts.ts';
import { inLanguage } from '../../src/project/variables.ts';

/** A service that knows these languages. */
const rowOf = (settings: readonly Argument[], more: Partial<ServiceRow> = {}): ServiceRow => ({
  id: 'x_tts',
  label: 'X',
  className: 'X',
  languages: ['en', 'de-DE', 'fr', 'fr-CA'],
  settings,
  ...more,
});

const voice = { name: 'voice', env: 'X_VOICE', required: true, description: 'Voice ID' };
const model = { ...voice, required: false, documented: { value: 'x-1', page: 'https://x.org' } };

/** What a variable becomes: whether it's required, its description, and its value if it isn't set. */
const variables: [about: string, variable: Argument, language: string | null, result: object][] = [
  ['the same if no language matters to it', voice, 'de', { required: true, description: 'Voice ID' }],
  ['documented for English', model, null, { required: false, description: 'Voice ID (default: x-1)', fallback: 'x-1' }],
  [
    "the library's own for English",
    { ...voice, required: false, usual: 'x-2' },
    null,
    { required: false, description: 'Voice ID (default: x-2)' },
  ],
  [
    'one for the language, whatever the library has for English',
    { ...voice, required: false, usual: 'x-2', inLanguages: { de: 'v' } },
    'de',
    { required: false, description: 'Voice ID (default: v)', fallback: 'v' },
  ],
  [
    'one for the region',
    { ...voice, inLanguages: { 'fr-CA': 'ca', fr: 'fr', '*': 'v' } },
    'fr-CA',
    { required: false, description: 'Voice ID (default: ca)', fallback: 'ca' },
  ],
  [
    'one for all others',
    { ...voice, inLanguages: { fr: 'fr', '*': 'v-<code>' } },
    'de',
    { required: false, description: 'Voice ID (default: v-de-DE)', fallback: 'v-de-DE' },
  ],
  [
    'the same in English if others have one',
    { ...voice, inLanguages: { '*': 'v' } },
    'en',
    { required: true, description: 'Voice ID' },
  ],
  [
    "the owner's to set",
    { ...model, inLanguages: { fr: 'fr' } },
    'de',
    { required: true, description: 'Voice ID (must support German)' },
  ],
];

describe('a variable of a service is', () => {
  for (const [about, variable, language, result] of variables) {
    it(about, () => {
      assert.deepEqual(inLanguage(rowOf([variable]), language).settings, [{ ...variable, ...result }]);
    });
  }
});

const MORE = { module: 'm', names: ['M'] };
const LANGUAGE = { module: 'pipecat.transcriptions.language', names: ['Language'] };

/** What an argument for a language becomes, and what it imports. */
const codes: [argument: Argument, language: string | null, code: string | undefined, imports: PythonImport[]][] = [
  [{ name: 'a', inLanguage: '<language>', code: '1' }, null, '1', []],
  [{ name: 'a', inLanguage: '<language>', imports: [MORE] }, 'de', 'Language.DE_DE', [LANGUAGE, MORE]],
  [{ name: 'a', inLanguage: '"<code> <base> <locale>"' }, 'fr-BE', '"fr fr fr-CA"', []],
  [{ name: 'a', inLanguage: '"<name> <x>"', imports: [MORE] }, 'de', '"German <x>"', [MORE]],
  [{ name: 'a', inLanguage: '"<code>"', notInEnglish: true, code: '1', imports: [MORE] }, 'en', '1', []],
  [{ name: 'a', inLanguage: '"<code>"', notInEnglish: true }, 'en', undefined, []],
];

describe('an argument of a service', () => {
  for (const [argument, language, code, imports] of codes) {
    it(`${JSON.stringify(argument)} in ${language ?? 'no language'}: ${code ?? 'none'}`, () => {
      const expected = code === undefined ? [] : [{ name: 'a', code }];
      const asSetting = inLanguage(rowOf([argument]), language);
      assert.deepEqual([asSetting.settings, asSetting.imports], [expected, imports]);
      const asArgument = inLanguage(rowOf([], { args: [argument] }), language);
      assert.deepEqual([asArgument.args, asArgument.imports], [expected, imports]);
    });
  }

  it('that is an object has arguments of its own, in any language or only with one', () => {
    const inner: Argument = { name: 'a', inLanguage: '<language>' };
    const always: Argument = { name: 'o', className: 'O', args: [inner, { name: 'b', code: '2' }] };
    const sometimes: Argument = { name: 's', className: 'S', args: [inner], inLanguage: [MORE] };
    const row = rowOf([always, sometimes], { imports: [{ module: 'o', names: ['O'] }] });
    const [without, german] = [inLanguage(row, null), inLanguage(row, 'de')];
    assert.deepEqual(without.settings, [{ name: 'o', className: 'O', args: [{ name: 'b', code: '2' }] }]);
    assert.deepEqual(without.imports, row.imports);
    const a = { name: 'a', code: 'Language.DE_DE' };
    assert.deepEqual(german.settings, [
      { name: 'o', className: 'O', args: [a, { name: 'b', code: '2' }] },
      { name: 's', className: 'S', args: [a], inLanguage: [MORE] },
    ]);
    assert.deepEqual(german.imports, [...(row.imports ?? []), LANGUAGE, MORE, LANGUAGE]);
  });
});

describe('a model that is loaded ahead', () => {
  const settings: Argument[] = [
    { ...voice, required: false, inLanguages: { de: 'v' } },
    { name: 'speed', env: 'X_SPEED', required: false, description: 'Speed' },
    { name: 'a', inLanguage: '<language>', code: '1' },
  ];
  const row = rowOf(settings, { preload: 'X()' });

  it('is the usual one without a language, and in English', () =>
    assert.deepEqual([inLanguage(row, null).preload, inLanguage(row, 'en').preload], ['X()', 'X()']));

  it('is the one for the language', () =>
    assert.equal(inLanguage(row, 'de').preload, 'X(settings=X.Settings(voice="v", a=Language.DE_DE))'));

  it('is none if only the owner knows which', () =>
    assert.equal(
      'preload' in inLanguage(rowOf([{ ...voice, inLanguages: { de: 'v' } }], { preload: 'X()' }), 'fr'),
      false,
    ));
});

describe('the statement that constructs a service', () => {
  const key: Argument = { name: 'api_key', env: 'X_KEY', required: true, description: 'API key' };
  const args: Argument[] = [key, { name: 'n', env: 'N', required: true, convert: 'int', description: 'N' }];
  const optional: Argument[] = [
    { name: 'm', env: 'M', required: false, description: 'M' },
    { name: 'k', env: 'K', required: false, convert: 'int', description: 'K' },
  ];
  const render = (
    kind: 'llm' | 'tts' | 'realtime',
    row: ServiceRow,
    hasPhone = false,
    language: string | null = null,
  ) => renderService({ kind, row: inLanguage(row, language) }, hasPhone);

  it('reads the required variables, and those that may be missing', () =>
    assert.equal(
      render('tts', rowOf(optional, { args })),
      [
        'tts = X(',
        '        api_key=os.environ["X_KEY"],',
        '        n=int(os.environ["N"]),',
        '        settings=X.Settings(**optional_env(m="M"), **optional_env(int, k="K")),',
        '    )',
      ].join('\n'),
    ));

  it('takes the session, and its own rate if a phone is on the line', () => {
    const row = rowOf([], { session: 'aiohttp_session', onlyRate: 24_000 });
    assert.equal(render('tts', row), 'tts = X(aiohttp_session=session)');
    assert.equal(render('tts', row, true), 'tts = X(sample_rate=24_000, aiohttp_session=session)');
    assert.equal(render('llm', { ...row, ownInstruction: true }, true), 'llm = X(aiohttp_session=session)');
  });

  it('takes the instruction of a language model, unless that is among its arguments', () => {
    for (const kind of ['llm', 'realtime'] as const) {
      assert.equal(render(kind, rowOf([])), 'llm = X(settings=X.Settings(system_instruction=SYSTEM_INSTRUCTION))');
      assert.equal(render(kind, rowOf([], { ownInstruction: true })), 'llm = X()');
    }
  });
});
