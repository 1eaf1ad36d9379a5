import assert from 'node:assert/strict';
import { type ConfigKey, inIds, type ScaffoldOption, scaffoldOptions, valueNamed } from '../../src/config/options.ts';
import { problemsOf, resolveFlags } from '../support/resolving.ts';
import { itIn } from '../support/session.ts';

/** What people write, and the id that it means. */
const taken: [key: ConfigKey, word: string, id: string][] = [
  ['transports', 'twilio', 'tel_a'],
  ['transports', 'Twilio', 'tel_a'],
  ['transports', 'daily', 'rtc_hosted'],
  ['transports', 'smallwebrtc', 'rtc_local'],
  ['transports', 'webrtc', 'rtc_local'],
  ['transports', 'daily_pstn', 'rtc_hosted_pstn'],
  ['transports', 'daily-pstn-dialin', 'rtc_hosted_pstn_dialin'],
  ['transports', 'twilio_daily_sip_dialout', 'tel_a_rtc_sip_dialout'],
  ['client_framework', 'react', 'component'],
  ['client_framework', 'ts', 'vanilla'],
  ['client_framework', 'VanillaJS', 'vanilla'],
  ['client_framework', 'None', 'none'],
  ['ci', 'NONE', 'none'],
  ['client_server', 'vite', 'bundler'],
  ['client_server', 'nextjs', 'fullstack'],
  ['client_server', 'Next.js', 'fullstack'],
  ['bot_type', 'browser', 'web'],
  ['bot_type', 'phone', 'telephony'],
  ['mode', 's2s', 'realtime'],
  ['mode', 'speech to speech', 'realtime'],
  ['stt_service', 'deepgram', 'deepgram_stt'],
  ['tts_service', 'ElevenLabs', 'elevenlabs_tts'],
  ['llm_service', 'openai', 'openai_llm'],
  ['llm_service', 'claude', 'anthropic_llm'],
  ['llm_service', 'gemini', 'google_gemini_llm'],
  ['realtime_service', 'gemini', 'gemini_live_realtime'],
  ['video_service', 'HeyGen', 'heygen_video'],
  ['daily_pstn_mode', 'dialin', 'dial-in'],
];

describe('names that people know', () => {
  for (const [key, word, id] of taken) {
    it(`${key} ${word} is ${id}`, () => assert.equal(inIds(key, word), id));
  }

  it('are no ids when they mean several values, or none', () => {
    const words = [
      'llm_service google',
      'transports sip',
      'transports phone',
      'stt_service twilio',
      'stt_service None',
    ];
    for (const [key, word] of [...words.map(row => row.split(' ')), ['stt_service', '']] as [ConfigKey, string][])
      assert.equal(inIds(key, word), word);
  });

  it('name one value each, and every id names itself', () => {
    for (const option of scaffoldOptions as readonly ScaffoldOption[]) {
      const { key, choices = [], canonical } = option;
      if (canonical) continue;
      for (const { value: id, names = [] } of choices)
        for (const name of [id.toUpperCase(), ...names]) assert.equal(valueNamed(name, choices), id, `${key} ${name}`);
    }
  });

  const NAMES = { transports: ['SmallWebRTC', 'daily', 'rtc_local'], mode: 'Cascade', client_framework: 'react' };
  const SERVICES = { stt_service: 'Deepgram', llm_service: 'OPENAI', tts_service: 'cartesia' };

  it('of a server name the framework, too, unless another server is given', () => {
    for (const client_framework of ['nextjs', 'Next.js', 'next']) {
      for (const more of [{}, { client_server: 'fullstack' }, { client_server: 'Next' }]) {
        const given = { ...NAMES, ...SERVICES, client_framework, ...more };
        for (const config of [resolveFlags(given), resolveFlags({}, given)])
          assert.deepEqual([config.client_framework, config.client_server], ['component', 'fullstack']);
      }
    }
    const other = { ...NAMES, ...SERVICES, client_framework: 'nextjs', client_server: 'bundler' };
    assert.match(problemsOf(() => resolveFlags(other))[0] ?? '', /^--client-framework can't be "nextjs"/);
  });

  itIn('are taken in flags, in config files, and by update', {}, async ({ succeed, read, write, fail }) => {
    write('bot.json', JSON.stringify({ ...NAMES, ...SERVICES, client_server: 'Vite' }));
    await succeed('init one --config bot.json --tts ElevenLabs');
    await succeed('update one --client-framework Next.js');
    assert.equal(JSON.parse(read('one/.botcli.json')).client_server, 'fullstack');
    await succeed('update one -t Twilio -t webrtc --client-framework none --tts openai');
    const config = JSON.parse(read('one/.botcli.json'));
    assert.deepEqual(config.transports, ['tel_a', 'rtc_local']);
    assert.equal(config.tts_service, 'openai_tts');
    const line = 'init two -t webrtc -m cascade --stt deepgram --llm google --tts openai';
    assert.match(await fail(2, line), /Did you mean/);
  });
});
