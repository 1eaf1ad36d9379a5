import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, chmodSync, closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawConfig } from '../../src/config/options.ts';
import { BIN, DEADLINE_MS } from '../support/program.ts';
import {
  assertNothingLeft,
  environment,
  nextPort,
  type Run,
  readIfThere,
  type Scene,
  withDev,
} from '../support/running-dev.ts';
import { linuxIt } from '../support/systems.ts';
import { projectSaying, TOOLS } from '../support/tools.ts';
import { inTree } from '../support/trees.ts';

const itRuns = (title: string, ...rest: Parameters<typeof withDev>) => it(title, withDev(...rest));

/** Listens on a port, as a program of somebody else. */
async function occupy(port: number) {
  const other = createServer((_, response) => response.end('other'));
  await new Promise<void>(resolve => other.listen(port, '127.0.0.1', () => resolve()));
  return async () => {
    other.closeAllConnections();
    await new Promise(resolve => other.close(resolve));
  };
}

/** Writes a program. */
const program = (text: string) => (path: string) => {
  writeFileSync(path, `${text}\n`);
  chmodSync(path, 0o755);
};

describe('botcli dev', () => {
  const save = (run: Run, name: string, text: string) => appendFileSync(join(run.directory, 'server', name), text);
  const PHONE: RawConfig = { transports: ['rtc_local', 'tel_a'] };

  /** A moment in which it can be ended: what the stand-ins do, the options, and how to get there. */
  interface Phase extends Scene {
    name: string;
    /** Whether something ignores the first signal, so that a second one makes sense. */
    isDeaf?: true;
    reach(run: Run): Promise<unknown>;
  }
  /** Makes Node wait forever when it opens the bot, as if it were reading much. */
  const WAITING = `import fs from 'node:fs';
    const { openSync } = fs;
    fs.openSync = (path, ...more) => {
      if (!String(path).endsWith('bot.py')) return openSync(path, ...more);
      fs.writeSync(2, 'Reading.');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    };
    (await import('node:module')).syncBuiltinESMExports();`;
  const journaled = (what: string) => async (run: Run) => {
    const journal = join(run.directory, 'journal');
    while (!run.hasEnded() && !readIfThere(journal).includes(what)) await sleep(20);
  };
  const phases: Phase[] = [
    { name: 'checking', env: { FAKE_UV: 'hangs' }, reach: journaled('uv --version') },
    { name: 'installing', saying: { 'server/pyproject.toml': 'sync hangs' }, reach: journaled('uv sync') },
    { name: 'starting', saying: { 'server/bot.py': 'never gets ready' }, reach: journaled('uv run') },
    {
      name: 'ready, with processes that ignore signals',
      saying: { 'server/bot.py': 'starts others' },
      isDeaf: true,
      reach: run => run.until('is ready'),
    },
    {
      name: 'restarting a bot that ignores signals',
      saying: { 'server/bot.py': 'ignores signals' },
      isDeaf: true,
      async reach(run) {
        await run.until('Saving a file');
        save(run, 'bot.py', '#\n');
        await run.until('restarting the bot');
      },
    },
    {
      name: 'installing again',
      async reach(run) {
        await run.until('Saving a file');
        writeFileSync(join(run.directory, 'journal'), '');
        save(run, 'pyproject.toml', '# fake: sync hangs\n');
        await journaled('uv sync')(run);
      },
    },
    {
      name: 'opening the tunnel',
      config: PHONE,
      line: '--tunnel',
      env: { FAKE_TUNNEL: 'hangs' },
      reach: journaled('cloudflared'),
    },
    {
      name: 'waiting to open the tunnel again',
      config: PHONE,
      line: '--tunnel',
      env: { FAKE_TUNNEL: 'fails' },
      reach: run => run.until('Trying again'),
    },
  ];
  const signals = [
    [['SIGINT'], 130],
    [['SIGTERM'], 143],
    [['SIGHUP'], 129],
    [['SIGQUIT'], 131],
    [['SIGINT', 'SIGINT'], 130],
  ] as const;
  it('ends as any program does at a signal while it reads the project', async () => {
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(WAITING)}` };
    const endWith = (signal: NodeJS.Signals) =>
      withDev({ env }, async ({ child, until, ended }) => {
        await until('Reading.');
        child.kill(signal);
        await ended;
        assert.equal(child.signalCode, signal);
      })();
    await Promise.all((['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const).map(endWith));
  });

  for (const { name, isDeaf, reach, ...scene } of phases) {
    it(`ends after each signal while ${name}`, async () => {
      const endWith = ([names, code]: (typeof signals)[number]) =>
        withDev(scene, async run => {
          await reach(run);
          run.child.kill(names[0]);
          if (names[1]) {
            await run.until('Stopping. Press Ctrl-C again');
            // Two at once are one that arrived twice.
            await sleep(300);
            run.child.kill(names[1]);
          }
          assert.equal(await run.ended, code, `${names}: ${run.out()}`);
        })();
      await Promise.all(signals.filter(([names]) => isDeaf || names.length === 1).map(endWith));
    });
  }

  itRuns('ends with its reader', {}, async run => {
    await run.until('Saving a file');
    run.child.stdout?.destroy();
    save(run, 'bot.py', '\n');
    await new Promise(resolve => run.child.once('exit', resolve));
    assert.equal(run.child.exitCode, 1);
  });

  for (const line of ['dev --no-open', 'dev --no-open --json']) {
    linuxIt(`botcli ${line} ends if its output can't be written`, async () =>
      inTree(await projectSaying(), async directory => {
        const port = nextPort();
        const full = openSync('/dev/full', 'w');
        const args = [BIN, ...line.split(' '), '--port', String(port)];
        const { status, stderr } = spawnSync(process.execPath, args, {
          cwd: directory,
          env: environment(directory),
          encoding: 'utf8',
          stdio: ['ignore', full, 'pipe'],
          timeout: DEADLINE_MS,
        });
        closeSync(full);
        assert.equal(status, 1, stderr);
        assert.match(stderr, /^error: Can't write to stdout: no space left on device. The output is incomplete.$/m);
        await assertNothingLeft(directory, port);
      }),
    );
  }

  for (const [line, shown] of [
    ['--tunnel', /\nerror: Port \d+ is in use, so the bot can't start\nEnd that program, or pass another --port\.\n/],
    ['--tunnel --json', /"error":\{"code":"part-ended","message":"Port \d+ is in use,/],
  ] as const) {
    it(`a typed port that another program takes meanwhile ends it with the reason: ${line}`, async () => {
      const use = async (run: Run) => {
        await journaled('cloudflared')(run);
        const release = await occupy(run.port);
        writeFileSync(join(run.directory, 'go'), '');
        assert.equal(await run.ended, 1);
        assert.match(run.out(), shown);
        assert.doesNotMatch(run.out(), /is ready|"dev","event":"ready"/);
        await release();
      };
      await withDev({ config: PHONE, line, env: { FAKE_TUNNEL: 'is slow' } }, use)();
    });
  }

  itRuns('a port that another program takes first ends it', { saying: { 'server/bot.py': 'waits' } }, async run => {
    await run.until(/bot\.py waits, for \d+/);
    const release = await occupy(run.port);
    writeFileSync(join(run.directory, 'server/go'), '');
    assert.equal(await run.ended, 1);
    assert(run.out().includes(`error: Port ${run.port} is in use, so the bot can't start\n`), run.out());
    await release();
  });

  for (const [about, config, line, advice] of [
    ['typed port', {}, '', 'End that program, or pass another --port.'],
    ['port that a tunnel leads to', PHONE, '--host a.test', 'End that program, or pass'],
  ] as const) {
    it(`a ${about} isn't replaced: it ends with an error`, async () => {
      const port = nextPort() + 1;
      const release = await occupy(port);
      await withDev({ config, line }, async run => {
        assert.equal(run.port, port);
        assert.equal(await run.ended, 1);
        assert(run.out().includes(`error: Port ${port} is in use, so the bot can't start\n${advice}`), run.out());
        await release();
      })();
    });
  }

  itRuns(
    'names the page of the bot if the web client ends',
    { config: { client_framework: 'vanilla' }, env: { FAKE_CLIENT: 'fails' } },
    async ({ child, until, ended, port }) => {
      await until(`The bot goes on without it: http://localhost:${port}\n`);
      await until(`Talk to it: http://localhost:${port}\n`);
      child.kill('SIGINT');
      assert.equal(await ended, 130);
    },
  );

  /** How a tool may be broken, and what is shown. It's always the first one on the PATH. */
  const brokenTools: [about: string, name: string, make: (path: string) => void, shown: RegExp][] = [
    ['uv is a directory', 'uv', path => mkdirSync(path), /✗ uv isn't installed, or isn't on the PATH/],
    ['uv is not executable', 'uv', path => writeFileSync(path, ''), /✗ uv isn't installed, or isn't on the PATH/],
    ['uv is a link to itself', 'uv', path => symlinkSync('uv', path), /✗ uv isn't installed, or isn't on the PATH/],
    [
      'uv needs a program that is missing',
      'uv',
      program('#!/no/such'),
      /uv sync failed in server\/, with exit code 127\n.*uv can't be started: no such file or directory\n/,
    ],
    ['uv crashes', 'uv', program('#!/bin/sh\nkill -SEGV $$'), /uv sync failed in server\/, because of SIGSEGV\n/],
    [
      'uv prints garbage',
      'uv',
      program("#!/bin/sh\nprintf '\\377\\033]0;x\\007\\000y\\n'; exit 3"),
      /uv sync failed in server\/, with exit code 3\n {2}.*y\n/,
    ],
    [
      'npm is missing',
      'npm',
      () => {},
      /error: npm isn't installed, or isn't on the PATH\nInstall it: https:\/\/nodejs/,
    ],
    [
      'npm fails',
      'npm',
      program('#!/bin/sh\necho no network; exit 1'),
      /npm install failed in client\/, with exit code 1\n {2}no/,
    ],
  ];
  for (const [about, name, make, shown] of brokenTools) {
    it(`ends with 1 if ${about}`, async () => {
      const tree = await projectSaying({}, { client_framework: 'vanilla' });
      const isOther = ([path]: [string, string]) => !path.startsWith('client/node_modules');
      await inTree(Object.fromEntries(Object.entries(tree).filter(isOther)), async directory => {
        const tools = join(directory, '.tools');
        mkdirSync(tools);
        for (const one of ['uv', 'npm'].filter(one => one !== name)) symlinkSync(join(TOOLS, one), join(tools, one));
        symlinkSync(process.execPath, join(tools, 'node'));
        make(join(tools, name));
        const env = { HOME: directory, PATH: tools };
        const port = nextPort();
        const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'dev', '--port', String(port)], {
          cwd: directory,
          env,
          encoding: 'utf8',
        });
        assert.equal(status, 1, stdout + stderr);
        assert.match(stdout + stderr, shown);
        assert.doesNotMatch(stdout + stderr, /[^\P{Cc}\n]/u);
        await assertNothingLeft(directory, port);
      });
    });
  }
});
