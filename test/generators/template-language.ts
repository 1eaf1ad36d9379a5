const NAME = String.raw`[a-z]\w*(?:\.[a-z]\w*)*`;

/** The allowed tags: they loop over rows, test a boolean, or insert a value. */
const STATEMENTS = [
  new RegExp(String.raw`^for \(const [a-z]\w* of ${NAME}\) \{$`),
  new RegExp(String.raw`^(?:\} else )?if \(!?${NAME}\) \{$`),
  /^\} else \{$/,
  /^\}$/,
];
const VALUES = [
  new RegExp(`^${NAME}$`),
  new RegExp(String.raw`^(?:html|js|json|md|py|pydoc|toml)\(${NAME}\)$`),
  new RegExp(String.raw`^include\((?:'[\w./-]+\.ejs'|${NAME})\)$`),
];

/** The names that a template's conditions test, except those of a row. */
export const conditionsOf = (text: string): string[] =>
  [...text.matchAll(/<%[^%]*\bif \(!?(\w+)\)/g)].map(([, name = '']) => name);

const allows = (patterns: readonly RegExp[], code: string) => patterns.some(pattern => pattern.test(code));

/**
 * Finds template code that is hard to read: expressions, nested conditions, and optional blocks that end with a blank
 * line. Each fault starts with the file and line.
 */
export function faultsOf(path: string, text: string): string[] {
  const faults: string[] = [];
  const open: { kind: 'loop' | 'condition'; at: number }[] = [];
  for (const { 0: tag, 1: inside = '', index } of text.matchAll(/<%([\s\S]*?)%>/g)) {
    const [, kind = '', body = ''] = /^(-?) ([\s\S]*?) -?$/.exec(inside) ?? [];
    const before = text.slice(0, index);
    const fault = (problem: string) => faults.push(`${path}:${before.split('\n').length}: ${problem}: ${tag}`);
    if (!allows(kind === '-' ? VALUES : STATEMENTS, body)) fault('an expression');
    if (kind === '-') continue;
    if (body.startsWith('}')) {
      // A block at the top of a file may end with a blank line, because nothing comes before it.
      if (open.pop()?.at !== 0 && /(^|\n)\n$/.test(before)) fault('a block that ends with a blank line');
    }
    if (!body.endsWith('{')) continue;
    const opened = { kind: body.startsWith('for') ? ('loop' as const) : ('condition' as const), at: index };
    const isNew = !body.startsWith('}');
    const isInCondition = open.some(block => block.kind === 'condition');
    if (isNew && opened.kind === 'condition' && isInCondition) fault('a condition in a condition');
    if (isNew && open.length === 2) fault('a third level');
    open.push(opened);
  }
  return faults;
}
