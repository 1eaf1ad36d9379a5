import { commandLines } from '../config/command.ts';
import { resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import { QUICKSTART } from '../config/quickstart.ts';
import { UserError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { converse } from './conversation.ts';
import { initSteps } from './init-steps.ts';
import { rawConfigOf } from './raw-config.ts';
import type { Answers, Surroundings } from './step.ts';

export type { Answers, Surroundings } from './step.ts';

/** What a person has decided on. */
export interface Decision {
  directory: string;
  /** Whether guides of an older botcli are to be replaced. */
  refresh: boolean;
  /** The bot to make; without one, guides alone. */
  config?: ScaffoldConfig;
}

/**
 * Asks what `botcli init` is to do. What is given isn't asked. A bot's configuration is the one that the command line
 * would give which is told at the end.
 *
 * @throws {UserError} Left, with exit code 130; declined at the end, with exit code 1.
 */
export async function runWizard(given: Answers, surroundings: Surroundings, terminal: Terminal): Promise<Decision> {
  const answers = await converse(initSteps, given, { columns: terminal.columns, ...surroundings }, terminal);
  const { refresh = false } = answers;
  const directory = pathOf(answers.directory ?? '.');
  if (answers.build !== 'bot') return { directory, refresh };
  const directoryName = surroundings.nameOf(directory);
  const config = resolveConfig({ flags: rawConfigOf(answers), directoryName });
  terminal.note(terminal.noteStyle.dim('\nThe same bot without questions:\n'));
  terminal.note(`${commandLines(config, { directory, directoryName, columns: terminal.columns }).join('\n')}\n`);
  if (!answers.make) throw new UserError('Declined. Nothing was written.', { reason: 'declined' });
  return { directory, refresh, config };
}

/** A typed directory as a command takes it: there, the bare word `quickstart` is the preset. */
function pathOf(typed: string): string {
  const path = typed.trim();
  return path === QUICKSTART ? `./${path}` : path;
}
