import {
  codeOf,
  type Group,
  groupTokens,
  type Item,
  isGroup,
  isKeyword,
  isName,
} from '../../formats/python/expressions.ts';
import type { Statement } from '../../formats/python/module.ts';
import type { Mention, Scope } from '../../formats/python/scope.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { unique } from '../../unique.ts';
import { wordOf } from './lines.ts';

/** What Python refuses in code whose brackets, quotes, colons and indentation are right, at a line counted from 0. */
interface Refused {
  line: number;
  kind:
    | 'await'
    | 'comma'
    | 'operator'
    | 'equals'
    | 'try'
    | 'clause'
    | 'decorator'
    | 'repeated'
    | 'positional'
    | 'parameter'
    | 'else-if'
    | 'outside'
    | 'loop'
    | 'nonlocal';
  /** The word that it is about, if there is one. */
  word?: Mention;
}

/** Finds what Python refuses, in statements that the reader can separate. */
export function refusedIn(statements: readonly Statement[]): Refused[] {
  const found = [
    ...statements.flatMap(inExpressions),
    ...decoratorsIn(statements),
    ...clausesIn(statements),
    ...parametersIn(statements),
    ...strayIn(statements),
  ];
  return found.sort((one, other) => one.line - other.line);
}

const inExpressions = (statement: Statement): Refused[] => [
  ...neighborsIn(statement),
  ...equalsIn(statement),
  ...callsIn(groupTokens(statement.tokens), wordOf(statement)),
];

/** Words that begin a statement, and are names elsewhere. */
const SOFT = /^(?:match|case|type)$/;
const VALUE = /^(?:None|True|False)$/;

const isValue = (token: Token): boolean =>
  token.kind === 'number' || (token.kind === 'name' && (!isKeyword(token) || VALUE.test(token.code)));

/** Whether a value may end with a token. */
const ends = (token: Token): boolean =>
  isValue(token) || token.kind === 'text' || (token.kind !== 'name' && ')]}'.includes(token.code));

/** Whether only a value begins with a token. A bracket may also go on with one. */
const begins = (token: Token): boolean =>
  isValue(token) || token.kind === 'text' || token.code === 'lambda' || (token.kind === 'sign' && token.code === '{');

/** The parts of a text that is made of several: another one may follow it. */
const isText = ({ kind, code }: Token): boolean => kind === 'text' || (kind === 'hole' && code === '}');

/** Finds values that follow each other. */
function neighborsIn({ tokens }: Statement): Refused[] {
  const at = tokens.findIndex((token, place) => {
    const before = tokens[place - 1];
    const isOpen = before !== undefined && !(place === 1 && SOFT.test(before.code));
    return isOpen && ends(before) && begins(token) && !(isText(before) && token.kind === 'text');
  });
  const [before, token] = [tokens[at - 1], tokens[at]];
  if (!before || !token) return [];
  if (token.depth === 0) return [{ line: token.line, kind: 'operator' }];
  const word = isName(token) ? { word: { name: token.code, line: token.line } } : {};
  return [{ line: before.line, kind: 'comma', ...word }];
}

/** Finds `=` in a condition. */
function equalsIn(statement: Statement): Refused[] {
  if (!/^(?:if|elif|while)$/.test(wordOf(statement))) return [];
  const at = statement.tokens.findIndex(({ depth, code }) => depth === 0 && (code === '=' || code === 'lambda'));
  const token = statement.tokens[at];
  return token?.kind === 'sign' ? [{ line: token.line, kind: 'equals' }] : [];
}

/** Finds calls that give an argument twice, or one without a name after one with a name. */
function callsIn(items: readonly Item[], word = ''): Refused[] {
  // The parameters of a function have rules of their own.
  const parameters = word === 'def' ? items.findIndex(item => isGroup(item) && item.open.code === '(') : -1;
  return items.flatMap((item, at) => {
    if (!isGroup(item)) return [];
    const before = items[at - 1];
    const isCall = item.open.code === '(' && at !== parameters && before !== undefined && !isKeyword(before);
    return [...(isCall ? argumentsIn(item) : []), ...callsIn(item.items)];
  });
}

function argumentsIn(call: Group): Refused[] {
  const found: Refused[] = [];
  const names = new Set<string>();
  let isNamed = false;
  for (const [first, sign] of splitArguments(call.items)) {
    const code = codeOf(first);
    const line = first === undefined ? 0 : isGroup(first) ? first.open.line : first.line;
    if (isName(first) && codeOf(sign) === '=') {
      if (names.has(first.code)) found.push({ line, kind: 'repeated', word: { name: first.code, line } });
      names.add(first.code);
      isNamed = true;
    } else if (code === '**') isNamed = true;
    else if (first !== undefined && code !== '*' && isNamed) found.push({ line, kind: 'positional' });
  }
  return found;
}

