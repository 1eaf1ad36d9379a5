import assert from 'node:assert/strict';
import type { ScaffoldConfig } from '../../src/config/config.ts';
import { PRESET } from '../support/preset.ts';
import { BOT, itIn } from '../support/session.ts';

/** Lines that resolve, with the keys in which they differ from such a bot. */
const lines: [line: string, differences: Partial<ScaffoldConfig>][] = [
  ['init quickstart --dry-run', PRESET],
  [`init my-bot ${BOT} --dry-run`, {}],
  [`init ./deep/er/bot/ ${BOT} --dry-run`, { project_name: 'bot' }],
  [`init . -n 'Dora B' ${BOT} --dry-run`, { project_name: 'Dora B' }],
  [
    `init my-bot --dry-run -t rtc_hosted_pstn --daily-pstn-mode dial-in -m realtime --realtime openai_realtime`,
    {
      ...{ bot_type: 'telephony', transports: ['rtc_hosted_pstn_dialin'], daily_pstn_mode: 'dial-in' },
      ...{ mode: 'realtime', stt_service: null, llm_service: null, tts_service: null },
      realtime_service: 'openai_realtime',
    },
  ],
  [
    `init my-bot --dry-run ${BOT} --client-framework vanilla --video simli_video --video-input --recording ` +
      '--transcription --enable-noisecancel --observability --eval',
    {
      ...{ generate_client: true, client_framework: 'vanilla', client_server: 'bundler' },
      ...{ video_service: 'simli_video', video_input: true, video_output: true, recording: true, transcription: true },
      ...{ enable_noisecancel: true, enable_observability: true, enable_eval: true },
    },
  ],
  [
    `init my-bot --dry-run ${BOT} --client-framework none --no-deploy-to-cloud --eval --no-eval`,
    { deploy_to_cloud: false },
  ],
];

/** What the options in `BOT` give. */
const SIMPLE = { ...PRESET, project_name: 'my-bot', transports: ['rtc_local'], enable_eval: false, journal: false };

describe('--dry-run', () => {
  for (const [line, differences] of lines) {
    itIn(`${line}: prints the configuration, and leaves the disk alone`, { 'notes.txt': 'mine' }, async here => {
      const before = here.disk();
      const { code, stdout, stderr } = await here.run(line);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
      assert.equal(stdout, `${JSON.stringify({ ...SIMPLE, ...differences }, null, 2)}\n`);
      assert.deepEqual(here.disk(), before);
    });

    itIn('lists the files of the run, and its variables, with --json', {}, async ({ succeed, disk }) => {
      const before = disk();
      const plain = JSON.parse(await succeed(line));
      const preview = JSON.parse(await succeed(`${line} --json`));
      assert.deepEqual(disk(), before);
      assert.deepEqual([preview.config, Object.keys(preview)], [plain, ['config', 'files', 'env']]);
      const { files, env } = JSON.parse(await succeed(`${line.replace('--dry-run', '')} --json`));
      const paths = (listed: { path: string }[]) => listed.map(({ path }) => path);
      assert.deepEqual(paths(preview.files), paths(files));
      assert.deepEqual(preview.env, env);
    });
  }

  for (const line of ['init --dry-run', 'init my-bot --dry-run', 'init my-bot --dry-run --eval', 'init --no-eval']) {
    itIn(`${line}: is a scaffold, which lacks everything`, {}, async ({ fail }) => {
      assert.match(await fail(2, line), /^ {2}--transport is missing:.*\n {2}--mode is missing:/m);
    });
  }
});
