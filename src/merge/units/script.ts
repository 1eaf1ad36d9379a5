import { parser } from '@lezer/javascript';
import {
  all,
  anyOrder,
  block,
  items,
  type Language,
  type ListKind,
  names,
  plainQuotes,
  positional,
  readBy,
} from './language.ts';
import { attributes, elements } from './markup.ts';
import { headOf, isList, type Token, type Unit } from './tree.ts';

const members: ListKind = { ...block, separator: ';', isOrdered: false };

const wordsOf = (unit: Unit): string[] => headOf(unit).flatMap(({ plain }) => plain || []);

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

export const SCRIPT: Language = {
  ...readBy(parser, { dialect: 'ts jsx' }),
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
  isOwnImport: unit => unit.parts.some(part => !isList(part) && part.type === 'String' && /^["']\./.test(part.text)),
  isSometimes: ({ type }) => /^(If|For|While|Do|Switch)Statement$/.test(type),
};

/** Without elements, `<One>` is a type. */
export const TYPESCRIPT: Language = { ...SCRIPT, ...readBy(parser, { dialect: 'ts' }) };
