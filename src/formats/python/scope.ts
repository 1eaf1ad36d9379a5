import type { Token } from './tokens.ts';

type Name = Pick<Token, 'code' | 'line'> & Partial<Pick<Token, 'column'>>;

/** A mention of a name, at a line and a column counted from 0. One in an import or in a text has no column. */
interface Mention {
  name: string;
  line: number;
  column?: number | undefined;
}

/** What gives a name its meaning. A `target` is part of an unpacking, or of a loop, `with`, `except`, `:=`, `case`, `+=` or `del`. */
type Means = 'import' | 'function' | 'class' | 'assignment' | 'parameter' | 'target';

/** A place where a name gets a meaning. */
interface Binding extends Mention {
  by: Means;
}

/** Where names are looked up. `types` is the scope of type parameters, as in `def f[T]`. */
type ScopeKind = 'module' | 'class' | 'function' | 'lambda' | 'comprehension' | 'types';

/** A part of a module with names of its own. */
export class Scope {
  /** The names that it gives a meaning, also through `global` in a function. `from m import *` gives `*`. */
  readonly defines = new Map<string, Binding[]>();
  /** The names that it mentions, except for attributes and the names of arguments. */
  readonly uses = new Map<string, Mention[]>();
  /** The names that belong to another scope. */
  private readonly declared = new Map<string, string>();
  readonly kind: ScopeKind;
  /** The name of the function or class; that of its kind for others. */
  readonly name: string;
  /** Its first line, counted from 0. */
  readonly line: number;
  readonly parent: Scope | undefined;
  /** The functions and classes around its statements, such as `Shop.open`; empty in the module. */
  readonly path: string;

  constructor(kind: ScopeKind, name: string, line: number, parent?: Scope) {
    this.kind = kind;
    this.name = name;
    this.line = line;
    this.parent = parent;
    const outer = parent?.path ?? '';
    this.path = kind === 'function' || kind === 'class' ? `${outer && `${outer}.`}${name}` : outer;
  }

  define({ code, line, column }: Name, by: Means): void {
    const name = normalize(code);
    const declared = this.declared.get(name);
    // The function that a nonlocal name belongs to defines it; this one only changes it.
    if (declared === 'nonlocal') push(this.uses, { name, line, column });
    else push((declared === 'global' ? this.module : this).defines, { name, line, column, by });
  }

  /** `:=` in a comprehension defines a name outside of it. */
  defineOutside(name: Name): void {
    if (this.kind === 'comprehension') this.parent?.defineOutside(name);
    else this.define(name, 'target');
  }

  use({ code, line, column }: Name): void {
    push(this.uses, { name: normalize(code), line, column });
  }

  declare(name: string, keyword: string): void {
    this.declared.set(normalize(name), keyword);
  }

  /** The scope that defines a name which is used here; nothing if it's built into Python, or isn't defined. */
  resolve(name: string): Scope | undefined {
    const declared = this.declared.get(name);
    if (declared === 'global') return this.module.defines.has(name) ? this.module : undefined;
    if (this.defines.has(name)) return this;
    let outer = this.parent;
    // The names of a class aren't known in its functions.
    while (outer && (outer.kind === 'class' || !outer.defines.has(name))) outer = outer.parent;
    return outer;
  }

  private get module(): Scope {
    let outermost: Scope = this;
    while (outermost.parent) outermost = outermost.parent;
    return outermost;
  }
}

/** To Python, some letters are the same. */
const normalize = (name: string): string => (/[^ -~]/.test(name) ? name.normalize('NFKC') : name);

function push<Item extends Mention>(map: Map<string, Item[]>, item: Item): void {
  const known = map.get(item.name);
  if (known) known.push(item);
  else map.set(item.name, [item]);
}
