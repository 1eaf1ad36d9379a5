import { createRequire } from 'node:module';
import { main } from '../../src/bin/main.ts';
import { processTerminal } from '../../src/terminal.ts';

// Runs a command line in silence, and prints the packages with CommonJS that were loaded for it.
const silent = { print: () => {}, note: () => {} };
await main(process.argv.slice(2), { ...processTerminal(), ...silent });
const files = Object.keys(createRequire(import.meta.url).cache);
const names = files.flatMap(file => /node_modules\/(?!.*node_modules\/)((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []);
console.log([...new Set(names)].join('\n'));
