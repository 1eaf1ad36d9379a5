import { posix, relative, resolve, sep } from 'node:path';
import { isSecret, variablesOf } from '../catalog/index.ts';
import { valueFor } from '../check/checks/facts.ts';
import { type FileFacts, readFacts } from '../check/gather.ts';
import { updateLine } from '../config/command.ts';
import { allOf, attempt, UserError, usageError } from '../errors.ts';
import { PYPROJECT } from '../existing/pyproject.ts';
import { listDirectory, readContents, readText } from '../paths/read.ts';
import { judgeOf } from '../project/variables.ts';
import type { Terminal } from '../shell/terminal.ts';
import { didYouMean, listed } from '../text.ts';

const EVALS = 'server/evals';

interface EvalFile {
  /** Its path, relative to the project, with slashes. */
  path: string;
  name: string;
  /** What it needs: only text, speech models, or a language model that plays the person. */
  kind: 'text' | 'audio' | 'simulation';
  /** Why it can't be a test conversation: words that follow its path. */
  why?: string;
}

/** Which conversations to have: in these files, or else those that need only text and, if asked for, more. */
interface EvalChoice {
  words: readonly string[];
  audio?: boolean;
  simulation?: boolean;
}

/** The row for the framework's evals, among a bot's transports. */
const EVAL_ROW = /["']eval["']\s*:/;

/** Whether a bot can be spoken to in text: it has the transport of the framework's evals. */
export function takesText({ project, texts }: Pick<FileFacts, 'project' | 'texts'>): boolean {
  return project.config.enable_eval || EVAL_ROW.test(texts.get('server/bot.py') ?? '');
}

/** Chooses the conversations to have. A deployed bot must take text, and this computer must be able to judge it. */
export function chooseTests(
  directory: string,
  choice: EvalChoice,
  terminal: Terminal,
  { command = 'test', isDeployed = false }: { command?: 'test' | 'cloud deploy'; isDeployed?: boolean } = {},
) {
  const files = readFacts(directory, terminal, { command });
  const { root } = files.project;
  // What is deployed is the code, whatever was chosen.
  if (isDeployed && ![...files.texts].some(([path, text]) => path.endsWith('.py') && EVAL_ROW.test(text))) {
    const hint = `Add what it needs, and deploy it: ${updateLine(directory, { eval: true }, terminal.env)}`;
    throw usageError("This bot can't be spoken to in text yet", { hint });
  }
  const text = isDeployed ? (readText(root, PYPROJECT) ?? '') : '';
  const [, version, minor] = /pipecat-ai(?:\[[^\]]*\])?==((?:1\.(\d+)|0\.\d+))/.exec(text) ?? [];
  if (version !== undefined && Number(minor ?? 0) < 13) {
    const hint = 'Bring the project up to date: botcli update';
    throw usageError(`pipecat-ai ${version} can't be talked to in the cloud: it needs 1.13 or newer`, { hint });
  }
  const paths = chooseEvals(root, terminal.cwd, choice, command).map(({ path }) => path);
  if (isDeployed) checkJudge(files, paths);
  return { files, paths };
}

/** Without its key, the judge would fail conversations that the bot has held well. */
function checkJudge({ project: { root, config }, env }: FileFacts, paths: readonly string[]): void {
  const isJudged = paths.some(path => /\beval:|\bcriteria:|^simulator:/m.test(readText(root, path) ?? ''));
  const row = isJudged ? judgeOf(config) : undefined;
  const names = row ? variablesOf(row).flatMap(one => (one.required && isSecret(one.env) ? [one.env] : [])) : [];
  const missing = names.filter(name => valueFor(name, env) === undefined);
  if (missing.length === 0) return;
  throw new UserError(`The judge of the conversations runs here, and needs ${listed(missing)}`, {
    reason: 'not-found',
    hint: 'Set it in server/.env, or in the environment.',
  });
}

/** Why a part that conversations include isn't one itself. */
const NO_NAME = "doesn't have a name";

/**
 * The files with the conversations to have.
 *
 * @throws {UserError} Exit code 2: none has that name or kind, or one can't be used.
 */
