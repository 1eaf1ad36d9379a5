import { posix } from 'node:path';
import { SECRET_NAMES } from '../../project/protected.ts';

// Patterns of `.dockerignore`, as two readers understand them: Python's `fnmatch`, which the platform's client uses, and
// Docker. Both become tokens, and one matcher takes at most (characters × tokens) steps, whatever a stranger's pattern is.

/** One step through a text, by code points. */
interface Token {
  /** The only character that it takes. */
  character?: string;
  /** Whether the step may be left out. */
  isOptional?: true;
  /** Which characters it may take and stay. */
  stays?: Test;
  /** Which characters it may take and be done. */
  passes: Test;
}

/** Whether a character, or a whole text, matches. */
type Test = (text: string) => boolean;

const any: Test = () => true;
const isSlash: Test = character => character === '/';
const isOther: Test = character => character !== '/';
const star = (test: Test): Token => ({ isOptional: true, stays: test, passes: test });
const literal = (wanted: string): Token => ({ character: wanted, passes: character => character === wanted });

/** The test whether these tokens match a whole text. */
function matcherOf(tokens: readonly Token[]): Test {
  const isOpen = ({ character }: Token) => character === undefined;
  const [first, last] = [tokens.findIndex(isOpen), tokens.findLastIndex(isOpen)];
  const textOf = (some: readonly Token[]) => some.map(({ character }) => character).join('');
  // What every match begins and ends with: most texts fail here.
  const start = textOf(first === -1 ? tokens : tokens.slice(0, first));
  const end = textOf(tokens.slice(last + 1));
  return text => text.startsWith(start) && text.endsWith(end) && matches(tokens, text);
}

function matches(tokens: readonly Token[], text: string): boolean {
  let states = new Set<number>();
  const enter = (into: Set<number>, at: number): void => {
    into.add(at);
    if (tokens[at]?.isOptional) enter(into, at + 1);
  };
  enter(states, 0);
  for (const character of text) {
    const next = new Set<number>();
    for (const at of states) {
      const token = tokens[at];
      if (token?.stays?.(character)) next.add(at);
      if (token?.passes(character)) enter(next, at + 1);
    }
    if (next.size === 0) return false;
    states = next;
  }
  return states.has(tokens.length);
}

/** Reads a pattern as Python's `fnmatch` does: `*` also matches `/`, and nothing can be escaped. */
function readFnmatch(text: string): Test {
  const characters = [...text];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const end = character === '[' ? endOfSet(characters, at) : -1;
    if (character === '*') tokens.push(star(any));
    else if (character === '?') tokens.push({ passes: any });
    else if (end !== -1) {
      const isNegated = characters[at + 1] === '!';
      const items = characters.slice(at + (isNegated ? 2 : 1), end);
      tokens.push({ passes: oneOf(items, isNegated) });
      at = end;
    } else tokens.push(literal(character));
  }
  return matcherOf(tokens);
}

/** A `]` right at the beginning belongs to the set. */
const endOfSet = (characters: readonly string[], start: number): number =>
  characters.indexOf(']', start + (characters[start + 1] === '!' ? 3 : 2));

/**
 * Reads a pattern as Docker does: `**` crosses directories, and a backslash escapes. Undefined if Docker refuses it. For
 * Docker, `[!a]` isn't a negation, but nobody means anything else by it.
 */
function readDocker(text: string): Test | undefined {
  const characters = [...text];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    if (character === '*' && characters[at + 1] === '*') {
      at += characters[at + 2] === '/' ? 2 : 1;
      tokens.push(at + 1 < characters.length ? { isOptional: true, stays: any, passes: isSlash } : star(any));
    } else if (character === '*') tokens.push(star(isOther));
    else if (character === '?') tokens.push({ passes: isOther });
    else if (character === '[') {
      const set = readDockerSet(characters, at + 1);
      if (!set) return undefined;
      tokens.push({ passes: set.test });
      at = set.end;
    } else if (character === '\\') {
      at += 1;
      const escaped = characters[at];
      if (escaped === undefined) return undefined;
      tokens.push(literal(escaped));
    } else tokens.push(literal(character));
  }
  return matcherOf(tokens);
}

