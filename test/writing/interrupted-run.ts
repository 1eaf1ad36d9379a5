import { UserError } from '../../src/errors.ts';
import { generate } from '../../src/yeoman/index.ts';
import { throwaway } from '../yeoman/throwaway.ts';
import { faultyFiles } from './faulty-files.ts';

// Usage: interrupted-run.ts TARGET MOMENT SIGNAL. Generates into TARGET, and sends SIGNAL to itself at MOMENT: while the
// generators run, while they hang, or at the first file system call with that name.
const [target = '', moment, signal] = process.argv.slice(2);

const interruptAt = (name: string) => {
  if (name === moment) process.kill(process.pid, signal);
};

const generator = throwaway({ 'server/bot.py': 'bot', 'client/package.json': '{}' }, async () => {
  interruptAt('rendering');
  interruptAt('hanging');
  if (moment === 'hanging') await new Promise(resolve => setTimeout(resolve, 15_000));
});

const files = faultyFiles(call => {
  interruptAt(call);
  return undefined;
});

try {
  await generate(
    { namespace: 'botcli:app', directory: target, options: {}, force: true },
    { generators: { 'botcli:app': generator }, files },
  );
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  console.error(error.message);
  process.exit(error.exitCode);
}
