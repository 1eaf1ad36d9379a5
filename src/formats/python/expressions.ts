import { Scope } from './scope.ts';
import { MOST_DEPTH, type Token } from './tokens.ts';

/** A token, or what is between two brackets. */
export type Item = Token | Group;

/** What is between two brackets, or between the braces of an f-string. */
export interface Group {
  open: Token;
  items: Item[];
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

export const isGroup = (item: Item | undefined): item is Group => item !== undefined && 'items' in item;

/** The code of a token; nothing for a group or a text. */
export const codeOf = (item: Item | undefined): string | undefined =>
  item === undefined || isGroup(item) || item.kind === 'text' ? undefined : item.code;

export const isName = (item: Item | undefined): item is Token =>
  item !== undefined && !isGroup(item) && item.kind === 'name' && !KEYWORDS.has(item.code);

export const isKeyword = (item: Item | undefined): boolean => KEYWORDS.has(codeOf(item) ?? '');

/** Where a word or sign is, outside of brackets; the length if it isn't there. */
export function indexOf(items: readonly Item[], code: string, from = 0): number {
  for (let at = from; at < items.length; at += 1) if (codeOf(items[at]) === code) return at;
  return items.length;
}

export function split(items: readonly Item[], sign: string): Item[][] {
  const parts: Item[][] = [[]];
  for (const item of items) {
    if (codeOf(item) === sign) parts.push([]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

/** Puts what is between brackets into groups. */
export function groupTokens(tokens: readonly Token[]): Item[] {
  const top: Item[] = [];
  const open = [top];
  for (const token of tokens) {
    const isBracket = token.kind !== 'text' && token.depth < MOST_DEPTH;
    if (isBracket && '([{'.includes(token.code)) {
      const group: Group = { open: token, items: [] };
      open.at(-1)?.push(group);
      open.push(group.items);
    } else if (isBracket && ')]}'.includes(token.code)) {
      if (open.length > 1) open.pop();
    } else open.at(-1)?.push(token);
  }
  return top;
}

/** A lambda that is open, or the parameters of a function. */
interface Signature {
  outer: Scope;
  inner: Scope;
  /** Whether the next name is a parameter. */
  isNext: boolean;
  /** Whether a colon begins the body; otherwise, a type. */
  isLambda: boolean;
  isBody: boolean;
}

/** Finds the names of expressions, and the scopes in them. */
export class Expressions {
  private readonly scopes: Scope[];

  /** @param scopes Gets the scopes that it finds. */
  constructor(scopes: Scope[]) {
    this.scopes = scopes;
  }

  begin(kind: Scope['kind'], name: string, line: number, parent?: Scope): Scope {
    const scope = new Scope(kind, name, line, parent);
    this.scopes.push(scope);
    return scope;
  }

  /** Reads the parameters of a function: their names are in it, their types and defaults around it. */
  readParameters({ items }: Group, inner: Scope, outer: Scope): void {
    this.read(items, outer, false, [{ outer, inner, isNext: true, isLambda: false, isBody: false }]);
  }

  /** @param isCall Whether `name=` is the name of an argument. */
  read(items: readonly Item[], scope: Scope, isCall = false, open: Signature[] = []): void {
    let current = scope;
    for (const [at, item] of items.entries()) {
      const code = codeOf(item);
      if (isGroup(item)) this.readGroup(item, current);
      else if (code === 'lambda') {
        const inner = this.begin('lambda', 'lambda', item.line, current);
        open.push({ outer: current, inner, isNext: true, isLambda: true, isBody: false });
      } else if (code === ',' || code === ':') {
        for (; open.at(-1)?.isBody; open.pop()) current = open.at(-1)?.outer ?? current;
        const signature = open.at(-1);
        if (!signature) continue;
        signature.isNext = code === ',';
        signature.isBody = code === ':' && signature.isLambda;
        if (signature.isBody) current = signature.inner;
      } else if (isName(item) && codeOf(items[at - 1]) !== '.') {
        const signature = open.at(-1);
        if (signature?.isNext && !signature.isBody) {
          signature.inner.define(item, 'parameter');
          signature.isNext = false;
        } else this.readName(item, items[at - 1], items[at + 1], current, isCall);
      }
    }
  }

  private readName(
    name: Token,
    before: Item | undefined,
    after: Item | undefined,
    scope: Scope,
    isCall: boolean,
  ): void {
    const sign = codeOf(after);
    if (sign === ':=') scope.defineOutside(name);
    else if (!(sign === '=' && isCall && (before === undefined || codeOf(before) === ','))) scope.use(name);
  }

  private readGroup({ open, items }: Group, scope: Scope): void {
    const first = indexOf(items, 'for');
    if (first === items.length) this.read(items, scope, open.code === '(');
    else this.readComprehension(items, first, scope, this.begin('comprehension', 'comprehension', open.line, scope));
  }

  /** @param first Where its first `for` is. */
  private readComprehension(items: readonly Item[], first: number, scope: Scope, inner: Scope): void {
    this.read(items.slice(0, first), inner);
    for (let at = first; at < items.length; ) {
      const source = indexOf(items, 'in', at);
      const end = indexOf(items, 'for', source);
      // What the first loop goes over is read outside.
      const condition = at === first ? Math.min(indexOf(items, 'if', source), end) : source;
      this.readTarget(items.slice(at + 1, source), inner);
      this.read(items.slice(source + 1, condition), scope);
      this.read(items.slice(condition + 1, end), inner);
      at = end;
    }
  }

  /** Reads what a value is assigned to. */
  readTarget(items: readonly Item[], scope: Scope, by: 'assignment' | 'target' = 'target'): void {
    const parts = split(items, ',');
    for (const part of parts) {
      const [first, ...more] = codeOf(part[0]) === '*' ? part.slice(1) : part;
      if (more.length > 0) this.read(part, scope);
      else if (isName(first)) scope.define(first, parts.length > 1 ? 'target' : by);
      else if (isGroup(first)) this.readTarget(first.items, scope);
    }
  }

  /** Reads the pattern of a `case`. */
  readPattern(items: readonly Item[], scope: Scope): void {
    for (const [at, item] of items.entries()) {
      const next = items[at + 1];
      if (isGroup(item)) this.readPattern(item.items, scope);
      else if (!isName(item) || codeOf(items[at - 1]) === '.' || codeOf(next) === '=') continue;
      else if (codeOf(next) === '.' || (isGroup(next) && next.open.code === '(')) scope.use(item);
      else if (item.code !== '_') scope.define(item, 'target');
    }
  }
}
