import assert from 'node:assert/strict';
import { resolveConfig, type ScaffoldConfig } from '../../src/config/config.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { combineChoices } from '../../src/update/command.ts';
import { CASCADE, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';

/** The configuration after these choices are typed for a project that was made with `made`. */
function change(made: RawConfig, typed: RawConfig): ScaffoldConfig {
  const { kept, typed: flags } = combineChoices({ ...resolveFlags(made) }, typed);
  return resolveConfig({ file: kept, fileName: '.botcli.json', flags, directoryName: 'elsewhere' });
}

const CLIENT = { ...CASCADE, client_framework: 'component', client_server: 'fullstack', video_input: true };
const AVATAR = { ...CASCADE, video_service: 'tavus_video' };
const DIAL_IN = { ...CASCADE, transports: ['rtc_hosted_pstn', 'rtc_hosted'], daily_pstn_mode: 'dial-in' };
const PHONE = { ...CASCADE, transports: ['tel_a'] };
const TYPED = { stt_service: 'deepgram_stt', llm_service: 'openai_llm', tts_service: 'cartesia_tts' };

/** What was made, what is typed, and a bot that is made like the result. */
const changes: Record<string, [made: RawConfig, typed: RawConfig, like: RawConfig]> = {
  'nothing stays the same': [CLIENT, {}, CLIENT],
  'a feature is added': [CLIENT, { recording: true }, { ...CLIENT, recording: true }],
  'a feature is removed': [{ ...CASCADE, enable_eval: true }, { enable_eval: false }, CASCADE],
  'a service is replaced': [CASCADE, { tts_service: 'cartesia_tts' }, { ...CASCADE, tts_service: 'cartesia_tts' }],
  'transports are replaced': [DIAL_IN, { transports: ['rtc_local'] }, CASCADE],
  'realtime drops the cascade': [CASCADE, { mode: 'realtime', realtime_service: 'openai_realtime' }, REALTIME],
  'a realtime service is enough': [CASCADE, { realtime_service: 'openai_realtime' }, REALTIME],
  'cascade drops realtime': [REALTIME, { mode: 'cascade', ...TYPED }, { ...CASCADE, ...TYPED }],
  'its services are enough': [REALTIME, TYPED, { ...CASCADE, ...TYPED }],
  'a web bot becomes a phone bot': [CLIENT, { transports: ['tel_a'] }, PHONE],
  'a phone bot becomes a web bot': [PHONE, { transports: ['rtc_local'] }, CASCADE],
  'a bot keeps its client over other web transports': [
    CLIENT,
    { transports: ['rtc_hosted'] },
    { ...CLIENT, transports: ['rtc_hosted'] },
  ],
  'without its transport a direction goes': [
    DIAL_IN,
    { transports: ['tel_a_rtc_sip_dialin'] },
    { ...CASCADE, transports: ['tel_a_rtc_sip_dialin'] },
  ],
  'a direction is changed': [DIAL_IN, { daily_pstn_mode: 'dial-out' }, { ...DIAL_IN, daily_pstn_mode: 'dial-out' }],
  'a direction stays with its transport': [
    DIAL_IN,
    { transports: ['rtc_hosted_pstn'] },
    { ...CASCADE, transports: ['rtc_hosted_pstn_dialin'] },
  ],
  'a directional transport changes the direction': [
    DIAL_IN,
    { transports: ['rtc_hosted_pstn_dialout'] },
    { ...CASCADE, transports: ['rtc_hosted_pstn_dialout'] },
  ],
  'none removes the client': [CLIENT, { client_framework: 'none' }, { ...CASCADE, video_input: true }],
  'another client has another server': [
    CLIENT,
    { client_framework: 'vanilla' },
    { ...CASCADE, client_framework: 'vanilla', video_input: true },
  ],
  'none removes the avatar and its picture': [AVATAR, { video_service: 'none' }, CASCADE],
  'an avatar brings its picture': [CASCADE, { video_service: 'tavus_video' }, AVATAR],
  'no picture removes the avatar': [AVATAR, { video_output: false }, CASCADE],
  'none removes the language': [{ ...CASCADE, language: 'de' }, { language: 'none' }, CASCADE],
  'no cloud drops its noise filter': [
    { ...CASCADE, enable_noisecancel: true },
    { deploy_to_cloud: false },
    { ...CASCADE, deploy_to_cloud: false },
  ],
  'a noise filter brings the cloud back': [
    { ...CASCADE, deploy_to_cloud: false },
    { enable_noisecancel: true },
    { ...CASCADE, enable_noisecancel: true },
  ],
};

/** Choices that need another one. */
const incomplete: Record<string, [made: RawConfig, typed: RawConfig, problems: RegExp[]]> = {
  'cascade needs its services': [REALTIME, { mode: 'cascade' }, [/^--stt is missing/, /^--llm/, /^--tts/]],
  'realtime needs a service': [CASCADE, { mode: 'realtime' }, [/^--realtime is missing/]],
  'one service of a cascade needs the others': [REALTIME, { stt_service: 'openai_stt' }, [/^--llm/, /^--tts/]],
  'both modes at once': [
    CASCADE,
    { mode: 'cascade', realtime_service: 'openai_realtime' },
    [/^--realtime can't be used with mode cascade/],
  ],
  'a phone with a client': [CLIENT, { transports: ['tel_a'], client_framework: 'vanilla' }, [/^--client-framework/]],
  'a new transport with two directions': [CASCADE, { transports: ['rtc_hosted_pstn'] }, [/^--daily-pstn-mode is/]],
  'a language that a recorded service does not know': [
    { ...CASCADE, stt_service: 'deepgram_flux_stt' },
    { language: 'sw' },
    [/"stt_service" in \.botcli\.json can't be deepgram_flux_stt: it doesn't know Swahili/],
  ],
};

describe('a change of choices', () => {
  for (const [about, [made, typed, like]] of Object.entries(changes)) {
    it(about, () =>
      assert.deepEqual(change({ ...made, project_name: 'bot' }, typed), resolveFlags({ ...like, project_name: 'bot' })),
    );
  }

  for (const [about, [made, typed, problems]] of Object.entries(incomplete)) {
    it(`reports ${about}`, () => {
      assert.throws(
        () => change(made, typed),
        (error: { problems: string[] }) => {
          for (const [at, problem] of problems.entries()) assert.match(error.problems[at] ?? '', problem);
          return true;
        },
      );
    });
  }

  it('reports a recorded choice that this release does not know', () => {
    const made = { ...resolveFlags(CASCADE), tts_service: 'gone_tts' };
    const { kept } = combineChoices(made, {});
    const resolve = () => resolveConfig({ file: kept, fileName: '.botcli.json', flags: {}, directoryName: '' });
    assert.throws(resolve, ({ problems }: { problems: string[] }) =>
      /"tts_service" in \.botcli\.json/.test(problems[0] ?? ''),
    );
  });
});
