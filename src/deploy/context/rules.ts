import { posix } from 'node:path';
import { SECRET_NAMES } from '../../project/protected.ts';
import { orElse } from '../../std.ts';

// Patterns of `.dockerignore`, as two readers understand them: Python's `fnmatch`, which the platform's client uses,
// and Docker.

type Test = (name: string) => boolean;

const never: Test = () => false;

function testOf(source: string): Test {
  // A pattern with a range that runs backward, such as `[c-a]`, matches nothing.
  const pattern = orElse(() => new RegExp(`^${source}$`, 'su'), undefined);
  return name => pattern?.test(name) === true;
}

/** Characters that mean themselves in a regular expression, also in a set. */
const exactly = (text: string): string => text.replace(/[^\w/]/gu, one => `\\u{${one.codePointAt(0)?.toString(16)}}`);

const ONE = String.raw`(?:[^\]\\-]|\\.)`;
const VALID = new RegExp(String.raw`^(?:[^[\\]|\\.|\[(?:\^|(?!\^))(?:${ONE}(?:-${ONE})?)+\])*$`, 'su');

/** Whether Docker takes a pattern. If not, it refuses the whole file, and builds nothing. */
const isDockerPattern = (text: string): boolean => VALID.test(text);

const PARTS = /\[([!^]?)((?:\\.|[^\]\\])+)\]|\\(.)|\*\*\/?|./gsu;

/** At which places in a name the rest of a pattern may begin, if one part of it may begin at these. */
type Step = (places: readonly number[], name: string) => number[];

const one =
  (is: Test): Step =>
  (places, name) =>
    places.flatMap(at => {
      const char = String.fromCodePoint(name.codePointAt(at) ?? 0);
      return at < name.length && is(char) ? [at + char.length] : [];
    });

const anyInside: Step = (places, name) => {
  const found = new Set<number>();
  for (let at of places)
    for (; at <= name.length && !found.has(at); at = name[at] === '/' ? Infinity : at + 1) found.add(at);
  return [...found];
};

/** Nothing, or all up to a slash. */
const anyAbove: Step = (places, name) => {
  const found = new Set(places);
  for (let at = name.indexOf('/', Math.min(...places)); at >= 0; at = name.indexOf('/', at + 1)) found.add(at + 1);
  return [...found];
};

const anything: Step = (places, name) => {
  const first = Math.min(...places);
  return Array.from({ length: name.length - first + 1 }, (_, more) => first + more);
};

/** Whether the steps lead from the start of a name to its end. A regular expression could try ways forever. */
const follows =
  (steps: readonly Step[]): Test =>
  name => {
    let places = [0];
    for (const step of steps) {
      if (places.length === 0) return false;
      places = step(places, name);
    }
    return places.includes(name.length);
  };

/** Reads a pattern as Python's `fnmatch` does: `*` also matches `/`, and nothing can be escaped. */
function readFnmatch(text: string): Test {
  const parts = text.matchAll(/\[(!?)(\][^\]]*|[^\]]+)\]|\*+|./gsu);
  return follows(
    [...parts].map(({ 0: part, 1: negation, 2: items }): Step => {
      if (items !== undefined) return one(testOf(`[${negation && '^'}${items.replace(/[^-]/gu, exactly)}]`));
      if (part.startsWith('*')) return anything;
      return one(char => part === '?' || char === part);
    }),
  );
}

/** Reads a pattern as Docker does. For it, `[!a]` isn't a negation, but nobody means anything else by it. */
function readDocker(text: string): Test {
  if (!isDockerPattern(text)) return never;
  return follows(
    [...text.matchAll(PARTS)].map(({ 0: part, 1: negation, 2: items, 3: escaped, index }): Step => {
      if (items !== undefined) {
        const inSet = items.replace(/\\(.)|[^-]/gsu, (one: string, own = one) => exactly(own));
        return one(testOf(`[${negation && '^'}${inSet}]`));
      }
      if (part.startsWith('**')) return index + part.length < text.length ? anyAbove : anything;
      if (part === '*') return anyInside;
      if (part === '?') return one(char => char !== '/');
      return one(char => char === (escaped ?? part));
    }),
  );
}

/** A line of `.dockerignore`, or a pattern that applies without that file. */
export interface Rule {
  text: string;
  /** Undefined: botcli's own, or from cloud-deploy.toml. */
  line?: number;
  /** Whether it only guesses that something is secret, so that a `!` line may say otherwise. */
  isGuess?: true;
  /** Why it does, if that is in the file: words that follow its name. */
  because?: string;
}

/** Which rules a path and the directories above it match, as their numbers from 1. */
interface Verdict {
  by: Rule | undefined;
  /** The last rule that leaves out, and the last `!` rule that brings back; 0 is none. */
  excludedAt: number;
  includedAt: number;
  secret: Rule | undefined;
}

const SECRETS = SECRET_NAMES.map(text => ({ rule: { text, isGuess: true } as const, matches: readFnmatch(text) }));

/** The rule that takes a path for that of a secret. */
function secretRule(name: string): Rule | undefined {
  // Some names only mean a secret in their directory.
  const parts = name.toLowerCase().split('/').slice(-2);
  const ends = [parts.at(-1) ?? '', parts.join('/')];
  return SECRETS.find(({ matches }) => ends.some(matches))?.rule;
}

