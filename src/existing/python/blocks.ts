import { codeOf, type Group, type Item, isGroup, isName, split } from '../../formats/python/expressions.ts';
import type { Statement } from '../../formats/python/module.ts';

interface When {
  /** Code that survives a missing variable counts as never. */
  runs: 'always' | 'sometimes' | 'never';
  /** Whether it runs only if its file is the one that Python starts. */
  isScript: boolean;
}

/** How a block ends: it stops the program, leaves the block around it, or goes on. */
type Ending = 'stops' | 'leaves' | 'goes on';

/** How code begins that ends the program. */
const STOPS = /^(?:raise|(?:sys\.)?exit\(|quit\(|os\._exit)/;

const CLAUSE = /^(?:elif|else|except|finally)$/;
/** The error of a mapping that has no such key. */
const NO_KEY = /\b(?:KeyError|LookupError)\b/;
const CAUGHT_WITH_OTHERS = /^$|\b(?:Base)?Exception\b/;

/** The blocks of a module, and when they run. */
export class Blocks {
  private readonly bodies = new Map<Statement | undefined, Statement[]>();
  private readonly places = new Map<Statement, number>();
  /** What comes after a condition whose block may have left. */
  private readonly afterLeaving = new Set<Statement>();
  private readonly known = new Map<Statement, When>();
  private readonly caught: RegExp;
  private readonly survived: When['runs'];

  /**
   * @param caught The errors that don't matter once an `except` names them.
   * @param survived How code counts that raises them.
   */
  constructor(lines: readonly Statement[], caught = NO_KEY, survived: When['runs'] = 'never') {
    this.caught = caught;
    this.survived = survived;
    for (const line of lines) {
      const body = this.bodies.get(line.header) ?? [];
      this.places.set(line, body.push(line) - 1);
      this.bodies.set(line.header, body);
    }
    for (const body of this.bodies.values()) {
      const left = body.findIndex(line => wordOf(line) === 'if' && this.endingOf(line) === 'leaves');
      for (const line of left === -1 ? [] : body.slice(left + 1)) this.afterLeaving.add(line);
    }
  }

  bodyOf = (header: Statement): readonly Statement[] => this.bodies.get(header) ?? [];

  /** When a statement runs. */
  whenOf(line: Statement): When {
    const when = line.header ? this.inside(line.header) : { runs: 'always' as const, isScript: false };
    return this.afterLeaving.has(line) && when.runs === 'always' ? { ...when, runs: 'sometimes' } : when;
  }

  endingOf(header: Statement): Ending {
    const tokens = this.bodyOf(header).at(-1)?.tokens.slice(0, 4) ?? [];
    const code = tokens.map(token => token.code).join('');
    if (STOPS.test(code)) return 'stops';
    return /^(?:return|continue|break)/.test(code) ? 'leaves' : 'goes on';
  }

  private inside(header: Statement): When {
    const known = this.known.get(header);
    if (known) return known;
    const outside = this.whenOf(header);
    const runs = this.runsIn(header);
    const when = {
      runs: [outside.runs, runs].find(one => one === 'never') ?? (runs === 'always' ? outside.runs : 'sometimes'),
      isScript: outside.isScript || mentionedIn(header.items).includes('__name__'),
    };
    this.known.set(header, when);
    return when;
  }

  /** When the block of a header runs, if the header does. */
  private runsIn(header: Statement): When['runs'] {
    const word = wordOf(header);
    const asked = mentionedIn(header.items);
    if (word === 'try') return this.runsInTry(header);
    if (word === 'with')
      return asked.includes('suppress') && this.caught.test(asked.join(' ')) ? this.survived : 'always';
    if (!/^(?:if|elif|else|while|except|case)$/.test(word)) return 'always';
    if (asked.includes('TYPE_CHECKING')) return 'never';
    return asked.includes('__name__') ? 'always' : 'sometimes';
  }

  /** What an `except` survives isn't needed. */
  private runsInTry(header: Statement): When['runs'] {
    const later = this.bodies.get(header.header)?.slice((this.places.get(header) ?? 0) + 1) ?? [];
    const end = later.findIndex(line => !CLAUSE.test(wordOf(line)));
    const clauses = later.slice(0, end === -1 ? undefined : end).filter(line => wordOf(line) === 'except');
    const errors = clauses
      .filter(line => this.endingOf(line) !== 'stops')
      .map(({ items }) => mentionedIn(items).join(' '));
    if (errors.some(names => this.caught.test(names))) return this.survived;
    return errors.some(names => CAUGHT_WITH_OTHERS.test(names)) ? 'sometimes' : 'always';
  }
}

/** The first word or sign of a statement, after `async`; empty if it begins with a text. */
export function wordOf(statement: Statement | undefined): string {
  const [first, second] = statement?.tokens ?? [];
  return (codeOf(first) === 'async' ? codeOf(second) : codeOf(first)) ?? '';
}

const WORDS = /^(?:and|as|elif|else|except|if|in|is|not|or|while|with)$/;

/** Every text and name in an expression. */
export const mentionedIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => {
    if (isGroup(item)) return mentionedIn(item.items);
    return item.kind === 'text' || (item.kind === 'name' && !WORDS.test(item.code)) ? item.code : [];
  });

export const textsIn = (items: readonly Item[]): string[] =>
  items.flatMap(item => (isGroup(item) ? textsIn(item.items) : item.kind === 'text' ? item.code : []));

/** The text that an expression is. Texts in a row are one, also if a comma between them is missing. */
export function textOf(items: readonly Item[]): string | undefined {
  const texts = items.flatMap(item => (isGroup(item) || item.kind !== 'text' ? [] : item.code));
  return items.length > 0 && texts.length === items.length ? texts.join('') : undefined;
}

/** Whether an f-string has code in it. */
export const hasHole = (items: readonly Item[]): boolean =>
  items.some(item => (isGroup(item) ? item.open.kind === 'hole' || hasHole(item.items) : item.kind === 'hole'));

/** What commas separate between brackets, such as the arguments of a call. */
export const argumentsOf = ({ items }: Group): Item[][] => split(items, ',').filter(part => part.length > 0);

/** An argument's value, and its name if it is written as `name=value`. */
export function namedIn(arg: readonly Item[]): { name: string | undefined; value: readonly Item[] } {
  const [first, sign] = arg;
  return isName(first) && codeOf(sign) === '='
    ? { name: first.code, value: arg.slice(2) }
    : { name: undefined, value: arg };
}

/** Arguments after which a missing variable is no problem. */
const DEFAULT = /^(?:default|fallback|optional|required)$/;

/** Whether the arguments after a name give a default. */
export const hasDefault = (args: readonly Item[][]): boolean =>
  args.some(arg => DEFAULT.test(namedIn(arg).name ?? 'default'));