const ONE = String.raw`(?:[^\]\\-]|\\.)`;
const VALID = new RegExp(String.raw`^(?:[^[\\]|\\.|\[(?:\^|(?!\^))(?:${ONE}(?:-${ONE})?)+\])*$`, 'su');

/** Whether Docker takes a pattern. If not, it refuses the whole file, and builds nothing. */
const isDockerPattern = (text: string): boolean => VALID.test(text);

function readDockerSet(characters: readonly string[], start: number): { test: Test; end: number } | undefined {
  const isNegated = characters[start] === '^' || characters[start] === '!';
  const items: string[] = [];
  for (let at = isNegated ? start + 1 : start; at < characters.length; at += 1) {
    if (characters[at] === ']') return items.length > 0 ? { test: oneOf(items, isNegated), end: at } : undefined;
    if (characters[at] === '\\') at += 1;
    items.push(characters[at] ?? '');
  }
  return undefined;
}

/** A test for the characters of a set, in which `a-c` is a range. One that runs backward contains nothing. */
function oneOf(items: readonly string[], isNegated: boolean): Test {
  const ranges: [first: string, last: string][] = [];
  for (let at = 0; at < items.length; at += 1) {
    const first = items[at] ?? '';
    const isRange = items[at + 1] === '-' && at + 2 < items.length;
    ranges.push([first, (isRange ? items[at + 2] : first) ?? '']);
    if (isRange) at += 2;
  }
  const isIn = (one: number) =>
    ranges.some(([first, last]) => one >= (first.codePointAt(0) ?? 0) && one <= (last.codePointAt(0) ?? 0));
  return character => isIn(character.codePointAt(0) ?? 0) !== isNegated;
}

/** A line of `.dockerignore`, or a pattern that applies without that file. */
interface Rule {
  /** As it was written, without spaces around it. */
  text: string;
  /** Its number in `.dockerignore`, from 1. Undefined: botcli's own, or from cloud-deploy.toml. */
  line?: number;
  /** Whether it only guesses that something is secret, so that a `!` line may say otherwise. */
  isGuess?: true;
  /** Why it does, if that is in the file: words that follow its name. */
  because?: string;
}

/** Which rules a path and the directories above it match. */
interface Verdict {
  /** What leaves the path out; undefined if nothing does. */
  by: Rule | undefined;
  /** The last rule that leaves out, by its position; -1 is the one about secrets, -2 none. */
  excludedAt: number;
  /** The last `!` rule that brings back, by its position; -2 is none. */
  includedAt: number;
  /** The rule that takes it for a secret, if one does. */
  secret: Rule | undefined;
}

const NOTHING: Verdict = { by: undefined, excludedAt: -2, includedAt: -2, secret: undefined };

const SECRETS = SECRET_NAMES.map(text => ({ rule: { text, isGuess: true } as const, matches: readFnmatch(text) }));

/** The rule that takes a path for that of a secret. */
function secretRule(name: string): Rule | undefined {
  // Some names only mean a secret in their directory.
  const parts = name.toLowerCase().split('/').slice(-2);
  const ends = [parts.at(-1) ?? '', parts.join('/')];
  return SECRETS.find(({ matches }) => ends.some(matches))?.rule;
}

/** The rules of a `.dockerignore`. A `#` begins a comment. */
export function readDockerignore(text: string) {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const rules = lines.map((text, index) => ({ text, line: index + 1 }));
  return createRules(rules.filter(({ text }) => !strip(text).startsWith('#')));
}

