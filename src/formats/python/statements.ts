import { codeOf, type Expressions, type Item, indexOf, isGroup, isKeyword, isName, split } from './expressions.ts';
import { importsOf, isImport, localName } from './imports.ts';
import type { Scope } from './scope.ts';
import type { Token } from './tokens.ts';

/** Reads what follows the first word of a statement. */
type Reader = (rest: readonly Item[], scope: Scope, expressions: Expressions) => void;

/** Statements that are more than an expression, by their first word. */
const READERS: Readonly<Record<string, Reader>> = {
  global: readDeclaration('global'),
  nonlocal: readDeclaration('nonlocal'),
  del: (rest, scope, expressions) => {
    expressions.readTarget(rest, scope);
    expressions.read(rest, scope);
  },
  for: (rest, scope, expressions) => {
    const at = indexOf(rest, 'in');
    expressions.readTarget(rest.slice(0, at), scope);
    expressions.read(rest.slice(at + 1), scope);
  },
  with: readWith,
  except: readNamed,
  match: (rest, scope, expressions) => expressions.read(rest, scope),
  case: (rest, scope, expressions) => {
    const at = indexOf(rest, 'if');
    expressions.readPattern(rest.slice(0, at), scope);
    expressions.read(rest.slice(at + 1), scope);
  },
  type: ([name, ...rest], scope, expressions) => {
    if (isName(name)) scope.define(name, 'assignment');
    expressions.read(rest, readTypes(rest[0], scope, expressions));
  },
};

/**
 * Finds the names in a statement, or in the part of one before its block.
 *
 * @param isHeader Whether a colon ends it.
 * @param isCase Whether it is in the block of a `match`.
 * @returns The scope of its block.
 */
export function readStatement(
  { tokens, items: all, scope }: { tokens: readonly Token[]; items: readonly Item[]; scope: Scope },
  isHeader: boolean,
  expressions: Expressions,
  isCase: boolean,
): Scope {
  for (const name of importsOf(tokens)) scope.define({ code: localName(name), line: name.line }, 'import');
  if (isImport(tokens)) return scope;
  const items = tokens[0]?.code === 'async' ? all.slice(1) : all;
  const [first, second, third] = items;
  const word = codeOf(first) ?? '';
  if ((word === 'def' || word === 'class') && isName(second)) {
    return readDefinition(word, second, items.slice(2), scope, expressions);
  }
  const isType = word === 'type' && isName(second) && (codeOf(third) === '=' || isGroup(third));
  const isSpecial = isKeyword(first) || isType || (isCase && word === 'case') || (isHeader && word === 'match');
  const read = isSpecial && Object.hasOwn(READERS, word) ? READERS[word] : undefined;
  if (read) read(items.slice(1), scope, expressions);
  else readAssignment(items, scope, expressions);
  return scope;
}

function readDeclaration(keyword: string): Reader {
  return (rest, scope) => {
    for (const { code } of rest.filter(isName)) scope.declare(code, keyword);
  };
}

const CHANGE = /(?:[-+*/%&|^@]|>>|<<)=/;

/** Reads an assignment, or an expression. */
function readAssignment(items: readonly Item[], scope: Scope, expressions: Expressions): void {
  const end = indexOf(items, 'lambda');
  const equals = items.findLastIndex((item, at) => at < end && codeOf(item) === '=');
  const other = items.findIndex((item, at) => at < end && (codeOf(item) === ':' || CHANGE.test(codeOf(item) ?? '')));
  // `x: T = 1` has its colon first.
  const at = other === -1 ? equals : other;
  const targets = items.slice(0, Math.max(at, 0));
  expressions.read(items.slice(at + 1), scope);
  // `x += 1` uses what it changes. `(x): T` alone gives x no meaning.
  if (other !== -1 && equals === -1 && (codeOf(items[at]) !== ':' || isGroup(targets[0]))) {
    expressions.read(targets, scope);
    if (isName(targets[0])) expressions.readTarget(targets, scope);
  } else for (const target of split(targets, '=')) expressions.readTarget(target, scope, 'assignment');
}

/** Reads the parts of a `with`, which may be in brackets. */
function readWith(rest: readonly Item[], scope: Scope, expressions: Expressions): void {
  const [first, ...more] = rest;
  const items = more.length === 0 && isGroup(first) ? first.items : rest;
  for (const part of split(items, ',')) readNamed(part, scope, expressions);
}

/** Reads `expression as target`. */
function readNamed(items: readonly Item[], scope: Scope, expressions: Expressions): void {
  const at = indexOf(items, 'as');
  expressions.read(items.slice(0, at), scope);
  expressions.readTarget(items.slice(at + 1), scope);
}

/** The scope of type parameters; the one around it if there are none. */
function readTypes(item: Item | undefined, scope: Scope, expressions: Expressions): Scope {
  if (!isGroup(item) || item.open.code !== '[') return scope;
  const types = expressions.begin('types', 'types', item.open.line, scope);
  expressions.readParameters(item, types, types);
  return types;
}

/** Reads what follows the name of a function or class. Returns its scope. */
function readDefinition(
  word: 'def' | 'class',
  name: Token,
  rest: readonly Item[],
  scope: Scope,
  expressions: Expressions,
): Scope {
  const kind = word === 'def' ? 'function' : word;
  scope.define(name, kind);
  const outer = readTypes(rest[0], scope, expressions);
  const [first, ...more] = outer === scope ? rest : rest.slice(1);
  const inner = expressions.begin(kind, name.code, name.line, outer);
  if (isGroup(first) && kind === 'function') expressions.readParameters(first, inner, outer);
  else if (first) expressions.read([first], outer);
  expressions.read(more, outer);
  return inner;
}
