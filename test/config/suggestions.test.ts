import assert from 'node:assert/strict';
import { LOCAL, problemsOf, REALTIME, resolveFile, resolveFlags } from '../support/resolving.ts';

const typed: [key: string, word: string, reported: string][] = [
  ['stt_service', 'realtime', 'elevenlabs_realtime_stt, openai_realtime_stt or sarvam_realtime_stt'],
  ['transports', 'telnix', 'tel_b (Telnyx)'],
  ['llm_service', 'google', 'google_gemini_llm or google_vertex_llm (Google Vertex AI)'],
  ['transports', 'sip', 'tel_a_rtc_sip (Twilio number with Daily SIP)'],
  ['tts_service', 'polly', 'aws_polly_tts'],
  ['stt_service', 'nova-2', 'deepgram_stt'],
  ['stt_service', 'xyzzy', ''],
  ['llm_service', 'gpt4', 'openai_llm'],
  ['llm_service', 'claude-sonnet-4-5', 'anthropic_llm (Anthropic Claude)'],
  ['tts_service', 'eleven_turbo_v2', 'elevenlabs_tts'],
  ['realtime_service', 'gpt-realtime', 'openai_realtime'],
  ['transports', 'browser', 'rtc_local (SmallWebRTC)'],
  ['mode', 'speech', 'realtime'],
  ['mode', 'speech-to-text', 'cascade'],
  ['bot_type', 'app', 'web'],
  ['client_framework', 'javascript', 'vanilla (TypeScript)'],
  ['llm_service', 'deepseek_lm', 'deepseek_llm'],
  ['client_framework', 'vite', '--client-server bundler (Vite)'],
  ['bot_type', 'twilio', '--transport tel_a (Twilio)'],
  ['mode', 'Sts-2', 'realtime'],
  ['mode', 'textual', ''],
  ['llm_service', 'Claud', 'anthropic_llm (Anthropic Claude)'],
  ['llm_service', 'GEMINI-2.5-pro', 'google_gemini_llm'],
  ['mode', '', ''],
];

describe('a display name instead of an id:', () => {
  for (const [key, word, reported] of typed) {
    it(`${key} ${word || 'empty'}: ${reported || 'nothing'}`, () => {
      const value = key === 'transports' ? [word] : word;
      const [problem = ''] = problemsOf(() => resolveFlags({ ...LOCAL, [key]: value }));
      const [, meant = ''] = /\. Did you mean (.*?)\?/.exec(problem) ?? [];
      assert.equal(meant, reported, problem);
    });
  }
});

describe('several transports in one word', () => {
  const problemOf = (...transports: string[]) => problemsOf(() => resolveFlags({ ...LOCAL, transports }))[0] ?? '';

  it('on the command line, are suggested as separate flags, up to twelve', () => {
    const advice = 'Pass each id separately: -t rtc_local -t tel_a';
    assert.equal(problemOf('rtc_local, twilio'), `--transport can't be "rtc_local, twilio". ${advice}`);
    assert.match(problemOf(Array(12).fill('sip').join()), /Pass each/);
    assert.match(problemOf(Array(13).fill('sip').join()), /Allowed/);
  });

  it("don't count as several if one is empty", () =>
    assert.deepEqual(resolveFlags({ ...LOCAL, transports: ['twilio,'] }).transports, ['tel_a']));

  it('in a file, are suggested as a list', () => {
    const [problem] = problemsOf(() => resolveFile({ ...REALTIME, transports: ['rtc_local,rtc_hosted,'] }));
    const advice = 'List each id separately: ["rtc_local","rtc_hosted"]';
    assert.equal(problem, `"transports" in bot.json can't be "rtc_local,rtc_hosted,". ${advice}`);
  });
});

it('the allowed values are shown without a name if they contain it', () => {
  const [problem] = problemsOf(() => resolveFlags({ ...LOCAL, video_service: 'hologram' }));
  assert.equal(problem, '--video can\'t be "hologram". Allowed: heygen_video, simli_video, tavus_video');
});
