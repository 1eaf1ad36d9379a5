import { codeOf, type Group, type Item, indexOf, isGroup, isName, split } from '../../formats/python/expressions.ts';
import { importsOf, isImport, localName } from '../../formats/python/imports.ts';
import type { Statement } from '../../formats/python/module.ts';
import { Scope } from '../../formats/python/scope.ts';
import { joined, listOf, textsOf } from './constants.ts';
import { type KnownNames, LIBRARIES, type LookUp, type Meaning, UNIMPORTED } from './meanings.ts';
import { meaningOf } from './values.ts';

/** How many `from m import *` are looked into for a name, and how many tokens of `a.b.c` are followed. */
const MOST_STARS = 20;
const MOST_PARTS = 20;

/** What the names of a module mean. */
export class Names implements KnownNames {
  /** What `X = …` gave a name whose value isn't understood, such as a path. */
  readonly others = new Map<string, readonly Item[]>();
  private readonly meanings = new Map<Scope, Map<string, Meaning>>();
  private readonly starred: string[] = [];
  private readonly followed = new Map<string, Meaning>();
  private readonly lookUp: LookUp;

  constructor(lookUp: LookUp) {
    this.lookUp = lookUp;
  }

  give(scope: Scope, name: string, meaning: Meaning): void {
    const known = this.meanings.get(scope) ?? new Map<string, Meaning>();
    this.meanings.set(scope, known.set(name, meaning));
  }

  /** What a name means in its own scope. */
  ownOf(scope: Scope, name: string): Meaning | undefined {
    const meaning = this.meanings.get(scope)?.get(name);
    return meaning?.is === 'import' ? this.follow(meaning.path) : meaning;
  }

  of(name: string, scope: Scope): Meaning | undefined {
    const owner = scope.resolve(name);
    if (owner) return this.ownOf(owner, name) ?? parameterOf(name, owner);
    for (const module of this.starred.slice(0, MOST_STARS)) {
      const found = this.follow(inside(module, name));
      if (found.is !== 'import') return found;
    }
    const path = UNIMPORTED.get(name);
    return path === undefined ? undefined : this.follow(path);
  }

  at(items: readonly Item[], at: number, scope: Scope): { meaning: Meaning | undefined; end: number } {
    const first = items[at];
    let end = at + 1;
    let meaning = isName(first) ? this.of(first.code, scope) : undefined;
    for (let next = items[end + 1]; codeOf(items[end]) === '.' && isName(next); next = items[end + 1]) {
      if (meaning?.is !== 'import' || end - at > MOST_PARTS) break;
      meaning = this.follow(inside(meaning.path, next.code));
      end += 2;
    }
    return { meaning, end };
  }

  /** The scope of a comprehension, and its parts. */
  inComprehension({ items, open }: Group, outer: Scope) {
    const scope = new Scope('comprehension', 'comprehension', open.line, outer);
    const [element = [], ...loops] = split(items, 'for');
    const conditions = loops.map(loop => loop.slice(indexOf(loop, 'if') + 1));
    const sources = loops.map(loop => loop.slice(indexOf(loop, 'in') + 1, indexOf(loop, 'if')));
    for (const loop of loops) {
      for (const name of loop.slice(0, indexOf(loop, 'in')).filter(isName)) scope.define(name, 'target');
      this.defineLoop(loop.slice(0, indexOf(loop, 'if')), scope);
    }
    return { scope, element, conditions: conditions.filter(one => one.length > 0), sources };
  }

  /** Takes what an import, an assignment, a loop or a class gives a meaning. */
  define({ items, tokens, scope }: Statement): void {
    for (const one of importsOf(tokens)) {
      if (one.name === '*') this.starred.push(one.module);
      const path = one.name === undefined ? one.module : inside(one.module, one.name);
      // `import a.b` gives a meaning to `a`.
      const isPart = one.name === undefined && one.alias === undefined;
      this.give(scope, localName(one), { is: 'import', path: isPart ? localName(one) : path });
    }
    if (isImport(tokens)) return;
    const [first, second] = items;
    const word = codeOf(first);
    if (word === 'for') this.defineLoop(items.slice(1), scope);
    else if (word === 'class') this.defineClass(items, scope);
    else if (isName(first)) {
      const equals = indexOf(items, '=');
      const value = items.slice(equals + 1);
      if (equals === 1 || (equals < items.length && codeOf(second) === ':')) this.assign(first.code, value, scope);
      else if (codeOf(second) === '+=') this.extend(first.code, items.slice(2), scope);
      else if (codeOf(second) === '.' && /^(?:append|extend)$/.test(codeOf(items[2]) ?? '') && isGroup(items[3])) {
        this.extend(first.code, [items[3]], scope);
      }
    }
  }

  /** Gives the name of a loop the meaning of what it goes over. */
  private defineLoop(items: readonly Item[], scope: Scope): void {
    const at = indexOf(items, 'in');
    const [target] = items;
    const key = listOf(items.slice(at + 1), scope, this);
    if (at !== 1 || !isName(target) || key === undefined) return;
    const isParameter = 'of' in key;
    this.give(
      scope,
      target.code,
      isParameter ? { is: 'each', parameter: key } : { is: 'texts', texts: [...key], isComplete: true },
    );
  }

  private follow(path: string): Meaning {
    const meaning = LIBRARIES.get(path) ?? this.followed.get(path) ?? this.lookUp(path) ?? { is: 'import', path };
    this.followed.set(path, meaning);
    return meaning;
  }

  private assign(name: string, value: readonly Item[], scope: Scope): void {
    const meaning = meaningOf(value, scope, this);
    if (meaning) this.give(scope, name, meaning);
    else this.others.set(name, value);
  }

  private extend(name: string, value: readonly Item[], scope: Scope): void {
    const known = this.of(name, scope);
    if (known?.is === 'texts')
      this.give(scope.resolve(name) ?? scope, name, joined([known, textsOf(value, scope, this)]));
  }

  private defineClass(items: readonly Item[], scope: Scope): void {
    const [, name, bases] = items;
    if (!isName(name) || !isGroup(bases)) return;
    const meanings = split(bases.items, ',').map(base => this.at(base, 0, scope).meaning);
    const meaning = meanings.find(one => one?.is === 'settings' || one?.is === 'model');
    if (meaning?.is === 'settings') this.give(scope, name.code, { ...meaning, base: meaning, says: undefined });
    else if (meaning) this.give(scope, name.code, meaning);
  }
}

const parameterOf = (name: string, of: Scope): Meaning | undefined =>
  of.defines.get(name)?.[0]?.by === 'parameter' ? { is: 'each', parameter: { name, of } } : undefined;

export const inside = (module: string, name: string): string =>
  module.endsWith('.') ? module + name : `${module}.${name}`;
