#!/usr/bin/env node
import { processTerminal } from '../shell/terminal.ts';
import { main } from './main.ts';

// Arguments may contain a secret, which every user of this machine could read in the process list.
process.title = 'botcli';
const terminal = processTerminal({
  onLoss() {
    process.exitCode = 1;
  },
});
const code = await main(process.argv.slice(2), terminal);
process.exitCode ||= code;