/** Splits arguments at the commas that belong to no `lambda`. */
function splitArguments(items: readonly Item[]): Item[][] {
  const parts: Item[][] = [[]];
  let lambdas = 0;
  for (const item of items) {
    const code = codeOf(item);
    if (code === 'lambda') lambdas += 1;
    else if (code === ':') lambdas -= 1;
    if (code === ',' && lambdas === 0) parts.push([]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

/** Finds parameters of a function that have the same name. */
function parametersIn(statements: readonly Statement[]): Refused[] {
  return unique(statements.map(({ scope }) => scope)).flatMap(scope =>
    [...scope.defines.values()].flatMap(bindings => {
      const [, word] = bindings.filter(({ by }) => by === 'parameter');
      return word ? [{ line: word.line, kind: 'parameter' as const, word }] : [];
    }),
  );
}

/** Finds decorators without anything to decorate. */
const decoratorsIn = (statements: readonly Statement[]): Refused[] =>
  statements.flatMap((one, at) => {
    const next = statements[at + 1];
    const isDecorating = next?.header === one.header && /^(?:@|def|class)$/.test(wordOf(next));
    if (wordOf(one) !== '@' || isDecorating) return [];
    return [{ line: one.start, kind: 'decorator' }];
  });

/** What may be right above a clause. After an `else`, it is that of a `try`. */
const ABOVE: Readonly<Record<string, RegExp>> = {
  elif: /^(?:if|elif)$/,
  else: /^(?:if|elif|for|while|except)$/,
  except: /^(?:try|except)$/,
  finally: /^(?:try|except|else)$/,
};

/** Finds clauses that belong to nothing, and a `try` without any. */
function clausesIn(statements: readonly Statement[]): Refused[] {
  const found: Refused[] = [];
  /** The last statement of each block, and the words of its clauses. */
  const last = new Map<Statement | undefined, { one: Statement; words: string[] }>();
  const close = ({ one, words }: { one: Statement; words: string[] }) => {
    if (words.length === 1 && words[0] === 'try') found.push({ line: one.start, kind: 'try' });
  };
  for (const one of statements) {
    const word = wordOf(one);
    const before = last.get(one.header);
    const above = Object.hasOwn(ABOVE, word) ? ABOVE[word] : undefined;
    const isRight = above?.test(before?.words.at(-1) ?? '') && (word !== 'finally' || before?.words[0] === 'try');
    if (word === 'else' && one.tokens[1]?.code === 'if') found.push({ line: one.start, kind: 'else-if' });
    if (above && !isRight) found.push({ line: one.start, kind: 'clause', word: { name: word, line: one.start } });
    if (before && above) before.words.push(word);
    else {
      if (before) close(before);
      last.set(one.header, { one, words: [word] });
    }
  }
  for (const one of last.values()) close(one);
  return found;
}

/** Finds statements that belong in a function or a loop, and aren't in one. */
function strayIn(statements: readonly Statement[]): Refused[] {
  /** The headers of the blocks in which a loop can be left. */
  const loops = new Set<Statement>();
  return statements.flatMap((one): Refused[] => {
    const { header, scope, start: line } = one;
    const word = wordOf(one);
    const isInLoop = header !== undefined && loops.has(header);
    if (/^(?:for|while)$/.test(word) || (isInLoop && !/^(?:def|class)$/.test(word))) loops.add(one);
    const outside = one.tokens.find(token => isLeft(token) && scope.kind !== 'function')?.code;
    if (outside && !one.tokens.some(isLambda)) return [{ line, kind: 'outside', word: { name: outside, line } }];
    if (/^(?:break|continue)$/.test(word) && !isInLoop) return [{ line, kind: 'loop', word: { name: word, line } }];
    if (word !== 'nonlocal') return [];
    const name = one.tokens.slice(1).find(token => isName(token) && !isOuter(token.code, scope))?.code;
    return name === undefined ? [] : [{ line, kind: 'nonlocal', word: { name, line } }];
  });
}

/** Whether a word gives something to the caller of a function. */
const isLeft = ({ kind, code }: Token): boolean => kind === 'name' && (code === 'return' || code === 'yield');

const isLambda = ({ kind, code }: Token): boolean => kind === 'name' && code === 'lambda';

/** Whether a function around a scope defines a name. Some names of classes aren't written as they are. */
function isOuter(name: string, scope: Scope): boolean {
  if (scope.kind === 'module') return false;
  if (name.startsWith('__')) return true;
  let outer = scope.parent;
  while (outer && !((outer.kind === 'function' || outer.kind === 'types') && outer.defines.has(name))) {
    outer = outer.parent;
  }
  return outer !== undefined;
}
