import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { nextPort, project, type Run, withDev } from '../support/running-dev.ts';

/** Listens on a port, as a program of somebody else. */
async function occupy(port: number) {
  const other = createServer((_, response) => response.end('other'));
  await new Promise<void>(resolve => other.listen(port, '127.0.0.1', () => resolve()));
  return async () => {
    other.closeAllConnections();
    await new Promise(resolve => other.close(resolve));
  };
}

/** What an expression finds first in the output, once it is there. */
async function found(run: Run, expression: RegExp): Promise<string> {
  await run.until(expression);
  return expression.exec(run.out())?.[1] ?? '';
}

describe('the ports of botcli dev', () => {
  it('a port that another program takes meanwhile ends it all', async () => {
    await withDev(project({ 'server/bot.py': 'waits' }), '', async run => {
      const port = await found(run, /bot\.py waits, for (\d+)/);
      const release = await occupy(Number(port));
      try {
        writeFileSync(join(run.directory, 'server/go'), '');
        assert.equal(await run.ended, 1);
        assert(run.out().includes(`error: Port ${port} is in use, so the bot can't start\n`), run.out());
      } finally {
        await release();
      }
    })();
  });

  for (const [about, config, line, advice] of [
    ['typed port', {}, '', 'End that program, or pass another --port.'],
    [
      'port that a tunnel leads to',
      { transports: ['rtc_local', 'tel_a'] },
      '--host a.test',
      'End that program, or pass',
    ],
  ] as const) {
    it(`a ${about} isn't replaced: it ends with an error`, async () => {
      const port = nextPort() + 1;
      const release = await occupy(port);
      await withDev(project({}, { ...config }), line, async run => {
        assert.equal(run.port, port);
        assert.equal(await run.ended, 1);
        assert(run.out().includes(`error: Port ${port} is in use, so the bot can't start\n${advice}`), run.out());
        await release();
      })();
    });
  }
});
