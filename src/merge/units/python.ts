import { isName, type Module, readPython, type Statement, wordOf } from '../../formats/python/module.ts';
import type { Token as Word } from '../../formats/python/tokens.ts';
import {
  all,
  anyOrder,
  block,
  headOf,
  items,
  type Language,
  names,
  type Syntax,
  syntax,
  type Unit,
  wordsOf,
} from './tree.ts';

/** What a statement continues, by its first word. */
const CONTINUED: Readonly<Record<string, RegExp>> = {
  elif: /^(if|elif)$/,
  else: /^(if|elif|for|while|except)$/,
  except: /^(try|except)$/,
  finally: /^(try|except|else)$/,
};

const TYPES: Readonly<Record<string, string>> = {
  import: 'Import',
  from: 'Import',
  def: 'Function',
  class: 'Class',
  return: 'Return',
  raise: 'Raise',
  break: 'Break',
  continue: 'Continue',
  if: 'If',
  for: 'For',
  while: 'While',
  with: 'With',
  try: 'Try',
  match: 'Match',
};

/** The kind of a statement. `isFirst`: whether it is where a docstring may be. */
function typeOf(statement: Statement, isFirst: boolean): string {
  const { tokens } = statement;
  if (tokens.every(({ kind }) => kind === 'text')) return isFirst && tokens.length === 1 ? 'Docstring' : 'Text';
  const isAssignment = tokens.some(({ kind, code, depth }) => kind === 'sign' && code === '=' && depth === 0);
  const word = wordOf(statement);
  return TYPES[word] ?? (isAssignment && word !== '' ? 'Assignment' : 'Expression');
}

const LOCAL = names('lambda comprehension types');

/** What each name of a module does, by its place: `Define`, `Parameter` or `Use`. Those of expressions do nothing. */
function rolesIn({ scopes, statements }: Module): Map<number, string> {
  const byPlace = new Map<string, readonly [Word, Statement]>(
    statements.flatMap(one => one.tokens.map(token => [`${token.line} ${token.column}`, [token, one]] as const)),
  );
  const roles = new Map<number, string>();
  const set = (line: number, column: number | undefined, role: (statement: Statement) => string | undefined) => {
    const [token, statement] = byPlace.get(`${line} ${column}`) ?? [];
    const name = statement && role(statement);
    if (token && name) roles.set(token.from, name);
  };
  for (const scope of scopes) {
    for (const { line, column, by } of [...scope.defines.values()].flat())
      set(line, column, statement => {
        if (LOCAL.has(scope.kind)) return undefined;
        if (by === 'parameter') return 'Parameter';
        return scope.kind === 'module' && statement.scope.kind !== 'module' ? 'Use' : 'Define';
      });
    for (const { name, line, column } of [...scope.uses.values()].flat())
      set(line, column, () => (LOCAL.has(scope.resolve(name)?.kind ?? '') ? undefined : 'Use'));
  }
  return roles;
}

/** Builds a tree of nodes: statements in blocks, with their words, and items in brackets. */
class Builder {
  private readonly text: string;
  private readonly module: Module;
  private readonly roles: ReadonlyMap<number, string>;
  /** The next comment. */
  private comment = 0;
  /** The block of each header, and its indentation; -1 before its first statement. */
  private readonly bodies = new Map<Statement | undefined, { node: Syntax; column: number }>();

  constructor(text: string) {
    this.text = text;
    this.module = readPython(text);
    this.roles = rolesIn(this.module);
  }

