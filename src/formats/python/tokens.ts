export interface Token {
  code: string;
  isName: boolean;
  /** Counted from 0. */
  line: number;
  /** How many brackets are open around it. */
  depth: number;
}

/** A statement, or the part of one before its block: one line of Python in the sense of the language. */
export interface Statement {
  tokens: Token[];
  indent: number;
  /** The lines that it takes, `[start, end)`. */
  start: number;
  end: number;
  hasComment: boolean;
}

const STRING = /([A-Za-z]{0,2})("""|'''|"|')/y;
const REST: Readonly<Record<string, RegExp>> = {
  '"': /(?:[^"\\\n]|\\[\s\S])*"/y,
  "'": /(?:[^'\\\n]|\\[\s\S])*'/y,
  '"""': /(?:[^\\]|\\[\s\S])*?"""/y,
  "'''": /(?:[^\\]|\\[\s\S])*?'''/y,
};
const PART =
  /[ \t\f\r]+|\\\n|\n|#[^\n]*|[\p{L}_][\p{L}\p{N}_]*|\d[\w.]*|:=|->|\*\*=?|\/\/=?|[=!<>+\-*/%&|^@]=|\.\.\.|[\s\S]/uy;

/** Splits Python into statements. Strings and comments don't count, except for the expressions in f-strings. */
export function readStatements(lines: readonly string[]): { statements: Statement[]; isBalanced: boolean } {
  const text = lines.join('\n');
  const statements: Statement[] = [];
  let open: Statement | undefined;
  let [at, line, depth, lineStart, isBalanced] = [0, 0, 0, 0, true];
  const match = (expression: RegExp) => {
    expression.lastIndex = at;
    const found = expression.exec(text);
    if (found) at = expression.lastIndex;
    return found;
  };
  const begin = () => {
    if (open) return open;
    open = { tokens: [], indent: at - lineStart, start: line, end: line + 1, hasComment: false };
    statements.push(open);
    return open;
  };
  while (at < text.length) {
    const from = at;
    const start = /[A-Za-z"']/.test(text[at] ?? '') ? match(STRING) : null;
    if (start) {
      at = from;
      const statement = begin();
      at = from + start[0].length;
      const body = match(REST[start[2] ?? ''] ?? STRING)?.[0];
      isBalanced &&= body !== undefined;
      statement.tokens.push({ code: '""', isName: false, line, depth });
      if (/f/i.test(start[1] ?? ''))
        statement.tokens.push(...namesInFString((body ?? '').slice(0, -(start[2] ?? '').length), line, depth + 1));
      line += (body ?? '').split('\n').length - 1;
      lineStart = (body ?? '').includes('\n') ? text.lastIndexOf('\n', at - 1) + 1 : lineStart;
      statement.end = line + 1;
      continue;
    }
    const code = match(PART)?.[0] ?? '';
    if (code.endsWith('\n')) {
      line += 1;
      lineStart = at;
      if (depth === 0 && code === '\n') open = undefined;
    } else if (code.startsWith('#')) {
      if (open) open.hasComment = true;
    } else if (/\S/.test(code)) {
      if (')]}'.includes(code)) depth -= 1;
      const end = at;
      at = from;
      const statement = begin();
      at = end;
      statement.tokens.push({ code, isName: /^[\p{L}_]/u.test(code), line, depth });
      statement.end = line + 1;
      if ('([{'.includes(code)) depth += 1;
      if (depth < 0) [depth, isBalanced] = [0, false];
    }
  }
  return { statements, isBalanced: isBalanced && depth === 0 };
}

/** The names in the expressions of an f-string. */
function namesInFString(body: string, line: number, depth: number): Token[] {
  return [...body.replace(/\{\{|\}\}/g, '').matchAll(/\{([^{}!:]*)/g)].flatMap(([, expression = '']) =>
    readStatements([expression]).statements.flatMap(({ tokens }) =>
      tokens.map(token => ({ ...token, line, depth: token.depth + depth })),
    ),
  );
}
