import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFree } from '../../src/check/this-machine.ts';
import { socketsIn } from '../../src/sockets.ts';
import { BIN, DEADLINE_MS } from '../support/program.ts';
import { environment, nextPort, project, type Run, withDev } from '../support/running-dev.ts';
import { inTree } from '../support/trees.ts';

/** Listens on a port, as a program of somebody else. */
async function occupy(port: number) {
  const other = createServer((_, response) => response.end('other'));
  await new Promise<void>(resolve => other.listen(port, '127.0.0.1', () => resolve()));
  return async () => {
    other.closeAllConnections();
    await new Promise(resolve => other.close(resolve));
  };
}

const answerOf = async (port: number | string) => (await fetch(`http://localhost:${port}/`)).text();

/** What an expression finds first in the output, once it is there. */
async function found(run: Run, expression: RegExp): Promise<string> {
  await run.until(expression);
  return expression.exec(run.out())?.[1] ?? '';
}

/** How messages name the program of the tests. Only Linux says which program it is. */
const US = process.platform === 'linux' ? `node (process ${process.pid})` : 'another program';

describe('the ports of botcli dev', () => {
  it(
    "another program's answer isn't the bot's, which takes the next port if its own was taken meanwhile",
    withDev(
      project({ 'server/bot.py': 'waits' }),
      '',
      async run => {
        const port = await found(run, /bot\.py waits, for (\d+)/);
        const release = await occupy(Number(port));
        try {
          // By then, it has asked for an answer several times.
          await sleep(1500);
          if (process.platform === 'linux') assert.doesNotMatch(run.out(), /is ready/);
          writeFileSync(join(run.directory, 'server/go'), '');
          const next = await found(run, /so the bot uses (\d+)\.\n[\s\S]*Talk to it: http:\/\/localhost:\1\n/);
          assert.notEqual(next, port);
          assert.equal(await answerOf(next), `bot.py --port ${next} `);
          assert.doesNotMatch(run.out(), /The bot ended/);
          run.child.kill('SIGINT');
          assert.equal(await run.ended, 130);
          assert(await isFree(Number(next)));
        } finally {
          await release();
        }
      },
      {},
      true,
    ),
  );

  it(
    'a part that loses its port starts again, even if the other program has left it',
    withDev(project({ 'server/bot.py': 'loses its port 3' }), '', async run => {
      await run.until('Talk to it');
      assert.equal(run.out().match(/address already in use/g)?.length, 3);
      assert.doesNotMatch(run.out(), /The bot ended/);
      run.child.kill('SIGINT');
      assert.equal(await run.ended, 130);
    }),
  );

  it(
    'a part that always says that it lost its port ends',
    withDev(project({ 'server/bot.py': 'loses its port 99' }), '--no-restart', async run => {
      assert.equal(await run.ended, 1);
      assert.equal(run.out().match(/address already in use/g)?.length, 6);
      assert.match(run.out(), /✗ The bot ended with exit code 1\./);
    }),
  );

  const pages: string[] = [];
  it('two projects at once get different ports', () =>
    Promise.all(
      [1, 2].map(() => {
        return withDev(
          project({}, { client_framework: 'vanilla' }),
          '',
          async run => {
            const page = await found(run, /Talk to it: (\S+)\n/);
            const bot = await found(run, /[\s\S]*bot\.py listens on (\d+)\n/);
            assert.equal(await (await fetch(page)).text(), `http://localhost:${bot}`);
            pages.push(page);
            while (pages.length < 2) await sleep(20);
            run.child.kill('SIGINT');
            assert.equal(await run.ended, 130);
          },
          {},
          true,
        )();
      }),
    ).then(() => assert.notEqual(pages[0], pages[1])));
  for (const [about, config, line, advice] of [
    ['typed port', {}, '', 'End that program, or pass another --port.'],
    [
      'port that a tunnel leads to',
      { transports: ['rtc_local', 'tel_a'] },
      '--host a.test',
      'End that program, or pass',
    ],
  ] as const) {
    it(`a ${about} isn't replaced: the error names what listens there`, async () => {
      const port = nextPort() + 1;
      const release = await occupy(port);
      await withDev(project({}, { ...config }), line, async run => {
        assert.equal(run.port, port);
        assert.equal(await run.ended, 1);
        assert(
          run.out().includes(`error: Port ${port} is in use by ${US}, so the bot can't start\n${advice}`),
          run.out(),
        );
        await release();
      })();
    });
  }

  (process.platform === 'linux' ? it : it.skip)(
    'name a bot of the project that runs already, and how to end it',
    async () =>
      inTree(await project()(), async directory => {
        const port = nextPort();
        const env = environment(directory);
        const byHand = spawn('uv', ['run', 'bot.py', '--port', String(port)], { cwd: join(directory, 'server'), env });
        const { pid } = byHand;
        try {
          while (await isFree(port)) await sleep(20);
          const dev = [BIN, 'dev', '--port', String(port)];
          const { status, stderr } = spawnSync(process.execPath, dev, {
            cwd: directory,
            env,
            encoding: 'utf8',
            timeout: DEADLINE_MS,
          });
          assert.equal(status, 1, stderr);
          assert(
            stderr.includes(`is in use by node (process ${pid}) of this project, so the bot can't start\n`),
            stderr,
          );
          assert.match(stderr, new RegExp(`^To end that one: kill ${pid}$`, 'm'));
        } finally {
          byHand.kill('SIGKILL');
        }
      }),
  );
});

describe('the sockets that listen on a port', () => {
  const line = (address: string, state: string, inode: number) =>
    `   0: ${address}:1EB4 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0`;
  it('are those of the addresses that localhost reaches', () => {
    const table = [
      '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode',
      line('0100007F', '0A', 1),
      line('00000000', '0A', 2),
      line('00000000000000000000000001000000', '0A', 3),
      line('0'.repeat(32), '0A', 4),
      line('0000000000000000FFFF00000100007F', '0A', 5),
      line('0200A8C0', '0A', 6),
      line('0100007F', '01', 7),
    ].join('\n');
    assert.deepEqual(socketsIn(table, 7860), ['1', '2', '3', '4', '5']);
    assert.deepEqual(socketsIn(table, 7861), []);
  });
});
