import { codeOf, type Group, type Item, isGroup, isName, type Statement, split } from '../../formats/python/module.ts';

/** Whether code runs whenever its module does. Code that survives a missing variable counts as never. */
export type Runs = 'always' | 'sometimes' | 'never';

export interface When {
  runs: Runs;
  /** Whether it runs only if its file is the one that Python starts. */
  isScript: boolean;
}

/** How code begins that ends the program. */
const STOPS = /^(?:raise|(?:sys\.)?exit\(|quit\(|os\._exit)/;
/** How code begins that leaves the block around it. */
const LEAVES = /^(?:return|continue|break)/;
/** The error of a mapping that has no such key. */
const NO_KEY = /\b(?:KeyError|LookupError)\b/;

/** The blocks of a module, and when they run. */
export class Blocks {
  private readonly bodies = new Map<Statement | undefined, Statement[]>();
  /** The `except` clauses of each `try`. */
  private readonly handlers = new Map<Statement, Statement[]>();
  /** What comes after a condition whose block may have left. */
  private readonly afterLeaving = new Set<Statement>();
  private readonly known = new Map<Statement, When>();

  constructor(lines: readonly Statement[]) {
    const tries = new Map<Statement | undefined, Statement[]>();
    for (const line of lines) {
      this.bodies.set(line.header, this.bodies.get(line.header) ?? []);
      this.bodies.get(line.header)?.push(line);
      if (wordOf(line) === 'try') {
        tries.set(line.header, []);
        this.handlers.set(line, tries.get(line.header) ?? []);
      } else if (wordOf(line) === 'except') tries.get(line.header)?.push(line);
    }
    for (const body of this.bodies.values()) {
      const left = body.findIndex(line => wordOf(line) === 'if' && LEAVES.test(this.endOf(line)));
      for (const line of left === -1 ? [] : body.slice(left + 1)) this.afterLeaving.add(line);
    }
  }

  bodyOf = (header: Statement): readonly Statement[] => this.bodies.get(header) ?? [];

  /** When a statement runs. */
  whenOf(line: Statement): When {
    const when = line.header ? this.inside(line.header) : { runs: 'always' as const, isScript: false };
    return this.afterLeaving.has(line) && when.runs === 'always' ? { ...when, runs: 'sometimes' } : when;
  }

  /** How the last statement of a block begins. */
  private endOf = (header: Statement): string =>
    (this.bodyOf(header).at(-1)?.tokens.slice(0, 4) ?? []).map(token => token.code).join('');

  private inside(header: Statement): When {
    const known = this.known.get(header);
    if (known) return known;
    const outside = this.whenOf(header);
    const runs = this.runsIn(header);
    const when = {
      runs: outside.runs === 'never' || runs === 'always' ? outside.runs : runs,
      isScript: outside.isScript || mentionedIn(header.items).includes('__name__'),
    };
    this.known.set(header, when);
    return when;
  }

  /** When the block of a header runs, if the header does. */
  private runsIn(header: Statement): Runs {
    const word = wordOf(header);
    const asked = mentionedIn(header.items);
    if (word === 'try') {
      const survived = (this.handlers.get(header) ?? []).filter(line => !STOPS.test(this.endOf(line)));
      if (survived.some(({ items }) => NO_KEY.test(mentionedIn(items).join(' ')))) return 'never';
      return survived.length > 0 ? 'sometimes' : 'always';
    }
    if (asked.includes('TYPE_CHECKING') || (word === 'with' && asked.includes('suppress'))) return 'never';
    const isCondition = /^(?:if|elif|else|while|except|case)$/.test(word);
    return isCondition && !asked.includes('__name__') ? 'sometimes' : 'always';
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

/** What commas separate between brackets, such as the arguments of a call. */
export const argumentsOf = ({ items }: Group): Item[][] => split(items, ',').filter(part => part.length > 0);

/** An argument's value, and its name if it is written as `name=value`. */
export function namedIn(arg: readonly Item[]): { name: string | undefined; value: readonly Item[] } {
  const [first, sign] = arg;
  return isName(first) && codeOf(sign) === '='
    ? { name: first.code, value: arg.slice(2) }
    : { name: undefined, value: arg };
}
