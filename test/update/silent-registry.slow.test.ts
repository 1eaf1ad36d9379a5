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
    'is said, and lasts for one request and one retry',
    owned(async project => {
      project.edit('.botcli.json', `"version": "${VERSION}"`, '"version": "0.0.9"');
      project.edit('server/bot.py', 'friendly', 'patient');
      let requests = 0;
      const silent = createServer(({ url }) => {
        if (url === '/generator-botcli') requests += 1;
      }).listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const env = {
        ...process.env,
        npm_config_registry: `http://127.0.0.1:${port}/`,
        npm_config_cache: project.directory,
      };
      let stderr = '';
      const child = spawn(process.execPath, [releasedBin(), 'update', 'bot', '--recording'], {
        cwd: project.directory,
        env,
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      const [code] = await once(child, 'close');
      silent.close();
      silent.closeAllConnections();
      assert.equal(code, 1);
      assert.equal(requests, 2);
      assert(stderr.includes(`Waiting for http://127.0.0.1:${port}/. If it`), stderr);
    }),
  );
});