  build(): Syntax | undefined {
    const { text } = this;
    const { statements, problems, isBalanced } = this.module;
    // What is between brackets or quotes may be anything.
    if (!isBalanced) return undefined;
    const root = syntax('Module', 0, text.length);
    this.bodies.set(undefined, { node: root, column: 0 });
    /** The node that a statement is in, by its header, and the last one of each block. */
    const nodes = new Map<Statement, Syntax>();
    const last = new Map<Statement | undefined, Statement>();
    let before: Statement | undefined;
    let decorated: { node: Syntax; first: Statement } | undefined;
    for (const statement of statements) {
      const { tokens, header } = statement;
      const [first] = tokens;
      if (!first) continue;
      const previous = last.get(header);
      const word = wordOf(statement);
      const isMore =
        previous !== undefined &&
        Object.hasOwn(CONTINUED, word) &&
        CONTINUED[word]?.test(wordOf(previous)) === true &&
        this.bodies.has(previous);
      if (decorated) this.flushInto((decorated.node.children[0] as Syntax).children, first.from, decorated.node);
      this.flush(first.from, before, isMore ? previous : header);
      const inner = this.nodesOf(tokens, statement);
      const isDecorator = word === '@';
      let node: Syntax;
      if (isMore) {
        node = nodes.get(previous) as Syntax;
        add(node, ...inner);
      } else if (decorated && decorated.first.header === header) {
        node = decorated.node;
        if (isDecorator) add(node.children[0] as Syntax, statementNode('Decorator', inner));
        else {
          node.name = TYPES[word] ?? 'Expression';
          add(node, ...inner);
        }
      } else {
        const isFirst = before === header && (!header || /^(def|class)$/.test(wordOf(header)));
        node = syntax(typeOf(statement, isFirst), first.from, inner.at(-1)?.to ?? first.to);
        if (isDecorator) add(node, statementNode('Decorators', [statementNode('Decorator', inner)]));
        else add(node, ...inner);
        add(this.bodyOf(header), node);
      }
      decorated = isDecorator ? { node, first: statement } : undefined;
      nodes.set(statement, node);
      if (problems.some(({ line }) => line >= statement.start && line < statement.end)) node.isError = true;
      const isHeader = tokens.at(-1)?.code === ':' && tokens.at(-1)?.kind === 'sign';
      if (isHeader) {
        const end = inner.at(-1)?.to ?? first.to;
        const body = syntax('Body', end, end);
        add(node, body);
        this.bodies.set(statement, { node: body, column: -1 });
      }
      const own = this.bodies.get(header);
      if (own && own.column === -1) own.column = statement.column;
      last.set(header, statement);
      before = statement;
    }
    this.flush(Infinity, before, undefined);
    for (const body of [...this.bodies.values()].reverse()) body.node.children.sort((one, two) => one.from - two.from);
    stretch(root);
    root.to = text.length;
    if (problems.length > 0 && !statements.some(one => nodes.get(one)?.isError)) root.isError = true;
    return root;
  }

  private bodyOf(header: Statement | undefined): Syntax {
    return (this.bodies.get(header) ?? this.bodies.get(undefined))?.node as Syntax;
  }

  /** Puts the comments before a place into the deepest block that they're in. */
  private flush(to: number, before: Statement | undefined, header: Statement | undefined): void {
    const { comments } = this.module;
    for (let next = comments[this.comment]; next && next.from < to; next = comments[++this.comment]) {
      const path: (Statement | undefined)[] = [];
      for (let at: Statement | undefined = before; ; at = at.header) {
        if (at === before && at && this.bodies.has(at)) path.push(at);
        path.push(at?.header);
        if (!at?.header) break;
      }
      const least = path.indexOf(header);
      const open = least === -1 ? path : path.slice(0, least + 1);
      const isOnLine = before !== undefined && next.line < before.end;
      const home = isOnLine
        ? open[0]
        : open.find(one => {
            const body = this.bodies.get(one);
            return (
              body !== undefined &&
              (body.column === -1 ? next.column > (before?.column ?? 0) : body.column <= next.column)
            );
          });
      const node = this.bodyOf(isOnLine || home !== undefined ? home : header);
      add(node, syntax('Comment', next.from, next.to));
    }
  }

