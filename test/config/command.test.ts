import assert from 'node:assert/strict';
import { commandLines, commandOf } from '../../src/config/command.ts';
import { PROGRAM } from '../../src/program.ts';
import { HOSTILE_NAMES, manyConfigs } from '../support/many-configs.ts';
import { LOCAL, REALTIME, resolveFlags } from '../support/resolving.ts';
import { session } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';

const commands: [about: string, command: string, flags: object][] = [
  [
    'the quickstart',
    `${PROGRAM} init . --name botcli-quickstart -t rtc_local -t rtc_hosted --mode cascade --stt openai_stt ` +
      '--llm openai_llm --tts openai_tts',
    { ...LOCAL, project_name: 'botcli-quickstart', transports: ['rtc_local', 'rtc_hosted'] },
  ],
  [
    'a bot of many features',
    `${PROGRAM} init . --name 'My bot' -t rtc_local --mode realtime --realtime openai_realtime ` +
      '--client-framework component --client-server fullstack --recording --no-deploy-to-cloud --eval',
    {
      ...REALTIME,
      project_name: 'My bot',
      client_framework: 'component',
      client_server: 'fullstack',
      recording: true,
      deploy_to_cloud: false,
      enable_eval: true,
    },
  ],
  [
    'an avatar, which implies video output',
    `${PROGRAM} init . --name my-bot -t rtc_local --mode cascade --stt openai_stt --llm openai_llm ` +
      '--tts openai_tts --video tavus_video',
    { ...LOCAL, video_service: 'tavus_video' },
  ],
  [
    'a call flow, whose id implies the direction',
    `${PROGRAM} init . --name my-bot -t rtc_hosted_pstn_dialin --mode cascade --stt openai_stt ` +
      '--llm openai_llm --tts openai_tts',
    { ...LOCAL, transports: ['rtc_hosted_pstn'], daily_pstn_mode: 'dial-in' },
  ],
];

describe('the command that recreates a project', () => {
  for (const [about, command, flags] of commands) {
    it(`of ${about}`, () => assert.equal(commandOf(resolveFlags(flags)), command));
  }

  it(
    'gives the same configuration, for any configuration',
    session({}, async ({ succeed }) => {
      const named = HOSTILE_NAMES.map(project_name => resolveFlags({ ...LOCAL, project_name }));
      for (const config of [...named, ...manyConfigs(200)]) {
        const [npx, program, ...words] = shellWords(commandOf(config));
        assert.equal(`${npx} ${program}`, PROGRAM);
        assert.deepEqual(JSON.parse(await succeed([...words, '--dry-run'])), config);
      }
    }),
  );

  it('includes the name only if the directory name differs, or may differ', () => {
    const config = resolveFlags(LOCAL);
    const named = (directory: string, directoryName: string) =>
      / --name /.test(commandLines(config, { directory, directoryName }).join(' '));
    assert.deepEqual([named('my-bot', 'my-bot'), named('bots/x', 'x'), named('.', 'my-bot')], [false, true, true]);
  });

  it('is one line in shells of Windows, where a backslash continues nothing', () => {
    const target = { directory: 'my bots', directoryName: 'my bots', columns: 40, env: { OS: 'Windows_NT' } };
    const [line = '', ...more] = commandLines(resolveFlags({ ...LOCAL, project_name: "Dora's bot" }), target);
    assert.deepEqual(more, []);
    assert(line.startsWith(`botcli init "my bots" --name "Dora's bot" -t rtc_local `), line);
  });

  it('uses the given directory', () => {
    assert(commandOf(resolveFlags(LOCAL), 'my bots').startsWith(`${PROGRAM} init 'my bots' `));
  });
});
