import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UserError } from '../../src/errors.ts';
import { generate } from '../../src/writing/generate.ts';
import { raise } from '../support/systems.ts';
import { faultyFiles } from './faulty-files.ts';

// Usage: interrupted-run.ts TARGET MOMENT SIGNAL. Generates into TARGET, and sends SIGNAL to itself at MOMENT: while the
// it renders, while rendering hangs, or at the first file system call with that name.
const [target = '', moment, signal] = process.argv.slice(2);

const interruptAt = (name: string) => {
  if (name === moment) raise(signal as NodeJS.Signals);
};

/** Renders two files. An abort ends it, as it ends Yeoman's run. */
async function render(aborted: AbortSignal) {
  interruptAt('rendering');
  interruptAt('hanging');
  if (moment === 'hanging')
    await setTimeout(15_000, undefined, { signal: aborted }).catch(() => aborted.throwIfAborted());
  const contents = { 'server/bot.py': 'bot', 'client/package.json': '{}' };
  const rendered = Object.entries(contents).map(([name, text]) => ({
    path: join(target, name),
    contents: Buffer.from(text),
    replaces: false,
  }));
  return { files: rendered, kept: [] };
}

const files = faultyFiles(call => {
  interruptAt(call);
  return undefined;
});

try {
  await generate(render, { directory: target, force: true }, files);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
}