export function chooseEvals(
  root: string,
  cwd: string,
  { words, audio = false, simulation = false }: EvalChoice,
  command: 'test' | 'cloud deploy' = 'test',
): EvalFile[] {
  const isTest = command === 'test';
  const all = listEvals(root);
  if (words.length > 0) {
    const errors: UserError[] = [];
    const named = words.flatMap(word => attempt(() => findEvals(word, all, root, cwd), errors) ?? []);
    if (errors.length > 0) throw allOf(errors);
    return named.filter(({ path }, at) => named.findIndex(one => one.path === path) === at);
  }
  const unusable = all.filter(({ why }) => why !== undefined && why !== NO_NAME);
  // Whoever sees all conversations pass should know that none was left out.
  if (unusable.length > 0) {
    throw usageError(`Not every file in ${EVALS} can be a test conversation`, {
      problems: unusable.map(({ path, why }) => `${path} ${why}`),
      hint: `Repair it or move it away. Or name the conversations to run${isTest ? ': botcli test NAME' : ' after --gate.'}`,
    });
  }
  const isWanted = { text: true, audio, simulation };
  const files = usable(all);
  const chosen = files.filter(({ kind }) => isWanted[kind]);
  if (chosen.length > 0) return chosen;
  const other = files.some(({ kind }) => kind === 'audio') ? '--audio' : '--simulation';
  throw usageError('No test conversation of this project needs only text', {
    hint: isTest
      ? `Run the others: botcli test ${other}`
      : `Name others after --gate: ${files.map(shortName).join(', ')}.`,
  });
}

/** A name that no file or conversation in `server/evals/` has: this one, or with a number after it. */
export function freeName(root: string, name: string): string {
  const taken = listEvals(root).flatMap(file => [shortName(file), file.name].map(one => one.toLowerCase()));
  let free = name;
  for (let count = 2; taken.includes(free.toLowerCase()); count++) free = `${name}-${count}`;
  return free;
}

function listEvals(root: string): EvalFile[] {
  const entries = listDirectory(root, EVALS);
  if (typeof entries === 'string') throw usageError(`${EVALS} ${entries}`);
  const names = entries.map(({ name }) => name).filter(isYaml);
  return names.sort().flatMap(name => evalAt(root, `${EVALS}/${name}`) ?? []);
}

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name);

const shortName = ({ path }: EvalFile): string => posix.basename(path).replace(/\.ya?ml$/, '');

/** @throws {UserError} Exit code 2: there are none. */
function usable(files: readonly EvalFile[]): EvalFile[] {
  const found = files.filter(({ why }) => why === undefined);
  if (found.length > 0) return found;
  throw usageError('This project has no test conversations', { hint: 'Add them: botcli update --eval' });
}

/** The line with the name of a file: quoted or not, and perhaps with a comment. */
const NAME = /^\uFEFF?name:[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s#].*?))[ \t]*(?:[ \t]#.*)?\r?$/m;

/** What a file is; undefined if there is none. Parts that others include have no name. */
function evalAt(root: string, path: string): EvalFile | undefined {
  const contents = readContents(root, path);
  if (contents === 'absent') return undefined;
  const text = typeof contents === 'string' ? '' : contents.toString('utf8');
  const name = NAME.exec(text)?.slice(1).find(Boolean);
  if (name === undefined) {
    const why = typeof contents === 'string' ? contents : text.trim() === '' ? 'is empty' : NO_NAME;
    return { path, name: '', kind: 'text', why };
  }
  const included = [...text.matchAll(/!include\s+["']?([^\s"']+)/g)].map(([, other = '']) =>
    readText(root, posix.join(posix.dirname(path), other)),
  );
  // Such keys deeper down are arguments of tools.
  const isSimulation = /^simulator:|^ {1,12}(- )?persona:/m.test(text);
  const isSpoken = /^ {0,12}modality:\s*["']?audio\b/m.test([text, ...included].join('\n'));
  return { path, name, kind: isSimulation ? 'simulation' : isSpoken ? 'audio' : 'text' };
}

/** What a typed word means: a path, the name of a file, or the name in it. */
function findEvals(word: string, all: readonly EvalFile[], root: string, cwd: string): EvalFile[] {
  const path = relative(root, resolve(cwd, word)).split(sep).join(posix.sep);
  if (isYaml(path) && path.startsWith('../')) {
    throw usageError(`"${word}" isn't in this project`, { hint: `Copy it to ${EVALS}/, and name that file.` });
  }
  const typed = isYaml(path) ? evalAt(root, path) : undefined;
  const isMeant = (file: EvalFile) =>
    [file.path, posix.basename(file.path), shortName(file), file.name].includes(word.replaceAll('\\', '/'));
  const found = typed ? [typed] : all.filter(isMeant);
  const good = found.filter(({ why }) => why === undefined);
  if (good.length > 0) return good;
  const [unusable] = found;
  if (unusable) {
    const hint = unusable.why === NO_NAME ? { hint: 'Begin it with a line such as name: opening_hours' } : {};
    throw usageError(`${unusable.path} ${unusable.why}, so it isn't a test conversation`, hint);
  }
  const names = usable(all).map(shortName);
  const hint = didYouMean(word, names) ?? `${EVALS} has ${names.join(', ')}.`;
  throw usageError(`There is no scenario "${word}"`, { hint });
}
