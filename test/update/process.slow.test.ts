import assert from 'node:assert/strict';
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { BIN } from '../support/program.ts';
import { KEYS } from '../support/pty.ts';
import { BOT, type Session, sessionIt } from '../support/session.ts';
import { TOOLS } from '../support/tools.ts';
import { type Turn, walk } from '../support/wizard.ts';

const CARTESIA = 'update bot --tts cartesia_tts';

/** A test with the project `bot`, whose voice is edited where another voice changes it. */
const conflictIt = (title: string, use: (opened: Session) => Promise<void>) =>
  sessionIt(title, async opened => {
    await opened.succeed(`init bot ${BOT}`);
    const code = opened.read('bot/server/bot.py').replace('model="OPENAI_TTS_MODEL"', 'model="MY_TTS_MODEL"');
    opened.write('bot/server/bot.py', code);
    await use(opened);
  });

const { enter, down, ctrlC } = KEYS;
const QUESTION = 'What should happen?';
const SHOWN = /You and botcli changed one place in different ways:\n.*server\/bot\.py:\d+-\d+\n/;

/** What to type at the question about conflicts. */
const answers: [about: string, keys: string[], code: number, shows: RegExp, isWritten?: true][] = [
  ['leaves everything on Enter', [enter], 1, /Left everything as it is\. Nothing was written\./],
  [
    'shows the conflicts, and asks again',
    [down + enter, enter],
    1,
    /yours {2}\| .*OpenAITTSService[\s\S]*botcli \| .*CartesiaTTSService[\s\S]*Left everything as it is/,
  ],
  [
    'writes markers',
    [down + down + enter],
    1,
    /One conflict to resolve\. Everything else is updated\.\n {2}server\/bot\.py: markers in lines \d+/,
    true,
  ],
  ['leaves everything on Ctrl-C', [ctrlC], 130, /Cancelled|Canceled|Interrupted/],
];

describe('botcli update with conflicts, in a terminal,', () => {
  for (const [about, keys, expected, shows, isWritten] of answers) {
    conflictIt(about, async opened => {
      const before = opened.disk();
      const turns = keys.map((key): Turn => [QUESTION, key]);
      const { code, text } = await walk(CARTESIA, turns, { cwd: opened.directory });
      assert.equal(code, expected, text);
      assert.match(text, SHOWN);
      assert.match(text, shows);
      if (!isWritten) assert.deepEqual(opened.disk(), before);
      else assert.match(opened.read('bot/server/bot.py'), /^<<<<<<< yours\n[\s\S]*^>>>>>>> botcli /m);
    });
  }

  conflictIt('asks nothing if --conflicts says what to do', async opened => {
    const { code, text } = await walk(`${CARTESIA} --conflicts markers`, [], { cwd: opened.directory });
    assert.equal(code, 1);
    assert.match(text, /^error: One conflict to resolve/);
  });
});

const MOVE = 'Update the bot for Pipecat 1.14.0?';

/** Ways to answer the question about a newer release of the framework. */
const moves: [about: string, answer: string, code: number, shows: RegExp, isWritten: boolean][] = [
  ['moves the bot', 'y', 0, /is updated/, true],
  ['leaves everything on n', 'n', 1, /Declined\. Nothing was changed\./, false],
  ['leaves everything on Ctrl-C', ctrlC, 130, /Cancelled|Canceled|Interrupted/, false],
];

describe('botcli update --framework, in a terminal,', () => {
  for (const [about, answer, expected, shows, isWritten] of moves) {
    sessionIt(about, async ({ directory, succeed, read, write, disk }) => {
      await succeed(`init bot ${BOT}`);
      write('bot/server/pyproject.toml', read('bot/server/pyproject.toml').replace('==1.14.0', '==1.8.1'));
      write('bot/server/tool.py', 'from pipecat.pipeline.task import PipelineTask\n');
      const before = disk();
      const { code, text } = await walk('update bot --framework', [[MOVE, answer]], { cwd: directory });
      assert.equal(code, expected, text);
      assert.match(text, shows);
      if (!isWritten) assert.deepEqual(disk(), before);
      else assert.match(read('bot/server/tool.py'), /import PipelineWorker/);
    });
  }
});

describe('botcli update --framework of a bot with test conversations, in a terminal,', () => {
  const TESTS = 'Hold its test conversation with Pipecat 1.8.1 and with 1.14.0?';
  const rows: [about: string, says: string, answer: string, code: number, shows: RegExp][] = [
    ['says that they still pass', '', 'y', 0, /✓ Pipecat 1\.14\.0: 1 of 1 conversations passed \(1\.8\.1: 1 of 1\)/],
    [
      'fails if one only passed before, and says why',
      '# fake: dislikes 1.14.0\n',
      'y',
      1,
      /is updated\n[\s\S]*✗ Pipecat 1\.14\.0: 0 of 1 conversations passed \(1\.8\.1: 1 of 1\)\n {2}starter_text\/greeting fails now: .*it said "no"/,
    ],
    [
      "leaves everything if they can't be held",
      '# fake: breaks\n',
      'y',
      1,
      /without a result\n[\s\S]*Nothing was changed\. To update all the same, answer no here\.(?![\s\S]*is updated)/,
    ],
  ];
  for (const [about, says, answer, expected, shows] of rows) {
    sessionIt(about, async ({ directory, succeed, read, write }) => {
      await succeed(`init bot ${BOT} --eval`);
      write('bot/server/.env', read('bot/server/.env.example').replaceAll(/^([A-Z_]+)=$/gm, '$1=k3yOfATest'));
      write('bot/server/pyproject.toml', read('bot/server/pyproject.toml').replaceAll('==1.14.0', '==1.8.1'));
      write('bot/server/evals/starter_text.yaml', `${read('bot/server/evals/starter_text.yaml')}${says}`);
      const seat = { cwd: directory, env: { PATH: `${TOOLS}:${process.env.PATH}` } };
      const turns: Turn[] = [
        [MOVE, 'y'],
        [TESTS, answer],
      ];
      const { code, text } = await walk('update bot --framework', turns, seat);
      assert.equal(code, expected, text);
      assert.match(text, shows);
      assert.equal(read('bot/server/pyproject.toml').includes('==1.14.0'), text.includes('is updated'));
    });
  }
});

