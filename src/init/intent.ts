import { basename, resolve } from 'node:path';
import type { ScaffoldConfig } from '../config/config.ts';
import { describeOption, runOptions, scaffoldOptions, typedChoices } from '../config/options.ts';
import { QUICKSTART, QUICKSTART_DIRECTORY, quickstart } from '../config/quickstart.ts';
import { allOf, attempt, type UserError, usageError } from '../errors.ts';
import { BOT } from '../existing/python/files.ts';
import { isThere } from '../paths/locate.ts';
import { exists } from '../paths/read.ts';
import { type ArgumentSpec, DEBUG, type FaultyInvocation, type OptionSpec } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type Environment, isWindows } from '../shells.ts';
import { DAMAGED, isDamaged } from '../text.ts';
import type { generate } from '../writing/generate.ts';

const RUN = 'General';

const initArguments = [
  { name: 'directory', isPath: true, help: runOptions.directory.help },
] as const satisfies readonly ArgumentSpec[];

/** The options of `botcli init`: the scaffold options, and the options of this run. */
const initOptions = [
  ...scaffoldOptions.map(option => ({ ...option, help: describeOption(option) })),
  ...([
    {
      flag: 'config',
      short: 'c',
      kind: 'text',
      placeholder: 'file',
      group: RUN,
      help: 'JSON config file, or - for stdin; options override it',
    },
    {
      flag: 'dry-run',
      kind: 'switch',
      group: RUN,
      help: 'Print the resolved configuration as JSON and write nothing; with --json, also its files and keys',
    },
    {
      flag: 'list-options',
      kind: 'switch',
      group: RUN,
      help: 'Print every allowed value as JSON; with --json, also what it means, its keys and languages',
    },
    runOptions.overwriteGuide,
    runOptions.force,
    { flag: 'json', kind: 'switch', group: RUN, help: 'Print the result as JSON' },
    { ...DEBUG, group: RUN },
  ] as const satisfies readonly OptionSpec[]),
];

export const initWords = { arguments: initArguments, options: initOptions };

/** A call of `botcli init`, also one with errors. */
export type InitInvocation = FaultyInvocation<typeof initArguments, typeof initOptions>;

export type Intent = (ProjectIntent | GuidesIntent) & {
  /** Existing guides that the user agreed to replace. */
  refreshed?: readonly string[];
  /** Asks whether to overwrite files that differ, if there were questions. */
  consent?: Parameters<typeof generate>[1]['consent'];
  /** The command that does the same without questions, if there were questions. */
  repeat?: readonly string[] | undefined;
};

interface ProjectIntent {
  kind: 'project';
  generator: 'app' | 'quickstart';
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

/** Decides what to do, and validates all of it. Throws one `UserError` with every problem of the configuration. */
export async function decide(
  { positionals: { directory }, options }: InitInvocation,
  terminal: Terminal,
): Promise<Intent> {
  const flags = typedChoices(options);
  const typed = scaffoldFlags(options);
  const errors: UserError[] = [];
  attempt(() => expectUsableName(directory ?? '.', terminal), errors);
  if (errors.length > 0 && typed.length === 0) throw allOf(errors);
  if (directory === QUICKSTART) {
    const ignored = typed.filter(flag => flag !== 'dry-run');
    return { kind: 'project', generator: 'quickstart', directory: QUICKSTART_DIRECTORY, config: quickstart, ignored };
  }
  if (typed.length === 0) {
    if (directory === undefined) throw nothingToDo(terminal);
    return { kind: 'guides', directory, gettingStarted: !exists(resolve(terminal.cwd, directory), BOT) };
  }

  const target = directory ?? '.';
  const { resolveConfig } = await import('../config/config.ts');
  const file =
    options.config === undefined
      ? {}
      : await (await import('../shell/input.ts')).readJsonFile(options.config, terminal);
  // A directory that can't be used has no name for the project.
  const directoryName = errors.length > 0 ? 'bot' : basename(resolve(terminal.cwd, target));
  const config = attempt(() => resolveConfig({ ...file, flags, directoryName }), errors);
  if (errors.length > 0 || !config) throw allOf(errors);
  return { kind: 'project', generator: 'app', directory: target, config, ignored: [] };
}

/** Flags that make the run scaffold a bot without asking. */
const SCAFFOLDING = new Set([...scaffoldOptions.map(option => option.flag), 'config', 'dry-run']);

const scaffoldFlags = (options: InitInvocation['options']): string[] =>
  Object.keys(options).filter(flag => SCAFFOLDING.has(flag));

/** Whether a call of `botcli init` may ask: it runs in a terminal, without scaffold options, and wants no JSON. */
export function mayAsk({ options }: InitInvocation, { interactive }: Terminal): boolean {
  return interactive && !options.json && scaffoldFlags(options).length === 0;
}

/** @throws {UserError} Exit code 2: no directory of botcli's can have that name. */
function expectUsableName(directory: string, { cwd, env }: Terminal): void {
  if (directory === '') throw usageError('The directory is ""', { hint: 'Use . for the current directory.' });
  if (/^~(?:\/|$)/.test(directory)) {
    throw usageError(`"${directory}" starts with ~, which the shell did not expand`, {
      hint: `Write the full path. For a directory named ~, write ./${directory}`,
    });
  }
  const why = isDamaged(directory) ? `The directory's name ${DAMAGED}` : whyNotOnWindows(directory, env);
  if (why && !isThere(resolve(cwd, directory)))
    throw usageError(why, { hint: 'Choose another name for the directory.' });
}

const nothingToDo = ({ cannotAskReason }: Terminal) =>
  usageError(['Nothing to do: pass a directory or options', ...(cannotAskReason ? [cannotAskReason] : [])].join('. '), {
    hint: [
      'A working bot right away:      botcli init quickstart',
      'Guides for a coding agent:     botcli init DIRECTORY',
      'A bot that you choose:         botcli init DIRECTORY -t rtc_local -m cascade --stt … --llm … --tts …',
      'All options and values:        botcli init --help, botcli init --list-options',
    ].join('\n'),
  });

/** Names that mean a device to Windows, with any ending. Source: Microsoft's "Naming Files, Paths, and Namespaces". */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)/i;

/**
 * Why Windows can't open a directory that botcli would make, as it was typed; undefined if it can. Node makes some of
 * them there all the same, and then nothing can enter or delete them. No bot of that name can be cloned on Windows.
 */
export function whyNotOnWindows(typed: string, env: Environment): string | undefined {
  const parts = typed.split(isWindows(env) ? /[/\\]/ : '/').filter(part => !/^\.{0,2}$/.test(part));
  const device = parts.find(part => DEVICE.test(part));
  if (device !== undefined) return `Windows can't open "${device}": it's the name of a device`;
  const cut = parts.find(part => /[. ]$/.test(part));
  return cut && `Windows can't open "${cut}": it ends with a ${cut.endsWith('.') ? 'period' : 'space'}`;
}
