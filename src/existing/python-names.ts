import {
  codeOf,
  type Group,
  groupTokens,
  type Item,
  indexOf,
  isGroup,
  isName,
  split,
} from '../formats/python/expressions.ts';
import { importsOf, isImport, localName } from '../formats/python/imports.ts';
import type { Statement } from '../formats/python/module.ts';
import { Scope } from '../formats/python/scope.ts';

/** What a name stands for, as far as the environment is concerned. */
export type Meaning =
  /** Something imported, by its full name. */
  | { is: 'import'; path: string }
  /** `os.environ`, or a mapping with the same variables. */
  | { is: 'environ'; isCopy: boolean }
  /** `os.getenv`; a reader such as `env("X")` and its class; what reads env files. */
  | { is: 'getenv' | 'reader' | 'reader class' | 'load' | 'values' }
  /** A class whose fields are variables. In the first release of its library, fields may be absent. */
  | { is: 'settings'; isFirst: boolean }
  /** A class whose fields are inside one of them. */
  | { is: 'model' }
  /** Texts, one or a list. They are complete unless something else is among them. */
  | { is: 'texts'; texts: string[]; isComplete: boolean }
  /** The value of variables, which is empty if they aren't set. */
  | { is: 'value'; key: Key }
  /** Those of these variables that aren't set. */
  | { is: 'missing'; keys: readonly Key[] }
  /** Each item of a parameter. */
  | { is: 'each'; parameter: Parameter }
  /** A function that reads the variable that a parameter names. */
  | { is: 'needs'; at: number; parameter: string; isAlways: boolean };

/** A parameter of a function. */
export interface Parameter {
  name: string;
  of: Scope;
}

/** What names a variable: texts, or a parameter. Nothing if it can't be followed. */
export type Key = readonly string[] | Parameter | undefined;

/** Finds what a name of another module of the project stands for, such as `.config.need`. */
export type LookUp = (path: string) => Meaning | undefined;

const ENVIRON: Meaning = { is: 'environ', isCopy: false };
const COPY: Meaning = { is: 'environ', isCopy: true };

/** What libraries provide, by full name. */
const LIBRARIES: ReadonlyMap<string, Meaning> = new Map<string, Meaning>([
  ['os.environ', ENVIRON],
  ['os.getenv', { is: 'getenv' }],
  ['decouple.config', { is: 'reader' }],
  ['decouple.Config', { is: 'reader class' }],
  ['decouple.AutoConfig', { is: 'reader class' }],
  ['environs.env', { is: 'reader' }],
  ['environs.Env', { is: 'reader class' }],
  ['environ.Env', { is: 'reader class' }],
  ['starlette.config.Config', { is: 'reader class' }],
  ['dotenv.load_dotenv', { is: 'load' }],
  ['dotenv.dotenv_values', { is: 'values' }],
  ['pydantic_settings.BaseSettings', { is: 'settings', isFirst: false }],
  ['pydantic.BaseSettings', { is: 'settings', isFirst: true }],
  ['pydantic.v1.BaseSettings', { is: 'settings', isFirst: true }],
  ['pydantic.BaseModel', { is: 'model' }],
]);
/** Names that are known even if nothing imports them: the code may be part of a text. */
const UNIMPORTED: ReadonlyMap<string, string> = new Map([
  ['os', 'os'],
  ['load_dotenv', 'dotenv.load_dotenv'],
  ['dotenv_values', 'dotenv.dotenv_values'],
]);

/** A statement with its tokens in groups, without the colon of a header. */
export interface Line extends Statement {
  items: Item[];
}

export function lineOf(statement: Statement): Line {
  const items = groupTokens(statement.tokens);
  return { ...statement, items: codeOf(items.at(-1)) === ':' ? items.slice(0, -1) : items };
}

/** What the names of a module stand for. */
export class Names {
  /** What `X = …` gave a name whose value isn't understood, such as a path. */
  readonly others = new Map<string, readonly Item[]>();
  private readonly meanings = new Map<Scope, Map<string, Meaning>>();
  private readonly starred: string[] = [];
  private readonly lookUp: LookUp;

  constructor(lookUp: LookUp) {
    this.lookUp = lookUp;
  }

  give(scope: Scope, name: string, meaning: Meaning): void {
    const known = this.meanings.get(scope) ?? new Map<string, Meaning>();
    this.meanings.set(scope, known.set(name, meaning));
  }

  /** What a name stands for in its own scope. */
  ownOf(scope: Scope, name: string): Meaning | undefined {
    const meaning = this.meanings.get(scope)?.get(name);
    return meaning?.is === 'import' ? this.follow(meaning.path) : meaning;
  }

