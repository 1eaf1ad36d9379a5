import assert from 'node:assert/strict';
import type { RawConfig } from '../../src/config/options.ts';
import { LOCAL, PHONE, problemsOf, REALTIME, resolveFile, resolveFlags } from '../support/resolving.ts';

const WEB_ONLY = 'is for web bots only, and this is a telephony bot';
const NEEDS_CLIENT = '--client-server needs a client: add --client-framework component';
const SAY_TRANSPORT = '--transport is missing: say how people reach the bot, for example -t rtc_local';

const AVATAR = { ...LOCAL, video_service: 'tavus_video' };
const PSTN = { ...PHONE, transports: ['rtc_hosted_pstn'] };
const DIAL_IN = { ...PHONE, transports: ['rtc_hosted_pstn_dialin'] };
const FRAMEWORKS = 'component (React), vanilla (TypeScript), none';
const SERVERS = 'bundler (Vite), fullstack (Next.js)';
const TRANSPORTS =
  'rtc_hosted (Daily), rtc_local (SmallWebRTC), tel_a (Twilio), tel_b (Telnyx), tel_c (Plivo), tel_d (Exotel), ' +
  'rtc_hosted_pstn (Daily phone number), tel_a_rtc_sip (Twilio number with Daily SIP), ' +
  'rtc_hosted_pstn_dialin (Daily phone number), rtc_hosted_pstn_dialout (Daily phone number), ' +
  'tel_a_rtc_sip_dialin (Twilio number with Daily SIP), tel_a_rtc_sip_dialout (Twilio number with Daily SIP)';
const each = (flags: string, problem: string) => flags.split(' ').map(flag => `--${flag} ${problem}`);

/** Configurations, and each problem that they have. Of a value that is unknown, there is only one. */
const cases: [about: string, given: RawConfig, ...problems: string[]][] = [
  ['nothing', {}, SAY_TRANSPORT, '--mode is missing: choose cascade or realtime'],
  [
    'missing services of a cascade',
    { transports: ['rtc_local'], mode: 'cascade' },
    ...each('stt llm tts', 'is missing: mode cascade needs it'),
  ],
  ['no call mode', PSTN, '--daily-pstn-mode is missing: transport rtc_hosted_pstn needs it (dial-in or dial-out)'],
  [
    'realtime in a cascade',
    { ...LOCAL, realtime_service: 'openai_realtime' },
    "--realtime can't be used with mode cascade",
  ],
  ['services in realtime', { ...LOCAL, ...REALTIME }, ...each('stt llm tts', "can't be used with mode realtime")],
  [
    'an unknown client framework',
    { ...LOCAL, client_framework: 'raect', client_server: 'bundler' },
    `--client-framework can't be "raect". Did you mean component (React)? Allowed: ${FRAMEWORKS}`,
  ],
  [
    'an unknown client server',
    { ...LOCAL, client_framework: 'component', client_server: 'vit' },
    `--client-server can't be "vit". Did you mean bundler (Vite)? Allowed: ${SERVERS}`,
  ],
  [
    'an odd call mode',
    { ...PSTN, daily_pstn_mode: 'up' },
    `--daily-pstn-mode can't be "up". Allowed: dial-in, dial-out`,
  ],
  [
    'an unknown transport of a telephony bot',
    { ...PHONE, bot_type: 'telephony', transports: ['rtc_lokal'] },
    `--transport can't be "rtc_lokal". Did you mean rtc_local (SmallWebRTC)?`,
  ],
  [
    'an unknown transport of a call mode',
    { ...PHONE, transports: ['rtc_hosted_pstm'], daily_pstn_mode: 'dial-in' },
    `--transport can't be "rtc_hosted_pstm". Did you mean rtc_hosted_pstn (Daily phone number)?`,
  ],
  [
    'a transport that resembles no other',
    { ...LOCAL, transports: ['carrier_pigeon'] },
    `--transport can't be "carrier_pigeon". Allowed: ${TRANSPORTS}`,
  ],
  [
    'call modes without their transports',
    { ...PHONE, daily_pstn_mode: 'dial-in', twilio_daily_sip_mode: 'dial-out' },
    '--daily-pstn-mode needs transport rtc_hosted_pstn',
    '--twilio-daily-sip-mode needs transport tel_a_rtc_sip',
  ],
  [
    'a call mode that contradicts a directional id',
    { ...DIAL_IN, daily_pstn_mode: 'dial-out' },
    '--daily-pstn-mode is dial-out, which contradicts transport rtc_hosted_pstn_dialin',
  ],
  [
    'two call flows',
    { ...PHONE, transports: ['rtc_hosted_pstn_dialin', 'rtc_local', 'tel_a_rtc_sip_dialout'] },
    "--transport rtc_hosted_pstn_dialin and tel_a_rtc_sip_dialout can't share a bot: each starts it with a different kind of request. Create one bot for each",
  ],
  [
    'telephony transports on a web bot',
    { ...LOCAL, bot_type: 'web', transports: ['rtc_local', 'tel_a', 'tel_c'] },
    '--bot-type is web, which contradicts tel_a and tel_c (telephony)',
  ],
  [
    'an avatar on a telephony bot without a telephony transport',
    { ...AVATAR, bot_type: 'telephony' },
    '--transport needs a telephony transport, such as tel_a, because this is a telephony bot',
    `--video ${WEB_ONLY}`,
  ],
  [
    'video and a client on a telephony bot',
    { ...PHONE, video_input: true, video_output: true, client_framework: 'component', client_server: 'bundler' },
    ...each('client-framework client-server video-input video-output', WEB_ONLY),
  ],
  [
    'vanilla with fullstack',
    { ...LOCAL, client_framework: 'vanilla', client_server: 'fullstack' },
    '--client-server is fullstack, which needs client framework component; with vanilla, use bundler',
  ],
  ['a server without a framework', { ...LOCAL, client_server: 'bundler' }, NEEDS_CLIENT],
  ['a server for no client', { ...LOCAL, client_framework: 'none', client_server: 'fullstack' }, NEEDS_CLIENT],
  ['a hidden avatar', { ...AVATAR, video_output: false }, '--video-output is off, but the video avatar needs it'],
  [
    "video for a service that can't see images",
    { ...REALTIME, realtime_service: 'ultravox_realtime', video_input: true },
    "--video-input has no effect with ultravox_realtime, which can't see images. These can: azure_realtime, gemini_live_realtime, " +
      'gemini_vertex_live_realtime, openai_realtime',
  ],
  [
    'noise cancellation without the cloud',
    { ...LOCAL, enable_noisecancel: true, deploy_to_cloud: false },
    '--enable-noisecancel needs cloud deployment: remove --no-deploy-to-cloud',
  ],
];

describe('a configuration is refused for', () => {
  for (const [about, given, ...problems] of cases) {
    it(about, () => {
      const found = problemsOf(() => resolveFlags(given));
      assert.deepEqual(found, problems);
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
