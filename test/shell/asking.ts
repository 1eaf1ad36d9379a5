import { UserError } from '../../src/errors.ts';
import { createTerminal } from '../../src/shell/terminal.ts';

// Asks the questions named by its arguments, and prints the result to stdout.
const terminal = createTerminal(process);
// After Ctrl-Z, once the terminal is as before.
process.on('SIGCONT', () => setImmediate(() => process.stderr.write('<goes on>')));
const details = {
  instead: 'Pass --answer.',
  validate: (answer: string) => (answer === '' ? 'Say something' : undefined),
};
const choices = ['a', 'b'].map(value => ({ value, label: `Choice ${value}`, id: `id_${value}`, hint: 'more' }));
// Somebody who searches for nr 2 means neither nr 20 nor what has it in its hint.
const many = Array.from({ length: 30 }, (_, at) => ({
  value: String(at),
  label: 'Service',
  id: `nr ${at}`,
  ...(at < 2 && { hint: 'like nr 2' }),
}));
const questions: Record<string, () => Promise<unknown>> = {
  confirm: () => terminal.confirm('Go ahead?', details),
  ask: () => terminal.ask('Name?', details),
  edit: () => terminal.ask('Name?', { ...details, suggestion: 'acme' }),
  choose: () => terminal.choose('Which?', { ...details, choices: choices.slice(0, 2), initial: 'b' }),
  search: () => terminal.choose('Which?', { ...details, choices: many }),
  some: () => terminal.chooseSome('Which?', { instead: details.instead, choices }),
  hidden: () => terminal.askHidden('Token?', details),
};
try {
  for (const question of process.argv.slice(2)) {
    terminal.print(`answer: ${JSON.stringify(await questions[question]?.())}`);
  }
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  terminal.print(`refused: ${error.message} ${error.hint ?? ''}`);
  process.exitCode = error.exitCode;
}