/** Rules in order: a pattern leaves out, and one after a `!` brings back. Spaces, `./` and a slash at the end don't count. */
export function createRules(rules: readonly Rule[]) {
  const parsed = rules
    .map(rule => ({ ...rule, text: strip(rule.text) }))
    .filter(({ text }) => text !== '')
    .map(parseRule);
  const lastMatch = (after: number, test: (rule: ParsedRule) => boolean): number => {
    for (let at = parsed.length - 1; at > Math.max(after, -1); at -= 1) if (test(parsed[at] as ParsedRule)) return at;
    return after;
  };
  return {
    /** The lines for which Docker refuses a `.dockerignore`. */
    refused: parsed.flatMap(({ rule }) => (isRefused(rule) ? [rule] : [])),
    /**
     * Judges a path in POSIX form. Of the rules that match it or a directory above it, the last one wins. What is named
     * like a secret is left out unless a `!` rule names its exact path.
     *
     * @param above The verdict on the directory that it is in; nothing at the top.
     */
    judge(name: string, above = NOTHING): Verdict {
      const part = posix.basename(name);
      const secret = above.secret ?? secretRule(name);
      const excludedAt = lastMatch(secret ? Math.max(above.excludedAt, -1) : above.excludedAt, rule =>
        rule.excludes(name, part),
      );
      const includedAt = secret
        ? lastMatch(-2, rule => rule.included?.path === name)
        : lastMatch(above.includedAt, rule => rule.includes(name));
      const by = excludedAt > includedAt ? (parsed[excludedAt]?.rule ?? secret) : undefined;
      return { by, excludedAt, includedAt, secret };
    },
    /** Whether a `!` rule names this exact path, so that it isn't a mistake. */
    isAskedFor: (name: string): boolean => parsed.some(({ included }) => included?.path === name),
    /** Whether a `!` rule might bring back something in a directory that is left out. */
    mayBringBack: (directory: string, { excludedAt }: Verdict) =>
      parsed.some(({ included }, at) => at > excludedAt && included !== undefined && mayLeadInto(directory, included)),
  };
}

const isRefused = ({ text }: Rule): boolean =>
  text === '!' || !isDockerPattern(cleanPath(strip(text.replace(/^!/, ''))));

interface ParsedRule {
  rule: Rule;
  excludes(name: string, part: string): boolean;
  includes(name: string): boolean;
  /** What a `!` rule brings back. */
  included?: { path: string; start: string };
}

const never = () => false;

/**
 * A pattern leaves out what the platform's client leaves out for it (the whole path, or any single name in it), and what
 * Docker leaves out. A `!` rule brings back what it does for Docker; the client knows no such rules.
 */
function parseRule(rule: Rule): ParsedRule {
  const { text } = rule;
  if (text.startsWith('!')) {
    const path = cleanPath(strip(text.slice(1)));
    const start = /^[^*?[\\]*/.exec(path)?.[0] ?? '';
    return { rule, excludes: never, includes: readDocker(path) ?? never, included: { path, start } };
  }
  const forClient = text.replace(/^\.\//, '').replace(/\/+$/, '');
  const asClient = readFnmatch(forClient);
  const asDocker = readDocker(cleanPath(text)) ?? never;
  const excludes =
    forClient === ''
      ? never
      : (name: string, part: string) => asClient(part) || (part !== name && asClient(name)) || asDocker(name);
  return { rule, excludes, includes: never };
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
export const DEFAULTS: readonly string[] = [
  ...['.git', '.gitignore', '.gitattributes', '.env', '.env.*', '*.pem', '*.key'],
  ...['__pycache__', '*.pyc', '*.pyo', '*.pyd', '*.so', '.Python', '.venv', 'venv', 'ENV', 'env'],
  ...['.pytest_cache', '.coverage', 'htmlcov', '.tox', '.nox', '.mypy_cache', '.ruff_cache', '.vscode', '.idea'],
  ...['*.swp', '*.swo', 'dist', 'build', '*.egg-info', '*.egg', '.eggs', 'node_modules', '.github', '.claude'],
  ...['.codex', '.cursor', 'pcc-deploy.toml', '.ipynb_checkpoints', '.cache', '.DS_Store', 'Thumbs.db', '*.log'],
];
