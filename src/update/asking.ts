import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { type ExitCode, explaining, hintOf } from '../errors.ts';
import { findProgram, startOf, withOwnPrograms } from '../programs.ts';
import { askConsent } from '../shell/confirmation.ts';
import { Cancelled } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import { printable } from '../text.ts';
import type { FindTests, Run } from './plan.ts';
import { explainConflict, linesOf } from './report.ts';

/**
 * Asks whether to write conflict markers.
 *
 * @throws {UserError} Exit code 1: the user left everything, so nothing is written.
 */
export function askAboutConflicts({ plan: { conflicts } }: Run, terminal: Terminal): Promise<void> {
  const count = conflicts.length === 1 ? 'one place' : `${conflicts.length} places`;
  const consent = {
    about: `You and botcli changed ${count} in different ways`,
    places: conflicts.map(linesOf),
    question: 'What should happen?',
    proceed: { value: 'markers', label: 'Write both versions, with conflict markers' },
    show: {
      label: 'Show the conflicts',
      lines: () => conflicts.flatMap(explainConflict).map(line => `  ${printable(line)}`),
    },
    instead: 'Pass --conflicts markers.',
  };
  return askConsent(consent, terminal);
}

/**
 * Offers to hold the bot's test conversations before it moves to another release of the framework, and after it. Returns
 * what to do after it: it says what differs, and returns exit code 1 if a conversation fails that passed.
 *
 * @throws {UserError} The conversations can't be held.
 */
export async function offerTests(
  { project: { root }, framework }: Run,
  findTests: FindTests,
  terminal: Terminal,
): Promise<(() => Promise<ExitCode | undefined>) | undefined> {
  if (!framework || framework.from === framework.to) return undefined;
  const { from, to } = framework;
  const tests = await findTests(root, terminal);
  if (!tests) return undefined;
  const many = tests.count === 1 ? 'test conversation' : `${tests.count} test conversations`;
  const question = `Hold its ${many} with Pipecat ${from} and with ${to}?\nThat takes a few minutes, and calls your AI services.`;
  if (!(await terminal.confirm(question, { instead: 'Run botcli test before and after it.', isFresh: true })))
    return undefined;
  const before = await tests.hold().catch(
    explaining(error => {
      const hint = hintOf(error.hint, 'Nothing was changed. To update all the same, answer no here.');
      return error.reason === 'interrupted' ? error : error.withMessage(error.message, { hint });
    }),
  );
  const passedBefore = before.filter(({ result }) => result === 'passed').map(({ name }) => name);
  return async () => {
    const after = await tests
      .hold()
      .catch(
        explaining(error =>
          error.reason === 'interrupted'
            ? error
            : error.withMessage(`The bot is updated, but with Pipecat ${to}: ${error.message}`),
        ),
      );
    const passed = after.filter(({ result }) => result === 'passed');
    const lost = after.filter(({ name, result }) => result === 'failed' && passedBefore.includes(name));
    const { red, yellow, green } = terminal.style;
    const sign = lost.length > 0 ? red('✗') : passed.length < after.length ? yellow('!') : green('✓');
    terminal.print(
      `${sign} Pipecat ${to}: ${passed.length} of ${after.length} conversations passed (${from}: ${passedBefore.length} of ${before.length})`,
    );
    for (const { name, reason } of lost)
      terminal.print(`  ${name} fails now: ${printable(reason ?? 'it gives no reason')}`);
    return lost.length > 0 ? 1 : undefined;
  };
}

/**
 * Offers to run the commands that check code that was merged, if uv is there. They say nothing about whether the bot
 * works. Does nothing where botcli can't ask.
 */
export async function offerChecks({ project, plan, isDry, json }: Run, terminal: Terminal): Promise<void> {
  const isMerged = plan.files.some(({ path, action }) => action === 'merged' && path.endsWith('.py'));
  const uv =
    isMerged && terminal.interactive && !isDry && !json ? findProgram('uv', terminal.env, project.root) : undefined;
  if (!uv) return;
  const hasNewPackages = plan.changes.some(({ name }) => name === 'server/pyproject.toml');
  const commands = [...(hasNewPackages ? ['sync'] : []), 'run ruff check --fix .', 'run pyright'];
  const names = commands.map(command => `uv ${command}`).join(', ');
  try {
    const question = `Check the merged code now?\nThis runs ${names}.`;
    if (!(await terminal.confirm(question, { instead: 'Run these commands.', isFresh: true }))) return;
  } catch (error) {
    if (error instanceof Cancelled) return;
    throw error;
  }
  const env = withOwnPrograms(terminal.env, project.root);
  for (const command of commands) {
    terminal.note(`\n${terminal.noteStyle.dim(`uv ${command}`)}`);
    const problem = await runIn(join(project.root, 'server'), uv, command.split(' '), env);
    if (problem) return terminal.note(`${terminal.noteStyle.yellow('!')} uv ${command}: ${problem}`);
  }
  terminal.note('\nThese checks found nothing. Talk to the bot to see whether it does what you want.');
}

/** Runs a program in the terminal. Returns why it failed. */
const runIn = (cwd: string, program: string, words: string[], env: Terminal['env']): Promise<string | undefined> =>
  new Promise(resolve => {
    const { file, args, ...verbatim } = startOf(program, words, env);
    const child = spawn(file, args, { cwd, env, stdio: 'inherit', ...verbatim });
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}.`),
    );
  });
