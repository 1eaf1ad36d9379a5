import { basename, resolve } from 'node:path';
import { changeLine, updateLine } from '../config/command.ts';
import { resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import { lostBetween } from '../config/losses.ts';
import { findOption, typedChoices } from '../config/options.ts';
import { UserError, usageError } from '../errors.ts';
import { configOf, findProject, openProject, type Project, refuseNewer } from '../existing/open-project.ts';
import { PYPROJECT } from '../existing/pyproject.ts';
import { excerpt, isCopyable, textOf } from '../printable.ts';
import { STATE_FILE } from '../project/files/state.ts';
import { frameworkPin } from '../project/release.ts';
import { defineCommand } from '../shell/command-line.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import { applyChanges } from '../writing/changes.ts';
import { removeRemains } from '../writing/scratch.ts';
import { combineChoices, droppedChoices } from './choices.ts';
import { frameworkLines, planFramework, touchedAfter } from './framework.ts';
import { CONFLICT_MODES, type UpdateInvocation, updateArguments, updateOptions } from './options.ts';
import { planUpdate, type Run } from './plan.ts';
import { canBeMarked, printDiff, refuseConflicts, reportMarkers, reportUpdate } from './report.ts';

/** The command `botcli update`. */
export const update = defineCommand({
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
    { line: 'botcli update --framework', description: 'move to a newer release of Pipecat, and see what that changes' },
    { line: 'botcli update my-bot --recording --dry-run --diff', description: 'show what would change' },
  ],
  run: (invocation, terminal) => runUpdate(invocation, terminal),
  diagnose: ({ positionals: { directory = '.' }, options }, terminal) => diagnoseUpdate(directory, options, terminal),
});

/** Adds evals to a project, for a command that then goes on with it. */
export const addEvals = (directory: string, terminal: Terminal): Promise<void> =>
  runUpdate({ positionals: { directory }, options: { eval: true } }, terminal, true);

async function runUpdate(
  { positionals, options }: UpdateInvocation,
  terminal: Terminal,
  goesOn = false,
): Promise<void> {
  const { directory = '.' } = positionals;
  const { conflicts: mode = 'refuse', 'dry-run': isDry = false, json = false, diff = false } = options;
  if (!CONFLICT_MODES.some(one => one === mode)) {
    throw usageError(`--conflicts is "${mode}". It must be ${CONFLICT_MODES.join(' or ')}`);
  }
  if (!isDry) removeRemains(placeOf(directory, terminal), terminal.note);
  const choice = await choose(directory, options, terminal);
  await confirmLosses({ ...choice, directory, options }, terminal);
  const line = updateLine(directory, options, terminal.env);
  await carryOut({ ...choice, line, isDry, json, diff, goesOn }, mode, terminal, options);
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
  const run = { project, config, isChange: true, dropped: {}, line, isDry: false, json: false, diff: false };
  await carryOut(run, 'refuse', terminal);
}

async function carryOut(
  request: Omit<Run, 'plan'>,
  mode: string,
  terminal: Terminal,
  options: UpdateInvocation['options'] = {},
): Promise<void> {
  const run = await apply(await planRun(request, options, terminal), mode, terminal);
  if (terminal.interactive) await (await import('./asking.ts')).offerChecks(run, terminal);
}

/** Plans the update; if it brings another release of the framework, with the new names that this gives the user's code. */
async function planRun(
  request: Omit<Run, 'plan'>,
  options: UpdateInvocation['options'],
  terminal: Terminal,
): Promise<Run> {
  const { project, config } = request;
  const plan = await planUpdate(project, config, terminal);
  const pyproject = plan.changes.find(({ name }) => name === PYPROJECT)?.after?.toString();
  const move = await planFramework(project, options, pyproject && frameworkPin(pyproject));
  if (!move) return { ...request, plan };
  const moved = move.edits.size > 0 ? await planUpdate(project, config, terminal, move.edits) : plan;
  const framework = { ...move, touched: touchedAfter(project, moved.changes, move) };
  return { ...request, plan: moved, framework };
}

/**
 * Shows what another release of the framework changes, before anything is written.
 *
 * @throws {UserError} Exit code 1: the user declined.
 */
async function announceFramework({ framework, isDry, json, plan }: Run, terminal: Terminal): Promise<void> {
  if (!framework || json) return;
  terminal.print(frameworkLines(framework).join('\n'));
  if (isDry || !terminal.interactive || plan.changes.length === 0) return;
  const question = `Update the bot for Pipecat ${framework.to}?`;
  if (!(await terminal.confirm(question, { instead: 'Look at it first: --dry-run --diff', isFresh: true }))) {
    throw new UserError('Declined. Nothing was changed.', { reason: 'declined' });
  }
}

async function apply(run: Run, mode: string, terminal: Terminal): Promise<Run> {
  const { plan, isDry, json, diff } = run;
  await announceFramework(run, terminal);
  const hasConflicts = plan.conflicts.length > 0;
  if (hasConflicts && (mode === 'refuse' || !canBeMarked(plan))) {
    if (isDry || json || !terminal.interactive || !canBeMarked(plan)) throw refuseConflicts(run);
    await (await import('./asking.ts')).askAboutConflicts(run, terminal);
  }
  if (diff && !json) printDiff(plan.changes, terminal);
  if (!isDry) await write(run);
  if (hasConflicts) throw reportMarkers(run);
  reportUpdate(run, terminal);
  return run;
}

/** Until here, a signal simply ends the process. From here on, it has to wait until a file is in its place. */
async function write({ project, plan }: Run): Promise<void> {
  const interruption = watchInterruption();
  try {
    await applyChanges(project.root, plan.changes, interruption);
  } finally {
    interruption.ignore();
  }
}

/** The problems of the choices in a command line with errors. */
async function diagnoseUpdate(
  directory: string,
  options: UpdateInvocation['options'],
  terminal: Terminal,
): Promise<readonly string[]> {
  try {
    await choose(directory, options, terminal);
    return [];
  } catch (error) {
    return error instanceof UserError ? error.problems : [];
  }
}

/** Finds the project, and resolves its new choices. Everything wrong with them is reported before anything is rendered. */
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
  const project = open(directory, terminal);
  const directoryName = basename(project.root);
  if (given) return { project, config: resolveConfig({ ...given, flags, directoryName }), isChange: true, dropped: {} };
  const recorded = project.state.choices;
  const { kept, typed: choices } = combineChoices(recorded, flags);
  const config = resolveConfig({ file: kept, fileName: STATE_FILE, flags: choices, directoryName });
  const isChange = Object.keys(flags).length > 0;
  return { project, config, isChange, dropped: droppedChoices(recorded, kept, flags, config) };
}

/** An update with new choices, and its command line. */
interface Request extends Pick<Run, 'project' | 'config'>, Pick<UpdateInvocation, 'options'> {
  directory: string;
}

/**
 * Asks before an update removes a client or an avatar that no option names.
 *
 * @throws {UserError} Exit code 1: the user declined, or botcli can't ask. The hint has the options that say so.
 */
async function confirmLosses({ project, config, directory, options }: Request, terminal: Terminal): Promise<void> {
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
