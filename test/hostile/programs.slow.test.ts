import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { VERSION } from '../../src/version.ts';
import { git } from '../support/git.ts';
import { DEADLINE_MS, releasedBin } from '../support/program.ts';
import { BOT, session } from '../support/session.ts';
import { posixIt } from '../support/systems.ts';

/** Places in a project that a PATH may name. */
const PLACES = ['.venv/bin', 'server/.venv/bin', 'client/node_modules/.bin', '.', 'bin'];
const PROGRAMS = ['git', 'uv', 'npm', 'npx', 'node', 'python', 'python3', 'ps', 'sh', 'taskkill', 'open', 'xdg-open'];
const LINES = [
  'check',
  'update --dry-run',
  'update --recording --dry-run --diff',
  `init . ${BOT} --force`,
  'cloud secrets set s A=b --file server/.env --dry-run',
  'cloud deploy --dry-run',
];

describe('a program in a project, on the PATH,', () => {
  for (const line of LINES) {
    posixIt(
      `isn't run by botcli ${line}`,
      session({}, async ({ directory, succeed, write, exists, read }) => {
        await succeed(`init bot ${BOT}`);
        const root = join(directory, 'bot');
        git(root, 'init', '--quiet');
        write('bot/server/.env', 'OPENAI_API_KEY=sk-x\n');
        git(root, 'add', '--force', '.');
        // The release that wrote it has to be asked.
        write('bot/.botcli.json', read('bot/.botcli.json').replace(`"version": "${VERSION}"`, '"version": "0.0.9"'));
        write('bot/server/bot.py', `# mine\n${read('bot/server/bot.py')}`);
        for (const place of PLACES) {
          mkdirSync(join(root, place), { recursive: true });
          for (const program of PROGRAMS) {
            write(`bot/${place}/${program}`, `#!/bin/sh\necho ${program} >> '${directory}/ran'\n`);
            chmodSync(join(root, place, program), 0o755);
          }
        }
        const PATH = ['', ...PLACES, ...PLACES.map(place => join(root, place)), process.env.PATH].join(delimiter);
        const env = { ...process.env, PATH, npm_config_registry: 'http://127.0.0.1:9', BOTCLI_TOKEN: '' };
        spawnSync(process.execPath, [releasedBin(), ...line.split(' ')], { cwd: root, env, timeout: DEADLINE_MS });
        assert(!exists('ran'), exists('ran') ? read('ran') : '');
      }),
    );
  }
});
