import { basename, resolve } from 'node:path';
import { botTypeOf, transports } from '../catalog/index.ts';
import { changeLine, updateLine } from '../config/command.ts';
import { lostBetween, resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import {
  type ConfigKey,
  findOption,
  type RawConfig,
  removableKeys,
  scaffoldOptions,
  typedChoices,
} from '../config/options.ts';
import { allOf, attempt, type ExitCode, problemsIn, UserError, usageError } from '../errors.ts';
import { loadFrameworkTable } from '../existing/framework.ts';
import { configOf, findProject, openProject, type Project, refuseNewer } from '../existing/open-project.ts';
import { type ProjectState, STATE_FILE } from '../project/files/state.ts';
import { PIPECAT_RELEASE } from '../project/release.ts';
import { type ArgumentSpec, DEBUG, defineCommand, type Invocation, type OptionSpec } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { excerpt, isCopyable, textOf } from '../text.ts';
import { removeRemains } from '../writing/scratch.ts';
import { carryOut } from './carry-out.ts';
import { type FindTests, planRun, type Run } from './plan.ts';

const RUN = 'General';

const CONFLICT_MODES = ['refuse', 'markers'] as const;

const updateArguments = [
  { name: 'directory', isPath: true, help: "The project's directory (default: the current one)" },
] as const satisfies readonly ArgumentSpec[];

const updateOptions = [
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

type UpdateInvocation = Invocation<typeof updateArguments, typeof updateOptions>;

/** The command `botcli update`. It doesn't know how to have conversations. */
export const updateCommand = (findTests: FindTests) =>
  defineCommand({
    description:
      'A file that you and botcli both changed is merged line by line. What nobody edited is replaced.\n' +
      'Options work as in botcli init. What you pass wins, recorded choices that contradict it are dropped, and the others ' +
      'stay. To remove an avatar, a client, a workflow, or a language, pass none. If other options would remove an avatar ' +
      'or a client, botcli asks first.\n' +
      'If you and botcli changed the same lines, nothing is written, and every conflict is listed.',
    arguments: updateArguments,
    options: updateOptions,
    examples: [
      { line: 'botcli update', description: 'bring the project in this directory up to date' },
      { line: 'botcli update my-bot --eval --tts elevenlabs_tts', description: 'add evals, and change the voice' },
      { line: 'botcli update my-bot -t rtc_local -t tel_a', description: 'talk in the browser and over Twilio' },
      {
        line: 'botcli update --framework',
        description: 'move to a newer release of Pipecat, and see what that changes',
      },
      { line: 'botcli update my-bot --recording --dry-run --diff', description: 'show what would change' },
    ],
    run: (invocation, terminal) => runUpdate(invocation, terminal, { findTests }),
    diagnose: ({ positionals: { directory = '.' }, options }, terminal) =>
      choose(directory, options, terminal).then(() => [], problemsIn),
  });

/** Adds evals to a project, for a command that then goes on with it. */
export const addEvals = (directory: string, terminal: Terminal): Promise<void> =>
  runUpdate({ positionals: { directory }, options: { eval: true } }, terminal, { goesOn: true }).then(() => {});

async function runUpdate(
  invocation: UpdateInvocation,
  terminal: Terminal,
  { goesOn = false, findTests }: { goesOn?: boolean; findTests?: FindTests },
): Promise<ExitCode | undefined> {
  const { options, positionals } = invocation;
  const { directory = '.' } = positionals;
  const { conflicts: mode = 'refuse', 'dry-run': isDry = false, json = false, diff = false } = options;
  if (options.framework && /^\d+\.\d+\.\d+$/.test(directory)) {
    const hint = `Did you mean --framework-release ${directory}? A directory of that name is ./${directory}`;
    throw usageError('--framework takes no release', { hint });
  }
  if (!isDry) removeRemains(placeOf(directory, terminal), terminal.note);
  const choice = await choose(directory, options, terminal);
  await confirmLosses(choice, invocation, terminal);
  const line = updateLine(directory, options, terminal.env);
  const run = await planRun({ ...choice, line, isDry, json, diff, goesOn }, options, terminal);
  return carryOut(run, mode, terminal, findTests);
}

/** The project around a directory, or where one may have begun. */
function placeOf(directory: string, { cwd }: Terminal): string {
  const path = resolve(cwd, directory);
  return findProject(path) ?? path;
}

/** Opens a project, unless a newer release wrote it. */
function open(directory: string, { cwd, env }: Terminal): Project {
  const caller = { command: 'update', cwd, env } as const;
  return refuseNewer(openProject(directory, caller), caller);
}

/** Changes a project to a configuration that the user has chosen in the wizard. */
export async function changeProject(directory: string, config: ScaffoldConfig, terminal: Terminal): Promise<void> {
  removeRemains(placeOf(directory, terminal), terminal.note);
  const project = open(directory, terminal);
  const line = changeLine(directory, configOf(project), config, terminal.env);
  const request = { project, config, isChange: true, dropped: {}, line, isDry: false, json: false, diff: false };
  await carryOut(await planRun(request, {}, terminal), 'refuse', terminal);
}

/** Finds the project, and resolves its new choices. Reports all that is wrong with them before it renders anything. */
async function choose(
  directory: string,
  options: UpdateInvocation['options'],
  terminal: Terminal,
): Promise<Pick<Run, 'project' | 'config' | 'isChange' | 'dropped'>> {
  const flags = typedChoices(options);
  const given =
    options.config === undefined
      ? undefined
      : await (await import('../shell/input.ts')).readJsonFile(options.config, terminal);
  const { conflicts: mode = 'refuse' } = options;
  const isMode = CONFLICT_MODES.some(one => one === mode);
  const problems = [
    await releaseProblem(options['framework-release']),
    isMode ? undefined : `--conflicts is "${mode}". It must be ${CONFLICT_MODES.join(' or ')}`,
  ];
  const errors = problems.flatMap(problem => (problem === undefined ? [] : [usageError(problem)]));
  const project = attempt(() => open(directory, terminal), errors);
  if (!project) throw allOf(errors);
  const directoryName = basename(project.root);
  const resolveAll: typeof resolveConfig = input => {
    const wrong: UserError[] = [];
    const config = attempt(() => resolveConfig(input), wrong);
    if (errors.length === 0 && config) return config;
    throw allOf([...wrong, ...errors]);
  };
  if (given) return { project, config: resolveAll({ ...given, flags, directoryName }), isChange: true, dropped: {} };
  const recorded = project.state.choices;
  const { kept, typed: choices } = combineChoices(recorded, flags);
  const config = resolveAll({ file: kept, fileName: STATE_FILE, flags: choices, directoryName });
  const isChange = Object.keys(flags).length > 0;
  return { project, config, isChange, dropped: droppedChoices(recorded, kept, flags, config) };
}

/**
 * Asks before an update removes a client or an avatar that no option names. Throws, with exit code 1, if the user
 * declines, or botcli can't ask. Then the hint has the options that say so.
 */
async function confirmLosses(
  { project, config }: Pick<Run, 'project' | 'config'>,
  { positionals: { directory = '.' }, options }: UpdateInvocation,
  terminal: Terminal,
): Promise<void> {
  const { choices: before } = project.state;
  const typed = typedChoices(options);
  const lost = lostBetween(before, config).filter(([key]) => typed[key] !== 'none');
  if (lost.length === 0) return;
  const what = lost.map(([key, name]) => `${name} (${excerpt(textOf(before[key]))})`).join(' and its ');
  const none = Object.fromEntries(lost.map(([key]) => [findOption(key).flag, 'none']));
  const line = updateLine(directory, { ...options, ...none }, terminal.env);
  const flags = Object.keys(none).map(flag => `--${flag} none`);
  const instead = `If that is what you want, ${isCopyable(line) ? `say so: ${line}` : `add ${flags.join(' ')}`}`;
  if (options.json || options['dry-run'] || !terminal.interactive) {
    throw new UserError(`With these choices, the bot would lose its ${what}. Nothing was changed.`, {
      reason: 'cannot-ask',
      hint: instead,
      facts: { dropped_choices: Object.fromEntries(lost.map(([key]) => [key, before[key]])), update_command: line },
    });
  }
  if (await terminal.confirm(`With these choices, the bot loses its ${what}. Go on?`, { instead, isFresh: true }))
    return;
  throw new UserError('Declined. Nothing was changed.', { reason: 'declined' });
}

/** Choices by key, as `--config` takes them. */
type Choices = ProjectState['choices'];

/** What a typed choice does to the recorded ones. */
interface Consequence {
  /** Keys of which one was typed. */
  typed: readonly ConfigKey[];
  when?: (typed: RawConfig, recorded: Choices) => boolean;
  /** Recorded choices that fall away, unless they were typed again. */
  drops?: readonly ConfigKey[];
  /** Choices that follow, unless they were typed. */
  sets?: (recorded: Choices) => Choices;
}

const CASCADE: readonly ConfigKey[] = ['stt_service', 'llm_service', 'tts_service'];
const VIDEO: readonly ConfigKey[] = ['video_service', 'video_input', 'video_output'];
const CLIENT: readonly ConfigKey[] = ['client_framework', 'client_server'];
const CALL_MODES: readonly ConfigKey[] = ['daily_pstn_mode', 'twilio_daily_sip_mode'];

const consequences: readonly Consequence[] = [
  { typed: ['realtime_service'], sets: () => ({ mode: 'realtime' }) },
  { typed: CASCADE, sets: () => ({ mode: 'cascade' }) },
  { typed: ['mode', 'realtime_service'], when: ({ mode }) => mode !== 'cascade', drops: CASCADE },
  { typed: ['mode', ...CASCADE], when: ({ mode }) => mode !== 'realtime', drops: ['realtime_service'] },

  { typed: ['transports'], drops: ['bot_type'] },
  ...CALL_MODES.map(key => ({ typed: ['transports' as const], when: isWithout(key), drops: [key] })),
  ...CALL_MODES.map(key => ({ typed: [key], sets: (recorded: Choices) => undirected(recorded, key) })),
  { typed: ['transports', 'bot_type'], when: isPhone, drops: [...VIDEO, ...CLIENT] },

  { typed: ['client_framework'], when: ({ client_framework: framework }) => framework !== 'component', drops: CLIENT },
  { typed: ['video_service'], drops: ['video_output'] },
  { typed: ['video_output'], when: ({ video_output: shows }) => shows === false, drops: ['video_service'] },
  {
    typed: ['deploy_to_cloud'],
    when: ({ deploy_to_cloud: deploys }) => deploys === false,
    drops: ['enable_noisecancel'],
  },
  { typed: ['enable_noisecancel'], when: ({ enable_noisecancel: on }) => on === true, drops: ['deploy_to_cloud'] },
];

/**
 * Combines typed choices with the recorded ones: what is typed wins, and what contradicts it falls away. `kept` are the
 * others of the recorded ones, the file to resolve; `typed` those that aren't `none`, the flags to resolve.
 */
function combineChoices(recorded: Choices, typed: RawConfig): { kept: Choices; typed: RawConfig } {
  const kept = { ...recorded };
  for (const { typed: keys, when, drops = [], sets } of consequences) {
    if (!keys.some(key => typed[key] !== undefined) || when?.(typed, recorded) === false) continue;
    for (const key of drops) delete kept[key];
    Object.assign(kept, sets?.(recorded));
  }
  const removed = removableKeys.filter(key => typed[key] === 'none');
  for (const key of removed) delete kept[key];
  const isKept = ([key]: [string, unknown]) => !removed.some(one => one === key);
  return { kept, typed: Object.fromEntries(Object.entries(typed).filter(isKept)) };
}

/** The recorded choices that a bot lost, though nobody typed them. A call's direction goes with its transport. */
function droppedChoices(recorded: Choices, kept: Choices, typed: RawConfig, now: ScaffoldConfig): Choices {
  const had = Object.entries(recorded).filter(([key, value]) => value && !(key in kept) && !(key in typed));
  const isLost = (key: string) => !now[key as ConfigKey] && !CALL_MODES.some(one => one === key);
  return Object.fromEntries(had.filter(([key]) => isLost(key)));
}

/** Whether the typed transports have none that takes its direction from this key. */
function isWithout(key: ConfigKey) {
  return ({ transports: typed }: RawConfig) => {
    const generic = transports.find(row => row.modeKey === key)?.generic;
    return ![typed].flat().includes(generic);
  };
}

/** The recorded transports, with the id that takes its direction from this key. */
function undirected({ transports: recorded }: Choices, key: ConfigKey): Choices {
  const idOf = (id: unknown) => transports.find(row => row.id === id && row.modeKey === key)?.generic ?? id;
  return Array.isArray(recorded) ? { transports: recorded.map(idOf) } : {};
}

function isPhone({ transports: typed, bot_type: type }: RawConfig): boolean {
  if (type !== undefined) return type === 'telephony';
  const ids: unknown[] = [typed].flat();
  return transports.some(row => [row.id, row.generic].some(id => ids.includes(id)) && botTypeOf(row) === 'telephony');
}

/** What is wrong with a typed release of the framework, if anything is. */
async function releaseProblem(typed: string | undefined): Promise<string | undefined> {
  if (typed === undefined) return undefined;
  const known = Object.keys((await loadFrameworkTable()).releases);
  return known.includes(typed) ? undefined : `--framework-release is "${typed}". It must be one of ${known.join(', ')}`;
}
