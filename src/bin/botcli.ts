#!/usr/bin/env node
import { processTerminal } from '../shell/terminal.ts';
import { main } from './main.ts';

/** What ends earlier, in seconds, has lost no terminal. */
const SOON = 0.5;

// Arguments may hold a secret, which everyone on this machine could read in the list of processes.
process.title = 'botcli';
const terminal = processTerminal(() => {
  process.exitCode = 1;
});
const code = await main(process.argv.slice(2), terminal);
process.exitCode ||= code;
if (process.uptime() > SOON) (await import('../shell/terminal/lost-terminal.ts')).leaveLostTerminal();
