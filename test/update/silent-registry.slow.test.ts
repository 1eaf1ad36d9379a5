import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VERSION } from '../../src/version.ts';
import { releasedBin } from '../support/program.ts';
import { owned } from './project.ts';

describe('the wait of botcli update for a registry that never answers', () => {
  it(
    'is said after three seconds, and takes at most fifteen',
    owned(async project => {
      project.edit('.botcli.json', `"version": "${VERSION}"`, '"version": "0.0.9"');
      project.edit('server/bot.py', 'friendly', 'patient');
      const silent = createServer(() => {}).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const env = {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: project.directory,
      };
      const start = Date.now();
      const said: [number, string][] = [];
      const child = spawn(process.execPath, [releasedBin(), 'update', 'bot', '--recording'], {
        cwd: project.directory,
        env,
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => said.push([Date.now() - start, text]));
      const [code] = await once(child, 'close');
      silent.close();
      silent.closeAllConnections();
      assert.equal(code, 1);
      assert(Date.now() - start < 30_000, `took ${Date.now() - start} ms`);
      const [when = 0] = said.find(([, text]) => text.includes(`Waiting for http://127.0.0.1:${port}/. If it`)) ?? [];
      assert(when > 2_000 && when < 10_000, JSON.stringify(said));
    }),
  ).timeout(60_000);
});
