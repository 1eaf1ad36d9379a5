import assert from 'node:assert/strict';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { quickstart } from '../../src/config/quickstart.ts';
import { manyConfigs } from '../support/many-configs.ts';
import { PRESET } from '../support/preset.ts';
import { LOCAL, PHONE, resolveFile, resolveFlags } from '../support/resolving.ts';

/** The values of these keys in the resolved configuration. */
const pick = (config: ScaffoldConfig, expected: Partial<ScaffoldConfig>) =>
  Object.fromEntries(Object.keys(expected).map(key => [key, config[key as keyof ScaffoldConfig]]));

describe('a resolved configuration', () => {
  it('has every key in the documented order, with its default, or null if unset', () => {
    const expected = {
      ...PRESET,
      project_name: 'my-bot',
      transports: ['rtc_local'],
      enable_eval: false,
      journal: false,
    };
    assert.equal(JSON.stringify(resolveFlags(LOCAL), null, 2), JSON.stringify(expected, null, 2));
  });

  it('matches the quickstart, which is written in resolved form', () => {
    assert.equal(JSON.stringify(quickstart), JSON.stringify(PRESET));
    assert.deepEqual(resolveFile(quickstart), quickstart);
  });

  it('gives the same configuration when read back as a file', () => {
    const configs = manyConfigs(500);
    for (const config of configs) {
      const printed = JSON.parse(JSON.stringify(config));
      assert.deepEqual(JSON.stringify(resolveFile(printed)), JSON.stringify(config));
    }
    // The loop covers everything that a configuration can contain.
    const reached = new Set(configs.flatMap(config => Object.entries(config).map(([key, value]) => `${key} ${value}`)));
    for (const one of ['client_server fullstack', 'daily_pstn_mode dial-in', 'video_output true', 'mode realtime']) {
      assert(reached.has(one), one);
    }
  });
});

const cases: [about: string, given: RawConfig, resolved: Partial<ScaffoldConfig>][] = [
  ['web transports make a web bot', LOCAL, { bot_type: 'web' }],
  ['a telephony transport makes a telephony bot', PHONE, { bot_type: 'telephony' }],
  [
    'a telephony bot may have web transports for testing',
    { ...PHONE, transports: ['rtc_local', 'tel_a', 'rtc_hosted'] },
    { bot_type: 'telephony', transports: ['rtc_local', 'tel_a', 'rtc_hosted'] },
  ],
  [
    'duplicates collapse, in the order of the first',
    { ...LOCAL, transports: ['rtc_hosted', 'rtc_local', 'rtc_hosted'] },
    { transports: ['rtc_hosted', 'rtc_local'] },
  ],
  [
    'a phone bot may say that it has no client',
    { ...PHONE, client_framework: 'none' },
    { bot_type: 'telephony', generate_client: false, client_framework: null, client_server: null },
  ],
  [
    'a generic id takes the direction of its mode',
    { ...PHONE, transports: ['rtc_hosted_pstn'], daily_pstn_mode: 'dial-out' },
    { transports: ['rtc_hosted_pstn_dialout'], daily_pstn_mode: 'dial-out', twilio_daily_sip_mode: null },
  ],
  [
    'a directional id implies its mode',
    { ...PHONE, transports: ['rtc_hosted_pstn_dialin'] },
    { transports: ['rtc_hosted_pstn_dialin'], daily_pstn_mode: 'dial-in' },
  ],
  [
    'a generic id and its directional one are one transport',
    { ...PHONE, transports: ['rtc_hosted_pstn', 'rtc_hosted_pstn_dialin'], daily_pstn_mode: 'dial-in' },
    { transports: ['rtc_hosted_pstn_dialin'] },
  ],
  [
    'component alone is served by the bundler',
    { ...LOCAL, client_framework: 'component' },
    { generate_client: true, client_framework: 'component', client_server: 'bundler' },
  ],
  [
    'vanilla is always served by the bundler',
    { ...LOCAL, client_framework: 'vanilla' },
    { generate_client: true, client_framework: 'vanilla', client_server: 'bundler' },
  ],
  [
    'no client is null',
    { ...LOCAL, client_framework: 'none' },
    { generate_client: false, client_framework: null, client_server: null },
  ],
  ...(['video_service', 'client_framework', 'client_server', 'ci', 'language'] as const).map(
    (key): [string, RawConfig, Partial<ScaffoldConfig>] => [
      `${key} none is the same as nothing`,
      { ...LOCAL, [key]: 'None' },
      { [key]: null, video_output: false },
    ],
  ),
  ['a video avatar forces its output', { ...LOCAL, video_service: 'tavus_video' }, { video_output: true }],
  [
    'web-only switches may be off on a telephony bot',
    { ...PHONE, video_input: false, video_output: false },
    { bot_type: 'telephony', video_output: false },
  ],
  [
    'noise cancellation may be off without the cloud',
    { ...LOCAL, enable_noisecancel: false, deploy_to_cloud: false },
    { deploy_to_cloud: false },
  ],
];

describe('resolving a configuration', () => {
  for (const [about, given, resolved] of cases) {
    it(about, () => {
      assert.deepEqual(pick(resolveFlags(given), resolved), resolved);
      // A file gives the same result.
      assert.deepEqual(pick(resolveFile(given), resolved), resolved);
    });
  }
});