  /** The words of a statement, and what is between its brackets. */
  private nodesOf(tokens: readonly Word[], statement: Statement): Syntax[] {
    const word = wordOf(statement);
    let at = 0;
    const isImport = word === 'import' || word === 'from';
    const isTyped = mayHaveTypes(tokens);
    const read = (depth: number, isInList: boolean): Syntax[] => {
      const found: Syntax[] = [];
      for (; at < tokens.length; ) {
        const token = tokens[at] as Word;
        if (token.depth < depth || (token.depth === depth - 1 && ')]}'.includes(token.code))) break;
        if (isInList) this.flushInto(found, token.from);
        const previous = tokens[at - 1];
        if (token.kind === 'sign' && '([{'.includes(token.code) && token.code.length === 1) {
          const name = this.groupName(tokens, at, previous, word);
          at += 1;
          const inner = read(token.depth + 1, true);
          const close = tokens[at];
          const group = syntax(name, token.from, inner.at(-1)?.to ?? token.to);
          add(group, syntax(isImport ? 'Look' : 'Sign', token.from, token.to), ...inner);
          if (close && close.depth === token.depth && ')]}'.includes(close.code)) {
            this.flushInto(group.children, close.from, group);
            add(group, syntax(isImport ? 'Look' : 'Sign', close.from, close.to));
            at += 1;
          }
          found.push(group);
        } else {
          at += 1;
          found.push(
            this.wordNode(
              token,
              () => {
                const inside: Word[] = [];
                for (let next = tokens[at]; next && next.from < token.to; next = tokens[++at]) inside.push(next);
                return inside;
              },
              isTyped,
            ),
          );
        }
      }
      return found;
    };
    const nodes = read(0, false);
    return isImport ? this.groupImports(nodes, tokens) : nodes;
  }

  /** Puts the comments before a place among nodes in brackets, or below a decorator. */
  private flushInto(found: Syntax[], to: number, parent?: Syntax): void {
    const { comments } = this.module;
    for (let next = comments[this.comment]; next && next.from < to; next = comments[++this.comment]) {
      const node = syntax('Comment', next.from, next.to);
      node.parent = parent;
      found.push(node);
    }
  }

  private wordNode(token: Word, inside: () => Word[], isTyped: boolean): Syntax {
    if (token.kind === 'text') {
      const inner = inside().flatMap(one =>
        this.roles.has(one.from) ? [syntax(this.roles.get(one.from) as string, one.from, one.to)] : [],
      );
      return syntax('String', token.from, token.to, inner.length === 0 && isTyped ? namesInType(token) : inner);
    }
    const role = token.kind === 'name' ? this.roles.get(token.from) : undefined;
    return syntax(role ?? (token.kind === 'sign' ? 'Sign' : 'Word'), token.from, token.to);
  }

  /** What is between brackets. */
  private groupName(tokens: readonly Word[], at: number, previous: Word | undefined, word: string): string {
    const open = tokens[at] as Word;
    const inner: Word[] = [];
    for (let next = at + 1; next < tokens.length && (tokens[next] as Word).depth > open.depth; next += 1)
      inner.push(tokens[next] as Word);
    const direct = inner.filter(({ depth }) => depth === open.depth + 1);
    const has = (code: string) => direct.some(one => one.kind !== 'text' && one.code === code);
    if (word === 'import' || word === 'from') return 'ImportGroup';
    if (
      word === 'def' &&
      open.code === '(' &&
      open.depth === 0 &&
      tokens.findIndex(one => one.kind === 'sign' && one.code === '(' && one.depth === 0) === at
    )
      return 'Parameters';
    if (has('for')) return 'Comprehension';
    const isValue =
      previous !== undefined &&
      ((previous.kind === 'name' && isName(previous)) || (previous.kind === 'sign' && ')]'.includes(previous.code)));
    if (open.code === '(' && isValue) return direct.length > 0 && areKeywords(direct) ? 'Keywords' : 'Arguments';
    if (open.code === '[' && isValue) return 'Subscript';
    const isTexts =
      inner.length > 0 && inner.every(one => one.kind === 'text' || (one.kind === 'sign' && one.code === ','));
    if (open.code === '{') return has(':') || has('**') ? 'Dictionary' : 'Set';
    if (open.code === '[') return isTexts ? 'Texts' : 'List';
    return has(',') ? (isTexts ? 'Texts' : 'Tuple') : 'Parens';
  }

