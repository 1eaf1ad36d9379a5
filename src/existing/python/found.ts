import type { Item } from '../../formats/python/expressions.ts';
import type { Scope } from '../../formats/python/scope.ts';
import { type Blocks, isAsked } from './blocks.ts';
import { mentionedIn } from './lines.ts';
import type { Key, Settings } from './meanings.ts';

/** Where an expression is. */
export interface Place {
  scope: Scope;
  when: ReturnType<Blocks['whenOf']>;
  /** What the names of variables begin with here. */
  prefix: string;
  /** One of these is set here. */
  switches: readonly string[];
}

/** A name that a shell or an env file can set. */
export const VARIABLE = /^[A-Za-z_]\w*$/;

/** What was found in a module so far. */
export class Found {
  /** Variables that it can't work without, such as `os.environ["X"]` and the texts of `REQUIRED_ENV`. */
  readonly required = new Set<string>();
  /** Those that it needs only if it is the file that Python starts. */
  readonly asScript = new Set<string>();
  /**
   * Variables that it needs under some condition, or passes on as a key even if they aren't set. If it does so only if one
   * of other variables is set, each has these.
   */
  readonly conditional = new Map<string, readonly string[]>();
  /** Those of them whose case doesn't count. */
  readonly anyCase = new Set<string>();
  readonly assigned = new Set<string>();
  /** Texts that may name a variable, or begin its name. */
  readonly mentioned = new Set<string>();
  /** The paths of env files that it reads, as it has them. */
  readonly envFiles: string[] = [];
  /** The objects of settings classes that it makes, and the fields that they get; undefined if that can't be followed. */
  readonly made: { meaning: Settings; place: Place; given: readonly (string | undefined)[] | undefined }[] = [];
  /** Whether it requires variables that can't be named. */
  isUntraced = false;
  /** Whether it sets variables that can't be named. */
  hasSources = false;

  /** Takes variables that the code can't miss when it runs, unless it has asked about them. */
  require(names: readonly string[], place: Place): void {
    const { when } = place;
    if (when.runs === 'never') return;
    const open = names.filter(name => VARIABLE.test(name) && !isAsked(name, when));
    if (when.runs === 'sometimes') this.want(open, place);
    else addAll(when.isScript ? this.asScript : this.required, open);
  }

  /** Takes variables that it needs under some condition. */
  want(names: readonly string[], { switches }: Pick<Place, 'switches'>): void {
    for (const name of names) this.conditional.set(name, this.conditional.get(name)?.length === 0 ? [] : switches);
  }

  /** Takes what it sets. A value that has the variable itself doesn't. */
  assign(key: Key, value: readonly Item[]): void {
    if (key === undefined || 'of' in key) this.hasSources = true;
    else {
      const read = mentionedIn(value);
      addAll(
        this.assigned,
        key.filter(one => !read.includes(one)),
      );
    }
  }

  /** The texts and names of tokens that may name a variable, or begin its name. */
  mention(texts: Iterable<string>): void {
    for (const one of texts) if (VARIABLE.test(one)) this.mentioned.add(one);
  }
}

export const addAll = (set: Set<string>, more: Iterable<string>): void => {
  for (const one of more) set.add(one);
};
