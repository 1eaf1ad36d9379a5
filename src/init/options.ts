import { describeOption, runOptions, scaffoldOptions } from '../config/options.ts';
import type { ArgumentSpec, FaultyInvocation, Invocation, OptionSpec } from '../shell/command-line.ts';

const RUN = 'This run';

/** What `botcli init` takes in front of its options. */
export const initArguments = [
  { name: 'directory', isPath: true, help: runOptions.directory.help },
] as const satisfies readonly ArgumentSpec[];

/** The options of `botcli init`: those of a scaffold, and those of this run. */
export const initOptions = [
  ...scaffoldOptions.map(option => ({ ...option, help: describeOption(option) })),
  ...([
    {
      flag: 'config',
      short: 'c',
      kind: 'text',
      placeholder: 'file',
      group: RUN,
      help: 'JSON config file, or - for stdin; typed options win over it',
    },
    { flag: 'dry-run', kind: 'switch', group: RUN, help: 'Print the resolved configuration as JSON, write nothing' },
    { flag: 'list-options', kind: 'switch', group: RUN, help: 'Print every value that the options take as JSON' },
    runOptions.overwriteGuide,
    runOptions.force,
    { flag: 'json', kind: 'switch', group: RUN, help: 'Print what was done as JSON' },
    { flag: 'debug', kind: 'switch', group: RUN, help: 'Show where an unexpected error came from' },
  ] as const satisfies readonly OptionSpec[]),
];

/** A call of `botcli init`. */
export type InitInvocation = Invocation<typeof initArguments, typeof initOptions>;

/** A call whose line has faults. */
export type FaultyInitInvocation = FaultyInvocation<typeof initArguments, typeof initOptions>;
