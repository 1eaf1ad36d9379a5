import { scaffoldOptions } from '../config/options.ts';
import { PIPECAT_RELEASE } from '../project/release.ts';
import { type ArgumentSpec, DEBUG, type Invocation, type OptionSpec } from '../shell/command-line.ts';

const RUN = 'General';

/** What to do about conflicts. */
export const CONFLICT_MODES = ['refuse', 'markers'] as const;

/** The arguments of `botcli update`. */
export const updateArguments = [
  { name: 'directory', isPath: true, help: "The project's directory (default: the current one)" },
] as const satisfies readonly ArgumentSpec[];

/** The options of `botcli update`: the scaffold options, and the options of this run. */
export const updateOptions = [
  ...scaffoldOptions,
  ...([
    {
      flag: 'config',
      short: 'c',
      kind: 'text',
      placeholder: 'file',
      group: RUN,
      help: 'Take the choices from this JSON config file, or - for stdin, instead of .botcli.json; options override it',
    },
    {
      flag: 'conflicts',
      kind: 'text',
      placeholder: 'how',
      values: CONFLICT_MODES,
      group: RUN,
      help: 'refuse (default): write nothing. markers: write both versions with conflict markers',
    },
    {
      flag: 'framework',
      kind: 'switch',
      group: RUN,
      help: 'Move the bot to a newer release of Pipecat, and show what that changes for it',
    },
    {
      flag: 'framework-release',
      kind: 'text',
      placeholder: 'release',
      group: RUN,
      help: `The same, with a release before ${PIPECAT_RELEASE}`,
    },
    {
      flag: 'rename',
      kind: 'boolean',
      group: RUN,
      help: 'With --framework: write the new names of what Pipecat has only renamed, unless --no-rename',
    },
    { flag: 'dry-run', kind: 'switch', group: RUN, help: 'Show what would happen to each file, and write nothing' },
    { flag: 'diff', kind: 'switch', group: RUN, help: 'Print the changes as a unified diff' },
    { flag: 'json', kind: 'switch', group: RUN, help: 'Print the result as JSON' },
    { ...DEBUG, group: RUN },
  ] as const satisfies readonly OptionSpec[]),
];

/** A call of `botcli update`. */
export type UpdateInvocation = Invocation<typeof updateArguments, typeof updateOptions>;
