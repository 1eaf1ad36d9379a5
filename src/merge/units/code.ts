import { parser as css } from '@lezer/css';
import { parser as html } from '@lezer/html';
import { parser as javascript } from '@lezer/javascript';
import {
  all,
  anyOrder,
  block,
  headOf,
  isList,
  items,
  type Language,
  type ListKind,
  names,
  plainQuotes,
  type Syntax,
  type Token,
  type Unit,
  wordsOf,
} from './tree.ts';

/** The part of lezer's interface that is needed. */
interface LezerParser {
  configure(config: { dialect: string }): LezerParser;
  startParse(text: string): unknown;
}
interface LezerNode {
  name: string;
  from: number;
  to: number;
  type: { isError: boolean };
  firstChild: LezerNode | null;
  nextSibling: LezerNode | null;
}

/** How deep a text may be nested: people's hardly are more than 80 levels. It takes a parser the square of the depth. */
const DEEPEST = 200;

/** So many words may be read while looking for a way around a syntax error. That, too, may take the square of them. */
const MOST_IN_ERRORS = 300;

/** The part of a parse by lezer that shows how much work it has. */
interface Progress {
  advance(): { topNode: LezerNode } | null;
  /** Whether it looks for a way around an error. */
  recovering: number;
  /** What may be read so far, with three numbers for each level. */
  stacks: { stack: number[] }[];
}

/**
 * Reads with a parser of lezer; gives up if that takes time that grows faster than the text.
 *
 * @param slow What takes it the square of the time.
 */
const readBy =
  (parser: LezerParser, { dialect = '', slow }: { dialect?: string; slow?: RegExp } = {}): Language['parse'] =>
  text => {
    if (slow?.test(text)) return undefined;
    const parse = parser.configure({ dialect }).startParse(text) as Progress;
    for (let inErrors = 0; inErrors < MOST_IN_ERRORS; inErrors += parse.recovering > 0 ? 1 : 0) {
      const tree = parse.advance();
      if (tree) return fromLezer(tree.topNode);
      if (parse.stacks.some(({ stack }) => stack.length > 3 * DEEPEST)) return undefined;
    }
    return undefined;
  };

function fromLezer({ name, from, to, type, firstChild }: LezerNode, parent?: Syntax, depth = 1): Syntax | undefined {
  if (depth > DEEPEST) return undefined;
  const node: Syntax = { name, from, to, children: [], parent, isError: type.isError };
  for (let child = firstChild; child; child = child.nextSibling) {
    const inner = fromLezer(child, node, depth + 1);
    if (!inner) return undefined;
    node.children.push(inner);
  }
  return node;
}

const isAttribute = ({ name }: Syntax): boolean => /^(JSX)?(Spread)?Attribute$/.test(name);

/** What is between two tags. */
const elements: ListKind = {
  ...block,
  skipsBlank: true,
  range: children => {
    const isClosed = /^(JSX)?(Mismatched)?CloseTag$/.test(children.at(-1)?.name ?? '');
    return [Math.min(1, children.length), isClosed ? children.length - 1 : children.length];
  },
};

/** The attributes of a tag. */
const attributes: ListKind = {
  isBlock: false,
  separator: '',
  isOrdered: false,
  range: children => {
    const first = children.findIndex(isAttribute);
    return [first === -1 ? children.length - 1 : first, children.length - 1];
  },
};

const wordsIn = (unit: Unit): string => wordsOf(unit).join(' ');

const CSS: Language = {
  parse: readBy(css),
  lists: { StyleSheet: { ...block, range: all }, Block: { ...block, separator: ';' }, KeyframeList: block },
  atoms: names('StringLiteral NumberLiteral ColorLiteral'),
  comments: names('Comment'),
  plain: (text, type) => (text === ';' ? '' : type === 'StringLiteral' ? plainQuotes(text) : text),
  sign: unit => (unit.type === 'Declaration' ? `: ${headOf(unit)[0]?.plain}` : wordsIn(unit)),
  isUnique: sign => !sign.startsWith('# '),
  isTop: ({ type }) => /^(Charset|Import)Statement$/.test(type),
};

const HTML: Language = {
  // The parser looks for the end of a reference up to the next white space.
  parse: readBy(html, { slow: /&[^\s;]{1000}/ }),
  lists: {
    Document: { ...block, range: all, skipsBlank: true },
    Element: elements,
    OpenTag: attributes,
    SelfClosingTag: attributes,
  },
  atoms: names('AttributeValue UnquotedAttributeValue ScriptText StyleText'),
  comments: names('Comment'),
  plain: (text, type) => (type === 'Text' ? text.trim().replace(/\s+/g, ' ') : plainQuotes(text)),
  sign: unit =>
    unit.list?.kind === attributes ? `@${headOf(unit)[0]?.plain}` : unit.type === 'Element' ? wordsIn(unit) : undefined,
  isUnique: sign => sign.startsWith('@'),
};

const positional: ListKind = { ...items, isPositional: true };
const members: ListKind = { ...block, separator: ';', isOrdered: false };

/** What is called, up to the first bracket. */
const calleeIn = (words: readonly string[]): string => words.slice(0, words.indexOf('(')).join('');

