import assert from 'node:assert/strict';
import { valueNamed } from '../../src/config/names.ts';
import { type ConfigKey, findOption, inIds, type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { problemsOf, resolveFlags } from '../support/resolving.ts';
import { session } from '../support/session.ts';

/** What people write, and the id that it means. */
const taken: [key: ConfigKey, word: string, id: string][] = [
  ['transports', 'twilio', 'tel_a'],
  ['transports', 'Twilio', 'tel_a'],
  ['transports', 'TEL_A', 'tel_a'],
  ['transports', 'telnyx', 'tel_b'],
  ['transports', 'plivo', 'tel_c'],
  ['transports', 'exotel', 'tel_d'],
  ['transports', 'daily', 'rtc_hosted'],
  ['transports', 'smallwebrtc', 'rtc_local'],
  ['transports', 'webrtc', 'rtc_local'],
  ['transports', 'SmallWebRTC', 'rtc_local'],
  ['transports', 'daily_pstn', 'rtc_hosted_pstn'],
  ['transports', 'daily-pstn-dialin', 'rtc_hosted_pstn_dialin'],
  ['transports', 'twilio_daily_sip_dialout', 'tel_a_rtc_sip_dialout'],
  ['client_framework', 'react', 'component'],
  ['client_framework', 'React', 'component'],
  ['client_framework', 'ts', 'vanilla'],
  ['client_framework', 'vanilla-ts', 'vanilla'],
  ['client_framework', 'VanillaJS', 'vanilla'],
  ['client_framework', 'None', 'none'],
  ['client_server', 'NONE', 'none'],
  ['video_service', 'None', 'none'],
  ['language', 'None', 'none'],
  ['ci', 'NONE', 'none'],
  ['client_server', 'vite', 'bundler'],
  ['client_server', 'nextjs', 'fullstack'],
  ['client_server', 'Next.js', 'fullstack'],
  ['client_server', 'next', 'fullstack'],
  ['bot_type', 'browser', 'web'],
  ['bot_type', 'phone', 'telephony'],
  ['mode', 's2s', 'realtime'],
  ['mode', 'speech to speech', 'realtime'],
  ['mode', 'Cascade', 'cascade'],
  ['stt_service', 'deepgram', 'deepgram_stt'],
  ['stt_service', 'Deepgram_STT', 'deepgram_stt'],
  ['tts_service', 'deepgram', 'deepgram_tts'],
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
    for (const [key, word] of [
      ['llm_service', 'google'],
      ['transports', 'sip'],
      ['transports', 'phone'],
      ['stt_service', 'twilio'],
      ['stt_service', ''],
      ['stt_service', 'None'],
    ] as const) {
      assert.equal(inIds(key, word), word);
    }
  });

  it('name one value each, and every id names itself', () => {
    for (const option of scaffoldOptions as readonly ScaffoldOption[]) {
      const { key, values = [], otherNames = {}, canonical } = option;
      if (canonical) continue;
      for (const id of values) {
        assert.equal(valueNamed(id.toUpperCase(), option), id, `${key} ${id}`);
        for (const name of otherNames[id] ?? []) assert.equal(valueNamed(name, option), id, `${key} ${name}`);
      }
    }
    assert.equal(findOption('transports').values?.length, 12);
  });

  const few = { values: ['a_stt', 'a_tts', 'b_llm', 'c_stt_d', 'e'], names: { b_llm: 'E', c_stt_d: 'Dora, hosted' } };
  const others = { ...few, otherNames: { a_tts: ['Abc'], e: ['b'], b_llm: ['f', 'g'], c_stt_d: ['f', 'stt'] } };
  const named: [word: string, id: string | undefined][] = [
    ['A-STT', 'a_stt'],
    ['b', 'b_llm'],
    ['a', undefined],
    ['c d', undefined],
    ['e', 'e'],
    ['dora', 'c_stt_d'],
    ['Dora (hosted)', 'c_stt_d'],
    ['ABC', 'a_tts'],
    ['f', undefined],
    ['G!', 'b_llm'],
    ['-', undefined],
    ['x', undefined],
  ];
  for (const [word, id] of named) {
    it(`${word} is ${id ?? 'no id'} among a few values`, () => assert.equal(valueNamed(word, others), id));
  }

  it('may be missing', () => {
    assert.deepEqual(
      [valueNamed('abc', few), valueNamed('dora', few), valueNamed('x', {})],
      [undefined, 'c_stt_d', undefined],
    );
    assert.deepEqual([valueNamed('-', { values: ['a'] }), valueNamed('A', { values: ['a'] })], [undefined, 'a']);
  });

  const NAMES = { transports: ['SmallWebRTC', 'daily', 'rtc_local'], mode: 'Cascade', client_framework: 'react' };
  const SERVICES = { stt_service: 'Deepgram', llm_service: 'OPENAI', tts_service: 'cartesia' };

  it('are recorded as ids', () => {
    const config = resolveFlags({ ...NAMES, ...SERVICES, client_server: 'next' });
    assert.deepEqual(config.transports, ['rtc_local', 'rtc_hosted']);
    assert.deepEqual([config.client_framework, config.client_server], ['component', 'fullstack']);
    assert.deepEqual(
      [config.stt_service, config.llm_service, config.tts_service],
      ['deepgram_stt', 'openai_llm', 'cartesia_tts'],
    );
  });

  it('of a server name the framework, too, unless another server is given', () => {
    for (const name of ['nextjs', 'Next.js', 'next']) {
      for (const more of [{}, { client_server: 'fullstack' }, { client_server: 'Next' }]) {
        for (const config of [
          resolveFlags({ ...NAMES, ...SERVICES, client_framework: name, ...more }),
          resolveFlags({}, { ...NAMES, ...SERVICES, client_framework: name, ...more }),
        ]) {
          assert.deepEqual([config.client_framework, config.client_server], ['component', 'fullstack']);
        }
      }
    }
    const other = { ...NAMES, ...SERVICES, client_framework: 'nextjs', client_server: 'bundler' };
    assert.match(problemsOf(() => resolveFlags(other))[0] ?? '', /^--client-framework can't be "nextjs"/);
  });

  it(
    'are taken in flags, in config files, and by update',
    session({}, async ({ succeed, read, write, fail }) => {
      write('bot.json', JSON.stringify({ ...NAMES, ...SERVICES, client_server: 'Vite' }));
      await succeed('init one --config bot.json --tts ElevenLabs');
      await succeed('update one --client-framework Next.js');
      assert.equal(JSON.parse(read('one/.botcli.json')).client_server, 'fullstack');
      await succeed('update one -t Twilio -t webrtc --client-framework none --tts openai');
      const config = JSON.parse(read('one/.botcli.json'));
      assert.deepEqual(config.transports, ['tel_a', 'rtc_local']);
      assert.equal(config.tts_service, 'openai_tts');
      assert.match(
        await fail(2, 'init two -t webrtc -m cascade --stt deepgram --llm google --tts openai'),
        /Did you mean/,
      );
    }),
  );
});
