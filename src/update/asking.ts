import { type ExitCode, explaining, hintOf } from '../errors.ts';
import { askConsent } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { printable } from '../text.ts';
import type { FindTests, Run } from './plan.ts';
import { explainConflict, linesOf } from './report.ts';

/** Asks whether to write conflict markers. Throws, with exit code 1, if the user leaves everything as it is. */
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
 * Offers to hold the bot's test conversations before it moves to another release of the framework, and after it.
 * Returns what to do after it: it says what differs, and returns exit code 1 if a conversation fails that passed.
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
    const withContext = explaining(error =>
      error.reason === 'interrupted'
        ? error
        : error.withMessage(`The bot is updated, but with Pipecat ${to}: ${error.message}`),
    );
    const after = await tests.hold().catch(withContext);
    const passed = after.filter(({ result }) => result === 'passed');
    const lost = after.filter(({ name, result }) => result === 'failed' && passedBefore.includes(name));
    const { red, yellow, green } = terminal.style;
    const sign = lost.length > 0 ? red('✗') : passed.length < after.length ? yellow('!') : green('✓');
    terminal.print(
      [
        `${sign} Pipecat ${to}: ${passed.length} of ${after.length} conversations passed (${from}: ${passedBefore.length} of ${before.length})`,
        ...lost.map(({ name, reason }) => `  ${name} fails now: ${printable(reason ?? 'it gives no reason')}`),
      ].join('\n'),
    );
    return lost.length > 0 ? 1 : undefined;
  };
}
