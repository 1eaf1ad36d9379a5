import assert from 'node:assert/strict';
import { quickstart } from '../../src/config/quickstart.ts';
import { generateProject } from '../support/projects.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';
import { BOT, itIn, type Tree } from '../support/session.ts';

const within = (directory: string, tree: Tree) =>
  Object.fromEntries(Object.entries(tree).map(([path, text]) => [`${directory}/${path}`, text]));

describe('botcli init with scaffold options', () => {
  itIn('creates the bot in a new directory, and prints the next steps', {}, async ({ run, tree }) => {
    const { code, stdout, stderr } = await run(`init my-bot ${BOT}`);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const made = generateProject(resolveFlags(LOCAL));
    assert.deepEqual(tree(), within('my-bot', made));
    const inServer = Object.keys(made).filter(path => path.startsWith('server/'));
    assert.deepEqual(stdout.split('\n'), [
      '✓ Your bot is in my-bot',
      '  created   .botcli.json',
      '            .gitattributes',
      '            .gitignore',
      '            AGENTS.md',
      '            ASSISTANT.md',
      '            README.md',
      `            server/ (${inServer.length} files)`,
      '',
      'Next:',
      '  cd my-bot',
      '  botcli dev',
      '  # it installs packages, asks for missing keys, and says where to talk',
      '',
    ]);
  });

  const before = { 'my-bot/.git/HEAD': 'ref', 'my-bot/LICENSE': 'MIT' };
  itIn('goes into the working directory when none is given, and takes its name', before, async ({ run, tree }) => {
    const { code, stdout } = await run(`init ${BOT}`, { cwd: 'my-bot' });
    assert.equal(code, 0);
    assert.match(stdout, /^✓ Your bot is in this directory\n/);
    assert.deepEqual(tree(), { ...before, ...within('my-bot', generateProject(resolveFlags(LOCAL))) });
  });

  for (const line of [`init my-bot ${BOT} --eval`, 'init quickstart', 'init my-bot']) {
    itIn(`${line}: twice is once, and touches nothing the second time`, {}, async ({ succeed, disk }) => {
      await succeed(line);
      const before = disk();
      assert.match(await succeed(line), /^Nothing to change in [\w-]+: every file is up to date\.\n/);
      assert.deepEqual(disk(), before);
    });
  }

  itIn('keeps the record of a guide that it keeps', {}, async ({ succeed, read, write }) => {
    await succeed(`init my-bot ${BOT}`);
    const before = read('my-bot/.botcli.json');
    write('my-bot/AGENTS.md', 'Mine\n');
    assert.match(await succeed(`init my-bot ${BOT}`), /^✓ Your bot is in my-bot\n {2}kept {6}AGENTS\.md\n/);
    assert.equal(read('my-bot/.botcli.json'), before);
  });

  const made: [about: string, line: string][] = [
    ['a bot', `-n 'My "first" bot' ${BOT} -t rtc_hosted --eval --no-deploy-to-cloud`],
    ['a phone bot', `${BOT.replace('rtc_local', 'tel_a_rtc_sip')} --twilio-daily-sip-mode dial-in -t tel_d`],
    ['a bot with a client', `-n one ${BOT} --client-framework component --client-server fullstack --video-input`],
    ['a bot that speaks and is seen', `-t rtc_local -m realtime --realtime openai_realtime --video simli_video`],
    ['all of it', `${BOT} --recording --transcription --video-output --enable-noisecancel --observability`],
  ];
  for (const [about, line] of made) {
    itIn(`is recreated by the command in its README: ${about}`, {}, async ({ succeed, read, tree }) => {
      await succeed(`init one ${line}`);
      const [, command = ''] = /^(?:npx botcli@\S+|botcli) (init \. .*)$/m.exec(read('one/README.md')) ?? [];
      await succeed(command.replace('init .', 'init two'));
      const of = (directory: string) =>
        Object.entries(tree()).flatMap(([path, text]) => (path.startsWith(directory) ? [[path.slice(3), text]] : []));
      assert.notDeepEqual(of('one'), []);
      assert.deepEqual(of('one'), of('two'));
    });
  }
});

itIn('botcli init with a web client makes it, and the README says where to talk', {}, async here => {
  const { succeed, read, exists } = here;
  const lines = { bundler: 'http://localhost:5173', fullstack: 'http://localhost:3000' };
  for (const [server, address] of Object.entries(lines)) {
    await succeed(`init ${server} ${BOT} --client-framework component --client-server ${server}`);
    const readme = read(`${server}/README.md`);
    assert(readme.includes(`\nOpen <${address}> and press **Start talking**.`), readme);
    assert(readme.includes('\n## The web client\n') && exists(`${server}/client/package.json`));
  }
});

describe('botcli init quickstart', () => {
  itIn('creates the preset bot in its own directory, without the guide for people', {}, async ({ run, tree }) => {
    const { code, stdout, stderr } = await run('init quickstart');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
    const files = Object.keys(generateProject(quickstart));
    assert.deepEqual(Object.keys(tree()), Object.keys(within('botcli-quickstart', generateProject(quickstart))));
    assert(!files.includes('GETTING_STARTED.md'));
    assert.match(stdout, /\n {2}cd botcli-quickstart\n {2}botcli dev\n/);
  });

  for (const [line, note] of [
    ['init quickstart --name Mine -m realtime --no-eval', '--name, --mode, --eval'],
    ['init quickstart --config nowhere.json', '--config'],
    ['init quickstart --dry-run --stt x', '--stt'],
  ] as const) {
    itIn(`${line}: notes that the preset ignores options`, {}, async ({ run }) => {
      const { code, stderr } = await run(line);
      const reported =
        `quickstart is a preset, so it ignores ${note}.\n` +
        'To choose a bot in a directory named quickstart: botcli init ./quickstart …\n';
      assert.deepEqual({ code, stderr }, { code: 0, stderr: reported });
    });
  }

  itIn('./quickstart is a directory of that name', {}, async ({ succeed, exists }) => {
    await succeed(`init ./quickstart ${BOT}`);
    assert.deepEqual([exists('quickstart/server/bot.py'), exists('botcli-quickstart')], [true, false]);
  });
});
