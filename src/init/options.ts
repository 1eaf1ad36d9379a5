import { describeOption, runOptions, scaffoldOptions } from '../config/options.ts';
import { type ArgumentSpec, DEBUG, type FaultyInvocation, type OptionSpec } from '../shell/command-line.ts';

const RUN = 'General';

export const initArguments = [
  { name: 'directory', isPath: true, help: runOptions.directory.help },
] as const satisfies readonly ArgumentSpec[];

/** The options of `botcli init`: the scaffold options, and the options of this run. */
export const initOptions = [
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

/** A call of `botcli init`, also one with errors. */
export type InitInvocation = FaultyInvocation<typeof initArguments, typeof initOptions>;
