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
export function readFnmatch(text: string): Test {
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
export function readDocker(text: string): Test | undefined {
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
export const isDockerPattern = (text: string): boolean => VALID.test(text);

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
