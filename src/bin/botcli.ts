#!/usr/bin/env node

// Arguments may contain a secret, which every user of this machine can read in the process list. So the title changes
// before the program loads.
process.title = 'botcli';
const [{ processTerminal }, { main }] = await Promise.all([import('../shell/terminal.ts'), import('./main.ts')]);
const terminal = processTerminal({
  onLoss() {
    process.exitCode = 1;
  },
});
const code = await main(process.argv.slice(2), terminal);
process.exitCode ||= code;
