import assert from 'node:assert/strict';
import { type StdioOptions, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const other = createServer((_, response) => response.end('other')).listen(port, '127.0.0.1');
  await once(other, 'listening');
  return async () => {
    other.closeAllConnections();
    await new Promise(resolve => other.close(resolve));
  };
}

describe('botcli dev', () => {
  const save = (run: Run, name: string, text: string) => appendFileSync(join(run.directory, 'server', name), text);
  const PHONE: RawConfig = { transports: ['rtc_local', 'tel_a'] };
  const tunneling = (says: string) => ({ config: PHONE, line: '--tunnel', env: { FAKE_TUNNEL: says } });
  const saying = (words: string) => ({ saying: { 'server/bot.py': words } });

  const journaled = (what: string) => async (run: Run) => {
    const journal = join(run.directory, 'journal');
    while (!run.hasEnded() && !readIfThere(journal).includes(what)) await sleep(20);
  };
  const restarting = async (run: Run) => {
    await run.until('Saving a file');
    save(run, 'bot.py', '#\n');
    await run.until('restarting the bot');
  };
  const installingAgain = async (run: Run) => {
    await run.until('Saving a file');
    writeFileSync(join(run.directory, 'journal'), '');
    save(run, 'pyproject.toml', '# fake: sync hangs\n');
    await journaled('uv sync')(run);
  };
  const ready = (run: Run) => run.until('is ready');
  const again = (run: Run) => run.until('Trying again');
  /** Moments in which it can be ended. If something ignores the first signal, a second one makes sense. */
  const phases: [name: string, scene: Scene, reach: (run: Run) => Promise<unknown>, isDeaf?: true][] = [
    ['checking', { env: { FAKE_UV: 'hangs' } }, journaled('uv --version')],
    ['installing', { saying: { 'server/pyproject.toml': 'sync hangs' } }, journaled('uv sync')],
    ['starting', saying('never gets ready'), journaled('uv run')],
    ['ready, with processes that ignore signals', saying('starts others'), ready, true],
    ['restarting a bot that ignores signals', saying('ignores signals'), restarting, true],
    ['installing again', {}, installingAgain],
    ['opening the tunnel', tunneling('hangs'), journaled('cloudflared')],
    ['waiting to open the tunnel again', tunneling('fails'), again],
  ];
  const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131, 'SIGINT SIGINT': 130 };
  const signals = Object.entries(codes).map(([names, code]) => [names.split(' ') as NodeJS.Signals[], code] as const);

  for (const [name, scene, reach, isDeaf] of phases) {
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
    await once(run.child, 'exit');
    assert.equal(run.child.exitCode, 1);
  });

  /** Runs it to its end in a directory. */
  async function runIn(cwd: string, line: string, env: Record<string, string>, stdout: 'pipe' | number = 'pipe') {
    const port = nextPort();
    const args = [BIN, ...line.split(' '), '--port', String(port)];
    const stdio: StdioOptions = ['ignore', stdout, 'pipe'];
    const settings = { cwd, env, encoding: 'utf8', stdio, timeout: DEADLINE_MS } as const;
    const { status, stdout: shown, stderr } = spawnSync(process.execPath, args, settings);
    const text = (shown ?? '') + stderr;
    assert.equal(status, 1, text);
    await assertNothingLeft(cwd, port);
    return text;
  }

  for (const line of ['dev --no-open', 'dev --no-open --json']) {
    linuxIt(`botcli ${line} ends if its output can't be written`, async () =>
      inTree(await projectSaying(), async directory => {
        const full = openSync('/dev/full', 'w');
        const text = await runIn(directory, line, environment(directory), full);
        closeSync(full);
        assert.match(text, /^error: Can't write to stdout: no space left on device. The output is incomplete.$/m);
      }),
    );
  }

  for (const [line, shown] of [
    ['--tunnel', /\nerror: Port \d+ is in use, so the bot can't start\nEnd that program, or pass another --port\.\n/],
    ['--tunnel --json', /"error":\{"code":"part-ended","message":"Port \d+ is in use,/],
  ] as const) {
    const title = `a typed port that another program takes meanwhile ends it with the reason: ${line}`;
    itRuns(title, { ...tunneling('is slow'), line }, async run => {
      await journaled('cloudflared')(run);
      const release = await occupy(run.port);
      writeFileSync(join(run.directory, 'go'), '');
      assert.equal(await run.ended, 1);
      assert.match(run.out(), shown);
      assert.doesNotMatch(run.out(), /is ready|"dev","event":"ready"/);
      await release();
    });
  }

  itRuns('a port that another program takes first ends it', saying('waits'), async run => {
    await run.until(/bot\.py waits, for \d+/);
    const release = await occupy(run.port);
    writeFileSync(join(run.directory, 'server/go'), '');
    assert.equal(await run.ended, 1);
    assert(run.out().includes(`error: Port ${run.port} is in use, so the bot can't start\n`), run.out());
    await release();
  });

  for (const [about, scene, advice] of [
    ['typed port', {}, 'End that program, or pass another --port.'],
    ['port that a tunnel leads to', { config: PHONE, line: '--host a.test' }, 'End that program, or pass'],
  ] as const) {
    it(`a ${about} isn't replaced: it ends with an error`, async () => {
      const port = nextPort() + 1;
      const release = await occupy(port);
      await withDev(scene, async run => {
        assert.equal(run.port, port);
        assert.equal(await run.ended, 1);
        assert(run.out().includes(`error: Port ${port} is in use, so the bot can't start\n${advice}`), run.out());
        await release();
      })();
    });
  }

  const clientless = { config: { client_framework: 'vanilla' }, env: { FAKE_CLIENT: 'fails' } };
  itRuns('names the page of the bot if the web client ends', clientless, async ({ child, until, ended, port }) => {
    await until(`The bot goes on without it: http://localhost:${port}\n`);
    await until(`Talk to it: http://localhost:${port}\n`);
    child.kill('SIGINT');
    assert.equal(await ended, 130);
  });

  const program = (text: string) => (path: string) => writeFileSync(path, `${text}\n`, { mode: 0o755 });
  const MISSING = /✗ uv isn't installed, or isn't on the PATH/;
  const noInterpreter =
    /uv sync failed in server\/, with exit code 127\n.*uv can't be started: no such file or directory\n/;
  const garbage = program("#!/bin/sh\nprintf '\\377\\033]0;x\\007\\000y\\n'; exit 3");
  const noNetwork = program('#!/bin/sh\necho no network; exit 1');
  const noNpm = /error: npm isn't installed, or isn't on the PATH\nInstall it: https:\/\/nodejs/;
  /** How a tool may be broken, and what is shown. It's always the first one on the PATH. */
  const brokenTools: [name: string, about: string, make: (path: string) => void, shown: RegExp][] = [
    ['uv', 'is a directory', path => mkdirSync(path), MISSING],
    ['uv', 'is not executable', path => writeFileSync(path, ''), MISSING],
    ['uv', 'is a link to itself', path => symlinkSync('uv', path), MISSING],
    ['uv', 'needs a program that is missing', program('#!/no/such'), noInterpreter],
    ['uv', 'crashes', program('#!/bin/sh\nkill -SEGV $$'), /uv sync failed in server\/, because of SIGSEGV\n/],
    ['uv', 'prints garbage', garbage, /uv sync failed in server\/, with exit code 3\n {2}.*y\n/],
    ['npm', 'is missing', () => {}, noNpm],
    ['npm', 'fails', noNetwork, /npm install failed in client\/, with exit code 1\n {2}no/],
  ];
  for (const [name, about, make, shown] of brokenTools) {
    it(`ends with 1 if ${name} ${about}`, async () => {
      const tree = await projectSaying({}, { client_framework: 'vanilla' });
      const isOther = ([path]: [string, string]) => !path.startsWith('client/node_modules');
      await inTree(Object.fromEntries(Object.entries(tree).filter(isOther)), async directory => {
        const tools = join(directory, '.tools');
        mkdirSync(tools);
        for (const one of ['uv', 'npm'].filter(one => one !== name)) symlinkSync(join(TOOLS, one), join(tools, one));
        symlinkSync(process.execPath, join(tools, 'node'));
        make(join(tools, name));
        const text = await runIn(directory, 'dev', { HOME: directory, PATH: tools });
        assert.match(text, shown);
        assert.doesNotMatch(text, /[^\P{Cc}\n]/u);
      });
    });
  }
});
