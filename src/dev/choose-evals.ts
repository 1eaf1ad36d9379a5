import { posix, relative, resolve, sep } from 'node:path';
import { allOf, attempt, type UserError, usageError } from '../errors.ts';
import { listDirectory, readContents, readText } from '../paths/read.ts';
import { didYouMean } from '../text.ts';
import { isMeant, readEval } from './evals.ts';

/** Where a project's conversations are. */
export const EVALS = 'server/evals';

/** Which conversations to have: in these files, or else those that need only text and, if asked for, more. */
interface EvalChoice {
  words: readonly string[];
  audio?: boolean;
  simulation?: boolean;
}

type EvalFile = NonNullable<ReturnType<typeof readEval>>;

/** A file that can't be a test conversation. */
interface Unusable {
  path: string;
  /** Why not: words that follow its path. */
  why: string;
}

/** Why a part that conversations include isn't one itself. */
const NO_NAME = "doesn't have a name";

/**
 * The files with the conversations to have.
 *
 * @param root The project's directory.
 * @param cwd The directory that typed paths are relative to.
 * @throws {UserError} Exit code 2: there are none, none of that name or kind, or one can't be used.
 */
export function chooseEvals(
  { root, cwd }: { root: string; cwd: string },
  { words, audio = false, simulation = false }: EvalChoice,
): EvalFile[] {
  const all = listEvals(root);
  if (words.length > 0) {
    const errors: UserError[] = [];
    const named = words.flatMap(word => attempt(() => findEvals(word, all, { root, cwd }), errors) ?? []);
    if (errors.length > 0) throw allOf(errors);
    return named.filter(({ path }, at) => named.findIndex(one => one.path === path) === at);
  }
  const files = all.filter(isUsable);
  const unusable = all.filter(isUnusable).filter(({ why }) => why !== NO_NAME);
  // Whoever sees all conversations pass should know that none was left out.
  if (unusable.length > 0) {
    throw usageError(`Not every file in ${EVALS} can be a test conversation`, {
      problems: unusable.map(({ path, why }) => `${path} ${why}`),
      hint: 'Repair it or move it away. Or name the conversations to run: botcli test NAME',
    });
  }
  if (files.length === 0) throw noEvals();
  const isWanted = { text: true, audio, simulation };
  const chosen = files.filter(({ kind }) => isWanted[kind]);
  if (chosen.length > 0) return chosen;
  const other = files.some(({ kind }) => kind === 'audio') ? '--audio' : '--simulation';
  throw usageError('No test conversation of this project needs only text', {
    hint: `Run the others: botcli test ${other}`,
  });
}

const noEvals = () => usageError('This project has no test conversations', { hint: 'Add them: botcli update --eval' });

/** The project's YAML files for conversations, by name. */
function listEvals(root: string): (EvalFile | Unusable)[] {
  const entries = listDirectory(root, EVALS);
  if (typeof entries === 'string') throw usageError(`${EVALS} ${entries}`);
  const names = entries.map(({ name }) => name).filter(isYaml);
  return names.sort().flatMap(name => evalAt(root, `${EVALS}/${name}`) ?? []);
}

/** What files and conversations in `server/evals/` are called, in lower case: what a new one can't be called. */
export function scenarioNames(root: string): Set<string> {
  const files = listEvals(root).flatMap(file => [
    posix.basename(file.path).replace(/\.ya?ml$/, ''),
    ...('name' in file ? [file.name] : []),
  ]);
  return new Set(files.map(name => name.toLowerCase()));
}

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name);

const isUnusable = (file: EvalFile | Unusable): file is Unusable => 'why' in file;
const isUsable = (file: EvalFile | Unusable): file is EvalFile => !isUnusable(file);

/** What a file is; undefined if there is none. */
function evalAt(root: string, path: string): EvalFile | Unusable | undefined {
  const contents = readContents(root, path);
  if (contents === 'absent') return undefined;
  if (typeof contents === 'string') return { path, why: contents };
  const text = contents.toString('utf8');
  if (text.trim() === '') return { path, why: 'is empty' };
  return readEval(path, text, other => readText(root, other)) ?? { path, why: NO_NAME };
}

/** What a typed name or path means. */
function findEvals(
  word: string,
  all: readonly (EvalFile | Unusable)[],
  { root, cwd }: { root: string; cwd: string },
): EvalFile[] {
  const path = relative(root, resolve(cwd, word)).split(sep).join(posix.sep);
  if (isYaml(path) && path.startsWith('../')) {
    throw usageError(`"${word}" isn't in this project`, { hint: `Copy it to ${EVALS}/, and name that file.` });
  }
  const typed = isYaml(path) ? evalAt(root, path) : undefined;
  const found = typed ? [typed] : all.filter(file => isMeant(word, file));
  const usable = found.filter(isUsable);
  if (usable.length > 0) return usable;
  for (const { path, why } of found.filter(isUnusable)) {
    const hint = why === NO_NAME ? { hint: 'Begin it with a line such as name: opening_hours' } : {};
    throw usageError(`${path} ${why}, so it isn't a test conversation`, hint);
  }
  const files = all.filter(isUsable);
  if (files.length === 0) throw noEvals();
  const names = files.map(file => posix.basename(file.path).replace(/\.ya?ml$/, ''));
  const hint = didYouMean(word, names) ?? `${EVALS} has ${names.join(', ')}.`;
  throw usageError(`There is no scenario "${word}"`, { hint });
}
