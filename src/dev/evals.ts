import { posix } from 'node:path';

const { basename, dirname, join } = posix;

/** A file with test conversations. */
interface EvalFile {
  /** Its path, relative to the project, with slashes. */
  path: string;
  /** Its `name`. */
  name: string;
  /** What it needs: only text, speech models, or a language model that plays the person. */
  kind: 'text' | 'audio' | 'simulation';
}

/** The line with the name of a file: quoted or not, and perhaps with a comment. */
const NAME = /^\uFEFF?name:[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s#].*?))[ \t]*(?:[ \t]#.*)?\r?$/m;

/**
 * Recognizes a file with test conversations: it has a name, whereas parts that others include have none.
 *
 * @param read Reads an included file; undefined if there is none.
 */
export function readEval(path: string, text: string, read: (path: string) => string | undefined): EvalFile | undefined {
  const name = NAME.exec(text)?.slice(1).find(Boolean);
  if (name === undefined) return undefined;
  const included = [...text.matchAll(/!include\s+["']?([^\s"']+)/g)].map(([, other = '']) =>
    read(join(dirname(path), other)),
  );
  const all = [text, ...included].join('\n');
  // Such keys deeper down are arguments of tools.
  const isSimulation = /^simulator:|^ {1,12}(- )?persona:/m.test(text);
  const isSpoken = /^ {0,12}modality:\s*["']?audio\b/m.test(all);
  return { path, name, kind: isSimulation ? 'simulation' : isSpoken ? 'audio' : 'text' };
}

/** Whether a word of the user's means a file: it is its path, its file name, or the name in it, if it has one. */
export const isMeant = (word: string, { path, name }: { path: string; name?: string }): boolean =>
  [path, name, basename(path), basename(path).replace(/\.ya?ml$/, '')].includes(word.replaceAll('\\', '/'));

/** The result of a conversation. */
interface Verdict {
  name: string;
  result: 'passed' | 'failed' | 'skipped';
  seconds?: number;
  /** Why it failed. */
  reason?: string;
}

const RESULTS = { '✓': 'passed', '✗': 'failed', '⊘': 'skipped' } as const;

/** Reads the framework's report, line by line as it comes. */
export function createVerdicts() {
  /** The names of the conversations, as the report begins with them. */
  const names: string[] = [];
  /** In their order. Two files may give conversations the same name. */
  const verdicts: Verdict[] = [];
  /** Those whose failures have been listed, or are being listed. */
  const listed: Verdict[] = [];
  let isListing = false;
  /** A conversation's name, and what follows it. A name may have spaces. */
  const splitName = (text: string): [name: string, rest: string] => {
    const known = names.filter(name => text === name || text.startsWith(`${name} `));
    const [name = text.split(' ', 1)[0] ?? ''] = known.sort((one, other) => other.length - one.length);
    return [name, text.slice(name.length + 1)];
  };
  const addReason = (verdict: Verdict | undefined, reason: string) => {
    if (verdict) verdict.reason = verdict.reason ? `${verdict.reason}; ${reason}` : reason;
  };
  const readLine = (line: string) => {
    const [, announced] = /^ {2}(\S.*):$/.exec(line) ?? [];
    if (/^ {2}Failures \(\d+ of \d+\):$/.test(line)) isListing = true;
    else if (announced !== undefined) names.push(announced);
    const [, point] = /^ {6}• (.*)$/.exec(line) ?? [];
    if (isListing && point !== undefined) addReason(listed.at(-1), point);
    const [, sign, text = ''] = /^ {2}([✓✗⊘]) \S+ (.*)$/.exec(line) ?? [];
    if (sign === undefined) return;
    const [name, rest] = splitName(text);
    if (isListing) {
      const next = verdicts.find(one => one.name === name && one.result === 'failed' && !listed.includes(one));
      if (next) listed.push(next);
      const [, error] = /^— (.*)$/.exec(rest) ?? [];
      if (error !== undefined) addReason(next, error);
      return;
    }
    const [, ms] = /\((\d+)ms\)$/.exec(rest) ?? [];
    verdicts.push({
      name,
      result: RESULTS[sign as keyof typeof RESULTS],
      ...(ms && { seconds: Number(ms) / 1000 }),
    });
  };
  let count = 0;
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
