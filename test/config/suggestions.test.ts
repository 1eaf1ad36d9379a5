import assert from 'node:assert/strict';
import { LOCAL, problemsOf, REALTIME, resolveFile, resolveFlags } from './resolving.ts';

const typed: [key: string, word: string, told: string][] = [
  ['transports', 'twilio', 'tel_a (Twilio)'],
  ['transports', 'Telnyx', 'tel_b (Telnyx)'],
  ['transports', 'daily', 'rtc_hosted (Daily)'],
  ['transports', 'webrtc', 'rtc_hosted (Daily) or rtc_local (SmallWebRTC)'],
  ['transports', 'small-webrtc', 'rtc_local (SmallWebRTC)'],
  ['stt_service', 'realtime', 'elevenlabs_realtime_stt, openai_realtime_stt or sarvam_realtime_stt'],
  ['tts_service', 'sagemaker', ''],
  ['transports', 'sip', 'tel_a_rtc_sip (Twilio number with Daily SIP)'],
  ['llm_service', 'claude', 'anthropic_llm (Anthropic Claude)'],
  ['llm_service', 'gemini', 'google_gemini_llm'],
  ['llm_service', 'openai', 'openai_llm'],
  ['tts_service', 'polly', 'aws_polly_tts'],
  ['stt_service', 'nova-2', ''],
  ['llm_service', 'deepseek_lm', 'deepseek_llm'],
  ['client_framework', 'react', 'component (React)'],
  ['client_framework', 'typescript', 'vanilla (TypeScript)'],
  ['client_framework', 'nextjs', '--client-server fullstack (Next.js)'],
  ['client_framework', 'next.js', '--client-server fullstack (Next.js)'],
  ['client_server', 'next', 'fullstack (Next.js)'],
  ['bot_type', 'twilio', '--transport tel_a (Twilio)'],
  ['mode', 'openai', ''],
  ['mode', '', ''],
];

describe('a word that is no id, but what people call it:', () => {
  for (const [key, word, told] of typed) {
    it(`${key} ${word || 'empty'}: ${told || 'nothing'}`, () => {
      const value = key === 'transports' ? [word] : word;
      const [problem = ''] = problemsOf(() => resolveFlags({ ...LOCAL, [key]: value }));
      const [, meant = ''] = /\. Did you mean (.*?)\?/.exec(problem) ?? [];
      assert.equal(meant, told, problem);
    });
  }
});

describe('several transports in one word', () => {
  it('typed, are each its own', () =>
    assert.deepEqual(
      problemsOf(() => resolveFlags({ ...LOCAL, transports: ['rtc_local, twilio'] })),
      ['--transport can\'t be "rtc_local, twilio". Pass each id separately: -t rtc_local -t tel_a'],
    ));

  it('are no several when one is empty', () =>
    assert.deepEqual(
      problemsOf(() => resolveFlags({ ...LOCAL, transports: ['twilio,'] })),
      ['--transport can\'t be "twilio,". Did you mean tel_a (Twilio)?'],
    ));

  it('of a file, are a list', () =>
    assert.deepEqual(
      problemsOf(() => resolveFile({ ...REALTIME, transports: ['rtc_local,rtc_hosted,'] })),
      [
        '"transports" in bot.json can\'t be "rtc_local,rtc_hosted,". List each id separately: ["rtc_local","rtc_hosted"]',
      ],
    ));
});

describe('the values that there are', () => {
  it('are shown as they are where they hold the name', () =>
    assert.deepEqual(
      problemsOf(() => resolveFlags({ ...LOCAL, video_service: 'hologram' })),
      ['--video can\'t be "hologram". Allowed: heygen_video, simli_video, tavus_video'],
    ));
});
