import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deployIt, KEY } from '../support/deploys.ts';
import { BIN } from '../support/program.ts';

describe('cloud deploy --secrets', () => {
  deployIt('never runs what the file names: Node.js does not read it', {}, async session => {
    session.write('evil.cjs', "require('node:fs').writeFileSync('ran', '')\n");
    session.write('keys', `NODE_OPTIONS=--require=./evil.cjs\nBOTCLI_API_URL=http://127.0.0.1:1\n${KEY}=x\n`);
    const deploy = (...args: string[]) =>
      promisify(execFile)(process.execPath, [BIN, 'cloud', 'deploy', ...args], {
        cwd: session.directory,
        env: { ...session.env, PATH: process.env.PATH },
      });
    const { stdout } = await deploy('--secrets', 'keys', '--dry-run', '--json');
    assert.deepEqual(JSON.parse(stdout).secrets.replaced, [KEY]);
    assert.equal(existsSync(join(session.directory, 'ran')), false);
    // botcli itself says that the file is missing.
    await assert.rejects(deploy('--secrets', 'absent', '--dry-run'), { code: 2, stderr: /^error: .*absent/m });
  });
});
