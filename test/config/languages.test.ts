import assert from 'node:assert/strict';
import { services, speaks } from '../../src/catalog/index.ts';
import { knownAs } from '../../src/catalog/languages.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { LOCAL, problemsOf, REALTIME, resolveFlags } from '../support/resolving.ts';

/** A bot that may speak every language. */
const ANY = { ...REALTIME, realtime_service: 'openai_live_realtime' };

const SWEDISH = { stt_service: 'deepgram_flux_stt', tts_service: 'groq_tts' };

const spellings: [typed: string, language: string][] = [
  ['de', 'de'],
  ['pt-br', 'pt-BR'],
  ['es-419', 'es-419'],
  ['deu', 'de'],
  ['tl', 'fil'],
  ['cmn', 'zh'],
  ['xh', 'xh-ZA'],
  // How people write doesn't matter to speech.
  ['zh-Hans', 'zh-CN'],
  ['zh-Hant-HK', 'zh-HK'],
  ['pt-Latn-BR', 'pt-BR'],
];

const slips: [typed: string, advice: string][] = [
  ['german', 'Did you mean de (German)?'],
  ['日本語', 'Did you mean ja (Japanese)?'],
  ['Brazilian Portuguese', 'Did you mean pt-BR (Brazilian Portuguese)?'],
  ['portugese', 'Did you mean pt (Portuguese)?'],
  ['de-LU', 'Did you mean de (German)?'],
  ['xx', 'Use a BCP 47 code, such as de or pt-BR'],
  ['de_DE.UTF-8', 'Use a BCP 47 code, such as de or pt-BR'],
];

describe('--language', () => {
  for (const [typed, language] of spellings) {
    it(`${typed} is ${language}`, () => assert.equal(resolveFlags({ ...ANY, language: typed }).language, language));
  }

  const refusals = (more: RawConfig) => problemsOf(() => resolveFlags({ ...LOCAL, ...more }));

  for (const [typed, advice] of slips) {
    it(`can't be ${typed}`, () =>
      assert.deepEqual(refusals({ language: typed }), [`--language can't be "${typed}". ${advice}`]));
  }

  it('is null by default, and last', () =>
    assert.deepEqual(Object.entries(resolveFlags(LOCAL)).at(-1), ['language', null]));

  it('is refused with a service that does not know it, which names those that do', () => {
    const [stt = '', tts = '', ...more] = refusals({ ...SWEDISH, language: 'sv' });
    assert.deepEqual(more, []);
    const some = 'openai_stt, deepgram_stt, assemblyai_stt(?:, \\w+){5} and \\d+ more$';
    assert.match(
      stt,
      new RegExp(`^--stt can't be deepgram_flux_stt: it doesn't know Swedish \\(sv\\)\\. These do: ${some}`),
    );
    assert.match(
      tts,
      /^--tts can't be groq_tts: it doesn't know Swedish \(sv\)\. These do: openai_tts, cartesia_tts, /,
    );
  });

  it('is refused if no service of that kind knows it', () =>
    assert.deepEqual(refusals({ tts_service: 'fish_tts', language: 'gd' }), [
      "--stt can't be openai_stt: it doesn't know Scottish Gaelic (gd). No service of this kind does",
    ]));

  it('of another region is refused, if a service knows only one', () => {
    const live = { ...REALTIME, realtime_service: 'gemini_live_realtime', language: 'pt-PT' };
    const why = "--realtime can't be gemini_live_realtime: it doesn't know European Portuguese (pt-PT). These do: ";
    assert(problemsOf(() => resolveFlags(live))[0]?.startsWith(why));
  });
});

describe('the code by which a service knows a language', () => {
  const known: [languages: string, language: string, code: string | undefined][] = [
    ['de en', 'de', 'de'],
    ['de en', 'de-AT', 'de'],
    ['de-AT de-DE', 'de', 'de-DE'],
    ['pt-PT pt-BR', 'pt', 'pt-BR'],
    ['bn-IN', 'bn', 'bn-IN'],
    ['pt-BR', 'pt-PT', undefined],
    ['tl', 'fil-PH', 'tl'],
    ['no', 'nb-NO', 'no'],
    ['en', 'de', undefined],
  ];
  for (const [languages, language, code] of known) {
    it(`${language} of ${languages}: ${code ?? 'none'}`, () =>
      assert.equal(knownAs(languages.split(' '), language), code));
  }

  it('exists for English in every service', () => {
    for (const row of Object.values(services).flat()) assert(speaks(row, 'en'), row.id);
  });
});
