import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { LOCAL, PHONE, problemsOf, REALTIME, resolveFile, resolveFlags } from '../support/resolving.ts';

const WEB_ONLY = 'is for web bots only, and this is a telephony bot';
const NEEDS_CLIENT = '--client-server needs a client: add --client-framework component';
const SAY_TRANSPORT = '--transport is missing: say how people reach the bot, for example -t rtc_local';

const cases: Record<string, [about: string, given: RawConfig, ...problems: string[]][]> = {
  'what is missing': [
    ['everything', {}, SAY_TRANSPORT, '--mode is missing: choose cascade or realtime'],
    [
      'the services of a cascade',
      { transports: ['rtc_local'], mode: 'cascade' },
      '--stt is missing: mode cascade needs it',
      '--llm is missing: mode cascade needs it',
      '--tts is missing: mode cascade needs it',
    ],
    [
      'the call modes of generic transports',
      { ...PHONE, transports: ['rtc_hosted_pstn'] },
      '--daily-pstn-mode is missing: transport rtc_hosted_pstn needs it (dial-in or dial-out)',
    ],
  ],
  "options that can't be used with a mode": [
    [
      'a realtime service in a cascade',
      { ...LOCAL, realtime_service: 'openai_realtime' },
      "--realtime can't be used with mode cascade",
    ],
    [
      'services of a cascade in realtime',
      { ...LOCAL, ...REALTIME },
      "--stt can't be used with mode realtime",
      "--llm can't be used with mode realtime",
      "--tts can't be used with mode realtime",
    ],
  ],
  'values that are unknown': [
    [
      'client framework, without a second problem for its server',
      { ...LOCAL, client_framework: 'raect', client_server: 'bundler' },
      `--client-framework can't be "raect". Did you mean component (React)? ` +
        'Allowed: component (React), vanilla (TypeScript), none',
    ],
    [
      'client server',
      { ...LOCAL, client_framework: 'component', client_server: 'vit' },
      `--client-server can't be "vit". Did you mean bundler (Vite)? Allowed: bundler (Vite), fullstack (Next.js)`,
    ],
    [
      'call mode',
      { ...PHONE, transports: ['rtc_hosted_pstn'], daily_pstn_mode: 'sideways' },
      `--daily-pstn-mode can't be "sideways". Allowed: dial-in, dial-out`,
    ],
    [
      'a transport of a telephony bot, without guessing which one was meant',
      { ...PHONE, bot_type: 'telephony', transports: ['rtc_lokal'] },
      `--transport can't be "rtc_lokal". Did you mean rtc_local (SmallWebRTC)?`,
    ],
    [
      'the transport of a call mode, without a second problem for the mode',
      { ...PHONE, transports: ['rtc_hosted_pstm'], daily_pstn_mode: 'dial-in' },
      `--transport can't be "rtc_hosted_pstm". Did you mean rtc_hosted_pstn (Daily phone number)?`,
    ],
    [
      'a transport that resembles no other',
      { ...LOCAL, transports: ['carrier_pigeon'] },
      `--transport can't be "carrier_pigeon". Allowed: rtc_hosted (Daily), rtc_local (SmallWebRTC), tel_a (Twilio), ` +
        'tel_b (Telnyx), tel_c (Plivo), tel_d (Exotel), rtc_hosted_pstn (Daily phone number), ' +
        'tel_a_rtc_sip (Twilio number with Daily SIP), rtc_hosted_pstn_dialin (Daily phone number), ' +
        'rtc_hosted_pstn_dialout (Daily phone number), tel_a_rtc_sip_dialin (Twilio number with Daily SIP), ' +
        'tel_a_rtc_sip_dialout (Twilio number with Daily SIP)',
    ],
  ],
  'call flows': [
    [
      'a call mode without its transport',
      { ...PHONE, daily_pstn_mode: 'dial-in', twilio_daily_sip_mode: 'dial-out' },
      '--daily-pstn-mode needs transport rtc_hosted_pstn',
      '--twilio-daily-sip-mode needs transport tel_a_rtc_sip',
    ],
    [
      'a call mode that contradicts a directional id',
      { ...PHONE, transports: ['rtc_hosted_pstn_dialin'], daily_pstn_mode: 'dial-out' },
      '--daily-pstn-mode is dial-out, which contradicts transport rtc_hosted_pstn_dialin',
    ],
    [
      'two flows',
      { ...PHONE, transports: ['rtc_hosted_pstn_dialin', 'rtc_local', 'tel_a_rtc_sip_dialout'] },
      "--transport rtc_hosted_pstn_dialin and tel_a_rtc_sip_dialout can't share a bot: each starts it with a different kind of request. Create one bot for each",
    ],
  ],
  'web and telephony': [
    [
      'a telephony transport on a web bot',
      { ...LOCAL, bot_type: 'web', transports: ['rtc_local', 'tel_a', 'tel_c'] },
      '--bot-type is web, which contradicts tel_a and tel_c (telephony)',
    ],
    [
      'an avatar on a telephony bot without a telephony transport',
      { ...LOCAL, bot_type: 'telephony', video_service: 'tavus_video' },
      '--transport needs a telephony transport, such as tel_a, because this is a telephony bot',
      `--video ${WEB_ONLY}`,
    ],
    [
      'video on a telephony bot',
      { ...PHONE, video_input: true, video_output: true },
      `--video-input ${WEB_ONLY}`,
      `--video-output ${WEB_ONLY}`,
    ],
    [
      'a client on a telephony bot',
      { ...PHONE, client_framework: 'component', client_server: 'bundler' },
      `--client-framework ${WEB_ONLY}`,
      `--client-server ${WEB_ONLY}`,
    ],
  ],
  'clients and features': [
    [
      'vanilla with fullstack',
      { ...LOCAL, client_framework: 'vanilla', client_server: 'fullstack' },
      '--client-server is fullstack, which needs client framework component; with vanilla, use bundler',
    ],
    ['a server without a framework', { ...LOCAL, client_server: 'bundler' }, NEEDS_CLIENT],
    ['a server for no client', { ...LOCAL, client_framework: 'none', client_server: 'fullstack' }, NEEDS_CLIENT],
    [
      'an avatar without video output',
      { ...LOCAL, video_service: 'tavus_video', video_output: false },
      '--video-output is off, but the video avatar needs it',
    ],
    [
      "video for a service that can't see images",
      { transports: ['rtc_local'], mode: 'realtime', realtime_service: 'ultravox_realtime', video_input: true },
      "--video-input has no effect with ultravox_realtime, which can't see images. These can: azure_realtime, gemini_live_realtime, " +
        'gemini_vertex_live_realtime, openai_realtime',
    ],
    [
      'noise cancellation without the cloud',
      { ...LOCAL, enable_noisecancel: true, deploy_to_cloud: false },
      '--enable-noisecancel needs cloud deployment: remove --no-deploy-to-cloud',
    ],
  ],
};

