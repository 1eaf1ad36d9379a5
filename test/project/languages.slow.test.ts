import assert from 'node:assert/strict';
import { format } from '@wasm-fmt/ruff_fmt';
import {
  findService,
  isEnglish,
  LANGUAGES,
  languageName,
  SERVICE_KINDS,
  services,
  speaks,
} from '../../src/catalog/index.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { textsOf } from '../../src/project/bot/sentences.ts';
import { CASCADE, generateProject, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

const SETTINGS = { indent_style: 'space', indent_width: 4, line_width: 100 } as const;

const generate = async (flags: RawConfig) => {
  const files = generateProject(resolveFlags(flags));
  return (path: string) => files[path] ?? '';
};

/** A bot's speech-to-text and text-to-speech, or its speech-to-speech service; and what its code says about the language. */
const bots: [language: string, services: string, ...code: string[]][] = [
  [
    'de',
    'deepgram_stt deepgram_tts',
    'language=Language.DE',
    'voice=os.getenv("DEEPGRAM_VOICE_ID") or "aura-2-aurelia-de"',
  ],
  ['de', 'assemblyai_stt cartesia_tts', 'language_codes=[Language.DE]', 'language=Language.DE'],
  ['de-AT', 'openai_stt elevenlabs_tts', 'language=Language.DE', '"Speak Austrian German."'],
  ['de', 'openai_stt openai_tts', 'language=Language.DE', 'instructions="Speak German."'],
  ['de', 'gladia_stt minimax_tts', 'LanguageConfig(languages=["de"])', 'language_to_minimax_language(Language.DE)'],
  ['ja', 'deepgram_flux_stt kokoro_tts', 'or "flux-general-multi"', 'language_hints=[Language.JA]', 'or "jf_alpha"'],
  ['ja', 'google_stt google_tts', 'languages=[Language.JA]', 'or "ja-JP-Chirp3-HD-Charon"', 'language=Language.JA'],
  ['ja', 'moonshine_stt azure_tts', 'language=Language.JA', 'or "ja-JP-NanamiNeural"'],
  ['pt-BR', 'whisper_stt aws_polly_tts', 'or "medium"', 'language=Language.PT,', 'language=Language.PT_BR'],
  ['pt-BR', 'aws_transcribe_stt azure_tts', 'language=Language.PT_BR', 'or "pt-BR-FranciscaNeural"'],
  ['pt-BR', 'soniox_stt rime_tts', 'language=Language.PT', 'voice=os.environ["RIME_VOICE_ID"]'],
  ['fil', 'fal_stt soniox_tts', 'language=Language.TL', '"Speak Filipino."'],
  ['pt', 'azure_voice_live_realtime', 'locale="pt-BR"', 'language="pt-BR"'],
  ['pt-BR', 'openai_realtime', 'transcription=InputAudioTranscription(language="pt")'],
  ['ja', 'gemini_live_realtime', 'language=Language.JA'],
  ['de', 'aws_nova_realtime', 'voice=os.getenv("AWS_VOICE_ID") or "lennart"'],
  ['de', 'xai_realtime', 'language_hint="de"'],
  ['de', 'ultravox_realtime', '"languageHint": "de"'],
  ['en', 'deepgram_flux_stt deepgram_tts', '# Default: model="flux-general-en"', '"Speak English."'],
];

describe('a bot that speaks a language', () => {
  for (const [language, ids, ...expected] of bots) {
    it(`${language}, with ${ids}`, async () => {
      const [first, tts_service] = ids.split(' ');
      const chosen = tts_service
        ? { ...CASCADE, stt_service: first, tts_service }
        : { ...REALTIME, realtime_service: first };
      const code = (await generate({ ...chosen, language }))('server/bot.py');
      for (const part of expected) assert(code.includes(part), `${part}\n${code}`);
      assert(code.includes(`"Speak ${languageName(language)}."`), code);
    });
  }

  it('is formatted Python with every service that knows another language than English', async () => {
    for (const kind of SERVICE_KINDS) {
      for (const { id, languages = ['de'] } of services[kind]) {
        const language = languages.find(code => !isEnglish(code) && LANGUAGES.includes(code) && speaks(LISTENER, code));
        if (!language) continue;
        const chosen =
          kind === 'realtime' ? { ...REALTIME, realtime_service: id } : { ...ANY, [`${kind}_service`]: id };
        const code = (await generate({ ...chosen, language }))('server/bot.py');
        assert.equal(format(code, 'bot.py', SETTINGS), code, id);
      }
    }
  });

  it('greets in every language, formatted as ruff does', () => {
    for (const language of LANGUAGES) {
      const { greeting } = textsOf(resolveFlags({ ...ANY_REALTIME, language }));
      assert(greeting.replaceAll(/\s*"\s+"/g, ' ').includes('in one sentence'), greeting);
      assert.equal(format(`${greeting}\n`, 'bot.py', SETTINGS), `${greeting}\n`);
      assert.match(languageName(language), /^[\p{L} ,()&’-]+$/u, 'it needs no escapes in Python');
    }
  });

  it('speaks it to callers when a service fails, or asks for a translation', async () => {
    const guardOf = async (language: string) =>
      (await generate({ ...CASCADE, transports: ['tel_a'], language }))('server/guard.py');
    assert.match(await guardOf('de'), /^WAIT = "Einen Moment, bitte\."$/m);
    assert.match(await guardOf('pt-BR'), /^WAIT = "Um momento, por favor\."$/m);
    const [stt, tts] = [findService('stt', 'openai_stt'), findService('tts', 'openai_tts')];
    for (const code of LANGUAGES.filter(one => speaks(stt, one) && speaks(tts, one))) {
      const guard = await guardOf(code);
      assert.equal(guard, format(guard, 'guard.py', SETTINGS), code);
    }
    assert.match(await guardOf('ta'), /^# Translate these sentences: the bot speaks Tamil\.\nWAIT = "One moment/m);
  });

  it('speaks it to callers who wait for the bot, if Twilio can', async () => {
    const serverOf = async (language: string) =>
      (await generate({ ...CASCADE, transports: ['tel_a_rtc_sip_dialin'], language }))('server/server.py');
    assert.match(await serverOf('pt-BR'), /answer\.say\(WAIT, language="pt-BR"\)/);
    assert.match(
      await serverOf('de'),
      /^WAIT = "Einen Moment, bitte\."$[\s\S]*answer\.say\(GOODBYE, language="de-DE"\)/m,
    );
    assert.match(await serverOf('hi'), /^WAIT = "One moment, please\."$[\s\S]*answer\.say\(WAIT\)/m);
  });

  it('says which voice it needs if nobody else can know', async () => {
    const cartesia = await generate({ ...CASCADE, tts_service: 'cartesia_tts', language: 'de' });
    assert.match(
      cartesia('server/.env.example'),
      /play\.cartesia\.ai\/voices \(must support German\)\nCARTESIA_VOICE_ID=\n/,
    );
    const hume = await generate({ ...CASCADE, tts_service: 'hume_tts', language: 'de' });
    assert.match(hume('server/.env.example'), /\n# Voice ID, from \S+ \(must support German\)\nHUME_VOICE_ID=\n/);
    const kokoro = await generate({ ...CASCADE, tts_service: 'kokoro_tts', language: 'fr' });
    assert.match(kokoro('server/.env.example'), /\(default: ff_siwis\)\n# KOKORO_VOICE_ID=\n/);
  });

  it('downloads the model for its language ahead', async () => {
    const models = async (flags: RawConfig) => (await generate({ ...CASCADE, ...flags }))('server/download_models.py');
    const whisper = await models({ stt_service: 'whisper_stt', language: 'ja' });
    assert.match(
      whisper,
      /\nWhisperSTTService\(settings=WhisperSTTService\.Settings\(model="medium", language=Language\.JA\)\)\n/,
    );
    assert.match(whisper, /from pipecat\.transcriptions\.language import Language\n/);
    assert.match(await models({ stt_service: 'whisper_stt', language: 'en' }), /\nWhisperSTTService\(\)\n/);
    assert.match(await models({ tts_service: 'piper_tts', language: 'fr' }), /voice="fr_FR-siwis-medium"/);
    const finnish = await generate({ ...CASCADE, tts_service: 'piper_tts', language: 'fi' });
    assert.doesNotMatch(finnish('server/container-file'), /download_models/, 'its owner names the voice');
  });

  it('has evals that hear it', async () => {
    const evals = async (language: string) =>
      (await generate({ ...CASCADE, language, enable_eval: true }))('server/evals/starter_audio.yaml');
    assert.match(await evals('de'), /service: moonshine\n {4}language: de\n/);
    assert.match(await evals('sv'), /service: whisper\n {4}language: sv\n/);
    assert.doesNotMatch(await evals('de'), /- user: What/, 'nobody asks a German bot in English');
    assert.match(await evals('en-GB'), /model: small-streaming\n[\s\S]*- user: What can you help me with\?/);
  });
});

const LISTENER = findService('stt', 'elevenlabs_stt');

/** Services that know every language, or most of them. */
const ANY: RawConfig = { ...CASCADE, stt_service: 'elevenlabs_stt', tts_service: 'fish_tts' };
const ANY_REALTIME: RawConfig = { ...REALTIME, realtime_service: 'openai_live_realtime' };
