import assert from 'node:assert/strict';
import {
  type ConfigKey,
  describeOption,
  findOption,
  runOptions,
  type ScaffoldOption,
  scaffoldOptions,
} from '../../src/config/options.ts';

const labels: [key: ConfigKey, ...choices: string[]][] = [
  ['bot_type', 'In a browser (or in an app)', 'On the phone (needs a phone provider)'],
  ['mode', 'Three services (listen, think, speak: most choice)', 'One speech-to-speech model (fastest replies)'],
  ['client_framework', 'React', 'TypeScript', 'None (the bot has a test page)'],
  ['client_server', 'Vite', 'Next.js'],
  ['daily_pstn_mode', 'People call the bot', 'The bot calls people'],
  ['twilio_daily_sip_mode', 'People call the bot', 'The bot calls people'],
];

describe('the values of an option, as the wizard shows them:', () => {
  for (const [key, ...choices] of labels) {
    it(key, () =>
      assert.deepEqual(
        findOption(key).choices?.map(({ name, label = name, hint }) => (hint ? `${label} (${hint})` : label)),
        choices,
      ),
    );
  }
});

const placeholders: Record<string, string[]> = {
  Project: ['-n, --name <name>', '-b, --bot-type <type>', '-t, --transport <id>'],
  'AI services': [
    '-m, --mode <mode>',
    ...['stt', 'llm', 'tts', 'realtime', 'video'].map(kind => `--${kind} <service>`),
    '--language <code>',
  ],
  'Web client': ['--client-framework <framework>', '--client-server <server>'],
  Calls: ['--daily-pstn-mode <direction>', '--twilio-daily-sip-mode <direction>'],
  General: ['--directory', '--overwrite-guide', '--getting-started', '--force'],
  Features: [
    ...['video-input', 'video-output', 'recording', 'transcription'].map(flag => `--${flag}`),
    ...['deploy-to-cloud', 'enable-noisecancel', 'observability', 'eval', 'journal'].map(flag => `--${flag}`),
    '--ci <service>',
  ],
};

describe('the options of a configuration and of a run', () => {
  for (const [group, options] of Object.entries(placeholders)) {
    it(`in help: ${group}`, () =>
      assert.deepEqual(
        [...scaffoldOptions.map(({ key }) => findOption(key)), ...Object.values(runOptions)]
          .filter(row => row.group === group)
          .map(({ flag, short, placeholder }: Pick<ScaffoldOption, 'flag' | 'short' | 'placeholder'>) =>
            [short ? `-${short}, --${flag}` : `--${flag}`, ...(placeholder ? [`<${placeholder}>`] : [])].join(' '),
          ),
        options,
      ));
  }

  it('say what applies by default', () =>
    assert.deepEqual(
      (['project_name', 'bot_type', 'language', 'recording', 'deploy_to_cloud'] as const).map(
        key => describeOption(findOption(key)).match(/ \((?:default|on).*/)?.[0],
      ),
      [
        " (default: the target directory's name)",
        ' (default: inferred from the transports)',
        ' (default: English)',
        undefined,
        ' (on by default)',
      ],
    ));
});
