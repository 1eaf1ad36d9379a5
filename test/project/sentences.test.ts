import assert from 'node:assert/strict';
import { quickstart } from '../../src/config/quickstart.ts';
import { sentencesOf } from '../../src/project/bot/sentences.ts';
import { PHONE, resolveFlags } from '../support/resolving.ts';

const voices: [language: string | undefined, voice: string, wait: string][] = [
  [undefined, '', 'WAIT = "One moment, please."'],
  ['de', 'de-DE', 'WAIT = "Einen Moment, bitte."'],
  ['es', 'es-ES', 'WAIT = "Un momento, por favor."'],
  ['es-MX', 'es-MX', 'WAIT = "Un momento, por favor."'],
  ['es-AR', 'es-ES', 'WAIT = "Un momento, por favor."'],
  ['tr', '', 'WAIT = "One moment, please."'],
];

describe("what Twilio's voice says", () => {
  for (const [language, voice, wait] of voices) {
    it(`in ${language ?? 'the default language'}`, () => {
      const services = { stt_service: 'deepgram_stt', llm_service: 'openai_llm', tts_service: 'cartesia_tts' };
      const { twilioLanguage, twilioSentences } = sentencesOf(resolveFlags({ ...PHONE, ...services, language }));
      assert.deepEqual([twilioLanguage, twilioSentences[0]], [voice && `, language="${voice}"`, wait]);
    });
  }
});

const LANGUAGES =
  'ar cs da de el en es fi fr he hi hu id it ja ko nb nl pl pt ro ru sv th tr uk vi zh pt-BR zh-TW en-GB';

describe('what a bot says when its language model fails', () => {
  const english = sentencesOf(quickstart).sentences;

  for (const language of LANGUAGES.split(' ')) {
    it(`exists in ${language}`, () => {
      const { hasSentences, sentences } = sentencesOf({ ...quickstart, language });
      assert(hasSentences);
      assert.deepEqual(
        sentences.map(one => /^(\w+) = [("\s]+\p{L}/u.exec(one)?.[1]),
        ['WAIT', 'REPEAT', 'GOODBYE'],
      );
      assert.equal(english.filter(one => sentences.includes(one)).length, language.startsWith('en') ? 3 : 0);
    });
  }

  it('is English in other languages, and by default', () => {
    assert.deepEqual(english, [
      'WAIT = "One moment, please."',
      `REPEAT = "Sorry, I didn't catch that. Could you say it again?"`,
      `GOODBYE = "Sorry, something isn't working on our side. Please call again later. Goodbye."`,
    ]);
    const { hasSentences, sentences } = sentencesOf({ ...quickstart, language: 'eo' });
    assert.deepEqual([hasSentences, sentences], [false, english]);
  });
});
