import { readFacts } from '../check/read.ts';
import { allOf, attempt, ignoring, UserError, usageError } from '../errors.ts';
import { DEBUG, defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { holdConversations, holdQuietly, installServer } from './conversations.ts';
import { chooseForDeployed, DEPLOYED, describeDeployed, factsForDeployed, type WithDeployed } from './deployed.ts';
import { chooseEvals, createVerdicts, type EvalChoice } from './evals.ts';
import { prepare } from './prepare.ts';
import { untilStopped } from './stop.ts';

/** The command `botcli test`. */
export const testCommand = (withDeployed: WithDeployed) =>
  defineCommand({
    description:
      'It starts the bot on a free port, runs the evals of the framework, and stops the bot. By default, it runs all that ' +
      'need only text. It asks nothing, and exits with 1 if a conversation fails.\n' +
      'With --deployed, it starts no bot: each conversation is a session of the deployed one.',
    arguments: [
      {
        name: 'scenario',
        variadic: true,
        help: 'Name or path of a file in server/evals/ (default: all that need only text)',
      },
    ],
    options: [
      { flag: 'audio', kind: 'switch', help: 'Also run spoken conversations, which download speech models once' },
      { flag: 'simulation', kind: 'switch', help: 'Also run conversations in which a language model plays the person' },
      DEPLOYED,
      { flag: 'timeout', kind: 'text', placeholder: 'minutes', help: 'How long all of it may take (default: 10)' },
      { flag: 'json', kind: 'switch', help: 'Print the results as JSON' },
      DEBUG,
    ],
    examples: [
      { line: 'botcli test', description: 'all conversations that need only text' },
      { line: 'botcli test starter_text', description: 'those in server/evals/starter_text.yaml' },
      { line: 'botcli test --audio --simulation', description: 'all of them' },
      { line: 'botcli test --deployed', description: 'what people reach now' },
      { line: 'botcli test --json', description: 'for a program' },
    ],
    async run({ positionals: { scenario: words }, options }, terminal) {
      const { json = false, timeout = '10', deployed } = options;
      const choice = { words, ...options };
      const errors: UserError[] = [];
      const minutes = attempt(() => minutesFrom(timeout), errors);
      const choose = () =>
        deployed ? chooseForDeployed('.', choice, 'test', terminal) : chooseIn('.', choice, terminal);
      const chosen = attempt(choose, errors);
      if (minutes === undefined || !chosen) throw allOf(errors);
      const { files, paths } = chosen;
      const verdicts = createVerdicts();
      const limit = new AbortController();
      const onLimit = () => {
        const time = `${timeout} ${minutes === 1 ? 'minute' : 'minutes'}`;
        const hint = 'Allow more with --timeout MINUTES.';
        const details = { reason: 'timeout', hint, facts: { scenarios: verdicts.all } } as const;
        limit.abort(new UserError(`The conversations weren't over after ${time}`, details));
      };
      setTimeout(onLimit, minutes * 60_000).unref();
      return untilStopped(terminal, async ({ signal: asked, hurry }) => {
        const stop = { signal: AbortSignal.any([asked, limit.signal]), hurry };
        try {
          if (deployed) {
            return await withDeployed(deployed[0], terminal, async bot => {
              if (!json) terminal.note(describeDeployed(bot));
              const facts = await factsForDeployed(files, stop.signal, terminal);
              return holdConversations({ facts, paths, verdicts, json, bot }, asked, stop, terminal);
            });
          }
          const facts = await prepare({ files, json, asks: false, port: 'any' }, stop, terminal);
          return facts ? await holdConversations({ facts, paths, verdicts, json }, asked, stop, terminal) : 1;
        } finally {
          if (asked.aborted) terminal.dropUnread();
        }
      });
    },
  });

/** The conversations in text of a project, for `botcli update`. Undefined if it has none, or can't be read. */
export async function findTests(directory: string, terminal: Terminal) {
  const choose = () => chooseIn(directory, { words: [] }, terminal);
  const chosen = await Promise.resolve()
    .then(choose)
    .catch(ignoring(() => true));
  if (!chosen) return undefined;
  return {
    count: chosen.paths.length,
    /** @throws {UserError} They can't be held, or the user stopped them. */
    hold: (): Promise<ReturnType<typeof createVerdicts>['all']> =>
      untilStopped(terminal, async stop => {
        const { files, paths } = choose();
        const facts = await prepare({ files, json: false, asks: false, port: 'any' }, stop, terminal);
        if (!facts) {
          throw new UserError("The conversations can't be held: the bot isn't ready", { reason: 'part-ended' });
        }
        await installServer(facts, false, stop, terminal);
        const verdicts = createVerdicts();
        terminal.progress.show('Having the conversations');
        await holdQuietly({ facts, paths, verdicts }, stop, terminal).finally(terminal.progress.clear);
        return verdicts.all;
      }),
  };
}

function chooseIn(directory: string, choice: EvalChoice, terminal: Terminal) {
  const files = readFacts(directory, terminal, { command: 'test' });
  return { files, paths: chooseEvals(files.project.root, terminal.cwd, choice).map(({ path }) => path) };
}

const MOST_MINUTES = 24 * 60;

function minutesFrom(typed: string): number {
  const minutes = /^(\d+\.?\d*|\.\d+)$/.test(typed) ? Number(typed) : 0;
  if (minutes > 0 && minutes <= MOST_MINUTES) return minutes;
  throw usageError(`--timeout is "${typed}". It must be a number of minutes up to ${MOST_MINUTES}, such as 10 or 0.5`);
}
