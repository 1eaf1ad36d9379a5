import { setTimeout as sleepFor } from 'node:timers/promises';
import { changeUserConfig } from '../../src/account/config-change.ts';
import type { Terminal } from '../../src/shell/terminal.ts';

// Adds 1 to a number in the config file at this path, this many times.

const [path = '', times = ''] = process.argv.slice(2);
// A third of the time, so that the test isn't slow.
const sleep = (ms: number) => sleepFor(ms / 3);
const terminal = { env: { BOTCLI_CONFIG: path }, cwd: '/', sleep, note: console.error } as never as Terminal;

for (let left = Number(times); left > 0; ) {
  try {
    await changeUserConfig(terminal, config => ({ ...config, count: Number(config.count) + 1 }));
    left -= 1;
  } catch (error) {
    // On a busy machine, a process may stop for so long that it loses its lock. Then it has stored nothing.
    if (!String(error).includes('stored nothing')) throw error;
  }
}
