import assert from 'node:assert/strict';
import { type ConfigKey, type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { LOCAL, PHONE, problemsOf, REALTIME, resolveFile } from '../support/resolving.ts';

/** Each key with its alias, a value, and other keys that the value requires. Booleans are not listed; they get toggled. */
const ALIASES: Partial<Record<ConfigKey, [alias: string, value: unknown, required?: object]>> = {
  project_name: ['name', 'Dora'],
  bot_type: ['bot_type', 'web'],
  transports: ['transport', ['rtc_hosted'], { transports: null }],
  mode: ['mode', 'cascade'],
  stt_service: ['stt', 'deepgram_stt', { stt_service: null }],
  llm_service: ['llm', 'anthropic_llm', { llm_service: null }],
  tts_service: ['tts', 'cartesia_tts', { tts_service: null }],
  realtime_service: ['realtime', 'gemini_live_realtime', { ...REALTIME, ...no('stt', 'llm', 'tts', 'realtime') }],
  video_service: ['video', 'simli_video'],
  client_framework: ['client_framework', 'component'],
  client_server: ['client_server', 'fullstack', { client_framework: 'component' }],
  daily_pstn_mode: ['daily_pstn_mode', 'dial-out', { transports: ['rtc_hosted_pstn'] }],
  twilio_daily_sip_mode: ['twilio_daily_sip_mode', 'dial-in', { transports: ['tel_a_rtc_sip'] }],
  enable_observability: ['observability', true],
  enable_eval: ['eval', true],
  ci: ['ci', 'github'],
  language: ['language', 'de'],
};

function no(...kinds: string[]): object {
  return Object.fromEntries(kinds.map(kind => [`${kind}_service`, null]));
}

describe('the keys of a configuration file', () => {
  for (const { key, default: preset } of scaffoldOptions as readonly ScaffoldOption[]) {
    const [alias, value, required] = ALIASES[key] ?? [key, !preset];
    it(alias === key ? key : `${key}, or ${alias}`, () => {
      for (const word of [key, alias]) {
        assert.deepEqual(resolveFile({ ...LOCAL, ...required, [word]: value })[key], value);
      }
    });
  }

  it('$schema, generate_client and botcli have no effect', () => {
    const ignored = { $schema: './botcli.schema.json', generate_client: true, botcli: { version: '1.0.0' } };
    assert.deepEqual(resolveFile({ ...LOCAL, ...ignored }), resolveFile(LOCAL));
  });

  it('null means that the value was not given', () => {
    const nothing = Object.fromEntries(scaffoldOptions.map(({ key }) => [key, null]));
    assert.deepEqual(resolveFile({ ...nothing, ...LOCAL }), resolveFile(LOCAL));
    assert.equal(resolveFile({ ...LOCAL, deploy_to_cloud: null }).deploy_to_cloud, true);
  });
});

const proto = JSON.parse(`{ "__proto__": {}, "constructor": 1, ${JSON.stringify(LOCAL).slice(1)}`);
/** The keys of a file, and its problems: ` in bot.json` comes after each key. */
const refusals: [about: string, file: object, ...problems: string[]][] = [
  [
    'an unknown key, and the nearest one',
    { ...LOCAL, stt_servise: 'x', recordings: true, zzz: 1, evals: true, 'client-framework': 'none', videoinput: true },
    `"stt_servise" isn't a known key. Did you mean "stt_service"?`,
    `"recordings" isn't a known key. Did you mean "recording"?`,
    `"zzz" isn't a known key`,
    `"evals" isn't a known key. Did you mean "enable_eval"?`,
    `"client-framework" isn't a known key. Did you mean "client_framework"?`,
    `"videoinput" isn't a known key. Did you mean "video_input"?`,
  ],
  ['keys that every object inherits', proto, `"__proto__" isn't a known key`, `"constructor" isn't a known key`],
  ['a key and its alias', { ...LOCAL, name: 'a', project_name: 'b' }, '"project_name" repeats "name"'],
  ['a text for a list', { ...LOCAL, transports: 'x' }, '"transports" must be a list, such as ["rtc_local"], not "x"'],
  ['an empty list', { ...LOCAL, transports: [] }, '"transports" is an empty list'],
  ['a list for a name', { ...LOCAL, name: ['x'] }, '"name" must be a string, not ["x"]'],
  ['a number for a choice', { ...LOCAL, mode: 7 }, `"mode" can't be 7. Allowed: cascade, realtime`],
  [
    'a value that the bot excludes, by its key in the file',
    { ...PHONE, video: 'simli_video' },
    '"video" is for web bots only, and this is a telephony bot',
  ],
  [
    'noise cancellation without the cloud, by the keys of the file',
    { ...LOCAL, enable_noisecancel: true, deploy_to_cloud: false },
    '"enable_noisecancel" needs cloud deployment: remove "deploy_to_cloud"',
  ],
];

describe('a configuration file is refused for', () => {
  for (const [about, file, ...problems] of refusals) {
    it(about, () => {
      const named = problems.map(problem =>
        problem.replaceAll(/^"[^"]+"|(?<=repeats |remove )"\w+"/g, '$& in bot.json'),
      );
      assert.deepEqual(
        problemsOf(() => resolveFile(file)),
        named,
      );
    });
  }

  it('invalid elements of a list, each reported once', () => {
    const reported = problemsOf(() => resolveFile({ ...LOCAL, transports: [7, null, 'rtc_local', 7] }));
    assert.deepEqual(
      reported.map(line => line.slice(0, line.indexOf('.', 25))),
      [`"transports" in bot.json can't be 7`, `"transports" in bot.json can't be null`],
    );
  });
});
