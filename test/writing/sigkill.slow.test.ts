import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BIN } from '../support/program.ts';
import { BOT, session } from '../support/session.ts';
import { readTree, type Tree } from '../support/trees.ts';

const PRELOAD = fileURLToPath(new URL('kill-at.cjs', import.meta.url));

/** Every so many calls, the program is killed at one. */
const STEP = 25;

/** A command line, and what makes the project that it finds. */
const lines: Record<string, { before?: string; line: string }> = {
  init: { line: `init bot ${BOT}` },
  'init --force': { before: `init bot ${BOT} --eval`, line: `init bot ${BOT} --recording --force` },
  update: { before: `init bot ${BOT} --eval`, line: 'update bot --recording --no-eval -t rtc_local -t rtc_hosted' },
};

describe('the program, killed by the system while it writes,', () => {
  for (const [name, { before, line }] of Object.entries(lines)) {
    for (const disk of ['with', 'without']) {
      it(
        `leaves a project that the next run completes: ${name}, on a disk ${disk} hard links`,
        session({}, async ({ directory, succeed }) => {
          const root = join(directory, 'bot');
          const made = join(directory, 'made');
          // A directory that has become empty may stay.
          const treeOf = (): Tree =>
            Object.fromEntries(Object.entries(readTree(root)).filter(([, text]) => text !== '/'));
          if (before) await succeed(before);
          if (before) cpSync(root, made, { recursive: true });
          const env = { ...process.env, ...(disk === 'without' && { NO_LINKS: '1' }) };
          const run = (words: string, at?: number) =>
            spawnSync(process.execPath, ['--require', PRELOAD, BIN, ...words.split(' ')], {
              cwd: directory,
              env: { ...env, ...(at && { KILL_AT: String(at) }) },
              encoding: 'utf8',
            });
          const reset = () => {
            rmSync(root, { recursive: true, force: true });
            if (before) cpSync(made, root, { recursive: true });
          };

          assert.equal(run(line).status, 0);
          const fresh = treeOf();
          let kills = 0;
          for (let at = 1; ; at += STEP) {
            reset();
            const { status, signal } = run(line, at);
            if (signal === null) {
              assert.equal(status, 0);
              break;
            }
            kills += 1;
            assert.equal(signal, 'SIGKILL');
            const again = run(line);
            assert.equal(again.status, 0, again.stderr);
            assert.match(again.stderr, at > 1 ? /^botcli was interrupted here\. / : /^/, `call ${at}`);
            assert.deepEqual(treeOf(), fresh, `call ${at}`);
          }
          assert(kills > 3, `only ${kills} kills`);
        }),
      ).timeout(600_000);
    }
  }
});
