import { resolve } from 'node:path';
import type { ScaffoldConfig } from '../config/config.ts';
import type { ExitCode } from '../errors.ts';
import { readDotEnv } from '../keys/dotenv.ts';
import { findProgram } from '../programs.ts';
import { modelCommands } from '../project/handover/local-models.ts';
import { Cancelled, WentBack } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';

/**
 * Offers to start a new bot, if it has all keys, uv is there, and Ollama answers if the bot needs it. Returns the exit
 * code of `botcli dev`.
 *
 * @param typed The variables whose values were just typed.
 */
export async function offerStart(
  { config, directory }: { config: ScaffoldConfig; directory: string },
  typed: readonly string[],
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  const root = resolve(terminal.cwd, directory);
  const isReady = readDotEnv(root, config).empty.length === 0;
  if (!isReady || !findProgram('uv', terminal.env, root)) return undefined;
  const hasModels = modelCommands(config).length > 0;
  const [lacking] = hasModels ? await (await import('../check/gather.ts')).findInOllama(directory, terminal) : [];
  if (lacking) {
    const { message, hint, fix } = lacking;
    const first = fix && 'command' in fix ? `Before you start the bot, run: ${fix.command}` : undefined;
    terminal.note([`${message}.`, hint, first].filter(Boolean).join('\n'));
    return undefined;
  }
  const time = hasModels ? 'some minutes' : 'a minute';
  const question = `Start it now?\nThis installs its packages, which takes ${time}.`;
  const details = { initial: true, isFresh: true, isJoined: true, instead: 'Run botcli dev.' };
  try {
    if (!(await terminal.confirm(question, details))) return undefined;
  } catch (error) {
    if (error instanceof WentBack) return undefined;
    if (!(error instanceof Cancelled)) throw error;
    throw error.withMessage('Cancelled. The bot was created.');
  }
  const { startDev } = await import('../dev/command.ts');
  return startDev(directory, {}, terminal, typed);
}
