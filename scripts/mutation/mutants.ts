import { parseAst } from 'rolldown/parseAst';

/** A small change to the sources that some test should notice. */
export interface Mutant {
  id: number;
  path: string;
  line: number;
  /** The code and its replacement. */
  change: string;
}

interface Node {
  type: string;
  start: number;
  end: number;
  [key: string]: unknown;
}

const OPERATORS: Readonly<Record<string, string>> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*' },
  ...{ '&&': '||', '||': '&&', '+=': '-=', '-=': '+=' },
};
const METHODS = new Map(
  [
    ['some', 'every'],
    ['startsWith', 'endsWith'],
    ['min', 'max'],
  ].flatMap(([one = '', other = '']) => [[one, other] as const, [other, one] as const]),
);
/** Calls to these methods can be removed, because the receiver has the same type as the result. */
const FILTERS = ['filter', 'sort', 'slice', 'trim', 'trimEnd', 'toLowerCase', 'replace', 'replaceAll', 'normalize'];

/** The code that checks whether a mutant is active. */
const test = (id: number) => `isMutant(${id})`;

/** Looking it up once in a module is much faster than each time. */
const PRELUDE = 'const { isMutant } = globalThis;\n';

/**
 * Finds the mutants of a source, and writes all of them into its code. Each is behind a condition, so that one process
 * can try them one after another.
 */
export function instrument(path: string, source: string, firstId: number): { code: string; mutants: Mutant[] } {
  const mutants: Mutant[] = [];
  const add = (node: Node, replacement: string): string => {
    const id = firstId + mutants.length;
    const line = source.slice(0, node.start).split('\n').length;
    const shown = (text: string) => text.replace(/\s+/g, ' ').slice(0, 70);
    mutants.push({ id, path, line, change: `${shown(textOf(node))}  ->  ${shown(replacement) || 'nothing'}` });
    return test(id);
  };
  const textOf = ({ start, end }: Node) => source.slice(start, end);

  /** The code of a node, with the mutants of its children. */
  const inner = (node: Node, emitChild = emit): string => {
    let code = '';
    let at = node.start;
    for (const child of childrenOf(node)) {
      code += source.slice(at, child.start) + emitChild(child, node);
      at = child.end;
    }
    return code + source.slice(at, node.end);
  };

  const emit = (node: Node, parent?: Node): string => {
    if (node.type === 'ChainExpression') return inner(node, emitLink);
    if (node.type === 'ExpressionStatement' && !('directive' in node && node.directive)) {
      // The outer braces keep a following `else` with the right `if`.
      return `{ if (!${add(node, '')}) { ${inner(node)} } }`;
    }
    if (node.type === 'ArrayExpression') return inner(node, child => emitElement(child));
    if (node.type === 'ObjectExpression') return inner(node, child => emitProperty(child));
    const code = inner(node);
    const replacements = [...replacementsOf(node, textOf), ...conditionsOf(node, parent)];
    if (replacements.length === 0) return code;
    return replacements.reduceRight((rest, one) => `(${add(node, one)} ? (${one}) : ${rest})`, `(${code})`);
  };

  /** A link of a chain such as `a?.b(c)`. Only its arguments are complete expressions. */
  const emitLink = (node: Node, parent?: Node): string => {
    const isLink = parent && (parent.callee === node || parent.object === node || parent.type === 'ChainExpression');
    return isLink ? inner(node, emitLink) : emit(node, parent);
  };

  const emitElement = (node: Node): string => {
    const row = node.type === 'SpreadElement' ? inner(node) : `...[${emit(node)}]`;
    return `...(${add(node, '')} ? [] : [${row}])`;
  };

  const emitProperty = (node: Node): string => `...(${add(node, '')} ? {} : { ${inner(node)} })`;

  const program = parseAst(source, { lang: 'ts' }, path);
  return { code: PRELUDE + inner(program as unknown as Node), mutants };
}

/** Whether a child of a node isn't executable code, or must not change. */
function isFixed(key: string, { type, computed, value }: Node): boolean {
  if (type.startsWith('TS')) return key !== 'expression';
  if (/^(?:type|typeAnnotation|typeArguments|typeParameters|returnType|superTypeArguments)$/.test(key)) return true;
  if (/^(?:ImportDeclaration|ImportExpression|ExportSpecifier)$/.test(type) || key === 'source') return true;
  if (key === 'key' || key === 'property') return computed !== true;
  if (type === 'TemplateLiteral') return key === 'quasis';
  return type === 'TaggedTemplateExpression' || (type === 'Literal' && value !== undefined);
}

function childrenOf(node: Node): Node[] {
  const found = Object.entries(node).flatMap(([key, value]) => {
    if (isFixed(key, node) || value === null || typeof value !== 'object') return [];
    const nodes = (Array.isArray(value) ? value : [value]) as Node[];
    return nodes.filter(one => typeof one?.type === 'string' && !isType(one));
  });
  // In `{ name }`, the key and the value are the same text.
  const shorthand = node.type === 'Property' && node.shorthand === true;
  return shorthand ? [] : found.sort((one, other) => one.start - other.start);
}

const isType = ({ type }: Node) =>
  type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'].includes(type);

/** Replaces a condition with true or false. */
function conditionsOf(node: Node, parent?: Node): string[] {
  if (parent?.type === 'IfStatement' && parent.test === node) return ['true', 'false'];
  return parent?.type === 'WhileStatement' && parent.test === node ? ['false'] : [];
}

function replacementsOf(node: Node, textOf: (node: Node) => string): string[] {
  const part = (key: string) => node[key] as Node;
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression': {
      // Logical and coalescing operators don't mix without parentheses.
      const left = node.type === 'AssignmentExpression' ? textOf(part('left')) : `(${textOf(part('left'))})`;
      if (node.operator === '??') return [left];
      const operator = OPERATORS[String(node.operator)];
      return operator ? [`${left} ${operator} (${textOf(part('right'))})`] : [];
    }
    case 'ConditionalExpression':
      return [textOf(part('consequent')), textOf(part('alternate'))];
    case 'UnaryExpression':
      return node.operator === '!' ? [textOf(part('argument'))] : [];
    case 'TemplateLiteral':
      return ["''"];
    case 'Literal':
      return replaceLiteral(node, textOf(node));
    case 'CallExpression':
      return replaceCall(node, textOf);
    default:
      return [];
  }
}

function replaceLiteral({ value, regex }: Node, text: string): string[] {
  if (typeof value === 'boolean') return [String(!value)];
  if (typeof value === 'number') return [String(value + 1)];
  if (typeof value === 'string') return [value === '' ? "'mutant'" : "''"];
  if (!regex) return [];
  const unanchored = [
    text.replace(/^\/\^/, '/(?:)'),
    text.replace(/\$(?=\/[a-z]*$)/, ''),
    text.replace(/g(?=[a-z]*$)/, ''),
  ];
  return [...new Set(unanchored)].filter(one => one !== text);
}

function replaceCall(node: Node, textOf: (node: Node) => string): string[] {
  const callee = node.callee as Node;
  if (callee.type !== 'MemberExpression' || callee.computed === true) return [];
  const object = textOf(callee.object as Node);
  const name = textOf(callee.property as Node);
  if (FILTERS.includes(name)) return [object];
  const other = METHODS.get(name);
  const end = textOf(node).slice((callee.end as number) - node.start);
  return other ? [`${object}.${other}${end}`] : [];
}
