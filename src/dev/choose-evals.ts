import { posix, relative, resolve, sep } from 'node:path';
import { usageError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { listDirectory, readText } from '../paths/read.ts';
import { type EvalFile, type EvalKind, isMeant, readEval } from './evals.ts';

const EVALS = 'server/evals';

/** Which conversations to have: in these files, or else those that need only text and, if asked for, more. */
interface EvalChoice {
  words: readonly string[];
  audio?: boolean;
  simulation?: boolean;
}

/**
 * The files with the conversations to have.
 *
 * @param root The project's directory.
 * @param cwd The directory that typed paths are relative to.
 * @throws {UserError} Exit code 2: there are none, or none of that name or kind.
 */
export function chooseEvals(
  { root, cwd }: { root: string; cwd: string },
  { words, audio = false, simulation = false }: EvalChoice,
): EvalFile[] {
  const files = listEvals(root);
  if (words.length > 0) {
    const named = words.flatMap(word => findEvals(word, files, { root, cwd }));
    return named.filter(({ path }, at) => named.findIndex(one => one.path === path) === at);
  }
  if (files.length === 0) throw noEvals();
  const kinds: readonly EvalKind[] = [
    'text',
    ...(audio ? ['audio' as const] : []),
    ...(simulation ? ['simulation' as const] : []),
  ];
  const chosen = files.filter(({ kind }) => kinds.includes(kind));
  if (chosen.length > 0) return chosen;
  const other = files.some(({ kind }) => kind === 'audio') ? '--audio' : '--simulation';
  throw usageError('No test conversation of this project needs only text', {
    hint: `Run the others: botcli test ${other}`,
  });
}

const noEvals = () => usageError('This project has no test conversations', { hint: 'Add them: botcli update --eval' });

/** The project's files with test conversations, by name. */
function listEvals(root: string): EvalFile[] {
  const entries = listDirectory(root, EVALS);
  if (typeof entries === 'string') return [];
  const names = entries.map(({ name }) => name).filter(isYaml);
  return names.sort().flatMap(name => evalAt(root, `${EVALS}/${name}`) ?? []);
}

const isYaml = (name: string): boolean => /\.ya?ml$/.test(name);

const evalAt = (root: string, path: string): EvalFile | undefined =>
  readEval(path, readText(root, path) ?? '', other => readText(root, other));

/** What a typed name or path means. */
function findEvals(word: string, files: readonly EvalFile[], { root, cwd }: { root: string; cwd: string }): EvalFile[] {
  const path = relative(root, resolve(cwd, word)).split(sep).join(posix.sep);
  const typed = isYaml(path) && !path.startsWith('../') ? evalAt(root, path) : undefined;
  const found = typed ? [typed] : files.filter(file => isMeant(word, file));
  if (found.length > 0) return found;
  if (files.length === 0) throw noEvals();
  const names = files.map(file => posix.basename(file.path).replace(/\.ya?ml$/, ''));
  const hint = didYouMean(word, names) ?? `${EVALS} has ${names.join(', ')}.`;
  throw usageError(`There is no scenario "${word}"`, { hint });
}
