import { commandLines } from '../config/command.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { QUICKSTART } from '../config/quickstart.ts';
import { UserError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { converse } from './conversation.ts';
import { initSteps } from './init-steps.ts';
import { configOf } from './raw-config.ts';
import type { Answers, Surroundings } from './step.ts';

export type { Answers, Need, Surroundings } from './step.ts';

/** What the user decided. */
export interface Decision {
  directory: string;
  /** Whether to replace guides from an older botcli. */
  refresh: boolean;
  /** The bot to create. If absent, write only the guides. */
  config?: ScaffoldConfig;
}

/**
 * Asks what `botcli init` should do, except what `given` already answers. At the end it prints the command that creates
 * the same bot; the returned configuration is the one that this command gives.
 *
 * @param suggested Answers that are defaults from the start, such as those of an existing bot.
 * @throws {UserError} Exit code 130 if the user left; exit code 1 if the user declined at the end.
 */
export async function runWizard(
  given: Answers,
  surroundings: Surroundings,
  terminal: Terminal,
  suggested: Answers = {},
): Promise<Decision> {
  const known = { columns: terminal.columns, ...surroundings };
  const answers = await converse(initSteps, given, known, terminal, suggested);
  const { refresh = false } = answers;
  const directory = pathOf(answers.directory ?? '.');
  if (answers.build !== 'bot') return { directory, refresh };
  const directoryName = surroundings.nameOf(directory);
  const config = configOf(answers, surroundings);
  terminal.note(terminal.noteStyle.dim('\nThe same bot without questions:\n'));
  terminal.note(
    `${commandLines(config, { directory, directoryName, columns: terminal.columns, env: terminal.env }).join('\n')}\n`,
  );
  if (!answers.make) throw new UserError('Declined. Nothing was written.', { reason: 'declined' });
  return { directory, refresh, config };
}

/** A typed directory as a command takes it. In a command, the bare word `quickstart` means the preset. */
function pathOf(typed: string): string {
  const path = typed.trim();
  return path === QUICKSTART ? `./${path}` : path;
}
