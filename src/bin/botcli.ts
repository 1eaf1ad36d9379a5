#!/usr/bin/env node

// Evaluated first, before any other module.
import './title.ts';
import { createTerminal } from '../shell/terminal.ts';
import { COMMANDS, main } from './main.ts';

let isLost = false;
const terminal = createTerminal(process, {
  commands: COMMANDS,
  onLoss() {
    isLost = true;
    process.exitCode = 1;
  },
});
// Until `main` says otherwise: the process also ends when nothing is left that it could wait for.
process.exitCode = 1;
main(process.argv.slice(2), terminal).then(code => {
  process.exitCode = isLost ? 1 : code;
});