/**
 * The rules of a `.dockerignore`, in which a `#` begins a comment, or else these patterns. They count in order: one
 * leaves out, one after a `!` brings back. Spaces, `./` and a final slash don't count.
 */
export function readRules(dockerignore: string | undefined, patterns: readonly string[] = []) {
  const lines = dockerignore?.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const rules: Rule[] =
    lines?.map((text, index) => ({ text, line: index + 1 })) ?? [...DEFAULTS, ...patterns].map(text => ({ text }));
  const parsed = rules
    .map(rule => ({ ...rule, text: strip(rule.text) }))
    .filter(({ text, line }) => text !== '' && !(line !== undefined && text.startsWith('#')))
    .map(parseRule);
  const known = new Map<string, Verdict>([['.', { by: undefined, excludedAt: 0, includedAt: 0, secret: undefined }]]);
  /** Judges a path in POSIX form. What is named like a secret is left out unless a `!` rule names its exact path. */
  const judge = (name: string): Verdict => {
    const found = known.get(name);
    if (found) return found;
    const above = judge(posix.dirname(name));
    const secret = above.secret ?? secretRule(name);
    const excludedAt = Math.max(above.excludedAt, 1 + parsed.findLastIndex(rule => rule.excludes(name)));
    const includedAt = secret
      ? 1 + parsed.findLastIndex(rule => rule.included?.path === name)
      : Math.max(above.includedAt, 1 + parsed.findLastIndex(rule => rule.included?.matches(name)));
    const last = excludedAt > includedAt ? parsed[excludedAt - 1]?.rule : undefined;
    const verdict = { by: last ?? (includedAt === 0 ? secret : undefined), excludedAt, includedAt, secret };
    known.set(name, verdict);
    return verdict;
  };
  return {
    /** The lines for which Docker refuses a `.dockerignore`. */
    refused: parsed.flatMap(({ rule }) => (isRefused(rule) ? [rule] : [])),
    judge,
    /** Whether a `!` rule names this exact path, so that it isn't a mistake. */
    isAskedFor: (name: string): boolean => parsed.some(({ included }) => included?.path === name),
    /** Whether a `!` rule might bring back something in a directory that is left out. */
    mayBringBack: (directory: string) =>
      parsed.slice(judge(directory).excludedAt).some(({ included }) => included && mayLeadInto(directory, included)),
  };
}

const isRefused = ({ text }: Rule): boolean =>
  text === '!' || !isDockerPattern(cleanPath(strip(text.replace(/^!/, ''))));

interface ParsedRule {
  rule: Rule;
  excludes: Test;
  included?: { path: string; start: string; matches: Test };
}

/**
 * A pattern leaves out what the platform's client leaves out for it (the whole path, or any single name in it), and
 * what Docker leaves out. A `!` rule brings back what it does for Docker; the client knows no such rules.
 */
function parseRule(rule: Rule): ParsedRule {
  const { text } = rule;
  if (text.startsWith('!')) {
    const path = cleanPath(strip(text.slice(1)));
    const start = /^[^*?[\\]*/.exec(path)?.[0] ?? '';
    return { rule, excludes: never, included: { path, start, matches: readDocker(path) } };
  }
  const forClient = text.replace(/^\.\//, '').replace(/\/+$/, '');
  if (forClient === '') return { rule, excludes: never };
  const [asClient, asDocker] = [readFnmatch(forClient), readDocker(cleanPath(text))];
  return { rule, excludes: name => asClient(posix.basename(name)) || asClient(name) || asDocker(name) };
}

/** What Docker makes of a path: relative, without `.`, `..` and repeated slashes. */
const cleanPath = (text: string): string => posix.normalize(text).replace(/^\//, '').replace(/\/$/, '');

/** Whether a `!` rule may match below a directory: it is deep enough, and its beginning agrees. */
function mayLeadInto(directory: string, { path, start }: { path: string; start: string }): boolean {
  const below = `${directory}/`;
  const isDeeper = path.includes('**') || path.split('/').length > directory.split('/').length;
  return isDeeper && (start.startsWith(below) || below.startsWith(start));
}

/** What Python's `strip` takes away. */
const SPACE = String.raw`[\t-\r\x1c- \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+`;
const AROUND = new RegExp(`^${SPACE}|${SPACE}$`, 'g');
const strip = (text: string): string => text.replace(AROUND, '');

/** What applies without a `.dockerignore`: the list of the platform's client, in its release 1.4.0. */
const DEFAULTS: readonly string[] = [
  ...['.git', '.gitignore', '.gitattributes', '.env', '.env.*', '*.pem', '*.key'],
  ...['__pycache__', '*.pyc', '*.pyo', '*.pyd', '*.so', '.Python', '.venv', 'venv', 'ENV', 'env'],
  ...['.pytest_cache', '.coverage', 'htmlcov', '.tox', '.nox', '.mypy_cache', '.ruff_cache', '.vscode', '.idea'],
  ...['*.swp', '*.swo', 'dist', 'build', '*.egg-info', '*.egg', '.eggs', 'node_modules', '.github', '.claude'],
  ...['.codex', '.cursor', 'pcc-deploy.toml', '.ipynb_checkpoints', '.cache', '.DS_Store', 'Thumbs.db', '*.log'],
];
