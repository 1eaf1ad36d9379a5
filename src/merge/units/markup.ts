import { parser as css } from '@lezer/css';
import { parser as html } from '@lezer/html';
import { all, block, type Language, type ListKind, names, plainQuotes, readBy, type Syntax } from './language.ts';
import { headOf } from './tree.ts';

const isAttribute = ({ name }: Syntax): boolean => /^(JSX)?(Spread)?Attribute$/.test(name);

/** What is between two tags. */
export const elements: ListKind = {
  ...block,
  skipsBlank: true,
  range: children => {
    const isClosed = /^(JSX)?(Mismatched)?CloseTag$/.test(children.at(-1)?.name ?? '');
    return [Math.min(1, children.length), isClosed ? children.length - 1 : children.length];
  },
};

/** The attributes of a tag. */
export const attributes: ListKind = {
  isBlock: false,
  separator: '',
  isOrdered: false,
  range: children => {
    const first = children.findIndex(isAttribute);
    return [first === -1 ? children.length - 1 : first, children.length - 1];
  },
};

const wordsIn = (unit: Parameters<Language['sign']>[0]): string =>
  headOf(unit)
    .map(({ plain }) => plain)
    .filter(Boolean)
    .join(' ');

export const CSS: Language = {
  ...readBy(css),
  lists: { StyleSheet: { ...block, range: all }, Block: { ...block, separator: ';' }, KeyframeList: block },
  atoms: names('StringLiteral NumberLiteral ColorLiteral'),
  comments: names('Comment'),
  plain: (text, type) => (text === ';' ? '' : type === 'StringLiteral' ? plainQuotes(text) : text),
  sign: unit => (unit.type === 'Declaration' ? `: ${headOf(unit)[0]?.plain}` : wordsIn(unit)),
  isUnique: sign => !sign.startsWith('# '),
};

export const HTML: Language = {
  // The parser looks for the end of a reference up to the next white space.
  ...readBy(html, { slow: /&[^\s;]{1000}/ }),
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
