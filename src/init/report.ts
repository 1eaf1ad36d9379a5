import { join, resolve, sep } from 'node:path';
import { programIn } from '../about.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import type { ExitCode } from '../errors.ts';
import { packageManagerOf } from '../existing/package-manager.ts';
import { offerKeys, readDotEnv } from '../keys/keys.ts';
import { readText } from '../paths/read.ts';
import { findProgram } from '../programs.ts';
import { GETTING_STARTED, olderGuides, WORKFLOW } from '../project/files/files.ts';
import {
  devSteps,
  lackOfWorkflow,
  listSteps,
  modelCommands,
  nextLines,
  nextSteps,
} from '../project/handover/next-steps.ts';
import { listVariables } from '../project/variables.ts';
import { Cancelled, WentBack } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import { shellPath } from '../shells.ts';
import { foldFolders, isCopyable, onOneLine, titled } from '../text.ts';
import type { generate } from '../writing/generate.ts';
import type { Intent } from './intent.ts';

type GenerationReport = Awaited<ReturnType<typeof generate>>;

interface Outcome {
  intent: Intent;
  report: GenerationReport;
  /** The new bot, if the user answered questions about it: then the keys that it needs are asked for, too. */
  asked: ScaffoldConfig | undefined;
  json: boolean;
}

/**
 * Reports what a run did, and what to do next. In between, it offers to put keys into `.env` if questions were asked.
 * Returns the names of those that were typed.
 */
export async function reportRun(
  { intent, report, asked, json }: Outcome,
  terminal: Terminal,
): Promise<readonly string[]> {
  const outdated = outdatedGuides(report);
  const program = programIn(terminal.env);
  const refresh = `${program} init ${shellPath(intent.directory, terminal.env)} --overwrite-guide`;
  if (json) {
    const more = outdated.length > 0 ? { outdated_guides: outdated, refresh_command: refresh } : {};
    terminal.printJson({ ...report, ...more, ...needsOf(intent, report, terminal.env) });
    return [];
  }
  terminal.print(summary(intent, report, terminal).join('\n'));
  if (outdated.length > 0) {
    terminal.note(
      `${outdated.join(', ')}: written by an older botcli. Refresh with: ${isCopyable(refresh) ? refresh : '--overwrite-guide'}`,
    );
    terminal.note('That discards your edits, so copy anything you want to keep first.');
  }
  const lack = intent.kind === 'project' ? lackOfWorkflow(intent.config) : undefined;
  const workflow = report.files.find(({ path }) => path === WORKFLOW);
  if (lack && workflow && workflow.action !== 'kept') terminal.note(`${WORKFLOW} ${lack}.`);
  try {
    return asked ? await offerKeys(asked, report.directory, terminal) : [];
  } finally {
    const { directory, kind } = intent;
    const next = kind === 'project' ? devSteps(intent.config, directory, program) : nextOf(intent, report, program);
    const { columns, style, env } = terminal;
    if (next.length > 0) terminal.print(['', ...nextLines(next, { columns, dim: style.dim, env })].join('\n'));
  }
}

/** For programs: the variables to set, and the commands to run. */
function needsOf(intent: Intent, report: GenerationReport, env: Terminal['env']) {
  const variables = intent.kind === 'project' ? { env: listVariables(intent.config) } : {};
  // If the directory has its own README, ours is in server/.
  const isTheirs = report.files.some(({ path, action }) => path === 'README.md' && action === 'kept');
  const readme = join(intent.directory, isTheirs ? 'server/README.md' : 'README.md').replaceAll(sep, '/');
  const next = listSteps(nextOf(intent, report, programIn(env)), readme, env);
  const [dev] =
    intent.kind === 'project' ? listSteps(devSteps(intent.config, intent.directory, programIn(env)), readme, env) : [];
  return { ...variables, next, ...(dev && { dev }) };
}

/** The kept guides that an older botcli wrote. */
function outdatedGuides({ directory, files }: GenerationReport): string[] {
  const kept = files.filter(({ action }) => action === 'kept').map(({ path }) => path);
  return olderGuides(path => readText(directory, path)).filter(name => kept.includes(name));
}

const WORDS: readonly [GenerationReport['files'][number]['action'], string][] = [
  ['created', 'created'],
  ['updated', 'added to'],
  ['overwritten', 'overwrote'],
  ['kept', 'kept'],
];

function summary({ directory, kind }: Intent, { files }: GenerationReport, { style }: Terminal) {
  const place = style.bold(directory === '.' ? 'this directory' : onOneLine(directory));
  const lines = WORDS.flatMap(([action, word]) => {
    const paths = files.filter(file => file.action === action).map(file => file.path);
    const names = action === 'created' ? foldFolders(paths) : paths;
    return titled(word, names, name => onOneLine(name) + noteOn(name, files));
  });
  if (lines.length === 0) return [`Nothing to change in ${place}: every file is up to date.`];
  return [`${style.green('✓')} ${kind === 'project' ? 'Your bot is' : 'The guides are'} in ${place}`, ...lines];
}

/** Where ours is, if the user's README is in its place. */
const noteOn = (name: string, files: GenerationReport['files']): string =>
  name === 'README.md' && files.some(({ path }) => path === 'server/README.md')
    ? "; the bot's is server/README.md"
    : '';

/** A bot like the quickstart as options: local, with evals. */
const ONE_KEY_BOT = '-t rtc_local -m cascade --stt openai_stt --llm openai_llm --tts openai_tts --eval';

function nextOf(intent: Intent, report: GenerationReport, program: string): ReturnType<typeof nextSteps> {
  const { directory } = intent;
  if (intent.kind === 'project') {
    const env = readDotEnv(report.directory, intent.config);
    const { manager } = packageManagerOf(join(report.directory, 'client'));
    return nextSteps(intent.config, directory, env, program, manager.name);
  }
  if (!intent.gettingStarted) {
    return directory === '.' ? [] : [{ directory, steps: [], note: 'then open your coding agent here' }];
  }
  const example = `${program} init . ${ONE_KEY_BOT}`;
  const read = {
    command: `cat ${GETTING_STARTED}`,
    note: 'then open your coding agent here and tell it what to build',
  };
  return [{ directory, steps: [read, { command: example, before: 'or create a bot yourself:' }] }];
}

/**
 * Offers to start a new bot, if it has all keys (`typed` are the names of new ones), uv is there, and Ollama answers if
 * the bot needs it. Returns the exit code of `botcli dev`.
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