  /** Puts the names of an import into a group, and says which word is the name that it gives. */
  private groupImports(nodes: Syntax[], tokens: readonly Word[]): Syntax[] {
    const at = tokens.findIndex(({ kind, code }) => kind === 'name' && code === 'import');
    if (at === -1) return nodes;
    const from = tokens[at]?.from ?? 0;
    const start = nodes.findIndex(node => node.from === from) + 1;
    const rest = nodes.slice(start);
    let group = rest[0];
    if (!group) return nodes;
    if (group.name !== 'ImportGroup') group = syntax('ImportGroup', group.from, rest.at(-1)?.to ?? group.to, rest);
    const isFrom = at > 0;
    let item: Syntax[] = [];
    const close = () => {
      const name = isFrom || this.textOf(item.at(-2)) === 'as' ? item.at(-1) : item[0];
      if (name && name.name === 'Word') name.name = 'Define';
      item = [];
    };
    for (const child of group.children) {
      if (child.name === 'Comment' || child.name === 'Look') continue;
      if (child.name === 'Sign' && this.textOf(child) === ',') close();
      else item.push(child);
    }
    close();
    return [...nodes.slice(0, start), group];
  }

  private textOf(node: Syntax | undefined): string {
    return this.text.slice(node?.from, node?.to);
  }
}

/** Whether texts in a statement may be types: those of annotations, `cast("…")` or `__all__`. */
function mayHaveTypes(tokens: readonly Word[]): boolean {
  const [first, second, , fourth] = tokens.map(({ code }) => code);
  const isAnnotation = second === ':' || (second === '.' && fourth === ':');
  return (
    isAnnotation ||
    /^(?:__all__|async|def)$/.test(first ?? '') ||
    tokens.some(({ kind, code }) => kind === 'name' && /^(cast|ForwardRef)$/.test(code))
  );
}

/** A name that isn't an attribute. */
const NAME = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu;
/** A type: no prose, which has other signs or words in a row. */
const TYPE = /^[\p{L}\p{N}_.,[\]|()\s]+$/u;
const PROSE = /[\p{L}\p{N}_]\s+[\p{L}\p{N}_]/u;

/** The names in a text, if it's a type. */
function namesInType({ code, to }: Word): Syntax[] {
  if (!TYPE.test(code) || PROSE.test(code)) return [];
  const start = to - 1 - code.length;
  return [...code.matchAll(NAME)].map(({ 0: name, index }) =>
    syntax('Use', start + index, start + index + name.length),
  );
}

/** Whether each item between brackets is an argument with its name. */
const areKeywords = (direct: readonly Word[]): boolean => {
  let isStart = true;
  for (const [at, token] of direct.entries()) {
    if (isStart && !(token.kind === 'name' && direct[at + 1]?.code === '=' && direct[at + 1]?.kind === 'sign'))
      return false;
    isStart = token.kind === 'sign' && token.code === ',';
  }
  return true;
};

const statementNode = (name: string, children: Syntax[]): Syntax =>
  syntax(name, children[0]?.from ?? 0, children.at(-1)?.to ?? 0, children);

function add(node: Syntax, ...children: readonly Syntax[]): void {
  for (const child of children) {
    child.parent = node;
    node.children.push(child);
  }
}

/** Makes nodes as long as what is in them. */
function stretch(node: Syntax): void {
  for (const child of node.children) stretch(child);
  node.to = Math.max(node.to, node.children.at(-1)?.to ?? 0);
}

const parse = (text: string): Syntax | undefined => new Builder(text).build();

/** The names of an import: as they're sorted, if they are. */
const imported = { ...anyOrder, isSorted: true };
const positional = { ...items, isPositional: true };

