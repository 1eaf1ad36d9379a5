#!/usr/bin/env node
import { leaveLostTerminal, processTerminal } from '../terminal.ts';
import { main } from './main.ts';

// Arguments may hold a secret, which everyone on this machine could read in the list of processes.
process.title = 'botcli';
process.exitCode = await main(process.argv.slice(2), processTerminal());
leaveLostTerminal();