  /** What a name stands for where it is used. */
  of(name: string, scope: Scope): Meaning | undefined {
    const owner = scope.resolve(name);
    if (owner) return this.ownOf(owner, name) ?? this.parameterOf(name, owner);
    for (const module of this.starred) {
      const found = this.follow(inside(module, name));
      if (found.is !== 'import') return found;
    }
    const path = UNIMPORTED.get(name);
    return path === undefined ? undefined : this.follow(path);
  }

  /** What `a.b.c` stands for, and where it ends. */
  at(items: readonly Item[], at: number, scope: Scope): { meaning: Meaning | undefined; end: number } {
    const first = items[at];
    let end = at + 1;
    let meaning = isName(first) ? this.of(first.code, scope) : undefined;
    for (let next = items[end + 1]; codeOf(items[end]) === '.' && isName(next); next = items[end + 1]) {
      if (meaning?.is !== 'import') break;
      meaning = this.follow(inside(meaning.path, next.code));
      end += 2;
    }
    return { meaning, end };
  }

  /** `os.getenv(X)` or `environ.get(X)` at a place, and whether it gives nothing if X isn't set. */
  optionalAt(
    items: readonly Item[],
    at: number,
    scope: Scope,
  ): { key: Key; isEmpty: boolean; end: number } | undefined {
    const { meaning, end } = this.at(items, at, scope);
    const isGet = meaning?.is === 'environ' && codeOf(items[end]) === '.' && codeOf(items[end + 1]) === 'get';
    const call = items[isGet ? end + 2 : end];
    if (!(isGet || meaning?.is === 'getenv') || !isGroup(call)) return undefined;
    const [name = [], preset = []] = split(call.items, ',').filter(part => part.length > 0);
    return { key: this.keyOf(name, scope), isEmpty: this.isNothing(preset, scope), end: isGet ? end + 3 : end + 1 };
  }

  /** The scope of a comprehension, and its parts. */
  inComprehension({ items, open }: Group, outer: Scope) {
    const scope = new Scope('comprehension', 'comprehension', open.line, outer);
    const [element = [], ...loops] = split(items, 'for');
    const conditions = loops.map(loop => loop.slice(indexOf(loop, 'if') + 1));
    const sources = loops.map(loop => loop.slice(indexOf(loop, 'in') + 1, indexOf(loop, 'if')));
    for (const loop of loops) {
      for (const name of loop.slice(0, indexOf(loop, 'in')).filter(isName)) scope.define(name, 'target');
      this.defineLoop(loop.slice(0, indexOf(loop, 'if')), scope, scope);
    }
    return { scope, element, conditions: conditions.filter(one => one.length > 0), sources };
  }