function signOf(unit: Unit): string | undefined {
  const { type, list } = unit;
  const words = wordsOf(unit);
  if (type === 'Import') {
    const module = words.slice(1, words.indexOf('import')).join('');
    // `from a import *` takes no other name.
    return words[0] === 'from'
      ? `from ${module}${words.at(-1) === '*' ? ' *' : ''}`
      : `import ${words.slice(1).join(' ')}`;
  }
  if (type === 'Function' || type === 'Class') {
    const tokens = headOf(unit);
    const at = tokens.findIndex(({ plain, type: own }) => own === 'Word' && (plain === 'def' || plain === 'class'));
    return `define ${tokens[at + 1]?.plain}`;
  }
  if (type === 'Docstring') return 'docstring';
  if (list?.kind.isBlock) {
    if (type === 'Assignment') return `= ${words.slice(0, words.indexOf('=')).join('').replace(/:.*$/, '')}`;
    return type === 'Expression' && words.includes('(')
      ? `call ${words.slice(0, words.indexOf('(')).join('')}`
      : undefined;
  }
  if (list?.kind === imported) return `.${words.join(' ')}`;
  if (list && words[1] === '=') return `.${words[0]}`;
  if (list?.kind === anyOrder && words[1] === ':') return `.${words[0]}`;
  return words.join(' ');
}

const ROLES: Readonly<Record<string, 'define' | 'use'>> = { Define: 'define', Parameter: 'define', Use: 'use' };

export const PYTHON: Language = {
  parse,
  lists: {
    Module: { ...block, range: all },
    Body: { ...block, range: all },
    Decorators: { isBlock: false, separator: '', isOrdered: true, isLined: true, range: all },
    Parameters: positional,
    Arguments: { ...positional, hasNamed: true },
    Keywords: anyOrder,
    Dictionary: anyOrder,
    Set: anyOrder,
    Texts: anyOrder,
    List: items,
    Tuple: items,
    ImportGroup: imported,
  },
  atoms: names('String'),
  comments: names('Comment'),
  plain: (text, type) => (type === 'Look' || text === '\\' ? '' : type === 'String' ? plainText(text) : text),
  sign: signOf,
  isUnique: sign => /^(define |\.|from |import |docstring$)/.test(sign),
  role: ({ type }) => ROLES[type],
  rename: (_node, _from, to) => to,
  usesWithin: ({ type, syntax: node, text, from }) =>
    type === 'String' && node ? node.children.map(one => text.slice(one.from - from, one.to - from)) : [],
  isInner: ({ type }) => type === 'Parameter',
  hoists: true,
  isScope: ({ type }) => type === 'Function' || type === 'Class',
  hidesNames: ({ type }) => type === 'Class',
  runsOnce: ({ type }) => /^(With|Try|Function|Class)$/.test(type),
  ends: ({ type }) => /^(Return|Raise|Break|Continue)$/.test(type),
  isImport: ({ type }) => type === 'Import',
  step: 4,
  settle: ({ base, user, botcli }) => (base ?? user ?? botcli)?.type === 'Docstring' || undefined,
  importRank: ({ sign = '' }) => (sign.startsWith('import ') ? '0' : '1') + sign.split(' ')[1],
  isTop: unit => unit.type === 'Docstring' || wordsOf(unit).slice(0, 2).join(' ') === 'from __future__',
};

/** A text in double quotes, without the depth that all of its lines have if it has several. */
function plainText(text: string): string {
  const [, prefix = '', body = ''] = /^([a-zA-Z]*)'([^'"\\\n]*)'$/.exec(text) ?? [];
  const plain = body || text === "''" ? `${prefix}"${body}"` : text;
  const depths = [...plain.matchAll(/\n([ \t]*)(?=\S)/g)].map(([, space = '']) => space.length);
  return plain.replaceAll(new RegExp(`\\n[ \\t]{0,${Math.min(...depths, 99)}}`, 'g'), '\n');
}
