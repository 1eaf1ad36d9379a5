import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { PROGRAM } from '../../src/about.ts';
import { VERSION } from '../../src/version.ts';
import { BOT, type Session, type SessionOutcome, sessionIt } from '../support/session.ts';

/** A test with the project `bot`, whose bot is patient. */
const botIt = (title: string, use: (opened: Session) => Promise<void>) =>
  sessionIt(title, async opened => {
    await opened.succeed(`init bot ${BOT}`);
    edit(opened, 'bot/server/bot.py', 'friendly', 'patient');
    await use(opened);
  });

function edit({ read, write }: Session, path: string, from: string | RegExp, to: string): void {
  const before = read(path);
  const after = before.replace(from, to);
  assert.notEqual(after, before, path);
  write(path, after);
}

/** An edit of lines that another voice changes. */
const editVoice = (opened: Session) =>
  edit(opened, 'bot/server/bot.py', 'model="OPENAI_TTS_MODEL"', 'model="MY_TTS_MODEL"');

describe('botcli update', () => {
  botIt('changes choices, keeps edits, and says what to run next', async ({ succeed, read }) => {
    assert.deepEqual((await succeed('update bot --eval --tts elevenlabs_tts')).split('\n'), [
      '✓ bot is updated',
      '  created   server/evals/judge.py',
      '            server/evals/starter_audio.yaml',
      '            server/evals/starter_simulation.yaml',
      '            server/evals/starter_text.yaml',
      '  updated   README.md',
      '            .botcli.json',
      '            server/.env.example',
      '            server/pyproject.toml',
      '  merged    server/bot.py (with your edits)',
      '',
      'Next:',
      '  cd bot',
      '  botcli dev',
      '  # it installs packages, asks for missing keys, and says where to talk',
      '',
    ]);
    assert.match(read('bot/server/bot.py'), /You are a patient assistant/);
    assert.match(read('bot/server/bot.py'), /ElevenLabsTTSService\(/);
  });

  botIt('--dry-run shows what would happen, and --diff the lines', async ({ run, disk }) => {
    const before = disk();
    const { code, stdout } = await run('update --transcription --dry-run --diff', { cwd: 'bot' });
    assert.equal(code, 0);
    assert.match(stdout, /^--- a\/README\.md\n\+\+\+ b\/README\.md\n@@ /);
    assert.match(stdout, /\n\+.*on_assistant_turn_stopped/);
    assert.match(
      stdout,
      /\nThis project would be updated:\n {2}updated {3}README\.md\n {12}\.botcli\.json\n {2}merged {4}server\/bot\.py/,
    );
    assert.deepEqual(disk(), before);
  });

  botIt('--json lists the files and the commands to run', async ({ succeed, directory }) => {
    const { files, ...rest } = JSON.parse(await succeed('update bot --recording --json'));
    assert.deepEqual(rest, {
      directory: `${directory}/bot`,
      from_version: VERSION,
      version: VERSION,
      dry_run: false,
      conflicts: [],
      kept: [],
      notes: [],
      dropped_choices: {},
      new_env: [],
      next: [
        ...['uv run ruff check --fix .', 'uv run pyright', 'botcli check'].map(command => ({ command })),
        { command: 'botcli cloud deploy', before: 'to bring it to the cloud' },
      ].map(step => ({ directory: 'bot/server', ...step })),
      dev: {
        directory: 'bot',
        command: 'botcli dev',
        note: 'it installs packages, asks for missing keys, and says where to talk',
      },
    });
    const actions = files.filter(({ action }: { action: string }) => action !== 'unchanged');
    assert.deepEqual(actions, [
      { path: 'README.md', action: 'updated' },
      { path: 'server/bot.py', action: 'merged' },
      { path: 'server/recording.py', action: 'created' },
    ]);
  });

  botIt(
    'says which choices another one drops, and runs nothing in a client that is gone',
    async ({ run, succeed, fail }) => {
      await succeed('update bot --client-framework component --video tavus_video');
      const loss = 'With these choices, the bot would lose its web client (component) and its avatar (tavus_video).';
      for (const more of ['', ' --dry-run']) {
        assert.equal(
          await fail(1, `update bot -t rtc_local -t tel_a${more}`),
          `error: ${loss} Nothing was changed.\nIf that is what you want, say so: ` +
            'botcli update bot -t rtc_local -t tel_a --video none --client-framework none\n',
        );
      }
      assert.match(await fail(1, 'update bot --no-video-output'), /its avatar \(tavus_video\)\. Nothing/);
      const { code, stdout } = await run('update bot -t tel_a --video none --json');
      const { error } = JSON.parse(stdout);
      assert.deepEqual([code, error.code, error.dropped_choices], [1, 'cannot-ask', { client_framework: 'component' }]);
      assert.equal(error.update_command, 'botcli update bot -t tel_a --video none --client-framework none');
      await succeed('update bot --video none');
      assert.match(
        await succeed('update bot -t rtc_local -t tel_a --client-framework none --dry-run'),
        /^bot would be updated:\n {2}dropped {3}client_server bundler\n {2}created/,
      );
      assert.doesNotMatch(await succeed('update bot --client-framework none --dry-run'), /client_framework/);
      const { dropped_choices: dropped } = JSON.parse(
        await succeed('update bot --realtime openai_realtime --dry-run --json'),
      );
      assert.deepEqual(Object.keys(dropped), ['stt_service', 'llm_service', 'tts_service']);
      assert.doesNotMatch(await succeed('update bot -t rtc_local -t tel_a --client-framework none'), /npm/);
      // A phone bot has no client anyway.
      assert.match(await succeed('update bot --client-framework none'), /is up to date/);
    },
  );

  botIt("leaves the owner's own files when it takes the client away", async ({ succeed, write, exists }) => {
    await succeed('update bot --client-framework component');
    write('bot/client/src/mine.ts', 'export const mine = 1;\n');
    await succeed('update bot --client-framework none');
    assert(exists('bot/client/src/mine.ts') && !exists('bot/client/package.json'));
  });

  sessionIt('--help promises no default: a choice that is not typed stays', async ({ succeed }) => {
    const promise = /directory's name\)|default: inferred|default: English|on by default/;
    assert.match(await succeed('init --help'), promise);
    assert.doesNotMatch(await succeed('update --help'), promise);
  });

  botIt('names the variables that the bot needs now', async ({ succeed }) => {
    const needs = /\n\nIt would need CARTESIA_API_KEY in server\/\.env\.\n$/;
    assert.match(await succeed('update bot --tts cartesia_tts --dry-run'), needs);
    assert.doesNotMatch(await succeed('update bot --recording --dry-run'), /would need/);
    const { new_env: added } = JSON.parse(await succeed('update bot --tts cartesia_tts --json'));
    assert.deepEqual(
      added.map(({ name, used_by }: Record<string, unknown>) => [name, used_by]),
      [['CARTESIA_API_KEY', ['cartesia_tts']]],
    );
  });

  botIt('names the program as the user runs it', async ({ fail, succeed }) => {
    const env = { npm_command: 'exec', npm_package_name: 'generator-botcli' };
    const refusal = await fail(1, `init bot ${BOT} --eval`, { env });
    assert.match(refusal, new RegExp(`edits: ${PROGRAM} update bot .* --eval\n`));
    assert((await succeed('update bot --recording', { env })).includes(`\n  ${PROGRAM} dev\n`));
  });

  const cases: [about: string, prepare: (opened: Session) => void, line: string, expected: RegExp][] = [
    [
      'deletes what nobody edited',
      () => {},
      'update bot --no-deploy-to-cloud',
      / {2}deleted {3}server\/\.dockerignore\n {12}server\/cloud-deploy\.toml\n {12}server\/container-file\n/,
    ],
    [
      'keeps an edited file that the bot no longer needs',
      ({ write }) => write('bot/server/container-file', 'FROM scratch\n'),
      'update bot --no-deploy-to-cloud',
      / {2}kept {6}server\/container-file \(you edited it, and the bot no longer needs it\)\n/,
    ],
    [
      'skips what was deleted',
      ({ remove }) => remove('bot/server/cloud-deploy.toml'),
      'update bot --recording',
      / {2}skipped {3}server\/cloud-deploy\.toml \(you deleted it\)\n/,
    ],
    [
      "keeps a guide that was the user's own before",
      ({ write, read }) => {
        const { botcli, ...rest } = JSON.parse(read('bot/.botcli.json'));
        delete botcli.files['AGENTS.md'];
        write('bot/.botcli.json', JSON.stringify({ ...rest, botcli }));
        write('bot/AGENTS.md', 'Mine\n');
      },
      'update bot --recording',
      /^✓ bot is updated\n {2}created {3}server\/recording\.py\n {2}updated {3}README\.md\n {12}\.botcli\.json\n {2}merged {4}server\/bot\.py/,
    ],
  ];
  for (const [about, prepare, line, expected] of cases) {
    botIt(about, async opened => {
      prepare(opened);
      assert.match(await opened.succeed(line), expected);
      assert.equal(await opened.succeed('update bot').then(text => text.split('\n')[0]), 'bot is up to date.');
    });
  }
});

describe('botcli update and a guide from before the bot', () => {
  sessionIt('leaves GETTING_STARTED.md alone, whether or not an earlier botcli recorded it', async opened => {
    const { succeed, read, tree } = opened;
    await succeed('init bot');
    await succeed(`init bot ${BOT}`);
    const path = 'bot/GETTING_STARTED.md';
    const text = read(path);
    assert.doesNotMatch(read('bot/.botcli.json'), /GETTING_STARTED/);
    assert.doesNotMatch(await succeed('update bot --recording'), /GETTING_STARTED/);
    const hash = createHash('sha256').update(text).digest('hex');
    edit(opened, 'bot/.botcli.json', '"files": {', `"files": {\n      "GETTING_STARTED.md": "${hash}",`);
    assert.doesNotMatch(await succeed('update bot --no-recording'), /GETTING_STARTED/);
    assert.equal(tree()[path], text);
    assert.doesNotMatch(read('bot/.botcli.json'), /GETTING_STARTED/);
  });
});

describe('botcli update in a directory inside the project', () => {
  botIt('updates the project around it, and names places as seen from there', async ({ succeed, read }) => {
    assert.match(
      await succeed('update --eval', { cwd: 'bot/server' }),
      /^✓ The project in \.\. is updated\n {2}created {3}server\/evals\/[\s\S]*\n\nNext:\n {2}botcli dev\n {2}# it installs/,
    );
    assert.match(read('bot/.botcli.json'), /"enable_eval": true/);
    assert.match(await succeed('update bot/server/evals --no-eval'), /^✓ bot is updated\n[\s\S]*\n {2}cd bot\n/);
  });

  botIt('repeats the command as it was typed, and says in JSON where to run the next ones', async opened => {
    editVoice(opened);
    const at = { cwd: 'bot/server' };
    assert.match(
      await opened.fail(1, 'update --tts cartesia_tts', at),
      /\n {2}server\/bot\.py:\d+-\d+ {2}[\s\S]*\n {2}botcli update --tts cartesia_tts --conflicts markers\n$/,
    );
    const { directory, next } = JSON.parse(await opened.succeed('update --eval --json', at));
    assert.equal(directory, `${opened.directory}/bot`);
    assert.deepEqual(new Set(next.map((step: { directory: string }) => step.directory)), new Set(['.']));
  });

  botIt('takes no project around a bot that lost its state file', async ({ fail, read, remove, write }) => {
    write('.botcli.json', read('bot/.botcli.json'));
    remove('bot/.botcli.json');
    assert.match(await fail(2, 'update bot --recording'), /^error: bot is not in a botcli project/);
  });
});

describe('botcli update with conflicts', () => {
  const lines = (outcome: SessionOutcome) => outcome.stderr.split('\n');

  botIt('writes nothing, and shows both sides', async opened => {
    editVoice(opened);
    const stderr = await opened.fail(1, 'update bot --tts cartesia_tts');
    assert.match(stderr, /^error: One conflict between your edits and this update\. Nothing was written\.\n/);
    assert.match(
      stderr,
      /\n {2}server\/bot\.py:\d+-\d+ {2}You and botcli changed the same lines\.\n {4}yours {2}\| .*OpenAITTS/,
    );
    assert.match(stderr, /\n {4}botcli \| .*CartesiaTTSService/);
    assert.match(stderr, /\n {2}botcli update bot --tts cartesia_tts --conflicts markers\n$/);
  });

  botIt('--dry-run has the same exit code, and --json the same conflicts', async opened => {
    editVoice(opened);
    await opened.fail(1, 'update bot --tts cartesia_tts --dry-run');
    const { code, stdout } = await opened.run('update bot --tts cartesia_tts --json');
    const { error } = JSON.parse(stdout);
    assert.deepEqual([code, error.code, error.conflicts.length], [1, 'conflict', 1]);
    const { path, lines: place, yours, base, ours, reason } = error.conflicts[0];
    assert.deepEqual([path, place.length, reason], ['server/bot.py', 2, 'You and botcli changed the same lines.']);
    assert.deepEqual(
      [yours, base, ours].map(text => /(MY|OPENAI|CARTESIA)_TTS_MODEL/.exec(text)?.[1]),
      ['MY', 'OPENAI', 'CARTESIA'],
    );
  });

  botIt('--conflicts markers writes both sides, and the next update waits until they are resolved', async opened => {
    editVoice(opened);
    const marked = await opened.run('update bot --tts cartesia_tts --conflicts markers');
    assert.deepEqual([marked.code, marked.stdout], [1, '']);
    assert.match(lines(marked)[1] ?? '', /^ {2}server\/bot\.py: markers in lines \d+, \d+, \d+, \d+$/);
    const code = opened.read('bot/server/bot.py');
    const sides = code.split('\n').filter(line => /^([<|=>])\1{6}/.test(line));
    assert.deepEqual(sides, ['<<<<<<< yours', `||||||| botcli ${VERSION}`, '=======', `>>>>>>> botcli ${VERSION}`]);
    assert.match(opened.read('bot/server/pyproject.toml'), /cartesia/);
    assert.match(await opened.fail(1, 'update bot --eval'), /An earlier update left conflicts/);
    opened.write('bot/server/bot.py', code.replace(/^<{7} yours\n[\s\S]*?^={7}\n([\s\S]*?)^>{7} .*\n/m, '$1'));
    assert.match(await opened.succeed('update bot --eval'), /merged {4}server\/bot\.py/);
  });

  botIt('code that was moved away is a conflict if the choices change it', async opened => {
    opened.remove('bot/server/bot.py');
    assert.match(await opened.fail(1, 'update bot --recording'), /server\/bot\.py {2}You deleted or moved it/);
    const { stdout } = await opened.run('update bot --recording --json');
    const reason = 'You deleted or moved it, and these choices change it. Put it back, or leave these choices.';
    assert.deepEqual(JSON.parse(stdout).error.conflicts, [{ path: 'server/bot.py', reason }]);
    await opened.succeed('update bot');
  });
});

describe('botcli update refuses', () => {
  const nothing = () => {};
  const inState =
    (from: string, to: string) =>
    (opened: Session): void =>
      edit(opened, 'bot/.botcli.json', from, to);
  const markers = ({ write }: Session) => write('bot/.botcli.json', '<<<<<<< HEAD\n{\n=======\n>>>>>>> main\n');
  const broken: [about: string, prepare: (opened: Session) => void, line: string, ...expected: RegExp[]][] = [
    [
      'a directory without a project',
      nothing,
      '.',
      /^error: This directory is not in a botcli project: there is no \.botcli\.json\n/,
      /Did you mean botcli update bot\?/,
    ],
    [
      'a directory that does not exist, even in a project',
      nothing,
      'bot/nowhere --eval',
      /^error: bot\/nowhere is not in a botcli project: it is not a directory\n/,
    ],
    ['a state file with markers', markers, 'bot', /\.botcli\.json contains conflict markers/, /version control/],
    [
      'a newer project',
      inState(`"version": "${VERSION}"`, '"version": "9.1.0"'),
      'bot',
      /written by botcli 9\.1\.0/,
      /Use that version or a newer one/,
    ],
    [
      'a path outside the project',
      inState('README.md', '../README.md'),
      'bot',
      /outside the project: \.\.\/README\.md/,
    ],
    [
      'a record of .env, which it never reads',
      inState('server/.env.example', 'server/.env'),
      'bot',
      /^error: bot\/\.botcli\.json names a file that botcli never writes: server\/\.env\n/,
    ],
    ['all problems at once', nothing, 'bot --stt nope --bogus --conflicts later', /--bogus/, /--stt/],
    [
      'an unknown way with conflicts',
      nothing,
      'bot --conflicts later',
      /--conflicts is "later"\. It must be refuse or markers/,
    ],
  ];
  for (const [about, prepare, line, ...expected] of broken) {
    botIt(about, async opened => {
      prepare(opened);
      const stderr = await opened.fail(2, `update ${line}`);
      for (const text of expected) assert.match(stderr, text);
    });
  }
});

describe('a project without a state file', () => {
  botIt('gets one as its README says, and is updated then', async ({ fail, read, remove, write, run, succeed }) => {
    const before = read('bot/.botcli.json');
    remove('bot/.botcli.json');
    assert.equal(
      await fail(2, 'update bot --recording'),
      'error: bot is not in a botcli project: there is no .botcli.json\n' +
        'A project has a .botcli.json, which botcli init writes. If yours lost it, restore it from version control.\n' +
        'Or run the command at the end of README.md in an empty directory, and copy the file from there.\n' +
        'A new project: botcli init\n',
    );
    const [, words = ''] = /^(?:npx botcli@\S+|botcli) init \. (.*)$/m.exec(read('bot/README.md')) ?? [];
    await run(`init anew ${words}`);
    assert.equal(read('anew/.botcli.json'), before);
    write('bot/.botcli.json', before);
    assert.match(await succeed('update bot --recording'), /merged {4}server\/bot\.py/);
  });
});

describe('botcli init in a project', () => {
  botIt('names the update that keeps the edits', async ({ fail }) => {
    const stderr = await fail(1, `init bot ${BOT} --eval -n 'My bot'`);
    assert.match(
      stderr,
      /To change it and keep your edits: botcli update bot --name 'My bot' -t rtc_local --mode cascade .* --eval\n/,
    );
    assert.match(stderr, /--force to overwrite the files that differ; your changes in them are lost/);
  });

  for (const line of ['--recording', '--recording --stt', '--recording --colour', '--recording --tts nobody']) {
    botIt(`names it for ${line}, whatever else a new bot needs`, async ({ fail, run }) => {
      assert.match(await fail(2, `init bot ${line}`), /keep your edits: botcli update bot --recording\n?$/m);
      const { error } = JSON.parse((await run(`init bot ${line} --json`)).stdout);
      assert.match(JSON.stringify(error), /botcli update bot --recording[\\"]/);
    });
  }

  botIt('names no update for a directory without a project', async ({ fail }) => {
    assert.doesNotMatch(await fail(2, 'init other --recording'), /keep your edits/);
  });
});
