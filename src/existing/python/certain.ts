import { type ImportedName, importsOf } from '../../formats/python/imports.ts';
import type { Module, Statement } from '../../formats/python/module.ts';
import type { Mention } from '../../formats/python/scope.ts';
import { remembered } from '../../remembered.ts';
import { isBuiltIn } from './builtins.ts';

/** What is sure to fail when a module runs, or when another one imports from it. */
interface Certainties {
  /** Names that it uses, and that nothing in it defines. */
  undefined: readonly Mention[];
  /** Where it has `await` outside of an `async def`. */
  awaits: readonly { line: number; kind: 'await' }[];
  /** The attributes that it sets, perhaps of another module. */
  setAttributes: ReadonlySet<string>;
  /** The names that it imports from other modules, and whose absence it doesn't survive. */
  importedNames: readonly Required<Omit<ImportedName, 'alias'>>[];
  /** The names that others can import from it; undefined if that can't be known. */
  exports: ReadonlySet<string> | undefined;
}

/** With these, code can give names a meaning that can't be seen. */
const DYNAMIC =
  /^(?:exec|eval|globals|locals|vars|setattr|builtins|modules|__builtins__|__dict__|__getattr__|import_module|_convert_?)$/;

/** What decides in one statement which names it uses. */
const CHOOSES = /^(?:version_info|hasattr|PY2|PY3)$/;

/** What these conditions ask for decides whether code runs at all. */
const ASKED =
  /^(?:version_info|platform|system|name|TYPE_CHECKING|MYPY|PY2|PY3|False|0|hasattr|find_spec|globals|locals|dir)$/;

/** Errors of names and imports, for handlers and `suppress`. */
const SURVIVED = /^(?:NameError|ImportError|ModuleNotFoundError|AttributeError|Exception|BaseException)$/;

/** Finds what is sure to fail in a module. Where anything is in doubt, it finds nothing. */
export const certaintiesOf = remembered(({ statements, scopes, problems }: Module): Certainties => {
  const reader = new Guards(statements);
  const tokens = statements.flatMap(one => one.tokens);
  const isDynamic = tokens.some(({ kind, code }) => kind === 'name' && DYNAMIC.test(code));
  const isRead = problems.length === 0;
  const [top] = scopes;
  const defined = new Set([...scopes.flatMap(({ defines }) => [...defines.keys()]), ...declaredIn(statements)]);
  const isKnown = isRead && !isDynamic && !defined.has('*');
  const uses = isKnown ? scopes.flatMap(scope => [...scope.uses.values()].flat()) : [];
  const types = typesIn(statements);
  const unknown = uses
    .filter(({ name }) => !defined.has(name) && !isBuiltIn(name))
    .filter(({ name, line }) => !types.has(`${line} ${name}`) && !reader.isGuarded(line));
  return {
    undefined: unknown.sort((one, other) => one.line - other.line),
    awaits: isRead ? statements.filter(isMisplaced).map(({ start: line }) => ({ line, kind: 'await' })) : [],
    setAttributes: new Set(
      tokens.flatMap(({ code }, at) => (tokens[at - 1]?.code === '.' && tokens[at + 1]?.code === '=' ? code : [])),
    ),
    importedNames: statements
      .filter(({ start }) => !reader.isGuarded(start))
      .flatMap(one => importsOf(one.tokens))
      .flatMap(({ module, name, line }) => (name === undefined || name === '*' ? [] : { module, name, line })),
    exports: isKnown && top ? new Set(top.defines.keys()) : undefined,
  };
});

/** Knows which statements a condition or a handler protects. */
class Guards {
  private readonly guarded = new Set<Statement>();
  private readonly byLine = new Map<number, Statement>();

  constructor(statements: readonly Statement[]) {
    const clauses = new Map<Statement | undefined, Statement[]>();
    for (const one of statements) {
      for (let line = one.start; line < one.end; line += 1) this.byLine.set(line, one);
      const word = one.tokens[0]?.code ?? '';
      const before = clauses.get(one.header) ?? [];
      const all = /^(?:elif|else|except|finally)$/.test(word) ? [...before.slice(-MOST_CLAUSES), one] : [one];
      clauses.set(one.header, all);
      const isCondition = /^(?:if|elif|else|while)$/.test(word);
      const isAsked = isCondition && all.some(clause => mentions(clause, ASKED));
      const isSuppressed = word === 'with' && mentions(one, /^(?:suppress|raises|assertRaises\w*)$/);
      if (isAsked || isSuppressed || word === 'except' || mentions(one, CHOOSES)) this.guarded.add(one);
      if (word === 'except' && all[0] && (one.tokens.length <= 2 || mentions(one, SURVIVED))) this.guarded.add(all[0]);
    }
  }

  /** Whether a line may not run, or its failure is survived. */
  isGuarded(line: number): boolean {
    let one = this.byLine.get(line);
    while (one && !this.guarded.has(one)) one = one.header;
    return one !== undefined;
  }
}

/** How many clauses of a statement count, such as `elif`. */
const MOST_CLAUSES = 20;

const mentions = ({ tokens }: Statement, names: RegExp): boolean =>
  tokens.some(({ kind, code }) => kind !== 'text' && names.test(code));

/** The names in `global` and `nonlocal`: another module may set them. */
const declaredIn = (statements: readonly Statement[]): string[] =>
  statements
    .filter(({ tokens: [first] }) => /^(?:global|nonlocal)$/.test(first?.code ?? ''))
    .flatMap(({ tokens }) => tokens.map(({ code }) => code));

/** The names in types, each after its line. Newer releases of Python don't look them up. */
function typesIn(statements: readonly Statement[]): Set<string> {
  const found = new Set<string>();
  for (const { tokens } of statements) {
    const words = tokens.slice(0, 2).map(({ code }) => code);
    const isFunction = words.includes('def');
    const isAlias = words[0] === 'type';
    const depth = isFunction ? 1 : 0;
    let isType = isAlias;
    for (const { kind, code, depth: own, line } of tokens) {
      if (isType && kind === 'name') found.add(`${line} ${code}`);
      if (kind === 'name' && code === 'lambda' && !isFunction) break;
      if (kind !== 'sign' || isAlias) continue;
      if (code === '->' && own === 0) isType = true;
      else if (code === ':' && own === depth) isType = true;
      else if ((code === ',' || code === '=') && own === depth) isType = false;
      else if (code === '[' && own === 0 && isFunction) isType = true;
    }
  }
  return found;
}

/** Whether a statement has `await` where Python refuses it. Generators and lambdas have rules of their own. */
function isMisplaced({ tokens, header, scope }: Statement): boolean {
  const words = tokens.flatMap(({ kind, code }) => (kind === 'name' ? code : []));
  const at = words.indexOf('await');
  const isAsync = words[0] === 'async' && /^(?:for|with)$/.test(words[1] ?? '');
  const isOpen = words.some((word, place) => word === 'lambda' || (word === 'for' && place > (isAsync ? 1 : 0)));
  if (isOpen || (at === -1 && !isAsync) || words.includes('def') || words.includes('class')) return false;
  let owner = header;
  while (owner && !/^(?:def|class)$/.test(owner.tokens[0]?.code ?? '') && !isAsyncDef(owner)) owner = owner.header;
  return (
    (scope.kind === 'module' || scope.kind === 'function' || scope.kind === 'class') && !(owner && isAsyncDef(owner))
  );
}

const isAsyncDef = ({ tokens: [first, second] }: Statement): boolean =>
  first?.code === 'async' && second?.code === 'def';
