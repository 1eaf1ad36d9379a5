import { posix, relative, resolve, sep } from 'node:path';
import { allOf, attempt, type UserError, usageError } from '../errors.ts';
import { listDirectory, readContents, readText } from '../paths/read.ts';
import { didYouMean } from '../text.ts';

export const EVALS = 'server/evals';

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
): EvalFile[] {
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
      hint: 'Repair it or move it away. Or name the conversations to run: botcli test NAME',
    });
  }
  const isWanted = { text: true, audio, simulation };
  const files = usable(all);
  const chosen = files.filter(({ kind }) => isWanted[kind]);
  if (chosen.length > 0) return chosen;
  const other = files.some(({ kind }) => kind === 'audio') ? '--audio' : '--simulation';
  throw usageError('No test conversation of this project needs only text', {
    hint: `Run the others: botcli test ${other}`,
  });
}

/** What files and conversations in `server/evals/` are called, in lower case: what a new one can't be called. */
export const scenarioNames = (root: string): Set<string> =>
  new Set(listEvals(root).flatMap(file => [shortName(file), file.name].map(name => name.toLowerCase())));

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

interface Verdict {
  name: string;
  result: 'passed' | 'failed' | 'skipped';
  seconds?: number;
  reason?: string;
}

const RESULTS: Readonly<Record<string, Verdict['result']>> = { '✓': 'passed', '✗': 'failed', '⊘': 'skipped' };

/** Reads the framework's report, line by line as it comes. */
export function createVerdicts() {
  /** The names of the conversations, as the report begins with them. */
  const names: string[] = [];
  /** In their order. Two files may give conversations the same name. */
  const verdicts: Verdict[] = [];
  /** Those whose failures have been listed, or are being listed. */
  const listed: Verdict[] = [];
  let isListing = false;
  let count = 0;
  /** A conversation's name, and what follows it. A name may have spaces. */
  const splitName = (text: string): [name: string, rest: string] => {
    const known = names.filter(name => text === name || text.startsWith(`${name} `));
    const [name = text.split(' ', 1)[0] ?? ''] = known.sort((one, other) => other.length - one.length);
    return [name, text.slice(name.length + 1)];
  };
  const addReason = (verdict: Verdict | undefined, reason: string | undefined) => {
    if (verdict && reason !== undefined) verdict.reason = [verdict.reason, reason].filter(Boolean).join('; ');
  };
  const readLine = (line: string) => {
    const [, announced] = /^ {2}(\S.*):$/.exec(line) ?? [];
    if (/^ {2}Failures \(\d+ of \d+\):$/.test(line)) isListing = true;
    else if (announced !== undefined) names.push(announced);
    if (isListing) addReason(listed.at(-1), /^ {6}• (.*)$/.exec(line)?.[1]);
    const [, sign = '', text = ''] = /^ {2}([✓✗⊘]) \S+ (.*)$/.exec(line) ?? [];
    const result = RESULTS[sign];
    if (result === undefined) return;
    const [name, rest] = splitName(text);
    if (!isListing) {
      const [, ms] = /\((\d+)ms\)$/.exec(rest) ?? [];
      verdicts.push({ name, result, ...(ms && { seconds: Number(ms) / 1000 }) });
      return;
    }
    const next = verdicts.find(one => one.name === name && one.result === 'failed' && !listed.includes(one));
    if (next) listed.push(next);
    addReason(next, /^— (.*)$/.exec(rest)?.[1]);
  };
  return {
    take(lines: readonly string[]): void {
      count += lines.length;
      lines.forEach(readLine);
    },
    /** How many lines there were: each turn of a conversation is one. */
    get lines(): number {
      return count;
    },
    get all(): Verdict[] {
      return [...verdicts];
    },
  };
}