describe('a configuration is refused for', () => {
  for (const [theme, rows] of Object.entries(cases)) {
    describe(theme, () => {
      for (const [about, given, ...problems] of rows) {
        it(about, () => {
          // An option that is undefined was not typed.
          assert.deepEqual(
            problemsOf(() => resolveFlags(given)),
            problems,
          );
        });
      }
    });
  }

  it('many problems, of which it shows the first twenty', () => {
    const file = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`key ${at}`, 1]));
    const problems = problemsOf(() => resolveFlags(LOCAL, file));
    assert.deepEqual([problems.length, problems.at(-1)], [21, 'and 3 more']);
  });
});

const ALL_OPTIONS = 'All options: botcli init --help.';
const ALL_VALUES = 'All values: botcli init --list-options.';

const hints: [about: string, file: RawConfig & Record<string, unknown>, message: string, hint: string][] = [
  ['a missing option', { ...LOCAL, mode: null }, 'One problem', `${ALL_VALUES} ${ALL_OPTIONS}`],
  [
    'an unknown key among other problems',
    { ...LOCAL, mode: null, zzz: 1 },
    '2 problems',
    `All keys: botcli init quickstart --dry-run. ${ALL_VALUES} ${ALL_OPTIONS}`,
  ],
  ['a key that has a suggestion', { ...LOCAL, recordings: true }, 'One problem', `${ALL_VALUES} ${ALL_OPTIONS}`],
  ['a problem that names the list of values', { ...LOCAL, mode: 'x', stt_service: 'xyzzy' }, '2 problems', ALL_OPTIONS],
];

describe('the hint of a configuration with', () => {
  for (const [about, file, count, hint] of hints) {
    it(about, () =>
      assert.throws(() => resolveFile(file), {
        message: `${count} with this configuration; nothing was written:`,
        hint,
      }),
    );
  }
});
