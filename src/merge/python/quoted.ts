import type { Module, Statement } from '../../formats/python/module.ts';
import type { Token } from '../../formats/python/tokens.ts';

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
const TYPE = /^[\w.,[\]|()\s]+$/;
const PROSE = /\w\s+\w/;

function findQuoted({ tokens }: Statement): Token[] {
  const isName = ({ kind, code }: Token) => kind === 'text' && TYPE.test(code) && !PROSE.test(code);
  if (tokens[0]?.code === '__all__' || !tokens.some(isName)) return tokens.filter(isName);
  const openers = openersOf(tokens);
  const [colon, equals] = [':', '='].map(sign => tokens.findIndex(({ code, depth }) => code === sign && depth === 0));
  const isDefinition = tokens[tokens[0]?.code === 'async' ? 1 : 0]?.code === 'def';
  const isType = (at: number) => {
    const [before, opener] = [tokens[at - 1]?.code ?? '', openers[at] ?? -1];
    const outer = tokens[opener - 1]?.code ?? '';
    if (tokens[opener]?.code === '[' && VALUES.includes(outer)) return false;
    if (CASTS.includes(outer) && before === '(') return true;
    if (isDefinition) return [':', '->', '|', '['].includes(before) || (before === ',' && tokens[opener]?.code === '[');
    const isAnnotation = colon === 1 || (colon === 3 && tokens[1]?.code === '.');
    return isAnnotation && at > (colon ?? 0) && (equals === -1 || at < (equals ?? 0));
  };
  return tokens.filter((token, at) => isName(token) && isType(at));
}

/** What takes texts that are only texts, and what takes the name of a type. */
const VALUES = ['Literal', 'Annotated'];
const CASTS = ['cast', 'ForwardRef'];

/** For each token, the bracket that it's in. */
function openersOf(tokens: readonly Token[]): (number | undefined)[] {
  const open: number[] = [];
  return tokens.map(({ kind, code }, at) => {
    if (kind === 'sign' && ')]}'.includes(code)) open.pop();
    const opener = open.at(-1);
    if (kind === 'sign' && '([{'.includes(code)) open.push(at);
    return opener;
  });
}
