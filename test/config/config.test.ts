import assert from 'node:assert/strict';
import { lostBetween, problemOf } from '../../src/config/config.ts';
import { type ConfigKey, describeOption, findOption, type RawConfig } from '../../src/config/options.ts';
import { ON_THIS_COMPUTER, quickstart } from '../../src/config/quickstart.ts';
import { listVariables } from '../../src/project/variables.ts';
import { manyConfigs } from '../support/many-configs.ts';
import { PRESET } from '../support/preset.ts';
import { LOCAL, PHONE, resolveFile, resolveFlags } from '../support/resolving.ts';

describe('a resolved configuration', () => {
  it('has every key in the documented order, with its default, or null if unset', () => {
    const own = { project_name: 'my-bot', transports: ['rtc_local'], enable_eval: false, journal: false };
    assert.equal(JSON.stringify(resolveFlags(LOCAL)), JSON.stringify({ ...PRESET, ...own }));
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

const phone = (...transports: string[]) => ({ ...PHONE, transports });
const client = (client_framework: string) => ({ ...LOCAL, client_framework });
const BUNDLED = { generate_client: true, client_server: 'bundler' } as const;
const NONE = { generate_client: false, client_framework: null, client_server: null };
const DIAL_OUT = { transports: ['rtc_hosted_pstn_dialout'], daily_pstn_mode: 'dial-out', twilio_daily_sip_mode: null };
const BOTH = phone('rtc_hosted_pstn', 'rtc_hosted_pstn_dialin');

const cases: [about: string, given: RawConfig, resolved: object][] = [
  ['web transports make a web bot', LOCAL, { bot_type: 'web' }],
  [
    'a telephony transport makes a telephony bot, next to others',
    phone('rtc_local', 'tel_a'),
    { bot_type: 'telephony' },
  ],
  [
    'duplicates collapse, in the order of the first',
    phone('tel_b', 'tel_a', 'tel_b'),
    { transports: ['tel_b', 'tel_a'] },
  ],
  ['a phone bot may say that it has no client', { ...PHONE, client_framework: 'none' }, NONE],
  ['a generic id takes its direction', { ...phone('rtc_hosted_pstn'), daily_pstn_mode: 'dial-out' }, DIAL_OUT],
  ['a directional id implies its mode', phone('rtc_hosted_pstn_dialout'), DIAL_OUT],
  ['both ids are one', { ...BOTH, daily_pstn_mode: 'dial-in' }, { transports: ['rtc_hosted_pstn_dialin'] }],
  ['component alone is served by the bundler', client('component'), { ...BUNDLED, client_framework: 'component' }],
  ['vanilla is always served by the bundler', client('vanilla'), { ...BUNDLED, client_framework: 'vanilla' }],
  ['no client is null', client('none'), NONE],
  ...(['video_service', 'client_framework', 'client_server', 'ci', 'language'] as const).map(
    (key): [string, RawConfig, object] => [
      `${key} none is the same as nothing`,
      { ...LOCAL, [key]: 'None' },
      { [key]: null, video_output: false },
    ],
  ),
  ['a video avatar forces its output', { ...LOCAL, video_service: 'tavus_video' }, { video_output: true }],
  [
    'a phone bot may say that it has no video',
    { ...PHONE, video_input: false, video_output: false },
    { video_output: false },
  ],
  [
    'noise cancellation may be off',
    { ...LOCAL, enable_noisecancel: false, deploy_to_cloud: false },
    { deploy_to_cloud: false },
  ],
];

describe('resolving a configuration', () => {
  for (const [about, given, resolved] of cases) {
    it(about, () => {
      // A file gives the same result.
      for (const config of [resolveFlags(given), resolveFile(given)])
        assert.deepEqual({ ...config, ...resolved }, config);
    });
  }
});

const CLIENT = { client_framework: 'vanilla' };
const AVATAR = { video_service: 'tavus_video' };

const replaced: [about: string, before: RawConfig, after: RawConfig, ...lost: string[]][] = [
  ['nothing', { ...CLIENT, ...AVATAR }, { ...CLIENT, ...AVATAR }],
  ['what is replaced', CLIENT, { client_framework: 'component' }],
  ['a client and an avatar', { ...CLIENT, ...AVATAR }, {}, 'client_framework web client', 'video_service avatar'],
  ['a client that is removed', CLIENT, { client_framework: 'none' }, 'client_framework web client'],
  ['an avatar that is null', { ...CLIENT, ...AVATAR }, { ...CLIENT, video_service: null }, 'video_service avatar'],
  ['what was never there', { client_framework: 'none', video_service: null }, {}],
];

describe('what a changed project loses:', () => {
  for (const [about, before, after, ...lost] of replaced) {
    it(about, () => {
      const rows = lostBetween(before, after).map(row => row.join(' '));
      assert.deepEqual(rows, lost);
    });
  }
});

describe('a single value', () => {
  const cases: [key: ConfigKey, value: unknown, problem: string | undefined][] = [
    ['project_name', 'my bot', undefined],
    ['project_name', '', 'It is empty'],
    ['project_name', 'x'.repeat(101), 'It is 101 characters long; the maximum is 100'],
    ['project_name', 'caf\ufffd', `It "caf\ufffd" contains bytes that aren't UTF-8 (or U+FFFD)`],
    ['project_name', 7, 'It must be a string, not 7'],
    ['mode', 'cascade', undefined],
    ['mode', '', 'It can\'t be "". Allowed: cascade, realtime'],
    ['transports', ['rtc_local', 'tel_a'], undefined],
    ['transports', 'rtc_local', 'It must be a list, such as ["rtc_local"], not "rtc_local"'],
    ['transports', undefined, 'It must be a list, such as ["rtc_local"], not undefined'],
    ['language', 'pt-br', undefined],
    ['language', null, 'It must be a string, not null'],
    ['language', 'xyzzy', 'It can\'t be "xyzzy". Use a BCP 47 code, such as de or pt-BR'],
    ['recording', true, undefined],
    ['stt_service', 'xyzzy', 'It can\'t be "xyzzy". List the allowed values: botcli init --list-options'],
  ];
  for (const [key, value, problem] of cases) {
    it(`${key} ${String(value).slice(0, 20)}: ${problem ?? 'valid'}`, () =>
      assert.equal(problemOf(key, value), problem));
  }
});

it('the options of a configuration say what applies by default', () => {
  const keys = ['project_name', 'bot_type', 'language', 'recording', 'deploy_to_cloud'] as const;
  assert.deepEqual(
    keys.map(key => describeOption(findOption(key)).match(/ \((?:default|on).*/)?.[0]),
    [
      " (default: the target directory's name)",
      ...[' (default: inferred from the transports)', ' (default: English)', undefined, ' (on by default)'],
    ],
  );
});

it('the bot on this computer needs no key, and its type follows from its transport', () => {
  const config = resolveFlags(ON_THIS_COMPUTER);
  assert.deepEqual({ ...config, ...ON_THIS_COMPUTER }, config);
  assert(listVariables(config).every(({ required }) => !required));
  assert.deepEqual(resolveFlags({ ...ON_THIS_COMPUTER, bot_type: undefined }), config);
});
