import { type Module, readPython, type Statement } from '../../formats/python/module.ts';
import type { Token } from '../../formats/python/tokens.ts';
import type { Lines } from '../lines.ts';

const MOST = 20;
const known = new Map<string, Module>();

/** Reads Python, or remembers what it read: a merge looks at the same texts many times. */
export function readLines(lines: Lines): Module {
  const text = lines.join('\n');
  const module = known.get(text) ?? addQuoted(readPython(text));
  known.delete(text);
  known.set(text, module);
  const [longestUnused] = known.keys();
  if (known.size > MOST && longestUnused !== undefined) known.delete(longestUnused);
  return module;
}

/** Counts the names in texts as used where Python or a type checker reads them: in types, in `cast("…")`, and in `__all__`. */
export function addQuoted(module: Module): Module {
  for (const statement of module.statements) {
    for (const { code, line } of findQuoted(statement)) {
      for (const [name] of code.matchAll(NAME)) statement.scope.use({ code: name, line });
    }
  }
  return module;
}

/** A name that isn't an attribute. */
const NAME = /(?<![\p{L}\p{N}_.])[\p{L}_][\p{L}\p{N}_]*/gu;

/** A type: no prose, which has other signs or words in a row. */
const TYPE = /^[\p{L}\p{N}_.,[\]|()\s]+$/u;
const PROSE = /[\p{L}\p{N}_]\s+[\p{L}\p{N}_]/u;

function findQuoted({ tokens }: Statement): Token[] {
  const isName = ({ kind, code }: Token) => kind === 'text' && TYPE.test(code) && !PROSE.test(code);
  if (tokens[0]?.code === '__all__' || !tokens.some(isName)) return tokens.filter(isName);
  const brackets = bracketsOf(tokens);
  const find = (sign: string) => tokens.findIndex(({ code, depth }) => code === sign && depth === 0);
  const [colon, equals] = [find(':'), find('=')];
  const isAnnotation = colon === 1 || (colon === 3 && tokens[1]?.code === '.');
  const isDefinition = tokens.find(({ code }) => code !== 'async')?.code === 'def';
  const isType = (at: number) => {
    const [before = '', { open = '', taker = '' } = {}] = [tokens[at - 1]?.code, brackets[at]];
    if (open === '[' && VALUES.includes(taker)) return false;
    if (CASTS.includes(taker) && before === '(') return true;
    if (isDefinition) return [':', '->', '|', '['].includes(before) || (before === ',' && open === '[');
    return isAnnotation && (equals === -1 || at < equals);
  };
  return tokens.filter((token, at) => isName(token) && isType(at));
}

/** What takes texts that are only texts, and what takes the name of a type. */
const VALUES = ['Literal', 'Annotated'];
const CASTS = ['cast', 'ForwardRef'];

/** A bracket, and the word before it. */
interface Bracket {
  open: string;
  taker: string | undefined;
}

/** For each token, the bracket that it's in. */
function bracketsOf(tokens: readonly Token[]): (Bracket | undefined)[] {
  const open: Bracket[] = [];
  return tokens.map(({ kind, code }, at) => {
    if (kind === 'sign' && ')]}'.includes(code)) open.pop();
    const bracket = open.at(-1);
    if (kind === 'sign' && '([{'.includes(code)) open.push({ open: code, taker: tokens[at - 1]?.code });
    return bracket;
  });
}
