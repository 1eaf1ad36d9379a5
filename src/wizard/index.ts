import { changeLine, commandLines } from '../config/command.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { QUICKSTART } from '../config/quickstart.ts';
import { UserError } from '../errors.ts';
import { Cancelled } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import { converse } from './conversation.ts';
import { initSteps } from './init-steps.ts';
import { madeBefore, presentAnswers } from './present-answers.ts';
import { configOf } from './raw-config.ts';
import type { Answers, Situation, Surroundings } from './step.ts';

export type { Answers, Surroundings } from './step.ts';

interface Decision {
  directory: string;
  /** Whether to replace guides from an older botcli. */
  refresh: boolean;
  /** The bot to create. If absent, write only the guides. */
  config?: ScaffoldConfig;
  /** Whether this changes the bot that is in the directory. */
  isChange?: boolean;
  /** The command that does the same without questions, for that bot. */
  repeat?: readonly string[];
}

/**
 * Asks what `botcli init` should do, except what `given` already answers. The returned configuration is the one
 * that the returned command gives.
 *
 * @throws {UserError} Exit code 130 if the user left; exit code 1 if the user declined at the end.
 */
export async function runWizard(given: Answers, surroundings: Surroundings, terminal: Terminal): Promise<Decision> {
  const known = { columns: terminal.columns, ...surroundings };
  const answers = await converse(initSteps, given, known, terminal, suggestionsFor).catch((error: unknown) => {
    throw error instanceof Cancelled ? error.withMessage(NOTHING_WRITTEN) : error;
  });
  const { refresh = false } = answers;
  const directory = pathOf(answers.directory ?? '.');
  if (answers.make === false) throw new UserError(NOTHING_WRITTEN, { reason: 'declined' });
  if (answers.build !== 'bot' && answers.build !== 'change') return { directory, refresh };
  const situation = { ...surroundings, answers };
  const config = configOf(situation);
  const made = madeBefore(situation);
  const { columns, env } = terminal;
  const repeat = made
    ? [changeLine(directory, made, config, env)]
    : commandLines(config, { directory, directoryName: surroundings.nameOf(directory), columns, env });
  return { directory, refresh, config, isChange: made !== undefined, repeat };
}

const NOTHING_WRITTEN = 'Cancelled. Nothing was written.';

/** Changing a bot starts from its present answers. */
function suggestionsFor(situation: Situation): Answers {
  const made = madeBefore(situation);
  return made ? presentAnswers(made) : {};
}

/** A typed directory as a command takes it. In a command, the bare word `quickstart` means the preset. */
function pathOf(typed: string): string {
  const path = typed.trim();
  return path === QUICKSTART ? `./${path}` : path;
}
