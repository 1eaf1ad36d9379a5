#!/usr/bin/env node

// Evaluated first, before any other module.
import './title.ts';
import { processTerminal } from '../shell/terminal.ts';
import { COMMANDS, main } from './main.ts';

const terminal = processTerminal({
  commands: COMMANDS,
  onLoss() {
    process.exitCode = 1;
  },
});
const code = await main(process.argv.slice(2), terminal);
process.exitCode ||= code;