function signOf(unit: Unit): string | undefined {
  const words = wordsOf(unit);
  const { type, list } = unit;
  if (type === 'ImportDeclaration') return `from ${words.at(-1)}${words[1] === 'type' ? ' type' : ''}`;
  const defined = headOf(unit).find(token => /^(Variable|Type|Property)Definition$/.test(token.type));
  if (/Declaration$/.test(type)) return defined && `define ${defined.plain}`;
  if (list?.kind === attributes) return words[0] === '{' ? words.join(' ') : `@${words[0]}`;
  if (list?.kind === elements)
    return type === 'JSXElement'
      ? `<${words[1]}${words.includes('key') || words.includes('id') ? words.join(' ') : ''}`
      : undefined;
  if (list?.kind === anyOrder || list?.kind === members)
    return words[0] === '...' ? words.join(' ') : `.${words.find(word => !MODIFIERS.has(word))}`;
  if (type === 'ExpressionStatement' && words.includes('(')) return `call ${calleeIn(words)}`;
  return list?.kind.isBlock ? undefined : words.join(' ');
}

const MODIFIERS = names('async readonly get set type static');

function roleOf({ syntax, text, type }: Token): 'define' | 'use' | undefined {
  const parent = syntax?.parent;
  if (/^(Variable|Type)Definition$/.test(type)) return 'define';
  // In `import { a as b }`, only `b` is a name here.
  if (/^(VariableName|TypeName)$/.test(type)) return parent?.name === 'ImportGroup' ? undefined : 'use';
  // In `{ a }`, `a` is also a name.
  if (type === 'PropertyDefinition')
    return parent?.name === 'Property' && parent.children.length === 1 ? 'use' : undefined;
  return type === 'JSXIdentifier' && /^[A-Z]/.test(text) ? 'use' : undefined;
}

/** Whether a name is one of a parameter, for the unit that it is in. */
function isInner({ syntax }: Token): boolean {
  for (let at = syntax?.parent; at && !/Body|Block|Script/.test(at.name); at = at.parent)
    if (/^(ParamList|ArrowFunction|CatchClause|ForSpec|ForOfSpec|ForInSpec|TypeParamList)$/.test(at.name)) return true;
  return false;
}

const SCRIPT: Language = {
  parse: readBy(javascript, { dialect: 'ts jsx' }),
  lists: {
    Script: { ...block, range: all },
    Block: block,
    ClassBody: block,
    SwitchBody: block,
    ObjectType: members,
    EnumBody: { ...members, separator: ',' },
    ArgList: positional,
    ParamList: positional,
    ArrayExpression: items,
    ObjectExpression: anyOrder,
    ObjectPattern: anyOrder,
    ArrayPattern: items,
    ImportGroup: anyOrder,
    ExportGroup: anyOrder,
    TypeArgList: positional,
    TypeParamList: positional,
    JSXElement: elements,
    JSXOpenTag: attributes,
    JSXSelfClosingTag: attributes,
  },
  atoms: names('String TemplateString JSXAttributeValue RegExp'),
  comments: names('LineComment BlockComment'),
  boxed: 'JSXElement',
  plain: (text, type) =>
    text === ';'
      ? ''
      : type === 'String'
        ? plainQuotes(text)
        : type === 'JSXText'
          ? text.trim().replace(/\s+/g, ' ')
          : text,
  sign: signOf,
  isUnique: sign => /^(define |@|\.|from )/.test(sign),
  role: roleOf,
  isInner,
  rename: ({ parent }, from, to) => {
    const isShort = /^(Pattern)?Property$/.test(parent?.name ?? '') && parent?.children.length === 1;
    if (isShort) return `${from}: ${to}`;
    return parent?.name === 'ImportGroup' && !parent.children.some(({ name }) => name === 'as')
      ? `${from} as ${to}`
      : to;
  },
  usesWithin: ({ type, syntax, text, from }) => {
    if (type !== 'TemplateString' || !syntax) return [];
    const found: string[] = [];
    const visit = (node: typeof syntax) => {
      if (node.name === 'VariableName') found.push(text.slice(node.from - from, node.to - from));
      node.children.forEach(visit);
    };
    visit(syntax);
    return found;
  },
  isScope: ({ type }) => /^(Function|Class|Method)Declaration$/.test(type),
  ends: ({ type }) => /^(Return|Throw|Break|Continue)Statement$/.test(type),
  isReached: ({ type }) => /^(Case|Default)Label$/.test(type),
  isImport: ({ type }) => type === 'ImportDeclaration',
  isTop: unit => unit.type === 'ExpressionStatement' && headOf(unit)[0]?.type === 'String',
  isOwnImport: unit => unit.parts.some(part => !isList(part) && part.type === 'String' && /^["']\./.test(part.text)),
};

/** Without elements, `<One>` is a type. */
const TYPESCRIPT: Language = { ...SCRIPT, parse: readBy(javascript, { dialect: 'ts' }) };

/** The languages of files with code, by their names. */
export const CODE: readonly (readonly [files: RegExp, language: Language])[] = [
  [/\.[cm]?ts$/, TYPESCRIPT],
  [/\.([cm]?js|[jt]sx)$/, SCRIPT],
  [/\.css$/, CSS],
  [/\.html$/, HTML],
];
