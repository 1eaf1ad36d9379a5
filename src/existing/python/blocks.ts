import type { Statement } from '../../formats/python/module.ts';
import { mentionedIn, wordOf } from './lines.ts';

interface When {
  /** Code that survives a missing variable counts as never. */
  runs: 'always' | 'sometimes' | 'never';
  /** Whether it runs only if its file is the one that Python starts. */
  isScript: boolean;
  /** The texts and names that something asked about before. */
  asked: Asked | undefined;
}

/** In blocks, each has more than the one around it. */
interface Asked {
  names: ReadonlySet<string>;
  before: Asked | undefined;
}

const ALWAYS: When = { runs: 'always', isScript: false, asked: undefined };

/** Code that runs only under a condition. */
export const sometimes = (when: When, asked: readonly string[] = []): When => ({
  ...knowing(when, new Set(asked)),
  runs: when.runs === 'never' ? 'never' : 'sometimes',
});

const knowing = (when: When, names: ReadonlySet<string>): When => ({ ...when, asked: { names, before: when.asked } });

/** Whether something asked about a name before, so that the code knows that it may be absent. */
export function isAsked(name: string, { asked }: When): boolean {
  let one = asked;
  while (one && !one.names.has(name)) one = one.before;
  return one !== undefined;
}

/** How a block ends: it stops the program, leaves the block around it, or goes on. */
type Ending = 'stops' | 'leaves' | 'goes on';

/** What a header means for its block. */
interface Effect extends Pick<When, 'isScript'> {
  runs: When['runs'];
  asked: string[];
}

/** How code begins that ends the program. */
export const STOPS = /^(?:raise|(?:sys\.)?exit\(|quit\(|os\._exit)/;

const CLAUSE = /^(?:elif|else|except|finally)$/;
/** How many conditions before an `else` count. */
const MOST_CLAUSES = 10;
/** The error of a mapping that has no such key. */
const NO_KEY = /\b(?:KeyError|LookupError)\b/;
const CAUGHT_WITH_OTHERS = /^$|\b(?:Base)?Exception\b/;

/** The blocks of a module, and when they run. */
export class Blocks {
  private readonly bodies = new Map<Statement | undefined, Statement[]>();
  /** The headers of a statement, such as an `if` with its `elif` and `else`, and the place of one of them. */
  private readonly clauses = new Map<Statement, { all: Statement[]; at: number }>();
  private readonly effects = new Map<Statement, Effect>();
  /** What the statements so far have asked about in a block, and whether one may have left it. */
  private readonly passed = new Map<Statement | undefined, { asked: Set<string>; mayLeave: boolean }>();
  private readonly caught: RegExp;

  /**
   * @param caught The errors that don't matter once an `except` names them.
   */
  constructor(lines: readonly Statement[], caught = NO_KEY) {
    this.caught = caught;
    for (const line of lines) {
      const body = this.bodies.get(line.header) ?? [];
      const before = CLAUSE.test(wordOf(line)) ? body.at(-1) : undefined;
      const all = (before && this.clauses.get(before)?.all) ?? [];
      this.clauses.set(line, { all, at: all.push(line) - 1 });
      body.push(line);
      this.bodies.set(line.header, body);
    }
  }

  bodyOf = (header: Statement): readonly Statement[] => this.bodies.get(header) ?? [];

  /** When a statement runs, after those before it. */
  whenOf(line: Statement): When {
    const header = line.header;
    const outside = header ? this.inside(header) : ALWAYS;
    const passed = this.passed.get(header);
    if (!passed) return outside;
    const when = knowing(outside, passed.asked);
    return passed.mayLeave ? sometimes(when) : when;
  }

  /** Takes a condition: if its body ends the block, what follows knows the answer. */
  pass(line: Statement): void {
    const ending = this.endingOf(line);
    if (ending === 'goes on') return;
    const header = line.header;
    const known = this.passed.get(header) ?? { asked: new Set(), mayLeave: false };
    for (const one of mentionedIn(line.items)) known.asked.add(one);
    known.mayLeave ||= ending === 'leaves';
    this.passed.set(header, known);
  }

  endingOf(header: Statement): Ending {
    const tokens = this.bodyOf(header).at(-1)?.tokens.slice(0, 4) ?? [];
    const code = tokens.map(token => token.code).join('');
    if (STOPS.test(code)) return 'stops';
    return /^(?:return|continue|break)/.test(code) ? 'leaves' : 'goes on';
  }

  private inside(header: Statement): When {
    const when = this.whenOf(header);
    const effect = this.effects.get(header) ?? this.effectOf(header);
    this.effects.set(header, effect);
    const { runs, isScript, asked } = effect;
    if (runs === 'never' || when.runs === 'never') return { ...when, runs: 'never' };
    return runs === 'sometimes' ? sometimes(when, asked) : { ...when, isScript: when.isScript || isScript };
  }

  private effectOf(header: Statement): Effect {
    const { all = [], at = 0 } = this.clauses.get(header) ?? {};
    const asked = all.slice(Math.max(at - MOST_CLAUSES, 0), at + 1).flatMap(({ items }) => mentionedIn(items));
    const always: Effect = { runs: 'always', isScript: false, asked: [] };
    const isForTypes = asked.includes('TYPE_CHECKING');
    switch (wordOf(header)) {
      case 'if':
      case 'elif':
      case 'while':
        if (isForTypes) return { ...always, runs: 'never' };
        return asked.includes('__name__') ? { ...always, isScript: true } : { ...always, runs: 'sometimes', asked };
      case 'else':
        return isForTypes || wordOf(all[0]) !== 'if' ? always : { ...always, runs: 'sometimes', asked };
      case 'except':
      case 'case':
        return { ...always, runs: 'sometimes' };
      case 'try':
        return { ...always, runs: this.runsInTry(all) };
      case 'with':
        return {
          ...always,
          runs: asked.includes('suppress') && this.caught.test(asked.join(' ')) ? 'never' : 'always',
        };
      default:
        return always;
    }
  }

  /** What an `except` survives isn't needed. */
  private runsInTry(clauses: readonly Statement[]): When['runs'] {
    const survived = clauses.filter(one => wordOf(one) === 'except' && this.endingOf(one) !== 'stops');
    const errors = survived.map(({ items }) => mentionedIn(items).join(' '));
    if (errors.some(names => this.caught.test(names))) return 'never';
    return errors.some(names => CAUGHT_WITH_OTHERS.test(names)) ? 'sometimes' : 'always';
  }
}