  /** Takes what an import or an assignment gives a meaning. */
  define({ items, tokens, scope }: Line): void {
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
    if (word === 'for') this.defineLoop(items.slice(1), scope, scope);
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
  defineLoop(items: readonly Item[], scope: Scope, owner: Scope): void {
    const at = indexOf(items, 'in');
    const [target] = items;
    const source = items.slice(at + 1);
    const key = this.listOf(source, scope);
    if (at !== 1 || !isName(target) || key === undefined) return;
    this.give(
      owner,
      target.code,
      'of' in key ? { is: 'each', parameter: key } : { is: 'texts', texts: [...key], isComplete: true },
    );
  }

  /** The texts of a list, or the parameter that has it. */
  listOf(items: readonly Item[], scope: Scope): Key {
    const texts = this.textsOf(items, scope);
    if (texts?.isComplete) return texts.texts;
    const [only, ...more] = items;
    const meaning = more.length === 0 && isName(only) ? this.of(only.code, scope) : undefined;
    return meaning?.is === 'each' ? meaning.parameter : undefined;
  }

  /** What names a variable. */
  keyOf(items: readonly Item[], scope: Scope): Key {
    const [only, ...more] = items;
    if (only === undefined || more.length > 0 || isGroup(only)) return undefined;
    if (only.kind === 'text') return [only.code];
    const meaning = isName(only) ? this.of(only.code, scope) : undefined;
    if (meaning?.is === 'each') return meaning.parameter;
    return meaning?.is === 'texts' && meaning.isComplete ? meaning.texts : undefined;
  }

  /** Whether a default is none: an empty text, `None`, or what the caller passed. */
  private isNothing([only, ...more]: readonly Item[], scope: Scope): boolean {
    if (only === undefined || more.length > 0 || isGroup(only)) return only === undefined;
    return only.code === '' || only.code === 'None' || (isName(only) && this.of(only.code, scope)?.is === 'each');
  }

  private parameterOf(name: string, of: Scope): Meaning | undefined {
    return of.defines.get(name)?.[0]?.by === 'parameter' ? { is: 'each', parameter: { name, of } } : undefined;
  }

  private follow(path: string): Meaning {
    return LIBRARIES.get(path) ?? this.lookUp(path) ?? { is: 'import', path };
  }

  private assign(name: string, value: readonly Item[], scope: Scope): void {
    const meaning = this.valueOf(value, scope);
    if (meaning) this.give(scope, name, meaning);
    else this.others.set(name, value);
  }

  private extend(name: string, value: readonly Item[], scope: Scope): void {
    const known = this.of(name, scope);
    const more = this.textsOf(value, scope) ?? { texts: [], isComplete: false };
    if (known?.is !== 'texts') return;
    const isComplete = known.isComplete && more.isComplete;
    known.texts.push(...more.texts);
    this.give(scope.resolve(name) ?? scope, name, { ...known, isComplete });
  }

  private defineClass(items: readonly Item[], scope: Scope): void {
    const [, name, bases] = items;
    if (!isName(name) || !isGroup(bases)) return;
    const meanings = split(bases.items, ',').map(base => this.at(base, 0, scope).meaning);
    const meaning = meanings.find(one => one?.is === 'settings' || one?.is === 'model');
    if (meaning) this.give(scope, name.code, meaning);
  }

  private valueOf(value: readonly Item[], scope: Scope): Meaning | undefined {
    const texts = this.textsOf(value, scope);
    if (texts) return texts;
    const optional = this.optionalAt(value, 0, scope);
    const isPlain = !value.some(one => /^(?:or|and|if)$/.test(codeOf(one) ?? ''));
    if (optional) return optional.isEmpty && isPlain ? { is: 'value', key: optional.key } : undefined;
    const { meaning, end } = this.at(value, 0, scope);
    const next = value[end];
    if (end === value.length && meaning && meaning.is !== 'each') return meaning;
    if (isGroup(next) && end === value.length - 1 && meaning?.is === 'reader class') return { is: 'reader' };
    if (isGroup(next) && end === value.length - 1 && meaning?.is === 'values') return COPY;
    const isCopied = meaning?.is === 'environ' && codeOf(next) === '.' && codeOf(value[end + 1]) === 'copy';
    const isMade = codeOf(value[0]) === 'dict' && isGroup(value[1]) && this.isEnvironment(value[1], scope);
    const isMerged = value.length === 1 && isGroup(value[0]) && this.isEnvironment(value[0], scope);
    return isCopied || isMade || isMerged ? COPY : undefined;
  }

  /** Whether all variables are among what is between these brackets. */
  private isEnvironment({ open, items }: Group, scope: Scope): boolean {
    return split(items, ',').some(part => {
      const isSpread = codeOf(part[0]) === '**';
      const { meaning } = this.at(part, isSpread ? 1 : 0, scope);
      return isSpread === (open.code === '{') && (meaning?.is === 'environ' || meaning?.is === 'values');
    });
  }

  /** The texts of an expression: a text, a list, or lists that are added. Nothing if it isn't one. */
  private textsOf(items: readonly Item[], scope: Scope): Extract<Meaning, { is: 'texts' }> | undefined {
    const found = split(items, '+').map(part => this.textsIn(part, scope));
    const [first] = found;
    if (!first) return undefined;
    const isComplete = found.every(one => one?.isComplete);
    return { is: 'texts', texts: found.flatMap(one => one?.texts ?? []), isComplete };
  }

  private textsIn([only, ...more]: readonly Item[], scope: Scope): Extract<Meaning, { is: 'texts' }> | undefined {
    if (only === undefined || more.length > 0) return undefined;
    if (isGroup(only)) {
      if (only.open.code === '{' && indexOf(only.items, ':') < only.items.length) return undefined;
      const parts = split(only.items, ',').filter(part => part.length > 0);
      const found = parts.map(part => this.textsIn(codeOf(part[0]) === '*' ? part.slice(1) : part, scope));
      const isComplete = found.every(one => one?.isComplete);
      if (parts.length > 0 && found.every(one => one === undefined)) return undefined;
      return { is: 'texts', texts: found.flatMap(one => one?.texts ?? []), isComplete };
    }
    if (only.kind === 'text') return { is: 'texts', texts: [only.code], isComplete: true };
    const meaning = isName(only) ? this.of(only.code, scope) : undefined;
    return meaning?.is === 'texts' ? meaning : undefined;
  }
}

const inside = (module: string, name: string): string => (module.endsWith('.') ? module + name : `${module}.${name}`);
