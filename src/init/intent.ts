import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { ScaffoldConfig } from '../config/config.ts';
import { type RawConfig, scaffoldOptions } from '../config/options.ts';
import { QUICKSTART, QUICKSTART_DIRECTORY, quickstart } from '../config/quickstart.ts';
import { usageError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { FaultyInitInvocation, InitInvocation } from './options.ts';

/** What a call of `botcli init` is to do. */
export type Intent = (ProjectIntent | GuidesIntent) & {
  /** The guides that are replaced although they exist, since a person said so. */
  refreshed?: readonly string[];
};

interface ProjectIntent {
  kind: 'project';
  namespace: 'botcli:app' | 'botcli:quickstart';
  directory: string;
  config: ScaffoldConfig;
  /** Flags that have no effect here. */
  ignored: string[];
}

interface GuidesIntent {
  kind: 'guides';
  directory: string;
  gettingStarted: boolean;
}

/**
 * Decides what to do, and validates all of it. Reads the configuration file, and writes nothing.
 *
 * @throws {UserError} Exit code 2: every problem of the configuration, or nothing to go by.
 */
export async function decide(
  { positionals: { directory }, options }: FaultyInitInvocation,
  terminal: Terminal,
): Promise<Intent> {
  const flags = typedOptions(options);
  const typed = scaffoldFlags(options);
  if (directory === '') throw usageError('The directory is an empty text', { hint: 'For this directory, write .' });
  if (directory && /^~(?:\/|$)/.test(directory)) throw shellOnly(directory);
  if (directory === QUICKSTART) return quickstartIntent(typed.filter(flag => flag !== 'dry-run'));
  if (typed.length === 0) {
    if (directory === undefined) throw nothingToGoBy(terminal);
    return guidesIntent(directory, terminal);
  }

  const target = directory ?? '.';
  const { resolveConfig } = await import('../config/config.ts');
  const file =
    options.config === undefined
      ? {}
      : await (await import('./config-file.ts')).readConfigFile(options.config, terminal);
  const config = resolveConfig({ ...file, flags, directoryName: basename(resolve(terminal.cwd, target)) });
  return { kind: 'project', namespace: 'botcli:app', directory: target, config, ignored: [] };
}

/** The flags that make a run a scaffold, which then never asks. */
const SCAFFOLDING = new Set([...scaffoldOptions.map(option => option.flag), 'config', 'dry-run']);

const scaffoldFlags = (options: InitInvocation['options']): string[] =>
  Object.keys(options).filter(flag => SCAFFOLDING.has(flag));

/**
 * Whether a call of `botcli init` may ask: there is a person, who typed no scaffold option. What asks for JSON is taken
 * for a program.
 */
export function mayAsk({ options }: InitInvocation, { interactive }: Terminal): boolean {
  return interactive && !options.json && scaffoldFlags(options).length === 0;
}

const typedOptions = (options: InitInvocation['options']): RawConfig =>
  Object.fromEntries(
    scaffoldOptions.filter(({ flag }) => flag in options).map(({ key, flag }) => [key, options[flag]]),
  );

const quickstartIntent = (ignored: string[]): Intent => ({
  kind: 'project',
  namespace: 'botcli:quickstart',
  directory: QUICKSTART_DIRECTORY,
  config: quickstart,
  ignored,
});

function guidesIntent(directory: string, { cwd }: Terminal): Intent {
  const hasBot = existsSync(resolve(cwd, directory, 'server', 'bot.py'));
  return { kind: 'guides', directory, gettingStarted: !hasBot };
}

const shellOnly = (directory: string) =>
  usageError(`Only a shell knows ~, and it left ${directory} as it is`, {
    hint: `Write the path in full; for a directory that is called ~, ./${directory}`,
  });

const nothingToGoBy = ({ cannotAskReason }: Terminal) =>
  usageError(['Nothing says what to make', ...(cannotAskReason ? [cannotAskReason] : [])].join('. '), {
    hint: [
      'A bot that talks, at once:     botcli init quickstart',
      'Guides for a coding agent:     botcli init DIRECTORY',
      'A bot of your choice:          botcli init DIRECTORY -t rtc_local -m cascade --stt … --llm … --tts …',
      'Every option and value:        botcli init --help, botcli init --list-options',
    ].join('\n'),
  });
