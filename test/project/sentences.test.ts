import assert from 'node:assert/strict';
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