describe('botcli in a project that it may not read', () => {
  const locked = ['server', 'server/evals', 'server/bot.py', '.', 'README.md'];
  /** Root may read everything, so the program runs as another user. */
  const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

  for (const path of locked) {
    sessionIt(`explains what it can't read: ${path}`, async ({ succeed, directory }) => {
      await succeed(`init bot ${BOT} --eval`);
      const project = join(directory, 'bot');
      if (user.uid) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, directory]);
      chmodSync(join(project, path), 0);
      try {
        for (const line of ['update bot --recording', 'update bot --no-eval', `init bot ${BOT} --force`, 'check bot']) {
          const settings = { cwd: directory, encoding: 'utf8', ...user } as const;
          const { status, stderr } = spawnSync(process.execPath, [BIN, ...line.split(' ')], settings);
          assert.doesNotMatch(stderr, /bug in botcli/, line);
          assert([0, 1, 2].includes(status ?? -1), stderr);
          if (line.startsWith('update') && path.startsWith('server'))
            assert.match(stderr, /^error: Cannot read server\S*: permission denied\. Nothing was changed\.\n/);
          if (path === '.' && !line.startsWith('init'))
            assert.match(stderr, /^error: bot can't be read: permission denied\nbotcli has to see whether there is a /);
        }
      } finally {
        chmodSync(join(project, path), 0o755);
      }
    });
  }
});

describe('two runs of botcli update at once', () => {
  const LINES = ['update bot --recording', 'update bot --transcription --eval'] as const;

  const start = (cwd: string, line: string): Promise<{ code: number | string; stderr: string }> =>
    new Promise(resolve => {
      execFile(process.execPath, [BIN, ...line.split(' ')], { cwd }, (error, _, stderr) =>
        resolve({ code: error?.code ?? 0, stderr }),
      );
    });

  sessionIt(
    'give what one of them gives, or both after each other, and say so',
    async ({ succeed, tree, directory }) => {
      await succeed(`init made ${BOT} --name bot`);
      const reset = () => {
        rmSync(join(directory, 'bot'), { recursive: true, force: true });
        cpSync(join(directory, 'made'), join(directory, 'bot'), { recursive: true });
      };
      /** The result of lines, one after the other. */
      const give = async (...lines: string[]) => {
        reset();
        for (const line of lines) await succeed(line);
        return tree();
      };
      const [first, second] = LINES;
      const alone = [await give(first), await give(second)];
      const both = await give(first, second);
      for (let round = 0; round < 6; round += 1) {
        reset();
        const ended = await Promise.all(LINES.map(line => start(directory, line)));
        for (const { code, stderr } of ended) {
          if (code !== 0)
            assert.match(
              stderr,
              /has just (changed|appeared|disappeared)|Another botcli is changing|between your edits and this update\. Nothing was written/,
            );
        }
        const winner = ended.findIndex(({ code }) => code === 0);
        const expected = ended.every(({ code }) => code === 0) ? both : alone[winner];
        assert.deepEqual(tree(), expected ?? (await give()), JSON.stringify(ended));
      }
    },
  );
});

describe('botcli update that is busy merging', () => {
  /** Makes the first look at a text of Python take forever. */
  const busy = `
    import { writeSync } from 'node:fs';
    const { decode } = TextDecoder.prototype;
    TextDecoder.prototype.decode = function (bytes, ...more) {
      const text = decode.call(this, bytes, ...more);
      if (text.includes('import pipecat') || text.includes('from pipecat')) for (writeSync(2, 'busy'); ; );
      return text;
    };`;

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    conflictIt(`ends at once on ${signal}`, async opened => {
      const before = opened.disk();
      const preload = `data:text/javascript,${encodeURIComponent(busy)}`;
      const child = spawn(process.execPath, ['--import', preload, BIN, ...CARTESIA.split(' ')], {
        cwd: opened.directory,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      try {
        const [shown] = await once(child.stderr, 'data');
        assert.equal(String(shown), 'busy');
        child.kill(signal);
        const [code, ended] = await once(child, 'close');
        assert.deepEqual([code, ended], [null, signal]);
        assert.deepEqual(opened.disk(), before);
      } finally {
        child.kill('SIGKILL');
      }
    });
  }
});
