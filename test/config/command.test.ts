import assert from 'node:assert/strict';
import { PROGRAM } from '../../src/about.ts';
import { changeLine, commandLines, commandOf, updateLine } from '../../src/config/command.ts';
import type { RawConfig } from '../../src/config/options.ts';
import type { Environment } from '../../src/shells.ts';
import { HOSTILE_NAMES, manyConfigs } from '../support/many-configs.ts';
import { LOCAL, PHONE, REALTIME, resolveFlags } from '../support/resolving.ts';
import { itIn } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';

describe('the command that recreates a project', () => {
  it('leaves out what an avatar implies', () =>
    assert.equal(
      commandOf(resolveFlags(AVATAR)),
      `${PROGRAM} init . --name my-bot -t rtc_local --mode cascade --stt openai_stt --llm openai_llm ` +
        '--tts openai_tts --video tavus_video',
    ));

  itIn('gives the same configuration, for any configuration', {}, async ({ succeed }) => {
    const named = HOSTILE_NAMES.map(project_name => resolveFlags({ ...LOCAL, project_name }));
    for (const config of [...named, ...manyConfigs(200)]) {
      const command = commandOf(config);
      assert(command.startsWith(`${PROGRAM} init `));
      const words = shellWords(command.slice(PROGRAM.length));
      assert.deepEqual(JSON.parse(await succeed([...words, '--dry-run'])), config);
    }
  });

  it('includes the name only if the directory name differs, or may differ', () => {
    const config = resolveFlags(LOCAL);
    const named = (directory: string, directoryName: string) =>
      / --name /.test(commandLines(config, { directory, directoryName }).join(' '));
    assert.deepEqual([named('my-bot', 'my-bot'), named('bots/x', 'x'), named('.', 'my-bot')], [false, true, true]);
  });

  it('is broken into lines that a shell joins again', () => {
    const target = { directory: 'my bot', directoryName: 'my-bot', columns: 36 };
    assert.deepEqual(commandLines(resolveFlags(LOCAL), target), [
      "botcli init 'my bot' -t rtc_local \\",
      '  --mode cascade --stt openai_stt \\',
      '  --llm openai_llm \\',
      '  --tts openai_tts',
    ]);
    assert.deepEqual(commandLines(resolveFlags(REALTIME), { ...target, columns: 200 }), [
      "botcli init 'my bot' -t rtc_local --mode realtime --realtime openai_realtime",
    ]);
  });

  it('is one line in shells of Windows, where a backslash continues nothing', () => {
    const target = { directory: 'my bots', directoryName: 'my bots', columns: 40, env: { OS: 'Windows_NT' } };
    const [line = '', ...more] = commandLines(resolveFlags({ ...LOCAL, project_name: "Dora's bot" }), target);
    assert.deepEqual(more, []);
    assert(line.startsWith(`botcli init "my bots" --name "Dora's bot" -t rtc_local `), line);
  });
});

const WINDOWS = { OS: 'Windows_NT' };

type Row = [about: string, line: string, directory: string, options: Record<string, unknown>, env?: Environment];
const updates: Row[] = [
  ['nothing', '', '.', {}],
  ['a directory', " 'my bots'", 'my bots', {}],
  ['a directory like an option', ' ./-x', '-x', {}],
  ['a feature on and one off', ' --recording --no-eval', '.', { eval: false, recording: true }],
  ['a real name', ' --tts cartesia_tts', '.', { tts: 'Cartesia' }],
  ['a name like an option', ' --name=-x', '.', { name: '-x' }],
  ['a file, last', " bots/a --eval --config 'my bot.json'", 'bots/a', { config: 'my bot.json', eval: true }],
  ['the standard input', ' --config -', '.', { config: '-' }],
  ['what is removed', ' --video none --language none', '.', { video: 'none', language: 'none' }],
  ["what can't be removed", '', '.', { stt: 'none', mode: 'none' }],
  ["what isn't allowed", ' --eval', '.', { stt: 'x', name: '', recording: 'yes', eval: true }],
  ['options of the run', '', '.', { force: true, dryRun: true, config: undefined }],
  ['Windows', ` "my bots" --name "Dora's"`, 'my bots', { name: "Dora's" }, WINDOWS],
  ['npx', ' --eval', '.', { eval: true }, { npm_command: 'exec' }],
];

describe('the command that changes a project as typed', () => {
  for (const [about, line, directory, options, env = {}] of updates) {
    const program = env.npm_command ? PROGRAM : 'botcli';
    it(`with ${about}`, () => assert.equal(updateLine(directory, options, env), `${program} update${line}`));
  }
});

const AVATAR = { ...LOCAL, video_service: 'tavus_video' };
const DIAL_IN = { ...PHONE, transports: ['rtc_hosted_pstn_dialin'] };
const VANILLA = { ...LOCAL, client_framework: 'vanilla' };

const changes: [about: string, line: string, before: RawConfig, after: RawConfig, directory?: string][] = [
  ['nothing', '', LOCAL, LOCAL],
  ['features', ' --no-deploy-to-cloud --eval', LOCAL, { ...LOCAL, enable_eval: true, deploy_to_cloud: false }],
  ['its name', " 'my bots' --name Dora", LOCAL, { ...LOCAL, project_name: 'Dora' }, 'my bots'],
  ['its mode', ' --mode realtime --realtime openai_realtime', LOCAL, REALTIME],
  ['its phone, which implies the type', ' -t tel_a', LOCAL, PHONE],
  ['a call flow, whose id implies the direction', ' -t rtc_hosted_pstn_dialin', PHONE, DIAL_IN],
  ['an avatar that goes', ' --video none --no-video-output', AVATAR, LOCAL],
  ['a client that goes with its server', ' --client-framework none', VANILLA, LOCAL],
  ['its language that goes', ' --language none', { ...LOCAL, language: 'de' }, LOCAL],
];

describe('the command that changes', () => {
  for (const [about, line, before, after, directory = '.'] of changes) {
    it(about, () => {
      const shown = changeLine(directory, resolveFlags(before), resolveFlags(after), {});
      assert.equal(shown, `botcli update${line}`);
    });
  }
});
