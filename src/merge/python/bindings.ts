import { readStatements, type Statement, type Token } from '../../formats/python/tokens.ts';
import type { Lines } from '../lines.ts';

/** A name at a line, counted from 0. */
export interface Mention {
  name: string;
  line: number;
}

/** A name that a statement gives a meaning. */
export interface Binding extends Mention {
  /** The functions and classes around it, such as `run_bot.greet`. */
  scope: string;
  /** Whether it is a definition: a function, a class, an import, or an assignment of the name alone. */
  isDefinition: boolean;
}

export interface Names {
  bindings: Binding[];
  uses: Mention[];
  /** Keyword arguments that a call has twice, which Python refuses. */
  repeated: Mention[];
  isBalanced: boolean;
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

/** Finds the names that Python code defines and uses. It knows what a name is, but not what it means. */
export function readNames(lines: Lines): Names {
  const { statements, isBalanced } = readStatements(lines);
  const bindings: Binding[] = [];
  /** Names that a function changes, and another one around it has to define. */
  const foreign: Binding[] = [];
  const uses: Mention[] = [];
  let around: { name: string; indent: number }[] = [];
  for (const statement of statements) {
    around = around.filter(({ indent }) => indent < statement.indent);
    const scope = around.map(({ name }) => name).join('.');
    const bound = bindingsOf(statement);
    if (statement.tokens[0]?.code === 'nonlocal') foreign.push(...bound.map(one => ({ ...one, scope })));
    else bindings.push(...bound.map(one => ({ ...one, scope })));
    if (!isImport(statement)) uses.push(...usesOf(statement.tokens));
    const name = definedBy(statement);
    if (name) around.push({ name: name.code, indent: statement.indent });
  }
  const isForeign = (one: Binding) => foreign.some(({ name, scope }) => name === one.name && scope === one.scope);
  const own = bindings.filter(one => !isForeign(one));
  return { bindings: own, uses, repeated: statements.flatMap(({ tokens }) => repeatedIn(tokens)), isBalanced };
}

export const isImport = ({ tokens: [first] }: Statement): boolean => first?.code === 'import' || first?.code === 'from';

/** The names that an import gives to the module. */
export function importedNames({ tokens }: Statement): Token[] {
  const from = tokens.findIndex(({ code }) => code === 'import');
  return tokens.filter((token, at) => {
    const before = tokens[at - 1]?.code ?? '';
    if (at <= from || !token.isName || before === 'as') return before === 'as';
    let end = at + 1;
    while (tokens[end]?.code === '.') end += 2;
    return ['import', ',', '('].includes(before) && tokens[end]?.code !== 'as';
  });
}

/** The name of the function or class that a statement begins. */
const definedBy = ({ tokens }: Statement): Token | undefined => {
  const at = tokens[0]?.code === 'async' ? 1 : 0;
  return ['def', 'class'].includes(tokens[at]?.code ?? '') ? tokens[at + 1] : undefined;
};

type Bound = Omit<Binding, 'scope'>;

function bindingsOf(statement: Statement): Bound[] {
  const { tokens } = statement;
  const toBound = (isDefinition: boolean) => (token: Token) => ({ name: token.code, line: token.line, isDefinition });
  if (isImport(statement)) return importedNames(statement).map(toBound(true));
  const defined = definedBy(statement);
  if (defined) return [toBound(true)(defined), ...parametersIn(tokens).map(toBound(false))];
  const assigned = assignedIn(tokens);
  return [...assigned.map(toBound(assigned.length === 1)), ...boundInside(tokens).map(toBound(false))];
}

function parametersIn(tokens: readonly Token[]): Token[] {
  if (!tokens.slice(0, 2).some(({ code }) => code === 'def')) return [];
  const end = tokens.findIndex(({ code }) => code === '->');
  return tokens.slice(0, end === -1 ? tokens.length : end).filter((token, at, all) => {
    return token.isName && token.depth === 1 && /^(\(|,|\*\*?)$/.test(all[at - 1]?.code ?? '');
  });
}

const isName = ({ isName: is, code }: Token): boolean => is && !KEYWORDS.has(code);

/** The names before the `=` of an assignment, or before its `:`. */
function assignedIn(tokens: readonly Token[]): Token[] {
  const [first] = tokens;
  const find = (sign: string) => tokens.findIndex(({ code, depth }) => code === sign && depth === 0);
  const [colon, equals] = [find(':'), find('=')];
  if (colon !== -1 && (equals === -1 || colon < equals)) return first && isName(first) && colon === 1 ? [first] : [];
  const end = tokens.findLastIndex(({ code, depth }) => code === '=' && depth === 0);
  const targets = tokens.slice(0, Math.max(end, 0));
  // What is in the brackets of a call or an index is only used.
  const isUsed = targets.some(({ code }, at) => '(['.includes(code) && targets[at - 1]?.isName);
  return targets.filter((token, at) => {
    const [before, after] = [tokens[at - 1]?.code, tokens[at + 1]?.code ?? ''];
    return isName(token) && before !== '.' && ['=', ',', ')', ']'].includes(after) && token.depth <= (isUsed ? 0 : 1);
  });
}

/** `for x in`, `as x`, `x :=`, `lambda x:`, `global x`. */
function boundInside(tokens: readonly Token[]): Token[] {
  const isScope = ['global', 'nonlocal'].includes(tokens[0]?.code ?? '');
  let open = '';
  return tokens.filter((token, at) => {
    const [before = '', after] = [tokens[at - 1]?.code, tokens[at + 1]?.code];
    if (token.code === 'for' || token.code === 'lambda') open = token.code;
    else if (token.code === (open === 'for' ? 'in' : ':')) open = '';
    if (!isName(token) || before === '.') return false;
    const isParameter = open === 'lambda' && /^(lambda|,|\*\*?)$/.test(before);
    return isScope || before === 'as' || after === ':=' || open === 'for' || isParameter;
  });
}

/** Every mention of a name, except for attributes and the names of keyword arguments. */
const usesOf = (tokens: readonly Token[]): Mention[] =>
  tokens
    .filter((token, at) => isName(token) && tokens[at - 1]?.code !== '.' && !isKeyword(tokens, at))
    .map(({ code, line }) => ({ name: code, line }));

const isKeyword = (tokens: readonly Token[], at: number): boolean =>
  tokens[at]?.isName === true &&
  tokens[at + 1]?.code === '=' &&
  tokens[at].depth > 0 &&
  /^[(,]$/.test(tokens[at - 1]?.code ?? '');

function repeatedIn(tokens: readonly Token[]): Mention[] {
  const open: Set<string>[] = [];
  return tokens.flatMap(({ code, line }, at) => {
    if ('([{'.includes(code)) open.push(new Set());
    if (')]}'.includes(code)) open.pop();
    if (!isKeyword(tokens, at)) return [];
    const known = open.at(-1);
    const isRepeated = known?.has(code);
    known?.add(code);
    return isRepeated ? [{ name: code, line }] : [];
  });
}
