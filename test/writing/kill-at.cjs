// Preloaded into the program: kills it right before the call that changes the disk with the number KILL_AT. The count
// begins when the program makes its scratch directory, and ends when that is gone: later calls only read. With NO_LINKS,
// hard links don't work.
const fs = require('node:fs');
const { syncBuiltinESMExports } = require('node:module');

const { KILL_AT, NO_LINKS } = process.env;
const CALLS = [
  'mkdirSync',
  'rmdirSync',
  'openSync',
  'fchmodSync',
  'writeFileSync',
  'fdatasyncSync',
  'closeSync',
  'linkSync',
  'renameSync',
  'unlinkSync',
];
let calls = 0;
let isOver = false;

for (const name of CALLS) {
  const real = fs[name];
  fs[name] = (...args) => {
    if (isOver) return real(...args);
    if (calls > 0 || String(args[0]).includes('.botcli-')) calls += 1;
    if (calls === Number(KILL_AT)) process.kill(process.pid, 'SIGKILL');
    if (name === 'linkSync' && NO_LINKS)
      throw Object.assign(new Error('ENOTSUP'), { code: 'ENOTSUP', syscall: 'link' });
    const result = real(...args);
    isOver = name === 'rmdirSync' && /\.botcli-[^/\\]+\.tmp$/.test(args[0]);
    return result;
  };
}
syncBuiltinESMExports();
